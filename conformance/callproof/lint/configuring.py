"""The settings of the linter, from ``pyproject.toml`` or ``callproof.toml``; an error suggests the nearest name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeGuard

from callproof.lint.document import Document
from callproof.lint.page import Severity, pages
from callproof.lint.settings import NEVER, Override, Settings, Suppression, Where
from callproof.lint.wording import listed, nearest
from callproof.values.toml import NotToml, read_toml, toml_word

_SETTINGS = (
    "select",
    "extend_select",
    "ignore",
    "profiles",
    "fail_on",
    "levels",
    "canons",
    "overrides",
    "suppressions",
)
# Tables of a file that other programs use too.
_SHARED = ("tool",)
_OVERRIDE = ("tools", "pointers", "files", "select", "ignore", "levels")
_SUPPRESSION = ("rule", "tools", "pointers", "files", "reason", "owner", "expires")


class WrongSetting(ValueError):
    """A setting has a name or value without meaning; says which, where, and what is permitted."""


@dataclass(frozen=True, slots=True)
class Configured:
    """Settings, and the file that they came from, if there is one."""

    settings: Settings
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a file while it is read; ``where`` is what messages call it."""

    where: str
    values: Mapping[str, Any]
    permitted: tuple[str, ...]
    members: str = "setting"

    def __post_init__(self) -> None:
        for name in self.values:
            if name not in self.permitted:
                near = nearest(name, self.permitted)
                hint = f"did you mean {near!r}?" if near else f"permitted: {', '.join(self.permitted)}"
                raise WrongSetting(f"{self.where} has no {self.members} {name!r}; {hint}")

    def texts(self, name: str) -> tuple[str, ...]:
        """A text, or several."""
        told: object = self.values.get(name, [])
        if isinstance(told, str):
            return (told,)
        texts = [each for each in told if isinstance(each, str)] if _is_list(told) else None
        if texts is None or not _is_list(told) or len(texts) < len(told):
            raise self.wrong(name, told, "a list of strings")
        return tuple(texts)

    def rules(self, name: str) -> tuple[str, ...]:
        """Ids of rules and names of groups."""
        return known_rules(self.texts(name), f"{self.where}: {name}")

    def text(self, name: str) -> str:
        """A text that must be there."""
        told = self.values.get(name)
        if not isinstance(told, str) or not told.strip():
            raise self.wrong(name, told, "a string that is not empty")
        return told

    def levels(self) -> Mapping[str, Severity]:
        """Severities by rule or group."""
        told: object = self.values.get("levels", {})
        if not _is_table(told):
            raise self.wrong("levels", told, "a table of rules and severities")
        known_rules(told, f"{self.where}: levels")
        words = tuple(each.value for each in Severity)
        for name, word in told.items():
            if word not in words:
                raise self.wrong(f"levels.{name}", word, " or ".join(words))
        return {name: Severity(word) for name, word in told.items()}

    def tables(self, name: str) -> list[Mapping[str, Any]]:
        """A list of tables."""
        told: object = self.values.get(name, [])
        tables = [each for each in told if _is_table(each)] if _is_list(told) else None
        if tables is None or not _is_list(told) or len(tables) < len(told):
            raise self.wrong(name, told, f"tables, each under [[…{name}]]")
        return tables

    def wrong(self, name: str, value: object, permitted: str) -> WrongSetting:
        """The error for a value that is missing or has no meaning."""
        told = f" has no {name}" if value is None else f": {name} is {toml_word(value)}"
        return WrongSetting(f"{self.where}{told}; permitted: {permitted}")


def configured(root: Path, file: Path | None = None) -> Configured:
    """
    The settings of a file, or of the first of ``callproof.toml`` and ``pyproject.toml`` in a folder that has any.

    Raises WrongSetting.
    """
    if file is not None:
        return _read(file, ("tool", "callproof", "lint") if file.name == "pyproject.toml" else ("lint",))
    for path, keys in ((root / "callproof.toml", ("lint",)), (root / "pyproject.toml", ("tool", "callproof", "lint"))):
        found = _read(path, keys) if path.is_file() else Configured(Settings())
        if found.document is not None:
            return found
    return Configured(Settings())


def known_rules(chosen: Iterable[str], where: str) -> tuple[str, ...]:
    """Ids of rules and names of groups, in their proper spelling.  Raises WrongSetting for any other word."""
    groups = {each.group for each in pages().values()}
    known = {name.upper(): name for name in (*pages(), *groups, "ALL")}
    told = [*chosen]
    for each in told:
        if each.upper() not in known:
            near = nearest(each, known.values())
            hint = f"did you mean {near}?" if near else f"groups are {listed(sorted(groups), 20)}"
            raise WrongSetting(f"{where}: no rule or group is called {each!r}; {hint}")
    return tuple(known[each.upper()] for each in told)


def refuse_nothing(settings: Settings) -> None:
    """Raises WrongSetting if no rule is left to apply, since the linter would then find nothing anywhere."""
    if not any(settings.may_choose(each) for each in pages().values()):
        told = f"{', '.join((*settings.select, *settings.extend_select)) or 'all'} without {', '.join(settings.ignore)}"
        raise WrongSetting(f"no rule is left of {told}; change --select or --ignore, or those in the settings")


def _is_table(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _read(path: Path, keys: tuple[str, ...]) -> Configured:
    """What a file says; without a document if it says nothing about the linter."""
    try:
        text, table = read_toml(path)
    except NotToml as error:
        raise WrongSetting(str(error)) from None
    if keys[0] not in _SHARED:
        _Table(str(path), table, keys[:1], "table")
    for number, key in enumerate(keys, 1):
        if number == len(keys):
            _refuse_misspelt(table, key, f"{path}: [{'.'.join(keys[:-1])}]")
        inner: object = table.get(key, {})
        if not _is_table(inner):
            raise WrongSetting(f"{path}: [{'.'.join(keys[:number])}] is {toml_word(inner)}; permitted: a table")
        table = inner
    document = Document(str(path), text, {}, "toml", editable=False, on_disk=True)
    return Configured(_settings(_Table(f"{path}: [{'.'.join(keys)}]", table, _SETTINGS)), document if table else None)


def _refuse_misspelt(table: Mapping[str, Any], key: str, where: str) -> None:
    """Refuse a table whose name is a misspelt ``key``; other tables beside the linter's belong to other programs."""
    if key not in table:
        for name, value in table.items():
            if _is_table(value) and nearest(name, (key,)):
                raise WrongSetting(f"{where} has no table {name!r}; did you mean {key!r}?")


def _settings(table: _Table) -> Settings:
    default = Settings()
    return Settings(
        select=table.rules("select"),
        extend_select=table.rules("extend_select"),
        ignore=table.rules("ignore"),
        profiles=table.texts("profiles") or default.profiles,
        fail_on=_fail_on(table),
        levels=table.levels(),
        canons=table.texts("canons"),
        overrides=_each(table, "overrides", _OVERRIDE, _override),
        suppressions=_each(table, "suppressions", _SUPPRESSION, _suppression),
    )


def _fail_on(table: _Table) -> str:
    permitted = (*(each.value for each in Severity), NEVER)
    told = table.values.get("fail_on", Settings().fail_on)
    if told not in permitted:
        raise table.wrong("fail_on", told, ", ".join(permitted))
    return str(told)


def _each(table: _Table, name: str, permitted: tuple[str, ...], read: Callable[[_Table], Any]) -> tuple[Any, ...]:
    return tuple(
        read(_Table(f"{table.where}: number {number} of {name}", each, permitted))
        for number, each in enumerate(table.tables(name), start=1)
    )


def _where(table: _Table) -> Where:
    return Where(table.texts("tools"), table.texts("pointers"), table.texts("files"))


def _override(table: _Table) -> Override:
    where = _where(table)
    if where == Where():
        raise WrongSetting(f"{table.where} applies nowhere; give it tools, pointers or files")
    return Override(where, table.rules("select"), table.rules("ignore"), table.levels())


def _suppression(table: _Table) -> Suppression:
    (rule,) = known_rules((table.text("rule"),), table.where)
    expires = table.values.get("expires")
    if not isinstance(expires, date):
        raise table.wrong("expires", expires, "a day, as in expires = 2027-03-31")
    day = date(expires.year, expires.month, expires.day)
    return Suppression(rule, _where(table), table.text("reason"), table.text("owner"), day)

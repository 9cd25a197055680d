"""
The settings of a conformance run, from options and from ``[tool.callproof]``; an option wins.

A live system of another protocol has a table of its own below it, as ``[tool.callproof.loop]``, and nothing of the
executor's holds for it.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard, cast

from callproof import limits
from callproof.report.targets import BadTarget, Form, Target, read_target
from callproof.spec.blocks import Level
from callproof.spec.profiles import PROFILES
from callproof.values.toml import NotToml, read_toml, toml_word

# How many cases are generated unless told otherwise: a few seconds' worth.
CASES = 100
SYSTEM_CASES = 60
_LEVELS = {level.value.lower(): level for level in Level}
# The systems of other protocols, by the names of their tables.
SYSTEMS = ("loop", "pipeline", "invocation")
_KNOWN_OF_SYSTEMS = (
    "adapter",
    "seed",
    "strict",
    "timeout",
    "report",
    "baseline",
    "update_baseline",
    "save_cases",
    "cases",
)
# `lint` is a table of its own, which is none of the business of a run.
_KNOWN = (*_KNOWN_OF_SYSTEMS, "profile", "level", "lint", *SYSTEMS)


# An option as the commands have it, in a message.
_OPTION = re.compile(rf"(?<!\S)--(?=(?:profile|level|{'|'.join(_KNOWN_OF_SYSTEMS).replace('_', '-')})\b)")

_NO_FILE = "names no file; add --baseline FILE"


class WrongSetting(ValueError):
    """A setting has a value or a name that means nothing; says which, where, and what is permitted."""


@dataclass(frozen=True, slots=True)
class Settings:
    """
    What a conformance run is asked to do; ``timeout`` in seconds, ``baseline`` a file of known failures.

    ``save_cases`` is the folder in which cases that fail are kept, ``cases`` how many cases are generated, by ``seed``.
    """

    adapter: str
    profile: str = "envelope"
    level: Level = Level.MAY
    seed: int | None = None
    strict: bool = False
    timeout: float = limits.ANSWER_SECONDS
    reports: tuple[Target, ...] = ()
    baseline: Path | None = None
    update_baseline: bool = False
    save_cases: Path | None = None
    cases: int = CASES

    @property
    def states(self) -> bool:
        """Whether a statement is wanted."""
        return any(each.form is Form.STATEMENT for each in self.reports)


@dataclass(frozen=True, slots=True)
class SystemSettings:
    """What a run of a live system of another protocol is asked to do, as ``Settings`` has it for an executor."""

    adapter: str
    strict: bool = False
    timeout: float = limits.PATIENCE_SECONDS
    cases: int = SYSTEM_CASES
    seed: int = 0
    reports: tuple[Target, ...] = ()
    baseline: Path | None = None
    update_baseline: bool = False
    save_cases: Path | None = None

    @property
    def statements(self) -> tuple[Path, ...]:
        """Where statements are wanted."""
        return tuple(each.path for each in self.reports if each.form is Form.STATEMENT)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """
    What somebody chose while it is read: options, and below them the table of a file; what is neither has a default.

    An option is a text, and ``where`` the file is what messages begin with about a value of the table.
    """

    options: Mapping[str, Any]
    table: Mapping[str, Any]
    where: str

    def told(self, name: str) -> Any:
        """What was said of a setting; None where nothing was."""
        return self.options[name] if self._is_option(name) else self.table.get(name)

    def wrong(self, name: str, permitted: str) -> WrongSetting:
        """The error for a value that means nothing."""
        return WrongSetting(f"{self.named(name)} is {toml_word(self.told(name))}; permitted: {permitted}")

    def named(self, name: str) -> str:
        """A setting as whoever said it wrote it: an option, or a name in the table of a file."""
        return f"--{name.replace('_', '-')}" if self._is_option(name) else f"{self.where}: {name}"

    def said(self, name: str) -> str:
        """Where the value of a setting was said, as messages begin: nothing of an option."""
        return "" if self._is_option(name) else f"{self.where}: "

    def text(self, name: str) -> str | None:
        """A text that is not empty, or None."""
        told = self.told(name)
        if told is not None and not (isinstance(told, str | Path) and str(told).strip()):
            raise self.wrong(name, "a text that is not empty")
        return None if told is None else str(told)

    def word(self, name: str, default: str, permitted: tuple[str, ...]) -> str:
        """One of the permitted words, in letters of any size."""
        told = self.told(name)
        word = default if told is None else str(told).lower()
        if word not in permitted:
            nearest = difflib.get_close_matches(word, permitted, n=1)
            raise self.wrong(name, ", ".join(permitted) + (f"; did you mean {nearest[0]!r}?" if nearest else ""))
        return word

    def whole(self, name: str) -> int | None:
        """A whole number, or None."""
        told = self.told(name)
        try:
            return None if told is None else int(str(self._number(name)))
        except ValueError:
            raise self.wrong(name, "a whole number") from None

    def within(self, name: str, default: int, most: int) -> int:
        """A whole number from 0 on."""
        count = self.whole(name)
        if count is not None and not 0 <= count <= most:
            raise self.wrong(name, f"0 to {most}")
        return default if count is None else count

    def flag(self, name: str) -> bool:
        """Yes or no; no where nothing was said."""
        told = self.told(name)
        if not isinstance(told, bool | None):
            raise self.wrong(name, "true or false")
        return bool(told)

    def seconds(self, name: str, default: float) -> float:
        """A number of seconds above 0, and at most an hour."""
        told = self.told(name)
        try:
            seconds = default if told is None else float(str(self._number(name)))
        except ValueError:
            seconds = -1.0
        if not 0 < seconds <= limits.TIMEOUT_SECONDS:
            raise self.wrong(name, f"a number of seconds above 0, and at most {limits.TIMEOUT_SECONDS:g}")
        return seconds

    def _number(self, name: str) -> object:
        """A value that may be a number.  Raises ValueError for a text in a file, where numbers need no quotes."""
        told = self.told(name)
        if isinstance(told, str) and not self._is_option(name):
            raise ValueError(told)
        return told

    def _is_option(self, name: str) -> bool:
        return self.options.get(name) not in (None, ())


def from_options(adapter: str, options: Mapping[str, Any], root: Path) -> Settings:
    """
    The settings of a run: options, then ``[tool.callproof]`` in the root's pyproject.toml, then defaults.

    Raises WrongSetting, also where Python reads the names of files in another encoding than the cases have them in:
    names that it cannot write, or reads as others, would be the system's fault.
    """
    _refuse_other_names()
    chosen = _chosen(options, root)
    baseline, kept = chosen.text("baseline"), chosen.text("save_cases")
    cases = chosen.within("cases", CASES, limits.GENERATED_CASES)
    update = chosen.flag("update_baseline")
    if update:
        _refuse_partial_update(chosen, baseline, cases)
    reports = _targets(chosen, root)
    _refuse_the_baseline(reports, baseline, root)
    return Settings(
        adapter=adapter,
        profile=chosen.word("profile", "envelope", PROFILES),
        level=_LEVELS[chosen.word("level", "may", tuple(_LEVELS))],
        seed=chosen.whole("seed"),
        strict=chosen.flag("strict"),
        timeout=chosen.seconds("timeout", limits.ANSWER_SECONDS),
        reports=reports,
        baseline=None if baseline is None else root / baseline,
        cases=cases,
        update_baseline=update,
        save_cases=None if kept is None else root / kept,
    )


def system_from_options(word: str, adapter: str, options: Mapping[str, Any], root: Path) -> SystemSettings:
    """
    The same of a live system of another protocol: options, then the table of this word, then defaults.

    Raises WrongSetting.
    """
    chosen = _chosen(options, root, word)
    baseline, update = chosen.text("baseline"), chosen.flag("update_baseline")
    kept = chosen.text("save_cases")
    if update and baseline is None:
        named = chosen.named("update_baseline")
        raise WrongSetting(f"{named} {_NO_FILE}, or baseline in [tool.callproof.{word}]")
    reports = _targets(chosen, root)
    _refuse_the_baseline(reports, baseline, root)
    return SystemSettings(
        adapter=adapter,
        strict=chosen.flag("strict"),
        timeout=chosen.seconds("timeout", limits.PATIENCE_SECONDS),
        cases=chosen.within("cases", SYSTEM_CASES, limits.GENERATED_SYSTEM_CASES),
        seed=chosen.within("seed", 0, limits.SEED),
        reports=reports,
        baseline=None if baseline is None else root / baseline,
        update_baseline=update,
        save_cases=None if kept is None else root / kept,
    )


def _refuse_the_baseline(reports: tuple[Target, ...], baseline: str | None, root: Path) -> None:
    if baseline is not None and any(each.path.resolve() == (root / baseline).resolve() for each in reports):
        raise WrongSetting(f"the report {baseline} is the baseline; name another")


def _refuse_other_names() -> None:
    encoding = sys.getfilesystemencoding()
    if encoding != "utf-8":
        told = f"names of files are in {encoding} here, and those of the cases in UTF-8"
        raise WrongSetting(f"{told}; set a locale of UTF-8, or PYTHONUTF8=1")


def adapter_from(root: Path, word: str = "") -> str | None:
    """
    The adapter that ``[tool.callproof]`` names, or its table of a word, for a command without an argument.

    Raises WrongSetting.
    """
    return _chosen({}, root, word).text("adapter")


def in_pytest(message: str) -> str:
    """A message in which each option has the name under which pytest knows it."""
    return _OPTION.sub("--callproof-", message)


def _chosen(options: Mapping[str, Any], root: Path, word: str = "") -> _Chosen:
    file = root / "pyproject.toml"
    name = "callproof"
    table = _table(file)
    _refuse_unknown(table, _KNOWN, f"{file}: [tool.{name}]")
    if word:
        name = f"callproof.{word}"
        table = _inner(table, word, f"{file}: tool.{name}", f"[tool.{name}]")
        _refuse_unknown(table, _KNOWN_OF_SYSTEMS, f"{file}: [tool.{name}]")
    return _Chosen(options, table, f"{file}: [tool.{name}]")


def _table(file: Path) -> Mapping[str, Any]:
    if not file.is_file():
        return {}
    try:
        _, tables = read_toml(file)
    except NotToml as error:
        raise WrongSetting(str(error)) from None
    tool: object = tables.get("tool", {})
    if not _is_table(tool):
        raise WrongSetting(f"{file}: tool.callproof is {toml_word(tool)}; permitted: a table, as [tool.callproof]")
    return _inner(tool, "callproof", f"{file}: tool.callproof", "[tool.callproof]")


def _inner(table: Mapping[str, Any], name: str, where: str, permitted: str) -> Mapping[str, Any]:
    """A table in a table; empty where there is none."""
    found: object = table.get(name, {})
    if not _is_table(found):
        raise WrongSetting(f"{where} is {toml_word(found)}; permitted: a table, as {permitted}")
    return found


def _refuse_unknown(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for name in table:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {nearest[0]!r}?" if nearest else f"; permitted: {', '.join(known)}"
            raise WrongSetting(f"{where} has no setting {name!r}{hint}")


def _is_table(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)


def _refuse_partial_update(chosen: _Chosen, baseline: str | None, cases: int) -> None:
    named = chosen.named("update_baseline")
    if baseline is None:
        raise WrongSetting(f"{named} {_NO_FILE}, or baseline in [tool.callproof]")
    if cases < CASES:
        many = chosen.named("cases")
        raise WrongSetting(f"{named} needs a whole run, and {many} is {cases}; permitted: {CASES} or more")


def _targets(chosen: _Chosen, root: Path) -> tuple[Target, ...]:
    value = chosen.told("report")
    told: object = (value,) if isinstance(value, str | Path) else value or ()
    if not isinstance(told, list | tuple):
        raise chosen.wrong("report", "a path, or a list of paths")
    try:
        return tuple(read_target(str(each), root) for each in cast("list[object]", told))
    except BadTarget as error:
        where = chosen.said("report")
        raise WrongSetting(f"{where}{str(error).removeprefix('--' if where else '')}") from None

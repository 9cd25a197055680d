"""The settings of a conformance run, from options and from ``[tool.callproof]``; an option wins."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard, cast

from callproof import limits
from callproof.report.targets import BadTarget, Form, Target, read_target
from callproof.spec.blocks import Level

PROFILES = ("envelope",)
# How many cases are generated unless told otherwise: a few seconds' worth.
CASES = 100
_LEVELS = {level.value.lower(): level for level in Level}
_KNOWN = (
    "adapter",
    "profile",
    "level",
    "seed",
    "strict",
    "timeout",
    "report",
    "baseline",
    "update_baseline",
    "save_cases",
    "cases",
    "lint",  # a table of its own, which is none of the business of a run
)


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


def from_options(adapter: str, options: Mapping[str, Any], root: Path) -> Settings:
    """
    The settings of a run: options, then ``[tool.callproof]`` in the root's pyproject.toml, then defaults.

    Raises WrongSetting.
    """
    table = _table(root / "pyproject.toml")
    chosen = {**table, **{key: value for key, value in options.items() if value not in (None, ())}}
    baseline = chosen.get("baseline")
    cases = _count("cases", chosen.get("cases", CASES))
    if chosen.get("update_baseline"):
        _refuse_partial_update(baseline, cases)
    return Settings(
        adapter=adapter,
        profile=_one_of("profile", str(chosen.get("profile", "envelope")), PROFILES),
        level=_LEVELS[_one_of("level", str(chosen.get("level", "may")).lower(), tuple(_LEVELS))],
        seed=None if chosen.get("seed") is None else _whole("seed", chosen["seed"]),
        strict=_flag("strict", chosen.get("strict", False)),
        timeout=_positive("timeout", chosen.get("timeout", limits.ANSWER_SECONDS)),
        reports=_targets(chosen.get("report"), root),
        baseline=None if baseline is None else root / str(baseline),
        cases=cases,
        update_baseline=_flag("update_baseline", chosen.get("update_baseline", False)),
        save_cases=None if chosen.get("save_cases") is None else root / str(chosen["save_cases"]),
    )


def adapter_from(root: Path) -> str | None:
    """The adapter that ``[tool.callproof]`` names, for ``callproof test`` without an argument."""
    adapter = _table(root / "pyproject.toml").get("adapter")
    return None if adapter is None else str(adapter)


def _table(file: Path) -> Mapping[str, Any]:
    if not file.is_file():
        return {}
    try:
        tool: object = tomllib.loads(file.read_bytes().decode("utf-8")).get("tool", {})
    except OSError as error:
        raise WrongSetting(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise WrongSetting(f"{file} is no TOML: it is not UTF-8 at byte {error.start}") from None
    except (ValueError, RecursionError) as error:  # of a number of thousands of digits, the plain one
        raise WrongSetting(f"{file} is no TOML: {error}") from None
    table: object = tool.get("callproof", {}) if _is_table(tool) else tool
    if not _is_table(table):
        raise WrongSetting(f"{file}: tool.callproof is {table!r}; permitted: a table, as [tool.callproof]")
    for name in table:
        if name not in _KNOWN:
            nearest = difflib.get_close_matches(name, _KNOWN, n=1)
            hint = f"; did you mean {nearest[0]!r}?" if nearest else f"; permitted: {', '.join(_KNOWN)}"
            raise WrongSetting(f"{file}: [tool.callproof] has no setting {name!r}{hint}")
    return table


def _is_table(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)


def _one_of(name: str, value: str, permitted: tuple[str, ...]) -> str:
    if value not in permitted:
        nearest = difflib.get_close_matches(value, permitted, n=1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise WrongSetting(f"{name} is {value!r}; permitted: {', '.join(permitted)}{hint}")
    return value


def _refuse_partial_update(baseline: Any, cases: int) -> None:
    if baseline is None:
        raise WrongSetting("update_baseline names no file; add --baseline FILE, or baseline in [tool.callproof]")
    if cases < CASES:
        raise WrongSetting(f"update_baseline needs a whole run, and cases is {cases}; permitted: {CASES} or more")


def _targets(value: Any, root: Path) -> tuple[Target, ...]:
    told: object = (value,) if isinstance(value, str | Path) else value or ()
    if not isinstance(told, list | tuple):
        raise WrongSetting(f"report is {told!r}; permitted: a path, or a list of paths")
    try:
        return tuple(read_target(str(each), root) for each in cast("list[object]", told))
    except BadTarget as error:
        raise WrongSetting(str(error)) from None


def _whole(name: str, value: Any) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise WrongSetting(f"{name} is {value!r}; permitted: a whole number") from None


def _count(name: str, value: Any) -> int:
    count = _whole(name, value)
    if not 0 <= count <= limits.GENERATED_CASES:
        raise WrongSetting(f"{name} is {count}; permitted: 0 to {limits.GENERATED_CASES}")
    return count


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise WrongSetting(f"{name} is {value!r}; permitted: true or false")
    return value


def _positive(name: str, value: Any) -> float:
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise WrongSetting(f"{name} is {value!r}; permitted: a number of seconds above 0")
    return seconds

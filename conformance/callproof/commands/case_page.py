"""``callproof explain AL-05``: the cases about one subject of another protocol, and what one of them does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, cast

from callproof.commands.scenario_page import UnknownScenario, as_yaml, case_of, short
from callproof.driven.suite import Case, Suite
from callproof.suites import SUITES

# The members that a page tells in its own words, or leaves out.
_TOLD = ("id", "says", "aims", "excused", "needs", "tools")


def case_page(name: str) -> str:
    """
    The page of a subject, such as ``AL-05``, or of one of its cases, such as ``AL-05/blocked``, in Markdown.

    Raises UnknownScenario.
    """
    wanted, slash, of_it = name.strip().partition("/")
    letters, number = wanted[:2].upper(), wanted[2:].removeprefix("-")
    subject = f"{letters}-{number.zfill(2)}"
    for suite in SUITES.values():
        if subject in suite.subjects:
            return _of_case(suite, _case(suite, subject, of_it)) if slash else _of_subject(suite, subject)
    raise UnknownScenario(f"No cases are called {wanted!r}. {' '.join(map(_there_are, SUITES.values()))}")


@cache
def aimed_by_cases(requirement: str) -> tuple[str, ...]:
    """The subjects with a case that aims at a requirement."""
    cases = (each for suite in SUITES.values() for each in suite.cases)
    return tuple(dict.fromkeys(case.id.partition("/")[0] for case in cases if requirement in case.aims))


def _there_are(suite: Suite[Any]) -> str:
    return f"Those of {suite.dialect.systems} are {', '.join(suite.subjects)}."


def _case(suite: Suite[Any], subject: str, wanted: str) -> Case:
    cases: tuple[Case, ...] = suite.cases
    names = {each.id.partition("/")[2]: each for each in cases if each.id.startswith(f"{subject}/")}
    return case_of(names, wanted, subject)


def _needs(suite: Suite[Any], case: Case) -> tuple[str, ...]:
    return tuple(dict.fromkeys(suite.needs(case)))


def _of_subject(suite: Suite[Any], subject: str) -> str:
    cases = [each for each in suite.cases if each.id.startswith(f"{subject}/")]
    rows = [f"| `{case.id}` | {case.says} | {', '.join(_needs(suite, case)) or '—'} |" for case in cases]
    return "\n".join(
        (
            f"### {subject} · {suite.subjects[subject]}",
            "",
            "| case | what it is | runs only if the system claims |",
            "| --- | --- | --- |",
            *rows,
            "",
            f"`callproof explain {cases[0].id}` shows what one of them does.",
            f"`{suite.dialect.command} ADAPTER --case {subject}` plays them.",
            "",
        )
    )


def _of_case(suite: Suite[Any], case: Case) -> str:
    wanted = _needs(suite, case)
    shown = {name: short(value) for name, value in _plain(case).items() if name not in _TOLD}
    text = as_yaml(shown)
    remarks = [f"Runs only if the system claims {', '.join(wanted)}."] if wanted else []
    remarks.append(f"Aims at {', '.join(sorted(case.aims))}.")
    return "\n".join((f"### {case.id} · {case.says}", "", *remarks, "", "```yaml", text.rstrip(), "```", ""))


def _plain(value: Any) -> Any:
    """A part of a case as JSON, without the members that have their default value."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        told = {each.name: (getattr(value, each.name), each.default) for each in fields(value)}
        # A hook that says nothing of any call is still set, so it is shown; no other empty value tells anything.
        usual = {name for name, (held, default) in told.items() if held == default or (default is MISSING and not held)}
        return {name: _plain(held) for name, (held, _) in told.items() if name not in usual}
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {name: _plain(held) for name, held in members.items()}
    return list(map(_plain, cast("Sequence[Any]", value))) if isinstance(value, tuple | list) else value

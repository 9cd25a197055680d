"""``callproof explain SC-14``: what a scenario is made of, and what one of its cases sends and does."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any, TypeVar, cast

import yaml

from callproof.live.case import Case, Scenario
from callproof.live.scenarios import SCENARIOS
from callproof.replay.codec import to_json
from callproof.values.counts import counted
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_C = TypeVar("_C")

_WIDTH = 110
# Some cases send a megabyte or a hundred levels; a page tells how much was left out.
_TEXT_SHOWN = 200
_MEMBERS_SHOWN = 12
_DEPTH_SHOWN = 14
# If more scenarios than this aim at a requirement, most runs show it.
_OF_ITS_OWN = len(SCENARIOS) // 3
_BY_ID = {scenario.id: scenario for scenario in SCENARIOS}
# The members that a page tells in its own words.
_TOLD = ("id", "says", "requires", "provokes", "expectsRefusal", "mayRefuse")


class UnknownScenario(LookupError):
    """No scenario, or no case of one, has this name; says which names are near, and which exist."""


def scenario_page(name: str) -> str:
    """
    The page of a scenario, such as ``SC-14``, or of one of its cases, such as ``SC-14/roots``, in Markdown.

    Raises UnknownScenario.
    """
    wanted, slash, of_it = name.strip().partition("/")
    scenario = _scenario(wanted)
    return _of_case(_case(scenario, of_it)) if slash else _of_scenario(scenario)


@cache
def aimed_by(requirement: str) -> tuple[str, ...]:
    """The ids of the scenarios that aim at a requirement."""
    return tuple(scenario.id for scenario in SCENARIOS if requirement in scenario.provokes)


def _scenario(wanted: str) -> Scenario:
    number = wanted.upper().removeprefix("SC").removeprefix("-")
    found = _BY_ID.get(f"SC-{number.zfill(2)}")
    if found is None:
        near = get_close_matches(wanted.upper(), _BY_ID, n=2)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise UnknownScenario(
            f"No scenario is called {wanted!r}.{hint} The scenarios are {SCENARIOS[0].id} to {SCENARIOS[-1].id}."
        )
    return found


def _case(scenario: Scenario, wanted: str) -> Case:
    """The case of this name; for a run that accompanies another run, the case of that one."""
    runs = ((each, case) for case in scenario.cases for each in (*(one.case for one in case.company), case))
    return case_of({each.id.partition("/")[2].lower(): case for each, case in runs}, wanted, scenario.id)


def as_yaml(shown: Mapping[str, Any]) -> str:
    """What a case holds, for people to read."""
    told: str = yaml.safe_dump(  # pyright: ignore[reportUnknownMemberType]  the stubs of some releases leave it untyped
        shown, sort_keys=False, allow_unicode=True, width=_WIDTH, default_flow_style=None
    )
    return told


def case_of(names: Mapping[str, _C], wanted: str, subject: str) -> _C:
    """The case of a name among those of a subject, by their names in small letters.  Raises UnknownScenario."""
    found = names.get(wanted.lower())
    if found is None:
        near = [f"{subject}/{each}" for each in get_close_matches(wanted.lower(), names, n=2)]
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise UnknownScenario(
            f"No case of {subject} is called {wanted!r}.{hint} `callproof explain {subject}` lists them."
        )
    return found


def _of_scenario(scenario: Scenario) -> str:
    rows = [f"| `{case.id}` | {case.says} | {', '.join(case.requires) or '—'} |" for case in scenario.cases]
    return "\n".join(
        (
            f"### {scenario.id} · {scenario.title}",
            "",
            "| case | what it is | runs only if the system claims |",
            "| --- | --- | --- |",
            *rows,
            "",
            _aims(scenario.provokes),
            "",
            f"`callproof explain {scenario.cases[0].id}` shows what one of them sends.",
            f"`callproof test ADAPTER -k {scenario.id}` runs them.",
            "",
        )
    )


def _of_case(case: Case) -> str:
    told = cast("dict[str, Json]", to_json(case))
    shown = {name: short(value) for name, value in told.items() if name not in _TOLD}
    text = as_yaml(shown)
    return "\n".join((f"### {case.id} · {case.says}", "", *_remarks(case), "", "```yaml", text.rstrip(), "```", ""))


def _remarks(case: Case) -> list[str]:
    remarks = [f"Runs only if the system claims {', '.join(case.requires)}."] if case.requires else []
    if case.expects_refusal:
        remarks.append("The system must refuse it.")
    elif case.may_refuse:
        remarks.append("The system may refuse it.")
    return [*remarks, _aims(case.provokes)]


def _aims(aims: Iterable[str]) -> str:
    """The requirements that are aimed at; those that most runs show are only counted."""
    own = [each for each in dict.fromkeys(aims) if len(aimed_by(each)) <= _OF_ITS_OWN]
    usual = len(set(aims)) - len(own)
    parts = [", ".join(own)] if own else []
    parts += [f"{counted(usual, 'requirement')} that many scenarios aim at"] if usual else []
    return textwrap.fill(f"Aims at {', and at '.join(parts) or 'no requirement'}.", _WIDTH, break_on_hyphens=False)


def short(value: Json, depth: int = 0) -> Any:
    """A value, in which each part that is too long or too deep for a page is replaced by its size."""
    if isinstance(value, str):
        return value if len(value) <= _TEXT_SHOWN else f"{value[:_TEXT_SHOWN]}… ({len(value):,} characters)"
    if depth == _DEPTH_SHOWN and (is_object(value) or is_array(value)):
        return f"… ({len(json.dumps(value)):,} characters of JSON)"
    more = len(value) - _MEMBERS_SHOWN if is_object(value) or is_array(value) else 0
    if is_object(value):
        kept = {name: short(inner, depth + 1) for name, inner in islice(value.items(), _MEMBERS_SHOWN)}
        return {**kept, "…": f"{more:,} more"} if more > 0 else kept
    if is_array(value):
        items = [short(inner, depth + 1) for inner in value[:_MEMBERS_SHOWN]]
        return [*items, f"… {more:,} more"] if more > 0 else items
    return value

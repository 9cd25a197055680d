"""Drive a system through the real suite and judge it by the real judge, on a choice of the scenarios' cases.

The choice is fixed: it depends only on the scenarios and the requirement, never on the outcome of a run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from callproof.adapters.deadlines import Deadlines
from callproof.judge.judging import Result, gather
from callproof.judge.verdicts import Verdict
from callproof.live.case import Case, Scenario
from callproof.live.ran import Runs
from callproof.live.scenarios import SCENARIOS

RUN_MINIATURE = Path(__file__).with_name("run_miniature.py")
REFERENCE = "stdio:callproof-reference stdio"

# How many cases that aim at the miniature's own requirement are run, over all scenarios.
_AIMED = 16
# How many cases are run of the scenario that a miniature names.
_WHOLE = 48
# How many further cases are run, the same for every miniature, to see that nothing else breaks.
_BESIDES = 8

_DEADLINES = Deadlines(start=60, answer=60)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judged:
    """What failed, by requirement, and what the adapter got wrong."""

    failed: dict[str, Result]
    errors: tuple[str, ...]

    def told(self) -> str:
        """Every failure with its first observation, then what the adapter got wrong."""
        lines = [f"{name}: {_first(result)}" for name, result in self.failed.items()]
        return "\n".join([*lines, *self.errors])


def chosen(requirement: str, seen_in: str = "") -> tuple[Scenario, ...]:
    """Every scenario with the cases that a miniature of a requirement is driven through."""
    aims = {scenario.id: [case for case in scenario.cases if requirement in case.provokes] for scenario in SCENARIOS}
    share = max(1, _AIMED // max(1, sum(1 for cases in aims.values() if cases)))
    wanted = {scenario.id: _ids(spread(aims[scenario.id], share)) for scenario in SCENARIOS}
    for scenario in SCENARIOS:
        if scenario.id == seen_in:
            wanted[scenario.id] |= _ids(spread(scenario.cases, _WHOLE))
    return _only(wanted, {*besides(), seen_in})


@cache
def besides() -> frozenset[str]:
    """The ids of ``_BESIDES`` cases, taken one by one so that together they aim at as many requirements as possible."""
    open_aims = {case.id: set(case.provokes) & set(each.provokes) for each in SCENARIOS for case in each.cases}
    taken: list[str] = []
    while len(taken) < _BESIDES:
        taken.append(max(open_aims, key=lambda name: len(open_aims[name])))
        now = open_aims.pop(taken[-1])
        open_aims = {name: aims - now for name, aims in open_aims.items()}
    return frozenset(taken)


def at_most(count: int) -> tuple[Scenario, ...]:
    """Every scenario with at most ``count`` of its cases."""
    return _only({scenario.id: _ids(spread(scenario.cases, count)) for scenario in SCENARIOS})


def driven(at: str, scenarios: Sequence[Scenario]) -> Judged:
    """Drive a system through scenarios and judge all that was seen, as the plugin does."""
    runs = Runs(at, _DEADLINES)
    judged = [runs.judged(scenario) for scenario in scenarios]
    ended = runs.close()
    together = gather(each.results for each in judged)
    failed = {name: each for name, each in together.items() if each.verdict in {Verdict.FAIL, Verdict.ERROR}}
    return Judged(failed, (*(error for each in judged for error in each.errors), *([str(ended)] if ended else [])))


def spread(cases: Sequence[T], count: int) -> list[T]:
    """At most ``count`` cases, evenly spaced, with the first and the last; if ``count`` is 1, only the first."""
    if len(cases) <= count:
        return list(cases)
    if count == 1:
        return [cases[0]]
    return [cases[index * (len(cases) - 1) // (count - 1)] for index in range(count)]


def _ids(cases: Sequence[Case]) -> set[str]:
    return {case.id for case in cases}


def _only(wanted: Mapping[str, Set[str]], besides: Set[str] = frozenset()) -> tuple[Scenario, ...]:
    """The scenarios with only these cases, in their own order; a scenario without any of them is left out."""
    reduced = (
        replace(each, cases=tuple(case for case in each.cases if case.id in wanted[each.id] | besides))
        for each in SCENARIOS
    )
    return tuple(each for each in reduced if each.cases)


def _first(result: Result) -> str:
    if not result.findings:
        return "; ".join(result.errors)
    return f"{result.findings[0].run}: {result.findings[0].finding.observed}"

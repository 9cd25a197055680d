"""A system driven through the real suite and judged by the real judge, on a choice of the scenarios' cases.

The choice is fixed: it depends on the scenarios and on the requirement alone, never on what came of a run.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
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

# How many cases that aim at the miniature's own requirement are run, over all scenarios, ...
_AIMED = 32
# ... and how many of each scenario besides, to see that nothing else breaks.
_BESIDES = 4
# Of the scenario that a miniature names it is so many.
_WHOLE = 48

_DEADLINES = Deadlines(start=60, answer=60)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judged:
    """What failed, by requirement, and what the adapter got wrong."""

    failed: dict[str, Result]
    errors: tuple[str, ...]

    def told(self) -> str:
        """Every failure with what was observed first."""
        lines = [f"{name}: {_first(result)}" for name, result in self.failed.items()]
        return "\n".join([*lines, *self.errors])


def address(name: str) -> str:
    """The address under which the suite finds a miniature."""
    return f"stdio:{sys.executable} {RUN_MINIATURE} {name}"


def chosen(requirement: str, seen_in: str = "") -> tuple[Scenario, ...]:
    """Every scenario with the cases that a miniature of a requirement is driven through."""
    aims = {scenario.id: [case for case in scenario.cases if requirement in case.provokes] for scenario in SCENARIOS}
    share = max(2, _AIMED // max(1, sum(1 for cases in aims.values() if cases)))
    return tuple(
        _reduced(
            scenario,
            [
                *spread(aims[scenario.id], share),
                *spread(scenario.cases, _WHOLE if scenario.id == seen_in else _BESIDES),
            ],
        )
        for scenario in SCENARIOS
    )


def at_most(count: int) -> tuple[Scenario, ...]:
    """Every scenario with so many of its cases at most."""
    return tuple(_reduced(scenario, spread(scenario.cases, count)) for scenario in SCENARIOS)


def driven(at: str, scenarios: Sequence[Scenario]) -> Judged:
    """Drive a system through scenarios and judge all that was seen, as the plugin does."""
    runs = Runs(at, _DEADLINES)
    judged = [runs.judged(scenario) for scenario in scenarios]
    ended = runs.close()
    together = gather(each.results for each in judged)
    failed = {name: each for name, each in together.items() if each.verdict in {Verdict.FAIL, Verdict.ERROR}}
    return Judged(failed, (*(error for each in judged for error in each.errors), *([str(ended)] if ended else [])))


def spread(cases: Sequence[T], count: int) -> list[T]:
    """At most so many, evenly spaced, the first and the last among them."""
    if len(cases) <= count:
        return list(cases)
    return [cases[index * (len(cases) - 1) // (count - 1)] for index in range(count)]


def _reduced(scenario: Scenario, cases: Sequence[Case]) -> Scenario:
    wanted = {case.id for case in cases}
    return replace(scenario, cases=tuple(case for case in scenario.cases if case.id in wanted))


def _first(result: Result) -> str:
    if not result.findings:
        return "; ".join(result.errors)
    return f"{result.findings[0].run}: {result.findings[0].finding.observed}"

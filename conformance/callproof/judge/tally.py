"""
Generated cases, summed up in one line: how many there were, and which of the named states they reached.

Does not know how cases are made, and what the states are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from callproof.judge.judgement import JudgedRun, RunOutcome
from callproof.values.counts import counted, was

_ON_A_LINE = 4
# Up to this many cases are a quick look, and the report has no table of states.
_QUICK_LOOK = 100


@dataclass(frozen=True, slots=True)
class Tally:
    """
    How many cases were played, whether one broke a binding law, and how often each named state was reached.

    ``left`` counts those that were not played, by the reason.
    """

    cases: int
    broke: bool
    states: Mapping[str, int]
    left: Mapping[str, int] = field(default_factory=dict[str, int])


def line_of(tallies: Iterable[Tally], name: str, wanted: int, seed: int) -> JudgedRun:
    """The tallies of all parts as one line of a report."""
    cases, broke, states, left = 0, False, Counter[str](), Counter[str]()
    for each in tallies:
        left.update(each.left)
        cases += each.cases
        broke = broke or each.broke
        states.update(each.states)
    outcome = RunOutcome.VIOLATIONS if broke else RunOutcome.CONSISTENT
    untold = (f"not run: {number}, since {why}" for why, number in left.items() if number)
    told = f"{name}: {cases} of {counted(wanted, 'case')}, seed {seed}"
    return JudgedRun(told, outcome, (*untold, *reach_of(states, cases)))


def reach_of(states: Mapping[str, int], cases: int) -> tuple[str, ...]:
    """Which of the named states were reached; for more cases than a quick look takes, also how often each."""
    passed_by = [name for name, times in states.items() if not times]
    reached = len(states) - len(passed_by)
    told = f"{reached} of {counted(len(states), 'named state')} {was(reached)} reached"
    first = f"{told}; not: {', '.join(passed_by)}" if passed_by else told
    return (first, *_table(states)) if cases > _QUICK_LOOK else (first,)


def _table(states: Mapping[str, int]) -> Iterable[str]:
    """How often each named state was reached, a few states a line."""
    told = [f"{times} {name}" for name, times in states.items()]
    return (", ".join(told[place : place + _ON_A_LINE]) for place in range(0, len(told), _ON_A_LINE))

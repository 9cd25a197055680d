"""Generated cases had with one system, one after another; what they broke, made small; which states they reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from callproof.adapters.errors import AdapterError
from callproof.generated.cases import case_by
from callproof.generated.chances import dice_of
from callproof.generated.judged import broken_by, judged_case
from callproof.generated.sequences import sequence_by
from callproof.generated.shrinking import made_small
from callproof.generated.states import STATES, reached
from callproof.generated.styles import styles_for
from callproof.generated.wanted import NAME, Wanted
from callproof.judge.judgement import JudgedRun, RunOutcome
from callproof.judge.judging import Located, Result, Results, gather
from callproof.judge.verdicts import Verdict
from callproof.live.case import Case
from callproof.live.judged import JudgedScenario, Smallest
from callproof.live.session import CaseOutcome, LiveSession
from callproof.spec.blocks import Level

# Each tenth case is a sequence of several runs.
_SEQUENCE = 10

# A system that breaks so many cases is known well enough, and one that fails so often in a row is not asked again.
_ENOUGH_BROKEN = 25
_PATIENCE = 3
# So many requirements get a case made small for them; faults come in company, and a report is to come in bounded time.
_MADE_SMALL = 4
_NAMED = 10
_ON_A_LINE = 4
# Up to so many cases are a quick look, whose report has no table of states.
_QUICK_LOOK = 100
# Runs that are told one by one.  One that was refused as it had to be has not finished, and is none of them.
_TOLD = frozenset({RunOutcome.VIOLATIONS, RunOutcome.REFUSED, RunOutcome.UNREAD, RunOutcome.ERROR})

OnCase = Callable[[CaseOutcome], None]


def generated(features: Iterable[str], wanted: Wanted) -> tuple[Case, ...]:
    """The cases of a seed for a system of these features; a case is the same one however many are wanted."""
    claimed = frozenset(features)
    styles = styles_for(claimed)

    def case_at(place: int) -> Case:
        dice = dice_of(wanted.seed, place)
        case = case_by(dice, styles) if place % _SEQUENCE else sequence_by(dice, claimed)
        return _named(case, f"{NAME}/{wanted.seed}-{place}")

    return tuple(map(case_at, range(1, wanted.count + 1)))


def _named(case: Case, name: str) -> Case:
    company = (replace(each, case=replace(each.case, id=f"{name}.{n}")) for n, each in enumerate(case.company, 1))
    return replace(case, id=name, company=tuple(company))


def had(session: LiveSession, wanted: Wanted, on_case: OnCase | None = None) -> JudgedScenario:
    """Every case of the seed had with the system behind the session, judged, and made small where it broke a law."""
    claimed = frozenset(session.claims.features)
    tally = _Tally(claimed, wanted)
    try:
        for case in generated(session.claims.features, wanted):
            tally.add(session.run_case(case, on_case))
            if tally.has_enough:
                break
        tally.make_small(session)
    except AdapterError as error:
        tally.errors.append(f"{NAME}: {error}")
    return tally.judged


@dataclass
class _Tally:
    """What the cases came to so far."""

    claimed: frozenset[str]
    wanted: Wanted
    errors: list[str] = field(default_factory=list[str])
    results: list[Results] = field(default_factory=list[Results])
    runs: list[JudgedRun] = field(default_factory=list[JudgedRun])
    smallest: dict[str, Smallest] = field(default_factory=dict[str, Smallest])
    found: dict[str, tuple[Located, ...]] = field(default_factory=dict[str, tuple[Located, ...]])
    states: Counter[str] = field(default_factory=Counter[str])
    count: int = 0
    broken: int = 0
    failures_in_a_row: int = 0

    @property
    def has_enough(self) -> bool:
        """Whether more cases would tell nothing new, or cannot be had."""
        return self.broken >= _ENOUGH_BROKEN or self.failures_in_a_row >= _PATIENCE

    def add(self, outcome: CaseOutcome) -> None:
        """Judge one case and keep what counts."""
        self.count += 1
        judged = judged_case(outcome, self.claimed, strict=self.wanted.strict)
        self.failures_in_a_row = 0 if outcome.error is None else self.failures_in_a_row + 1
        self.errors.extend(judged.errors)
        odd = [each for each in judged.runs if each.outcome in _TOLD]
        self.broken += any(each.outcome is RunOutcome.VIOLATIONS for each in odd)
        self.runs.extend(odd[: max(0, _NAMED - len(self.runs))])
        if outcome.run is not None:
            self.states.update(reached(outcome.case, outcome.run))
        for name, result in judged.results.items():
            if result.findings and name not in self.found and outcome.run is not None:
                self.found[name] = result.findings
                self.smallest[name] = judged.smallest.get(name) or Smallest(outcome.case, outcome.run)
        # One case a requirement is told, and that one made small.
        self.results.append({name: replace(result, findings=()) for name, result in judged.results.items()})

    def make_small(self, session: LiveSession) -> None:
        """Make the first case of each broken requirement small, laws before advice."""
        broken = sorted(self.found, key=lambda name: self._level(name) is not Level.MUST)
        for name in broken[:_MADE_SMALL]:
            self._make_small(session, name)

    def _make_small(self, session: LiveSession, requirement: str) -> None:
        def result_of(case: Case) -> tuple[CaseOutcome, Result | None]:
            outcome = session.run_case(case)
            return outcome, broken_by(outcome, requirement, self.claimed)

        case = self.smallest[requirement].case
        small = made_small(case, lambda each: result_of(each)[1] is not None)
        outcome, result = result_of(replace(small, id=f"{case.id}-small"))
        if result is not None and outcome.run is not None:
            self.found[requirement] = result.findings
            self.smallest[requirement] = Smallest(outcome.case, outcome.run)

    def _level(self, name: str) -> Level:
        return next(each[name].requirement.level for each in self.results if name in each)

    @property
    def judged(self) -> JudgedScenario:
        """All of it, as a scenario's runs are judged."""
        results = {
            name: replace(result, findings=self.found.get(name, ())) for name, result in gather(self.results).items()
        }
        return JudgedScenario(results, (*self.runs, self._summary(results)), tuple(self.errors), self.smallest)

    def _summary(self, results: Results) -> JudgedRun:
        failed = any(each.verdict is Verdict.FAIL and self._binds(each) for each in results.values())
        told = f"{self.count} of {self.wanted.count} cases, seed {self.wanted.seed}"
        return JudgedRun(
            f"{NAME}: {told}",
            RunOutcome.VIOLATIONS if failed else RunOutcome.CONSISTENT,
            reach_of(self.states, self.count),
        )

    def _binds(self, result: Result) -> bool:
        return result.requirement.level is Level.MUST or (
            self.wanted.strict and result.requirement.level is Level.SHOULD
        )


def reach_of(states: Mapping[str, int], count: int) -> tuple[str, ...]:
    """Which of the named states were reached; of more cases than a quick look takes, how often each."""
    passed_by = [name for name in STATES if not states.get(name)]
    told = f"{len(STATES) - len(passed_by)} of {len(STATES)} named states were reached"
    first = f"{told}; not: {', '.join(passed_by)}" if passed_by else told
    return (first, *table_of(states)) if count > _QUICK_LOOK else (first,)


def table_of(states: Mapping[str, int]) -> Iterable[str]:
    """How often each named state was reached, a few states a line."""
    told = [f"{states.get(name, 0)} {name}" for name in STATES]
    return (", ".join(told[place : place + _ON_A_LINE]) for place in range(0, len(told), _ON_A_LINE))

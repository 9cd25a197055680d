"""Generated cases run with one system, part by part; failing cases made small; which states they reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random

from callproof.adapters.errors import AdapterError
from callproof.generated.cases import case_by
from callproof.generated.chances import dice_of
from callproof.generated.filework import NEEDS, files_by
from callproof.generated.judged import broken_by, judged_case
from callproof.generated.sequences import sequence_by
from callproof.generated.shrinking import made_small
from callproof.generated.states import STATES, reached
from callproof.generated.styles import Style, styles_for
from callproof.generated.wanted import NAME, Wanted
from callproof.judge.baseline import class_of
from callproof.judge.judgement import JudgedRun, RunOutcome
from callproof.judge.judging import Located, Result, Results, gather
from callproof.judge.tally import Tally
from callproof.judge.verdicts import Verdict
from callproof.live.case import Case
from callproof.live.judged import JudgedScenario, Smallest
from callproof.live.session import CaseOutcome, LiveSession
from callproof.spec.blocks import Level

# Of ten cases the last is a sequence of several runs, and the fifth is work on files.
_TURN, _FILES, _SEQUENCE = 10, 5, 0

# After this many broken cases a part ends, since they show enough; after this many failures of the adapter in a row no
# more cases are run.
_ENOUGH_BROKEN = 8
_PATIENCE = 3
# For how many requirements a case is made small: one fault often breaks several, and a report may not take for ever.
_MADE_SMALL = 4
# The outcomes of runs that are listed one by one.  A run that had to be refused is merely incomplete, and not listed.
_TOLD = frozenset({RunOutcome.VIOLATIONS, RunOutcome.REFUSED, RunOutcome.UNREAD, RunOutcome.ERROR})

_BROKEN = f"an item ends after {_ENOUGH_BROKEN} cases that broke a law"
_GIVEN_UP = "the adapter failed too often"

OnCase = Callable[[CaseOutcome], None]


def generated(features: Iterable[str], wanted: Wanted, places: Iterable[int] | None = None) -> tuple[Case, ...]:
    """
    The cases of a seed for a system with these features, or those at the given places, which begin at 1.

    A case is the same however many cases are wanted.
    """
    claimed = frozenset(features)
    styles = styles_for(claimed)

    def case_at(place: int) -> Case:
        dice = dice_of(wanted.seed, place)
        return _named(_drawn(dice, place % _TURN, claimed, styles), f"{NAME}/{wanted.seed}-{place}")

    return tuple(map(case_at, range(1, wanted.count + 1) if places is None else places))


def _drawn(dice: Random, turn: int, claimed: frozenset[str], styles: tuple[Style, ...]) -> Case:
    if turn == _SEQUENCE:
        return sequence_by(dice, claimed)
    return files_by(dice, claimed) if turn == _FILES and claimed >= NEEDS else case_by(dice, styles)


def _named(case: Case, name: str) -> Case:
    """The case with the given name, and its company with the same name and a number."""
    company = (replace(each, case=replace(each.case, id=f"{name}.{n}")) for n, each in enumerate(case.company, 1))
    return replace(case, id=name, company=tuple(company))


class Generating:
    """
    The generated cases of one process, run part by part.

    The results of a part do not depend on other parts, so workers may share the parts in any way.  Only what is made
    small depends on them: a requirement gets a small case once.
    """

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._failures_in_a_row = 0
        self._made_small: set[str] = set()

    def had(self, session: LiveSession, places: Iterable[int], on_case: OnCase | None = None) -> JudgedScenario:
        """The results of the cases at these places, run with the session's system; made small if that is due."""
        part = _Part(frozenset(session.claims.features), self._wanted.strict)
        try:
            for case in generated(session.claims.features, self._wanted, places):
                if part.broken >= _ENOUGH_BROKEN or self._failures_in_a_row >= _PATIENCE:
                    part.left[_GIVEN_UP if self._failures_in_a_row >= _PATIENCE else _BROKEN] += 1
                    continue
                outcome = session.run_case(case, on_case)
                self._failures_in_a_row = 0 if outcome.error is None else self._failures_in_a_row + 1
                part.add(outcome)
            self._make_small(part, session)
        except AdapterError as error:
            part.errors.append(f"{NAME}: {error}")
            self._failures_in_a_row = _PATIENCE
        return part.judged

    def _make_small(self, part: _Part, session: LiveSession) -> None:
        new = [each for each in part.broken_laws if each not in self._made_small]
        for name in new[: _MADE_SMALL - len(self._made_small)]:
            self._made_small.add(name)
            part.make_small(session, name)


@dataclass
class _Part:
    """The results of the cases of one part so far."""

    claimed: frozenset[str]
    strict: bool
    errors: list[str] = field(default_factory=list[str])
    results: list[Results] = field(default_factory=list[Results])
    runs: list[JudgedRun] = field(default_factory=list[JudgedRun])
    smallest: dict[str, Smallest] = field(default_factory=dict[str, Smallest])
    found: dict[str, tuple[Located]] = field(default_factory=dict[str, tuple[Located]])
    states: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(STATES, 0)))
    broken: int = 0
    left: Counter[str] = field(default_factory=Counter[str])

    def add(self, outcome: CaseOutcome) -> None:
        """Judge one case and keep what is needed for the report."""
        judged = judged_case(outcome, self.claimed, strict=self.strict)
        self.errors.extend(judged.errors)
        odd = [each for each in judged.runs if each.outcome in _TOLD]
        self.broken += any(each.outcome is RunOutcome.VIOLATIONS for each in odd)
        self.runs.extend(odd)
        if outcome.run is not None:
            self.states.update(reached(outcome.case, outcome.run))
        for name, result in judged.results.items():
            if result.findings and name not in self.found and outcome.run is not None:
                smallest = judged.smallest.get(name) or Smallest(outcome.case, outcome.run)
                near = (each for each in result.findings if each.run == smallest.run.name)
                self.found[name], self.smallest[name] = (next(near, result.findings[0]),), smallest
        # One finding of a requirement is reported, and the first one of all parts gets its case made small.
        self.results.append({name: replace(result, findings=()) for name, result in judged.results.items()})

    @property
    def broken_laws(self) -> list[str]:
        """The requirements that were broken, laws before advice."""
        return sorted(self.found, key=lambda name: self._level(name) is not Level.MUST)

    def make_small(self, session: LiveSession, requirement: str) -> None:
        """Make the first case that broke a requirement small, as long as the message has the same class."""
        words = class_of(self.found[requirement][0])

        def found_in(outcome: CaseOutcome) -> Located | None:
            result = broken_by(outcome, requirement, self.claimed)
            return next((each for each in result.findings if class_of(each) == words), None) if result else None

        case = self.smallest[requirement].case
        small = made_small(case, lambda each: found_in(session.run_case(each)) is not None)
        outcome = session.run_case(_named(small, f"{case.id}-small"))
        found = found_in(outcome)
        if found is not None and outcome.run is not None:
            self.found[requirement] = (found,)
            self.smallest[requirement] = Smallest(outcome.case, outcome.run)

    def _level(self, name: str) -> Level:
        return next(each[name].requirement.level for each in self.results if name in each)

    @property
    def judged(self) -> JudgedScenario:
        """The results of all cases, in the form in which a scenario's runs are judged."""
        gathered = gather(self.results).items()
        results = {name: replace(each, findings=self.found.get(name, ())) for name, each in gathered}
        broke = any(each.verdict is Verdict.FAIL and self._binds(each) for each in results.values())
        tally = Tally(len(self.results), broke, dict(self.states), dict(self.left))
        return JudgedScenario(results, tuple(self.runs), tuple(self.errors), self.smallest, tally)

    def _binds(self, result: Result) -> bool:
        return result.requirement.level is Level.MUST or (self.strict and result.requirement.level is Level.SHOULD)

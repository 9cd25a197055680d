"""The whole of a judgement: results, runs, errors; the outcome and the exit code that follow from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from callproof import limits
from callproof.judge.baseline import NO_BASELINE, Baseline, Failure, failure_of
from callproof.judge.counts import NO_COUNTS, Counts
from callproof.judge.judging import Located, Result, Results, lacks_a_line
from callproof.judge.selection import EVERYTHING, Selection
from callproof.judge.verdicts import Verdict
from callproof.spec.blocks import Level
from callproof.spec.registry import SPEC_VERSION
from callproof.trace.registry import Tool
from callproof.trace.run import UNREAD, Flaw, FlawKind, Run
from callproof.values.counts import counted
from callproof.values.jsontext import Json


class RunOutcome(Enum):
    """The outcome of one run."""

    CONSISTENT = "consistent"
    INCOMPLETE = "incomplete"
    VIOLATIONS = "violations"
    UNREAD = "unread"
    REFUSED = "refused"
    ERROR = "error"


class Outcome(Enum):
    """The outcome of the whole judgement, with the exit code that tells it to a script."""

    CONFORMS = ("conforms", 0)
    CONSISTENT = ("consistent", 0)
    KNOWN_FAILURES = ("known failures", 0)
    INCOMPLETE = ("incomplete", 0)
    VIOLATIONS = ("violations", 1)
    STALE_BASELINE = ("stale baseline", 1)
    NOT_PROVEN = ("not proven", 1)
    NOTHING_JUDGED = ("nothing judged", 2)
    ERROR = ("error", 3)
    INTERRUPTED = ("interrupted", 130)

    def __init__(self, says: str, exit_code: int) -> None:
        self.says = says
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One run in a report: its name, its outcome, notes on it, and where its files lie."""

    name: str
    outcome: RunOutcome
    notes: tuple[str, ...] = ()
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """What was judged: a live system, named by its adapter's address, or logs, named by their paths."""

    kind: str
    name: str
    implementation: str | None = None
    claims: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """
    Everything that a report is made of.

    ``required`` are the requirements that have to be decided: in a live run those that some
    scenario aims at, in an audit those that were asked for.  With ``strict`` a broken SHOULD fails the run.
    Findings that ``baseline`` lists fail nothing; ``stale`` are its entries that list nothing, each with what to do.
    ``unlisted`` counts by requirement the failures that it does not list, if they were counted before findings were
    left out.  ``interrupted`` is true if the user interrupted, and the rest was not judged.  ``selection`` is what was
    chosen to be judged.  With ``lenient`` exit code 0 replaces 1, whatever was found.
    """

    subject: Subject
    results: Results
    runs: Sequence[JudgedRun]
    required: frozenset[str] = frozenset()
    errors: tuple[str, ...] = ()
    strict: bool = False
    baseline: Baseline = NO_BASELINE
    stale: tuple[str, ...] = ()
    unlisted: Mapping[str, int] | None = None
    interrupted: bool = False
    selection: Selection = EVERYTHING
    lenient: bool = False
    # What an audit counted, and the runs that it draws, in the shape ``timeline``.
    counts: Counts = NO_COUNTS
    timelines: tuple[Mapping[str, Json], ...] = ()
    # The records around the findings, run by run, in the shape ``testimony``.
    testimonies: tuple[Mapping[str, Json], ...] = ()
    # The commands that play a case again, by the requirement that it broke and the run in which it did.
    replays: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def reason(self, result: Result, located: Located) -> str | None:
        """Why a finding may stand for now; None if no baseline lists it."""
        return self.baseline.reason(result.requirement.id, located)

    def fails(self, result: Result) -> bool:
        """Whether a binding law was broken, whether the baseline lists that or not."""
        return result.verdict is Verdict.FAIL and self._binds(result)

    def _binds(self, result: Result) -> bool:
        return result.requirement.level is Level.MUST or (self.strict and result.requirement.level is Level.SHOULD)

    @property
    def binding(self) -> frozenset[str]:
        """The judged laws that would fail the run; of the other laws no failure can count as gone."""
        return frozenset(name for name, each in self.results.items() if self._binds(each))

    def breaks(self, result: Result) -> bool:
        """Whether this result fails the run: it has at least one finding that no baseline lists."""
        if self.unlisted is not None:
            return self.fails(result) and self.unlisted.get(result.requirement.id, 0) > 0
        # Findings that were only counted cannot be looked up in the baseline, so they do not pass for known.
        unknown = result.more > 0 or any(self.reason(result, each) is None for each in result.findings)
        return self.fails(result) and unknown

    @property
    def failures(self) -> frozenset[Failure]:
        """Every failure that fails the run, or would fail it without a baseline."""
        failing = (result for result in self.results.values() if self.fails(result))
        return frozenset(failure_of(result.requirement.id, each) for result in failing for each in result.findings)

    @property
    def unproven(self) -> tuple[Result, ...]:
        """Required results that stayed inconclusive."""
        return tuple(
            each
            for name, each in self.results.items()
            if name in self.required and each.verdict is Verdict.INCONCLUSIVE
        )

    @property
    def all_errors(self) -> tuple[str, ...]:
        """Failures of the adapter and of checks."""
        thrown = (f"{name}: {each}" for name, result in self.results.items() for each in result.errors)
        return (*self.errors, *thrown)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the whole judgement; if several hold, the worst."""
        return self._trouble or self._success

    @property
    def exit_code(self) -> int:
        """The exit code for a script."""
        return 0 if self.lenient and self.outcome.exit_code == 1 else self.outcome.exit_code

    @property
    def _trouble(self) -> Outcome | None:
        states = {run.outcome for run in self.runs}
        found = (
            (Outcome.INTERRUPTED, self.interrupted),
            (Outcome.ERROR, bool(self.all_errors) or RunOutcome.ERROR in states),
            (Outcome.VIOLATIONS, any(self.breaks(result) for result in self.results.values())),
            (Outcome.STALE_BASELINE, bool(self.stale)),
            (Outcome.NOT_PROVEN, bool(self.unproven or states & {RunOutcome.UNREAD, RunOutcome.REFUSED})),
        )
        return next((outcome for outcome, holds in found if holds), None)

    @property
    def _success(self) -> Outcome:
        if not any(result.verdict in {Verdict.PASS, Verdict.FAIL} for result in self.results.values()):
            # A system that claims nothing, or a selection in which nothing is decided, does not conform to anything.
            return Outcome.NOTHING_JUDGED
        if any(self.fails(result) for result in self.results.values()):
            return Outcome.KNOWN_FAILURES
        if self.subject.kind == "system":
            return Outcome.CONFORMS
        return (
            Outcome.INCOMPLETE if any(run.outcome is RunOutcome.INCOMPLETE for run in self.runs) else Outcome.CONSISTENT
        )


def judged_run(run: Run, results: Results, *, strict: bool = False) -> JudgedRun:
    """One run with the outcome that follows from its results."""
    return JudgedRun(run.name, outcome_of(results, run.flaws, finished=run.finished, strict=strict), tuple(_notes(run)))


def outcome_of(results: Results, flaws: Sequence[Flaw], *, finished: bool, strict: bool = False) -> RunOutcome:
    """The outcome of a log, from its results and from the lines that were not read."""
    binding = {Level.MUST, Level.SHOULD} if strict else {Level.MUST}
    kinds = {flaw.kind for flaw in flaws}
    if any(each.errors for each in results.values()):
        return RunOutcome.ERROR
    if any(each.verdict is Verdict.FAIL and each.requirement.level in binding for each in results.values()):
        return RunOutcome.VIOLATIONS
    if not kinds.isdisjoint(UNREAD):
        return RunOutcome.UNREAD
    if FlawKind.NAMELESS in kinds and any(lacks_a_line(each.missing) for each in results.values()):
        return RunOutcome.UNREAD  # the line is not the run's own fault, and may be its own record
    return RunOutcome.CONSISTENT if finished and FlawKind.TORN not in kinds else RunOutcome.INCOMPLETE


def _notes(run: Run) -> Iterator[str]:
    yield from notes_of(run.flaws, {*UNREAD, FlawKind.TORN, FlawKind.BLANK})
    record = run.run_record
    if record is not None and record.text("specVersion") not in (None, SPEC_VERSION):
        yield f"{record.source}: the run names another version of the specification; it was judged by {SPEC_VERSION}"
    unused = [*_unused(run)]
    for tool, schemas in unused[: limits.NOTES_OF_A_RUN]:
        told = " and ".join(schemas)
        yield f"tool {tool.name}: callproof cannot use a pattern of its {told}, so its calls were not held against it"
    if (more := len(unused) - limits.NOTES_OF_A_RUN) > 0:
        yield f"{counted(more, 'more tool')} like these"


def _unused(run: Run) -> Iterator[tuple[Tool, tuple[str, ...]]]:
    """The called tools with schemas that others may use and this suite cannot (VAL-09)."""
    called = {call.text("tool") for call in run.calls}
    for tool in run.registry.tools if run.registry is not None else ():
        if not called.isdisjoint((tool.name, *tool.aliases)) and tool.beyond_the_engine:
            yield tool, tool.beyond_the_engine


def notes_of(flaws: Iterable[Flaw], kinds: Collection[FlawKind]) -> Iterator[str]:
    """Notes on the flaws of some kinds, line by line: the first ones, and how many more there are."""
    told = [flaw for flaw in flaws if flaw.kind in kinds]
    yield from (f"{flaw.source}: {flaw.says}" for flaw in told[: limits.NOTES_OF_A_RUN])
    if (more := len(told) - limits.NOTES_OF_A_RUN) > 0:
        yield f"{counted(more, 'more line')} like these"

"""Scenarios against one address: what the plugin and the command line call.

One conversation serves many cases.  After an error of the adapter, or a run that did
not end, the next case gets a fresh one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from callproof import limits
from callproof.adapters.claims import Claims, Implementation
from callproof.adapters.connection import connect
from callproof.adapters.conversation import Conversation
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError, DiedInRun, Endless, GarbageOnStdout
from callproof.adapters.wording import told_before_no_end
from callproof.live.canaries import planted
from callproof.live.case import OWN_PROCESS, Case, Hardship, When
from callproof.live.control import CONTROL, has_answered, outlived
from callproof.live.driver import CASE_SECONDS, IDLE_MS, Bounds, Stage
from callproof.live.folders import furnish, with_room
from callproof.live.performance import Performance, ReadAudit
from callproof.trace.run import Run
from callproof.values.jsontext import Json

_DEADLINES = Deadlines()

# After this many runs in a row that did not end, the suite waits less for the next ones, and after _HOPE not at all.
_PATIENCE = 3
_IMPATIENT_MS = 1_500
_HOPE = 10
# The place of the case's own run among those of its company, which are counted from 0.
_OWN = -1


# What keeps one case from ending may keep many: what a system said before is shown this often at most.
MOST_HEARD: Final = 3


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """
    What became of one case: a trace to judge, or the adapter's error, or neither.

    The runs of the case's company are the siblings of ``run``.  ``skipped_features`` names the features that the case
    needs and the system does not claim, and what else it needs and the suite lacks; such a case was not run.
    """

    case: Case
    run: Run | None = None
    error: AdapterError | None = None
    skipped_features: tuple[str, ...] = ()
    # What the system wrote to standard error, if a run did not end.
    stderr: tuple[str, ...] = ()
    # Beside an error: what was seen of the run until then, if its death may be evidence.
    until_death: Run | None = None

    @property
    def last_words(self) -> str:
        """The same as text for the system's author; a report leaves it out, since it has to be reproducible."""
        return told_before_no_end(self.case.id, self.stderr)


class LiveSession:
    """
    One system under test for as long as the ``with`` block lasts.

    Raises AdapterError on entry, and later if a fresh conversation is needed and cannot be had, or if no room
    is left to write in.
    """

    def __init__(
        self,
        address: str,
        *,
        deadlines: Deadlines = _DEADLINES,
        read_audit: ReadAudit | None = None,
        connect: Callable[..., AbstractContextManager[Conversation]] = connect,
    ) -> None:
        self._address = address
        self._deadlines = deadlines
        self._read_audit = read_audit
        self._connect = connect
        self._conversation: Conversation | None = None
        self._open = ExitStack()
        self._earlier: frozenset[str] = frozenset()
        self._unended_in_a_row = 0
        # Whether the system has ended a run in which a tool had answered.
        self._lives = False
        self._garbled = ""
        self.claims = Claims()
        self.implementation: Implementation | None = None
        # What cases may need, but this way to the system does not offer.
        self.lacks: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        conversation = self._connected()
        self.claims, self.implementation = conversation.claims, conversation.implementation
        self.lacks = () if conversation.has_process else (OWN_PROCESS,)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._conversation = None
        self._open.__exit__(kind, error, trace)

    @property
    def garbled(self) -> str:
        """How the system garbled text beyond ASCII, as a clause that continues *the system*; empty if it did not."""
        return self._garbled or (self._conversation.garbled if self._conversation is not None else "")

    def run_case(self, case: Case, on_case: Callable[[CaseOutcome], None] | None = None) -> CaseOutcome:
        """
        Do one case with all its runs.  If the system dies in it, do it once more after a restart (A78).

        ``on_case`` gets the outcome.
        """
        missing = case.missing(self.claims.features, self.lacks)
        outcome = CaseOutcome(case, skipped_features=missing) if missing else self._attempt(case)
        if outcome.error is not None and _may_be_evidence(case, outcome.error):
            outcome = self._proved(self._attempt(case))
        if outcome.run is not None and outlived(outcome.run):
            self._lives = True
        if on_case is not None:
            on_case(outcome)
        return outcome

    def _proved(self, outcome: CaseOutcome) -> CaseOutcome:
        """A second error as evidence, if the case had provoked the system by then, and it outlives a case without."""
        case, run, error = outcome.case, outcome.until_death, outcome.error
        if run is None or error is None or not _is_provoked(case, run) or not self._outlives_the_control():
            return outcome
        stderr = error.stderr if isinstance(error, DiedInRun | GarbageOnStdout) else ()
        return CaseOutcome(case, _with_its_end(run, case, error), stderr=stderr)

    def _outlives_the_control(self) -> bool:
        """Whether the system has ended an ordinary run; if none has been seen yet, one is tried."""
        if not self._lives:
            tried = self._attempt(CONTROL).run
            self._lives = tried is not None and outlived(tried)
        return self._lives

    def _attempt(self, case: Case) -> CaseOutcome:
        if self._unended_in_a_row >= _HOPE:
            bounds = self._bounds
            return CaseOutcome(case, error=Endless(self._unended_in_a_row, bounds.seconds, bounds.idle_ms / 1000))
        had: dict[int, Performance] = {}
        with with_room() as folder:
            try:
                self._have(case, folder, had)
                run = _with_siblings(case, had, self._read_audit)
            except AdapterError as error:
                self._hang_up()
                seen = had[_OWN].trace() if _OWN in had and _may_be_evidence(case, error) else None
                return CaseOutcome(case, error=error, until_death=seen)
            except BaseException:
                # The user broke off, a plugin of pytest ended it, or the suite broke: in the middle of a conversation.
                # The next case must not meet what is still on its way in that one.
                self._break_off()
                raise
        said = self._look_back(case, (run, *run.siblings))
        return CaseOutcome(case, run, stderr=said)

    def _have(self, case: Case, folder: Path, had: dict[int, Performance]) -> None:
        """Do every run of a case; ``had`` gets them by their place in its company, the case's own under ``_OWN``."""
        company = [replace(each, case=replace(each.case, hardship=Hardship())) for each in case.company]
        for place, each in enumerate(company):
            if each.when is When.ELSEWHERE:
                # What the system counts from its start must begin at the same value for both runs (CALL-04).
                self._hang_up()
            if each.when is not When.BESIDE:
                self._stage({place: each.case}, case, folder, had)
            if each.when is When.ELSEWHERE:
                self._hang_up()
        beside = {place: each.case for place, each in enumerate(company) if each.when is When.BESIDE}
        self._stage({**beside, _OWN: case}, case, folder, had)

    def _stage(self, cast: Mapping[int, Case], case: Case, folder: Path, had: dict[int, Performance]) -> None:
        """Do runs that go on at the same time."""
        conversation = self._connected(case.hardship.file_bytes)
        furnished = [(each, furnish(folder / _name(place), each.folder)) for place, each in cast.items()]
        stage = Stage(furnished, conversation, self._bounds)
        had.update(zip(cast, stage.performances, strict=True))
        for each in stage.performances:
            each.company = [had[place] for place in sorted(had) if place != _OWN]
        stage.play()
        self._earlier |= {each.run_id for each in stage.performances} - {""}

    def _look_back(self, case: Case, runs: tuple[Run, ...]) -> tuple[str, ...]:
        """Adjust the next case to what became of this one; return the system's standard error if a run did not end."""
        ordered = case.hardship.kill_after is not None
        unended = not ordered and any(_is_unended(run) for run in runs)
        self._unended_in_a_row = self._unended_in_a_row + 1 if unended else 0
        said = self._conversation.stderr() if unended and self._conversation is not None else ()
        if unended or case.hardship != Hardship():
            # The system may still be at work, or is dead or limited: the next case must not meet what is left of it.
            self._hang_up()
        return said

    @property
    def _bounds(self) -> Bounds:
        seconds = self._deadlines.answer
        quiet = IDLE_MS if self._unended_in_a_row < _PATIENCE else _IMPATIENT_MS
        # A user with longer deadlines waits longer for runs; with shorter ones, a lawful run must still be seen to end.
        longer = max(1.0, seconds / limits.ANSWER_SECONDS)
        return Bounds(max(CASE_SECONDS, seconds), round(quiet * longer), earlier=self._earlier)

    def _connected(self, file_bytes: int | None = None) -> Conversation:
        if file_bytes is not None:
            self._hang_up()
        if self._conversation is None:
            limited = {} if file_bytes is None else {"file_bytes": file_bytes}
            with planted():
                connection = self._connect(self._address, deadlines=self._deadlines, **limited)
                self._conversation = self._open.enter_context(connection)
            self._earlier = frozenset()
        return self._conversation

    def _hang_up(self) -> None:
        """End the conversation, whatever state it is in; its own error would be the second about one fault."""
        self._garbled = self.garbled
        self._conversation = None
        try:
            self._open.close()
        except AdapterError:
            return

    def _break_off(self) -> None:
        """End the system at once, without a shutdown: the user does not want to wait."""
        if self._conversation is not None:
            self._conversation.broken = True
        self._hang_up()


def _with_siblings(case: Case, had: Mapping[int, Performance], read_audit: ReadAudit | None) -> Run:
    """The case's own run with the others as its siblings; every log is read now, when all are over (LOG-13)."""
    siblings = tuple(had[place].trace(read_audit) for place in range(len(case.company)))
    return replace(had[_OWN].trace(read_audit), siblings=siblings)


def _name(place: int) -> str:
    return "own" if place == _OWN else f"companion{place}"


def _is_unended(run: Run) -> bool:
    return not run.finished and run.witnessed is not None and run.witnessed.refusal is None


def _may_be_evidence(case: Case, error: AdapterError) -> bool:
    """Whether an error may be evidence if it repeats: a death that the case tempts to, or a line that is broken."""
    if isinstance(error, GarbageOnStdout):
        return "RES-22" in case.death_proves
    return bool(case.death_proves) and isinstance(error, DiedInRun)


def _is_provoked(case: Case, run: Run) -> bool:
    """Whether what the case tempts with had reached the system: a tool's answer, or files that cannot grow."""
    return has_answered(run) or case.hardship.file_bytes is not None or not case.tools


def _with_its_end(run: Run, case: Case, error: AdapterError) -> Run:
    """The run with an error that repeated among its expectations: it is now evidence, and no longer an error (A78)."""
    if run.witnessed is None:
        return run
    fact = "garbled" if isinstance(error, GarbageOnStdout) else "died"
    told: dict[str, Json] = {**(run.witnessed.expectations or {}), fact: list(case.death_proves)}
    return replace(run, witnessed=replace(run.witnessed, expectations=told))

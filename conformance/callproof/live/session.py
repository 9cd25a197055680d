"""Scenarios against one address: what the plugin and the command line call.

One conversation serves many cases.  After an error of the adapter, or a run that did
not end, the next case gets a fresh one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from callproof.adapters.claims import Claims, Implementation
from callproof.adapters.connection import connect
from callproof.adapters.conversation import Conversation
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError, DiedInRun, Silent
from callproof.live.canaries import planted
from callproof.live.case import Case, Scenario
from callproof.live.driver import CASE_SECONDS, IDLE_MS, Bounds, Performance, ReadAudit
from callproof.live.folders import furnish, scratch
from callproof.trace.run import Run
from callproof.values.jsontext import Json

_DEADLINES = Deadlines()

# After so many runs in a row that did not end, the suite waits less for the next one to, and then no more.
_PATIENCE = 3
_IMPATIENT_MS = 1_500
_HOPE = 10


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """
    What became of one case: a trace to judge, or the adapter's error, or neither.

    ``skipped_features`` names the features that the case needs and the system does not claim; such a case was not run.
    """

    case: Case
    run: Run | None = None
    error: AdapterError | None = None
    skipped_features: tuple[str, ...] = ()


class LiveSession:
    """
    One system under test for as long as the ``with`` block lasts.

    Raises AdapterError on entry, and later where a fresh conversation is needed and cannot be had.
    """

    def __init__(
        self,
        address: str,
        *,
        deadlines: Deadlines = _DEADLINES,
        case_seconds: float = CASE_SECONDS,
        read_audit: ReadAudit | None = None,
        connect: Callable[..., AbstractContextManager[Conversation]] = connect,
    ) -> None:
        self._address = address
        self._deadlines = deadlines
        self._case_seconds = case_seconds
        self._read_audit = read_audit
        self._connect = connect
        self._conversation: Conversation | None = None
        self._open = ExitStack()
        self._earlier: frozenset[str] = frozenset()
        self._unended_in_a_row = 0
        self.claims = Claims()
        self.implementation: Implementation | None = None

    def __enter__(self) -> Self:
        conversation = self._connected()
        self.claims, self.implementation = conversation.claims, conversation.implementation
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._conversation = None
        self._open.__exit__(kind, error, trace)

    def run_scenario(
        self, scenario: Scenario, on_case: Callable[[CaseOutcome], None] | None = None
    ) -> tuple[CaseOutcome, ...]:
        """Have every case of a scenario, in order; ``on_case`` is told of each as it ends."""
        return tuple(self.run_case(case, on_case) for case in scenario.cases)

    def run_case(self, case: Case, on_case: Callable[[CaseOutcome], None] | None = None) -> CaseOutcome:
        """Have one case.  Where the system dies in it, once more after a restart (A78)."""
        missing = case.missing(self.claims.features)
        outcome = CaseOutcome(case, skipped_features=missing) if missing else self._attempt(case)
        if case.death_proves and isinstance(outcome.error, DiedInRun):
            outcome = self._attempt(case, died_before=True)
        if on_case is not None:
            on_case(outcome)
        return outcome

    def _attempt(self, case: Case, *, died_before: bool = False) -> CaseOutcome:
        if self._unended_in_a_row >= _HOPE:
            return CaseOutcome(case, error=Silent("run/start by run/finished", _IMPATIENT_MS / 1000))
        with scratch() as folder:
            folders = furnish(Path(folder).resolve(), case.folder)
            performance = Performance(case, self._connected(), folders, self._bounds)
            try:
                run = performance.run(self._read_audit)
            except AdapterError as error:
                self._hang_up()
                if died_before and isinstance(error, DiedInRun):
                    return CaseOutcome(case, _killed(performance.trace(), case))
                return CaseOutcome(case, error=error)
        self._earlier |= {performance.run_id} - {""}
        unended = not run.finished and run.witnessed is not None and run.witnessed.refusal is None
        self._unended_in_a_row = self._unended_in_a_row + 1 if unended else 0
        if unended:
            # It may still be at work: the next case is not to meet what is left of it.
            self._hang_up()
        return CaseOutcome(case, run)

    @property
    def _bounds(self) -> Bounds:
        patient = self._unended_in_a_row < _PATIENCE
        return Bounds(self._case_seconds, IDLE_MS if patient else _IMPATIENT_MS, self._earlier)

    def _connected(self) -> Conversation:
        if self._conversation is None:
            with planted():
                self._conversation = self._open.enter_context(self._connect(self._address, deadlines=self._deadlines))
            self._earlier = frozenset()
        return self._conversation

    def _hang_up(self) -> None:
        """End the conversation, whatever state it is in; its own complaint would be the second about one fault."""
        self._conversation = None
        try:
            self._open.close()
        except AdapterError:
            return


def _killed(run: Run, case: Case) -> Run:
    """A death that repeats is evidence and no longer an error: the trace says so (A78)."""
    if run.witnessed is None:
        return run
    told: dict[str, Json] = {**(run.witnessed.expectations or {}), "died": list(case.death_proves)}
    return replace(run, witnessed=replace(run.witnessed, expectations=told))

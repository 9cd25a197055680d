"""The records of one run, member by member: run, calls, results, events.

Writes what it is told, in the order in which it is told; decides nothing about the run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from uuid import uuid4

from callproof_reference.clock import Clock, rfc3339
from callproof_reference.hashes import digest
from callproof_reference.journal import Journal
from callproof_reference.jsontext import Json, Object
from callproof_reference.plan import Plan, Step

VERSION = "0.1.0"
_LEVELS = {"ok": "info", "skipped": "info"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a record is about: one attempt of one logical call, or what would have been one."""

    step: Step
    iteration: Object | None = None
    loop_id: str | None = None
    attempt: int = 1
    call_id: str = ""

    def fresh(self, attempt: int = 1) -> Subject:
        """The same logical call under a callId that was never used before (CALL-02, RETRY-02)."""
        return Subject(self.step, self.iteration, self.loop_id, attempt, str(uuid4()))


@dataclass(frozen=True, slots=True)
class Ending:
    """How one attempt ended; the moment of the decision stands in both times where nothing ran (A56)."""

    status: str
    started: int
    ended: int
    message: str
    data: Object | None = None
    error: Object | None = None
    effects: Object | None = None
    debug: str | None = None

    @property
    def ok(self) -> bool:
        """RES-05."""
        return self.status == "ok"


class Records:
    """Builds and writes the records of one run."""

    def __init__(self, run_id: str, plan: Plan, clock: Clock, journal: Journal) -> None:
        self.run_id = run_id
        self.counts: Counter[str] = Counter()
        self._plan = plan
        self._clock = clock
        self._journal = journal
        self._created = rfc3339(clock.now())
        self._seq = 0

    def run(self, confirmation: Object | None = None) -> None:
        """The run record, again when the decision is there (LOG-01, LOG-18, LOG-19)."""
        record: Object = {"specVersion": "1.0", "runId": self.run_id, "createdAt": self._created}
        record |= {"plan": self._plan.source, "policy": self._plan.policy, "tools": self._plan.tools}
        if confirmation:
            record["confirmation"] = confirmation
        self._journal.write("run", record)

    def call(self, subject: Subject, args: Object, preview: str | None, extra: Object) -> None:
        """The call, before its tool is entered (CALL-01 to CALL-24)."""
        step, tool = subject.step, subject.step.tool
        record: Object = {
            **self._identity(subject),
            "args": args,
            "argsHash": digest(args),
            "cancellable": tool.cancellable,
            "createdAt": rfc3339(self._clock.now()),
            "executorVersion": VERSION,
            "toolRegistryVersion": self._plan.registry_version,
            "riskLevel": tool.risk_level,
            "policy": self._plan.policy,
        }
        optional: Object = {
            "timeoutMs": step.timeout_ms,
            "loopId": subject.loop_id,
            "preview": preview,
            "category": tool.descriptor.get("category"),
            **extra,
        }
        record |= {name: value for name, value in optional.items() if value is not None}  # RES-25, A30
        self._journal.write("call", record)

    def result(self, subject: Subject, ending: Ending, *, retry_due: bool = False, reason: str | None = None) -> None:
        """The one result of a call, and then its closing event (RES-01, EVT-08 to EVT-10)."""
        record: Object = {
            **self._identity(subject),
            "status": ending.status,
            "ok": ending.ok,
            "startedAt": rfc3339(ending.started),
            "endedAt": rfc3339(ending.ended),
            "durationMs": ending.ended - ending.started,
            "userMessage": ending.message,
        }
        optional: Object = {
            "data": ending.data,
            "dataHash": None if ending.data is None else digest(ending.data),
            "error": ending.error,
            "effects": ending.effects,
            "debugMessage": ending.debug,
        }
        record |= {name: value for name, value in optional.items() if value is not None}
        self._journal.write("result", record)
        self.counts[ending.status] += 1
        failed = ending.status not in _LEVELS
        payload: Object = {"status": ending.status, **({"reason": reason} if reason else {})}
        # A failure that is retried is a warning, the last one an error (A8, A85, EVT-16).
        level = _LEVELS.get(ending.status, "warn" if retry_due else "error")
        self.event("step.failed" if failed else "step.finished", ending.message, subject, payload, level)

    def event(
        self,
        kind: str,
        message: str,
        subject: Subject | None = None,
        payload: Object | None = None,
        level: str = "info",
    ) -> None:
        """One event, now (EVT-01, EVT-02, EVT-13)."""
        self._seq += 1
        record: Object = {"type": kind, "runId": self.run_id, "timestamp": rfc3339(self._clock.now())}
        record |= {"seq": self._seq, "level": level, "message": message}
        if subject:
            record |= {"callId": subject.call_id, "stepId": subject.step.id, "tool": subject.step.tool.name}
        if payload:
            record["payload"] = payload
        self._journal.write("event", record)

    def _identity(self, subject: Subject) -> dict[str, Json]:
        step = subject.step
        identity: Object = {"callId": subject.call_id, "runId": self.run_id, "stepId": step.id}
        identity |= {"tool": step.tool.name, "attempt": subject.attempt}
        if subject.iteration is not None:
            identity["iteration"] = subject.iteration  # LOOP-02, and on results as well (A73)
        return identity

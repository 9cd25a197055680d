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
from callproof_reference.jsontext import Object
from callproof_reference.plan import Plan, Step
from callproof_reference.policy import strays

VERSION = "0.1.0"


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

    @property
    def ok(self) -> bool:
        """RES-05."""
        return self.status == "ok"


class Records:
    """Builds and writes the records of one run."""

    def __init__(self, run_id: str, plan: Plan, clock: Clock, journal: Journal) -> None:
        self.counts: Counter[str] = Counter()
        self._id, self._plan, self._clock, self._journal = run_id, plan, clock, journal
        self._created, self._seq = rfc3339(clock.now()), 0

    def run(self, confirmation: Object | None = None) -> None:
        """The run record, again when the decision is there (LOG-01, LOG-18, LOG-19)."""
        record: Object = {"specVersion": "1.0", "runId": self._id, "createdAt": self._created}
        record |= {"plan": self._plan.source, "policy": self._plan.policy, "tools": [*self._plan.tools]}
        self._write("run", {**record, "confirmation": confirmation})

    def call(self, subject: Subject, args: Object, preview: str | None, extra: Object) -> None:
        """The call, before its tool is entered (CALL-01 to CALL-24)."""
        tool = subject.step.tool
        record: Object = {
            **self._identity(subject),
            "args": args,
            "argsHash": digest(args),
            "cancellable": tool.cancellable,
            "executorVersion": VERSION,
            "toolRegistryVersion": self._plan.registry_version,
            "riskLevel": tool.risk_level,
            "policy": self._plan.policy,
            "timeoutMs": subject.step.timeout_ms,
            "loopId": subject.loop_id,
            "preview": preview,
            "category": tool.descriptor.get("category"),
        }
        self._write("call", record | extra)

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
            "data": ending.data,
            "dataHash": None if ending.data is None else digest(ending.data),
            "error": ending.error,
            "effects": ending.effects,
        }
        self._write("result", record)
        self.counts[ending.status] += 1
        kind = "step.finished" if ending.status in ("ok", "skipped") else "step.failed"  # EVT-09
        # A failure that is retried is a warning, the last one an error (A8, A85, EVT-16).
        calm = kind == "step.finished" and not strays(ending.effects or {}, self._plan.policy)  # POL-15
        level = "info" if calm else "warn" if retry_due or ending.ok else "error"
        payload: Object = {"status": ending.status, **({"reason": reason} if reason else {})}
        self.event(kind, ending.message, subject, payload, level)

    def event(
        self, kind: str, message: str, about: Subject | None = None, payload: Object | None = None, level: str = "info"
    ) -> None:
        """One event, now (EVT-01, EVT-02, EVT-13)."""
        self._seq += 1
        record: Object = {"type": kind, "runId": self._id, "timestamp": rfc3339(self._clock.now()), "seq": self._seq}
        record |= {"level": level, "message": message}
        if about:
            record |= {"callId": about.call_id, "stepId": about.step.id, "tool": about.step.tool.name}
        record["payload"] = payload or None
        self._write("event", record)

    def _identity(self, subject: Subject) -> Object:
        step = subject.step
        identity: Object = {"callId": subject.call_id, "runId": self._id, "stepId": step.id, "tool": step.tool.name}
        # The iteration stands on results as well (LOOP-02, A73).
        identity |= {"attempt": subject.attempt, "iteration": subject.iteration}
        return identity

    def _write(self, kind: str, record: Object) -> None:
        """Write a record; what is absent is left out, and never null (RES-25, A30)."""
        self._journal.write(kind, {name: value for name, value in record.items() if value is not None})

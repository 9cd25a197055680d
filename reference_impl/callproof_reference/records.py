"""The records of one run, member by member: written to the log as they come, told, never touched again (LOG-13)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from callproof_reference.errors import Fault, Refused
from callproof_reference.jsontext import Object, digest, write
from callproof_reference.plan import Plan, Step
from callproof_reference.policy import strays
from callproof_reference.turns import Clock, rfc3339

VERSION = "0.1.0"
_FILES = {"run": "run.json", "call": "calls.jsonl", "result": "results.jsonl", "event": "events.jsonl"}


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
        return self.status == "ok"  # RES-05


class Records:
    """Builds and writes the records of one run."""

    def __init__(self, run_id: str, plan: Plan, clock: Clock, folder: Path | None, tell: Callable[..., None]) -> None:
        self.counts: Counter[str] = Counter()
        self.broken = False
        self._id, self._plan, self._clock, self._folder, self._tell = run_id, plan, clock, folder, tell
        self._created, self._seq = rfc3339(clock.now()), 0

    def run(self, confirmation: Object | None = None) -> None:
        """The run record, again when the decision is there (LOG-01, LOG-18, LOG-19)."""
        record: Object = {"specVersion": "1.0", "runId": self._id, "createdAt": self._created}
        record |= {"plan": self._plan.source, "policy": self._plan.policy, "tools": [*self._plan.tools]}
        self.write("run", _present(record | {"confirmation": confirmation}))

    def call(self, subject: Subject, args: Object, preview: str | None, extra: Object) -> None:
        """The call, before its tool is entered (CALL-01 to CALL-24)."""
        tool = subject.step.tool
        record: Object = {"args": args, "argsHash": digest(args), "preview": preview, "loopId": subject.loop_id}
        record |= {"timeoutMs": subject.step.timeout_ms, "cancellable": tool.cancellable}
        record |= {"riskLevel": tool.risk_level, "category": tool.descriptor.get("category")}
        record |= {"executorVersion": VERSION, "toolRegistryVersion": self._plan.registry_version}
        self.write("call", _present(self._identity(subject) | record | {"policy": self._plan.policy} | extra))

    def result(self, subject: Subject, ending: Ending, *, retry_due: bool = False, reason: str | None = None) -> None:
        """The one result of a call, and then its closing event (RES-01, EVT-08 to EVT-10)."""
        data, started, ended = ending.data, ending.started, ending.ended
        record: Object = {"status": ending.status, "ok": ending.ok, "userMessage": ending.message}
        record |= {"startedAt": rfc3339(started), "endedAt": rfc3339(ended), "durationMs": ended - started}
        record |= {"data": data, "dataHash": None if data is None else digest(data)}
        record |= {"error": ending.error, "effects": ending.effects}
        self.write("result", _present(self._identity(subject) | record))
        self.counts[ending.status] += 1
        kind = "step.finished" if ending.status in ("ok", "skipped") else "step.failed"  # EVT-09
        calm = kind == "step.finished" and not strays(ending.effects or {}, self._plan.policy)  # POL-15
        level = "info" if calm else "warn" if retry_due or ending.ok else "error"  # A8, A85, EVT-16
        self.event(kind, ending.message, subject, _present({"status": ending.status, "reason": reason}), level)

    def event(
        self, kind: str, message: str, about: Subject | None = None, payload: Object | None = None, level: str = "info"
    ) -> None:
        """One event, now (EVT-01, EVT-02, EVT-13)."""
        self._seq += 1
        record: Object = {"type": kind, "runId": self._id, "timestamp": rfc3339(self._clock.now()), "seq": self._seq}
        record |= {"level": level, "message": message}
        if about:
            record |= {"callId": about.call_id, "stepId": about.step.id, "tool": about.step.tool.name}
        self.write("event", _present(record | {"payload": payload or None}))

    def write(self, kind: str, record: Object) -> None:
        """Write one record to the log, unless that is `broken` (LOG-15), and then tell it: both are one (EVT-20)."""
        try:
            if self._folder and not self.broken:
                _save(self._folder / _FILES[kind], write(record) + "\n", append=kind != "run")
        except OSError:
            self.broken = True
        self._tell(kind, deepcopy(record))

    def _identity(self, subject: Subject) -> Object:
        step, iteration = subject.step, subject.iteration  # which stands on results as well (LOOP-02, A73)
        identity: Object = {"callId": subject.call_id, "runId": self._id, "stepId": step.id, "tool": step.tool.name}
        return identity | {"attempt": subject.attempt, "iteration": iteration}


def claim(folder: Path, root: Path | None) -> None:
    """Make the folder of a log. Refused: it holds one (A68, LOG-22), or the tools on `root` could reach it (LOG-13)."""
    real, why = [os.path.realpath(folder), os.path.realpath(root or folder)], ""
    try:
        if root and os.path.commonpath(real) in real:
            why = f"{folder} and the root {root} lie one inside the other; name an audit folder outside of the root"
        else:
            folder.mkdir(parents=True, exist_ok=True)
            taken = ", ".join(name for name in _FILES.values() if os.path.lexists(folder / name))
            why = f"it already holds {taken}; name another" if taken else ""
    except FileExistsError:
        why = "it is a file, and a folder is expected; name another"
    except OSError as error:
        why = str(error.strerror)
    if why:
        raise Refused("audit folder", [Fault("", "audit_folder", why)])


def _present(record: Object) -> Object:
    return {name: value for name, value in record.items() if value is not None}  # never null (RES-25, A30)


def _save(path: Path, line: str, *, append: bool) -> None:
    # run.json is replaced when it grows: a reader finds the old one or the new one, never half of one.
    target = path if append else path.with_suffix(".new")
    with target.open("ab" if append else "wb") as file:
        file.write(line.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())  # it is on the disk before its call goes on (CALL-21, LOG-04)
    if not append:
        target.replace(path)

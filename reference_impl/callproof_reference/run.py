"""One run from its start to its end (DEP-12): what its tasks share, and its records, never changed again (LOG-13)."""

import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple, Protocol, cast
from uuid import uuid4

from callproof_reference.plan import Plan, Reference, Step, resolve
from callproof_reference.policy import strays
from callproof_reference.turns import Clock, Promise, Slots, first, rfc3339
from callproof_reference.values import Failure, Fault, Json, Object, Refused, digest, present, write

VERSION = "0.1.0"
_FILES = {"run": "run.json", "call": "calls.jsonl", "result": "results.jsonl", "event": "events.jsonl"}


class Subject(NamedTuple):
    """What a record is about: one attempt of one logical call, or what would have been one."""

    step: Step
    iteration: Object | None = None
    loop_id: str | None = None
    attempt: int = 1
    call_id: str = ""

    def fresh(self, attempt: int = 1) -> "Subject":
        """The same logical call under a callId that was never used before (CALL-02, RETRY-02)."""
        return Subject(self.step, self.iteration, self.loop_id, attempt, str(uuid4()))


class Ending(NamedTuple):
    """How an attempt or a whole step ended; if nothing ran, at the moment of the decision (A56)."""

    status: str
    started: int
    ended: int
    message: str
    data: Json = None
    error: Object | None = None
    effects: Object | None = None

    @property
    def ok(self) -> bool:
        return self.status == "ok"  # RES-05


class Records:
    """Builds and writes the records of one run; the log is `broken` once a record could not be written (LOG-15)."""

    def __init__(self, run: "Run") -> None:
        self.counts: Counter[str] = Counter()
        self.broken, self._run, self._created, self._seq = False, run, rfc3339(run.clock.now()), 0

    def run(self, confirmation: Object | None = None) -> None:
        """Write the run record, and again when the decision is there (LOG-01, LOG-18, LOG-19)."""
        record: Object = {"specVersion": "1.0", "runId": self._run.id, "createdAt": self._created}
        record |= {"plan": self._run.plan.source, "policy": self._run.plan.policy, "tools": [*self._run.plan.tools]}
        self.write("run", present(record | {"confirmation": confirmation}))

    def call(self, subject: Subject, args: Object, preview: str | None, extra: Object) -> None:
        """The call, before its tool is entered (CALL-01 to CALL-24)."""
        tool, plan = subject.step.tool, self._run.plan
        record: Object = {"args": args, "argsHash": digest(args), "preview": preview, "loopId": subject.loop_id}
        record |= {"timeoutMs": subject.step.timeout_ms, "cancellable": tool.cancellable, "policy": plan.policy}
        record |= {"riskLevel": tool.risk_level, "category": tool.descriptor.get("category")}
        record |= {"executorVersion": VERSION, "toolRegistryVersion": plan.registry_version}
        self.write("call", present(self._identity(subject) | record | extra))

    def result(self, subject: Subject, ending: Ending, *, retry_due: bool = False, reason: str | None = None) -> None:
        """The one result of a call, and then its closing event (RES-01, EVT-08 to EVT-10)."""
        data, started, ended = ending.data, ending.started, ending.ended
        record: Object = {"status": ending.status, "ok": ending.ok, "userMessage": ending.message}
        record |= {"startedAt": rfc3339(started), "endedAt": rfc3339(ended), "durationMs": ended - started}
        record |= {"data": data, "dataHash": None if data is None else digest(data)}
        record |= {"error": ending.error, "effects": ending.effects}
        self.write("result", present(self._identity(subject) | record))
        self.counts[ending.status] += 1
        kind = "step.finished" if ending.status in ("ok", "skipped") else "step.failed"  # EVT-09
        calm = kind == "step.finished" and not strays(ending.effects or {}, self._run.plan.policy)  # POL-15
        level = "info" if calm else "warn" if retry_due or ending.ok else "error"  # A8, A85, EVT-16
        self.event(kind, ending.message, subject, present({"status": ending.status, "reason": reason}), level)

    def event(self, kind: str, says: str, on: Subject | None = None, payload: Json = None, level: str = "info") -> None:
        """One event, now (EVT-01, EVT-02, EVT-13)."""
        self._seq += 1
        record: Object = {"type": kind, "runId": self._run.id, "seq": self._seq, "level": level, "message": says}
        record["timestamp"] = rfc3339(self._run.clock.now())
        if on:
            record |= {"callId": on.call_id, "stepId": on.step.id, "tool": on.step.tool.name}
        self.write("event", present(record | {"payload": payload or None}))

    def write(self, kind: str, record: Object) -> None:
        """Write a record to the log, and then tell the same record (EVT-20). A log that broke stops the run."""
        folder = self._run.setting.audit
        try:
            if folder and not self.broken:
                _save(folder / _FILES[kind], write(record) + "\n", append=kind != "run")
        except OSError:
            self.broken = True
            self._run.halted.keep("audit_log_failed")
        self._run.host.tell("record", {"runId": self._run.id, "kind": kind, "record": deepcopy(record)})

    def _identity(self, subject: Subject) -> Object:
        step, iteration = subject.step, subject.iteration  # the iteration is in results too (LOOP-02, A73)
        identity: Object = {"callId": subject.call_id, "runId": self._run.id, "stepId": step.id, "tool": step.tool.name}
        return identity | {"attempt": subject.attempt, "iteration": iteration}


def claim(folder: Path, root: Path | None) -> None:
    """Make a log's folder. Raises Refused if it holds one (A68, LOG-22), or tools on `root` could reach it (LOG-13)."""
    real, why = [os.path.realpath(folder), os.path.realpath(root or folder)], ""
    try:
        if root and os.path.commonpath(real) in real:
            why = f"{folder} and the root {root} lie one inside the other; name an audit folder outside of the root"
        else:
            folder.mkdir(parents=True, exist_ok=True)
            taken = ", ".join(name for name in _FILES.values() if os.path.lexists(folder / name))
            why = f"it already holds {taken}; name another" if taken else ""
    except OSError as error:
        is_file = isinstance(error, FileExistsError)
        why = "it is a file, but a folder is expected; name another" if is_file else str(error.strerror)
    if why:
        raise Refused("audit folder", [Fault("", "audit_folder", why)])


def _save(path: Path, line: str, *, append: bool) -> None:
    # run.json is replaced when it grows: a reader finds the old one or the new one, never half of one.
    target = path if append else path.with_suffix(".new")
    with target.open("ab" if append else "wb") as file:
        file.write(line.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())  # it is on the disk before its call goes on (CALL-21, LOG-04)
    if not append:
        target.replace(path)


class Host(Protocol):
    """The program that started the run, in words of the adapter protocol: requests with answers, notifications."""

    def ask(self, method: str, params: Object) -> Promise[Object]: ...
    def tell(self, method: str, params: Object) -> None: ...


class Setting(NamedTuple):
    """Where and how a run runs, beside its plan."""

    root: Path | None = None
    audit: Path | None = None
    hooks: bool = False
    confirmation_ms: int | None = None
    interrupted: Callable[[], bool] = lambda: False


class Run:
    """One execution of one plan, under an id that is never used again (CALL-04)."""

    def __init__(self, plan: Plan, setting: Setting, host: Host, clock: Clock) -> None:
        """Make the audit folder, and do nothing else yet. Raises Refused if it cannot be made."""
        if setting.audit:
            claim(setting.audit, setting.root)
        self.id, self.plan, self.setting, self.host, self.clock = str(uuid4()), plan, setting, host, clock
        self.slots = Slots(plan.slots)
        # `halted` says why nothing new is dispatched; `cancelled` also ends what is open (CANC-01, CANC-02).
        self.halted, self.cancelled, self._decision = Promise[str](), Promise[None](), Promise[str]()
        self.status, self.confirmed = "running", False
        self.confirmation_id: str | None = None
        self.asking: str | None = None  # the same, while the run waits for the decision
        self.outcomes: dict[str, Promise[Ending]] = {}  # by step
        self.open: dict[str, Subject] = {}  # by callId, while their tools are at work
        self.records = Records(self)

    def confirm(self, confirmation_id: str, decision: str) -> None:
        """The decision of a person. Only the first one counts, and only while it is asked for (CONF-11, CONF-12)."""
        if confirmation_id == self.asking:
            self._decision.keep(decision)

    def cancel(self, comment: str | None = None) -> None:
        """Wind down. A run that is over, or cancelled before, does not change (CANC-05, CANC-07)."""
        if self.status == "running" and not self.cancelled.kept:
            self._cancel("requested", {"comment": comment} if comment else {})

    def about(self, subject: Subject, **more: Json) -> Object:
        """The members of a message about a call."""
        return {"runId": self.id, "callId": subject.call_id, **more}

    def root_value(self, reference: Reference, iteration: Object | None) -> Json:
        """The value that a reference starts from (REF-01, REF-05, REF-07, REF-08)."""
        if reference.root in ("item", "index") and iteration is not None:
            return cast("Json", iteration["itemValue" if reference.root == "item" else "index"])
        outcome = self.outcomes.get(str(self.plan.origin(reference)))
        if outcome is None or not outcome.kept or not outcome.value.ok:
            why = f"{reference.text}: its step has no output"  # REF-02
            raise Failure("VALIDATION_ERROR", why, "missing_reference")
        return outcome.value.data

    def preview(self, subject: Subject) -> str | None:
        """The step's preview for this call; None if it reads what is not there, or is too long (CALL-14)."""
        step, found = subject.step, None
        with suppress(Failure):
            found = resolve(step.preview, step.bindings, lambda each: self.root_value(each, subject.iteration))
        text = found if isinstance(found, str) else write(found)
        return None if found is None or len(text) > 500 else text

    def finish(self, ok: bool) -> None:
        """Say how the run ended, to the log and to the host (A82)."""
        self.status = "cancelled" if self.cancelled.kept else "ok" if ok and not self.records.broken else "error"
        payload: Object = {"status": self.status, "results": {**self.records.counts}}  # EVT-18, A74
        level = {"ok": "info", "cancelled": "warn"}.get(self.status, "error")
        self.records.event("run.finished", f"the run ended: {self.status}", None, payload, level)
        self.host.tell("run/finished", {"runId": self.id})

    async def ask(self) -> None:
        """One decision on the whole run: this plan, under this policy (CONF-01 to CONF-14, A50)."""
        self.confirmation_id = self.asking = str(uuid4())
        asked, shown = {"confirmationId": self.confirmation_id}, {**self.plan.hashes}
        if limit := self.setting.confirmation_ms:
            self.clock.after(limit).when_kept(lambda: self._decision.keep("expired"))
            shown["expiresAt"] = rfc3339(self.clock.now() + limit)
        self.records.event("run.confirmationRequested", "the plan waits for approval", payload={**asked, **shown})
        await first(self._decision, self.halted)
        self.asking = None
        if self.halted.kept:
            return  # cancelled before anybody decided (CANC-06, A83)
        decision = self._decision.value
        told = "rejected" if decision == "expired" else decision  # CONF-07, A72
        self.records.run({**asked, "decision": told, "decidedAt": rfc3339(self.clock.now()), **shown})
        if decision == "approved":
            self.confirmed = True
            self.records.event("run.confirmed", "the plan was approved", payload=asked)
        else:
            self._cancel(f"confirmation_{decision}", asked)  # A11

    def _cancel(self, reason: str, more: Object) -> None:
        self.records.event("run.cancelled", "the run is cancelled", None, {"reason": reason, **more}, "warn")
        self.cancelled.keep(None)
        self.halted.keep(reason)

"""The adapter protocol: the conversation with whoever judges this executor.

One thread, one message after the other. Between two messages everything has happened that can happen; time passes
only by `clock/advance` (A77). Knows messages and runs, not what a run does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from callproof_reference.attempts import ABORT_GRACE_MS
from callproof_reference.clock import VirtualClock, rfc3339
from callproof_reference.errors import reported
from callproof_reference.faults import Refused
from callproof_reference.hosts import Answer, broken, observed
from callproof_reference.jsontext import Json, Object
from callproof_reference.plan import prepare
from callproof_reference.records import VERSION, Subject
from callproof_reference.run import Run, Setting
from callproof_reference.tools import REGISTRY
from callproof_reference.turns import Promise, Turns

_FEATURES: list[Json] = [
    *("references", "foreach", "retry", "timeout", "cancellation", "confirmation", "concurrency", "events"),
    *("effects", "argsHash", "dataHash", "hooks", "files", "auditLog", "virtualClock"),
]
_REFUSED, _TOOL_FAILED = -32001, -32010


class Wire(Protocol):
    """Messages in and out, as objects."""

    def receive(self) -> dict[str, Json] | None:
        """The next message, waiting for it; None at the end."""
        ...

    def send(self, message: dict[str, Json]) -> None:
        """Send a message at once."""
        ...


def serve(wire: Wire) -> None:
    """Speak the adapter protocol until `shutdown` or the end of input."""
    conversation = _Conversation(wire)
    while (message := wire.receive()) is not None and conversation.take(message):
        pass


class _Rejected(Exception):
    """A request that gets an error answer."""

    def __init__(self, code: int, message: str, data: Object | None = None) -> None:
        super().__init__(message)
        self.answer: Object = {"code": code, "message": message, **({"data": data} if data else {})}


class _Conversation:
    """What this executor answers, and what it asks."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._turns = Turns()
        self._clock = VirtualClock()
        self._runs: dict[str, Run] = {}
        self._asked: dict[int, Callable[[Object], None]] = {}
        self._last = 0
        self._methods: dict[str, Callable[[Object], Object]] = {
            "initialize": lambda _: _introduction(),
            "run/start": self._start,
            "run/confirm": self._confirm,
            "run/cancel": self._cancel,
            "clock/advance": self._advance,
            "tool/progress": self._progress,
            "shutdown": lambda _: {},
        }

    def take(self, message: Object) -> bool:
        """Take one message, and let everything happen that follows from it. False after `shutdown`."""
        method, identity = message.get("method"), message.get("id")
        if isinstance(method, str):
            self._asked_of_us(method, identity, _object(message.get("params")))
        elif "result" in message or "error" in message:
            heard = self._asked.pop(identity, None) if isinstance(identity, int) else None
            if heard:
                heard(message)
        else:
            self._wire.send(_error(None, {"code": -32600, "message": "this is no request, notification or answer"}))
        self._turns.settle()
        return method != "shutdown"

    def ask(self, method: str, params: Object, heard: Callable[[Object], None]) -> None:
        """Send a request; `heard` gets the answer, whenever it comes."""
        self._last += 1
        self._asked[self._last] = heard
        self._wire.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})

    def tell(self, method: str, params: Object) -> None:
        """Send a notification."""
        self._wire.send({"jsonrpc": "2.0", "method": method, "params": params})

    def _asked_of_us(self, method: str, identity: Json, params: Object) -> None:
        answer: Object
        try:
            if method not in self._methods:
                raise _Rejected(-32601, f"the method {method!r} is not known")
            answer = {"jsonrpc": "2.0", "id": identity, "result": self._methods[method](params)}
        except _Rejected as rejected:
            answer = _error(identity, rejected.answer)
        if identity is not None:
            self._wire.send(answer)  # before anything that follows from it: what follows waits for the next turn

    def _start(self, params: Object) -> Object:
        host = _SuiteHost(self)
        tools = params.get("tools")
        try:
            plan = prepare(params.get("plan"), params.get("policy"), tools if isinstance(tools, list) else [], REGISTRY)
            run = Run(plan, self._setting(host, params))
        except Refused as refused:
            raise _Rejected(_REFUSED, "the run is refused", _refusal(refused)) from None
        host.run_id = run.id
        self._runs[run.id] = run
        run.start()
        return {"runId": run.id}

    def _setting(self, host: _SuiteHost, params: Object) -> Setting:
        root, audit, limit = params.get("root"), params.get("auditDir"), params.get("confirmationTimeoutMs")
        return Setting(
            host,
            self._clock,
            self._turns,
            root=Path(root) if isinstance(root, str) else None,
            audit=Path(audit) if isinstance(audit, str) else None,
            hooks=params.get("hooks") is True,
            confirmation_ms=int(limit) if isinstance(limit, int | float) else None,
        )

    def _confirm(self, params: Object) -> Object:
        run, decision = self._runs.get(str(params.get("runId"))), params.get("decision")
        if decision not in ("approved", "rejected"):
            raise _Rejected(-32602, "decision is approved or rejected")
        if run:
            run.confirm(str(params.get("confirmationId")), str(decision))
        return {}

    def _cancel(self, params: Object) -> Object:
        run, reason = self._runs.get(str(params.get("runId"))), params.get("reason")
        if run:
            self._turns.call(lambda: run.cancel(reason if isinstance(reason, str) else None))
        return {}

    def _advance(self, params: Object) -> Object:
        ms = params.get("ms")
        if not isinstance(ms, int) or isinstance(ms, bool) or ms < 0:
            raise _Rejected(-32602, "ms is a number of milliseconds, 0 or more")
        self._clock.advance(ms, self._turns)
        return {"now": rfc3339(self._clock.now())}

    def _progress(self, params: Object) -> Object:
        run, message = self._runs.get(str(params.get("runId"))), params.get("message")
        if run:
            text = message if isinstance(message, str) else None
            run.progress(str(params.get("callId")), text, params.get("payload"))
        return {}


@dataclass
class _SuiteHost:
    """The suite as the host of a run's tools and hooks, and as its listener."""

    conversation: _Conversation
    run_id: str = field(default="")

    def invoke(self, subject: Subject, args: Object) -> Promise[Answer]:
        answer: Promise[Answer] = Promise()
        asked = {**self._call(subject), "tool": subject.step.tool.name, "args": args}
        self.conversation.ask("tool/invoke", asked, lambda message: answer.keep(_tool_answer(message)))
        return answer

    def abort(self, subject: Subject, reason: str) -> None:
        self.conversation.tell("tool/abort", {**self._call(subject), "reason": reason})

    def hook(self, subject: Subject, args: Object) -> Promise[Json]:
        answer: Promise[Json] = Promise()
        asked = {**self._call(subject), "tool": subject.step.tool.name, "args": args}
        self.conversation.ask("hook/before", asked, lambda message: answer.keep(message.get("result")))
        return answer

    def told(self, kind: str, record: Object) -> None:
        self.conversation.tell("record", {"runId": self.run_id, "kind": kind, "record": record})

    def finished(self) -> None:
        self.conversation.tell("run/finished", {"runId": self.run_id})

    def _call(self, subject: Subject) -> Object:
        return {"runId": self.run_id, "callId": subject.call_id}


def _tool_answer(message: Object) -> Answer:
    if "result" in message:
        result = _object(message["result"])
        return Answer(output=result.get("output"), effects=observed(result.get("observed")))
    failure = _object(message.get("error"))
    data = _object(failure.get("data"))
    if failure.get("code") != _TOOL_FAILED or not data:
        return Answer(error=broken())
    return Answer(error=reported(data), effects=observed(data.get("observed")))


def _introduction() -> Object:
    return {
        "protocolVersion": "1.0",
        "implementation": {"name": "callproof-reference", "version": VERSION, "language": "python"},
        "claims": {
            "profiles": ["envelope"],
            "features": _FEATURES,
            "postures": {"abortGraceMs": ABORT_GRACE_MS},
        },
    }


def _refusal(refused: Refused) -> Object:
    faults: list[Json] = [{"pointer": f.pointer, "reason": f.reason, "message": f.message} for f in refused.faults]
    details: Object = {"reason": refused.faults[0].reason, "subject": refused.subject, "faults": faults}
    return {"code": "VALIDATION_ERROR", "message": str(refused), "details": details}


def _error(identity: Json, error: Object) -> Object:
    return {"jsonrpc": "2.0", "id": identity, "error": error}


def _object(value: Json) -> Object:
    return value if isinstance(value, dict) else {}

"""The adapter protocol: the conversation with whoever judges this executor.

One thread, one message after the other. Between two messages everything has happened that can happen; time passes
only by `clock/advance` (A77). Knows messages and runs, not what a run does.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from callproof_reference.attempts import ABORT_GRACE_MS
from callproof_reference.clock import VirtualClock, rfc3339
from callproof_reference.errors import is_plain_object
from callproof_reference.faults import Refused
from callproof_reference.jsontext import Json, Object, as_object, objects
from callproof_reference.plan import prepare
from callproof_reference.records import VERSION
from callproof_reference.run import Run, Setting
from callproof_reference.tools import REGISTRY
from callproof_reference.turns import Promise, Turns

_FEATURES: list[Json] = [
    *("references", "foreach", "retry", "timeout", "cancellation", "confirmation", "concurrency", "events"),
    *("effects", "argsHash", "dataHash", "hooks", "files", "auditLog", "virtualClock"),
]


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
    """A request that gets an error answer: its code, a message, perhaps data."""

    def __init__(self, code: int, message: str, data: Object | None = None) -> None:
        super().__init__(message)
        self.error: Object = {"code": code, "message": message, **({"data": data} if data else {})}


class _Conversation:
    """What this executor answers, and what it asks: it is the host of its runs."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._turns, self._time = Turns(), VirtualClock()
        self._runs: dict[str, Run] = {}
        self._asked: list[Promise[Object]] = []
        self._methods: dict[str, Callable[[Object], Object | None]] = {
            "initialize": lambda _: _INTRODUCTION,
            "run/start": self._start,
            "run/confirm": self._confirm,
            "run/cancel": self._cancel,
            "clock/advance": self._advance,
            "tool/progress": self._progress,
            "shutdown": lambda _: None,
        }

    def take(self, message: Object) -> bool:
        """Take one message, and let everything happen that follows from it. False after `shutdown`."""
        method, identity = message.get("method"), message.get("id")
        if isinstance(method, str):
            answer = self._answer(method, as_object(message.get("params")))
            if identity is not None:  # sent before anything that follows: that waits for the next turn
                self._wire.send({"jsonrpc": "2.0", "id": identity, **answer})
        elif isinstance(identity, int) and 0 <= identity < len(self._asked):
            self._asked[identity].keep(message)
        self._turns.settle()
        return method != "shutdown"

    def ask(self, method: str, params: Object) -> Promise[Object]:
        """Send a request of ours; the promise is the whole answer."""
        self._asked.append(answer := Promise[Object]())
        self._wire.send({"jsonrpc": "2.0", "id": len(self._asked) - 1, "method": method, "params": params})
        return answer

    def tell(self, method: str, params: Object) -> None:
        """Send a notification."""
        self._wire.send({"jsonrpc": "2.0", "method": method, "params": params})

    def _answer(self, method: str, params: Object) -> Object:
        if method not in self._methods:
            return {"error": {"code": -32601, "message": f"the method {method!r} is not known"}}
        if not is_plain_object(params):
            return {"error": {"code": -32602, "message": "the params hold what JSON does not have"}}
        try:
            return {"result": self._methods[method](params) or {}}
        except _Rejected as rejected:
            return {"error": rejected.error}

    def _start(self, params: Object) -> Object:
        root, audit, limit = params.get("root"), params.get("auditDir"), params.get("confirmationTimeoutMs")
        setting = Setting(
            root=Path(root) if isinstance(root, str) else None,
            audit=Path(audit) if isinstance(audit, str) else None,
            hooks=params.get("hooks") is True,
            confirmation_ms=limit if isinstance(limit, int) else None,
        )
        try:
            plan = prepare(params.get("plan"), params.get("policy"), objects(params.get("tools")), REGISTRY)
            run = Run(plan, setting, self, self._time.clock, self._turns)
        except Refused as refused:
            raise _Rejected(-32001, "the run is refused", refused.data()) from None
        self._runs[run.id] = run
        run.start()
        return {"runId": run.id}

    def _confirm(self, params: Object) -> None:
        decision = params.get("decision")
        if decision not in ("approved", "rejected"):
            raise _Rejected(-32602, "decision is approved or rejected")
        if run := self._runs.get(str(params.get("runId"))):
            run.confirm(str(params.get("confirmationId")), str(decision))

    def _cancel(self, params: Object) -> None:
        if run := self._runs.get(str(params.get("runId"))):
            reason = params.get("reason")
            self._turns.call(lambda: run.cancel(reason if isinstance(reason, str) else None))

    def _advance(self, params: Object) -> Object:
        ms = params.get("ms")
        if not isinstance(ms, int) or isinstance(ms, bool) or ms < 0:
            raise _Rejected(-32602, "ms is a number of milliseconds, 0 or more")
        self._time.advance(ms, self._turns)
        return {"now": rfc3339(self._time.clock.now())}

    def _progress(self, params: Object) -> None:
        if run := self._runs.get(str(params.get("runId"))):
            message = params.get("message") or "the tool goes on"
            run.progress(str(params.get("callId")), str(message), as_object(params.get("payload")))


_INTRODUCTION: Object = {
    "protocolVersion": "1.0",
    "implementation": {"name": "callproof-reference", "version": VERSION, "language": "python"},
    "claims": {"profiles": ["envelope"], "features": _FEATURES, "postures": {"abortGraceMs": ABORT_GRACE_MS}},
}

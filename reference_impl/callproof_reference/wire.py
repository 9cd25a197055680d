"""The adapter protocol over two pipes: between two messages, everything happens that can happen (A77)."""

import json
import sys
from contextlib import suppress
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import cast

from callproof.values.jsontext import NotStrictJson

from callproof_reference.plan import Plan, shape_faults
from callproof_reference.run import VERSION, Run, Setting
from callproof_reference.steps import ABORT_GRACE_MS, carry_out
from callproof_reference.tools import REGISTRY
from callproof_reference.turns import Clock, Promise, rfc3339
from callproof_reference.values import Fault, Json, Object, Refused, as_object, error, objects, size, write

_LONGEST_LINE = 16 * 1024 * 1024 + 1  # with its LF
_METHODS = "initialize run/start run/confirm run/cancel tool/progress shutdown"
_BEHAVIOUR = "references foreach retry timeout cancellation confirmation concurrency hooks files"
_EVIDENCE = "events effects argsHash dataHash auditLog"
_NAME = {"name": "callproof-reference", "version": VERSION, "language": "python"}


class Wire:
    """One message a line: JSON in UTF-8, at most 16 MiB (adapter protocol, Framing)."""

    def __init__(self) -> None:
        self._source, self._sink = sys.stdin.buffer, sys.stdout.buffer
        sys.stdout = sys.stderr  # for everything else that is printed

    def receive(self) -> Object | None:
        """Wait for the next message; None at the end. What is no message is answered with an error and skipped."""
        while line := self._source.readline(_LONGEST_LINE):
            message: Json = None
            end = line
            while len(end) == _LONGEST_LINE and not end.endswith(b"\n"):
                end = self._source.readline(_LONGEST_LINE)
            with suppress(ValueError, RecursionError):  # NaN is read: it ends the call whose output it is (RES-22)
                message = json.loads(line.decode("utf-8")) if end is line else None
            if isinstance(message, dict):
                return message
            why = "a line is not a JSON object in UTF-8 of at most 16 MiB"
            self.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": why}})
        return None

    def send(self, message: Object) -> None:
        """Send a message at once."""
        self._sink.write(write(message).encode("utf-8") + b"\n")
        self._sink.flush()


def serve(wire: Wire) -> None:
    """Speak the adapter protocol until `shutdown` or the end of input."""
    conversation = _Conversation(wire, Clock(virtual=True))
    all(map(conversation.take, iter(wire.receive, None)))  # until `take` returns False


def serve_on_real_time(wire: Wire) -> None:
    """The same with time that passes by itself, and without the claim of a virtual clock."""
    clock, messages = Clock(virtual=False), SimpleQueue["Object | None"]()
    Thread(target=lambda: any(map(messages.put, chain(iter(wire.receive, None), [None])))).start()
    conversation, message = _Conversation(wire, clock), cast("Object | None", {})
    while message is not None and conversation.take(message):
        message = {}  # no message, but the alarms may set something off
        with suppress(Empty):
            message = messages.get(timeout=clock.left(60))
        clock.advance()


class _Conversation:
    """What this executor answers, and what it asks: it is the host of its runs."""

    def __init__(self, wire: Wire, clock: Clock) -> None:
        self._wire, self._clock = wire, clock
        self._methods = [*_METHODS.split(), *(["clock/advance"] if clock.virtual else [])]
        self._runs, self._asked = dict[str, Run](), list[Promise[Object]]()

    def take(self, message: Object) -> bool:
        """Take one message, and let everything happen that follows from it. False after `shutdown`."""
        method, identity = message.get("method"), message.get("id")
        if isinstance(method, str):
            answer = self._answer(method, as_object(message.get("params")))
            if identity is not None:  # sent before anything that follows: that waits for the next turn
                self._wire.send({"jsonrpc": "2.0", "id": identity, **answer})
        elif isinstance(identity, int) and 0 <= identity < len(self._asked):
            self._asked[identity].keep(message)
        self._clock.settle()
        return method != "shutdown"

    def ask(self, method: str, params: Object) -> Promise[Object]:
        self._asked.append(answer := Promise[Object]())
        self._wire.send({"jsonrpc": "2.0", "id": len(self._asked) - 1, "method": method, "params": params})
        return answer

    def tell(self, method: str, params: Object) -> None:
        self._wire.send({"jsonrpc": "2.0", "method": method, "params": params})

    def _answer(self, method: str, params: Object) -> Object:
        if method not in self._methods:
            return {"error": {"code": -32601, "message": f"the method {method!r} is not known"}}
        try:
            size(params)
            return {"result": self._done(method, params)}
        except (NotStrictJson, Refused) as flaw:
            bare = [Fault("", "unserialisable", f"it {flaw}")]
            refused = flaw if isinstance(flaw, Refused) else Refused("request", bare)
        details: Object = {"subject": refused.subject, "faults": [fault._asdict() for fault in refused.faults]}
        data = error("VALIDATION_ERROR", str(refused), refused.faults[0].reason, **details)  # A15
        code = -32001 if method == "run/start" else -32602
        return {"error": {"code": code, "message": f"the {refused.subject} is refused", "data": data}}

    def _done(self, method: str, params: Object) -> Object:
        """Do what a request asks for; what it asks of an unknown run is ignored."""
        if method == "initialize":
            features = [*_BEHAVIOUR.split(), *_EVIDENCE.split(), *(["virtualClock"] if self._clock.virtual else [])]
            claims = {"profiles": ["envelope"], "features": features, "postures": {"abortGraceMs": ABORT_GRACE_MS}}
            return {"protocolVersion": "1.0", "implementation": _NAME, "claims": claims}
        if method == "run/start":
            return self._start(params)
        if method != "shutdown" and (found := shape_faults(f"adapter/{method.replace('/', '-')}", params)):
            raise Refused("request", found)
        if method == "clock/advance":
            self._clock.advance(int(params["ms"]))
            return {"now": rfc3339(self._clock.now())}
        if run := self._runs.get(str(params.get("runId"))):
            if method == "run/confirm":
                run.confirm(params["confirmationId"], params["decision"])
            elif method == "run/cancel":
                self._clock.ready.append(lambda: run.cancel(params.get("reason")))
            elif subject := run.open.get(str(params.get("callId"))):  # counts while that call is open (EVT-12)
                says, payload = params.get("message") or "the tool goes on", as_object(params.get("payload"))
                run.records.event("step.progress", says, subject, payload)
        return {}

    def _start(self, params: Object) -> Object:
        root, audit = (Path(p) if isinstance(p := params.get(name), str) else None for name in ("root", "auditDir"))
        limit = params.get("confirmationTimeoutMs")
        setting = Setting(root, audit, params.get("hooks") is True, limit if isinstance(limit, int) else None)
        own = REGISTRY if root else ()  # without a folder there is nothing for our own tools to work on
        plan = Plan(params.get("plan"), params.get("policy"), objects(params.get("tools")), own)
        run = Run(plan, setting, self, self._clock)
        self._runs[run.id] = run
        self._clock.spawn(carry_out(run))
        return {"runId": run.id}

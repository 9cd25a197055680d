"""A system of a few lines that speaks the protocol without a wire, so that a test sees only the driver."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from callproof.adapters.claims import Claims, Implementation
from callproof.adapters.errors import AdapterError, DiedInRun
from callproof.adapters.messages import (
    Answer,
    Message,
    Notification,
    Refusal,
    Request,
    RequestHandle,
    RequestId,
    Response,
    Result,
)
from callproof.values.jsontext import Json

VIRTUAL = Claims(features=("events", "virtualClock", "cancellation", "confirmation", "hooks"))
REAL = Claims(features=("events",))


def record(kind: str, **value: Json) -> Notification:
    """A record of run r."""
    return Notification(0, "record", {"runId": "r", "kind": kind, "record": {"runId": "r", **value}})


def invoke(number: int, tool: str = "w.tool", args: Json = None, run: str = "r") -> Request:
    """An invocation for call c<number>."""
    return Request(0, number, "tool/invoke", {"runId": run, "callId": f"c{number}", "tool": tool, "args": args or {}})


def abort(number: int, reason: str = "cancelled") -> Notification:
    """The abort of call c<number>."""
    return Notification(0, "tool/abort", {"runId": "r", "callId": f"c{number}", "reason": reason})


FINISHED = Notification(0, "run/finished", {"runId": "r"})

SELF = Implementation("scripted", "1", "python")

# What the system does about one message of the suite: its own messages, sent after the answer, and how it ends.
React = Callable[["ScriptedSystem", str, Mapping[str, Json]], Iterable[Message | AdapterError]]


@dataclass
class ScriptedSystem:
    """
    Answers every request at once with ``{}`` (run/start with a run id, or ``refusal``), and says what ``react`` says.
    Runs get the ids ``runs`` in turn, the last one again and again.

    ``sent`` is everything that the suite sent, with the virtual instant at which it came.
    """

    react: React
    claims: Claims = VIRTUAL
    implementation: Implementation = SELF
    refusal: Refusal | None = None
    runs: tuple[str, ...] = ("r",)
    broken: bool = False
    has_process: bool = True
    garbled: str = ""
    now: int = 0
    sent: list[tuple[int, str, Mapping[str, Json]]] = field(default_factory=list)
    queue: deque[tuple[Message | AdapterError, Answer | None]] = field(default_factory=deque)

    def request(self, method: str, params: Mapping[str, Json]) -> RequestHandle:
        """Take a request and queue its answer."""
        handle = RequestHandle(len(self.sent), method)
        if method == "clock/advance":
            self.now += int(str(params["ms"]))
        started = min(len(self.when("run/start")), len(self.runs) - 1)
        answer: Answer = Result({"runId": self.runs[started]} if method == "run/start" else {})
        answered = (Response(0, handle), self.refusal if self.refusal and method == "run/start" else answer)
        if method == "clock/advance":
            # Everything that falls due by then happens before the answer comes.
            self._note(method, params)
            self.queue.append(answered)
        else:
            self.queue.append(answered)
            self._note(method, params)
        return handle

    def stderr(self) -> tuple[str, ...]:
        """What it writes to standard error."""
        return ("it hangs",)

    def notify(self, method: str, params: Mapping[str, Json]) -> None:
        """Take a notification."""
        self._note(method, params)

    def answer(self, request_id: RequestId, result: Mapping[str, Json]) -> None:
        """Take the good answer to an invocation or hook."""
        self._note("answer", {"id": request_id, **result})

    def refuse(self, request_id: RequestId, code: int, message: str, data: Json = None) -> None:
        """Take the error answer to an invocation or hook."""
        self._note("refuse", {"id": request_id, "code": code, "message": message, "data": data})

    def receive(self, timeout: float) -> Message | None:
        """The next message, at once or never."""
        if not self.queue:
            return None
        message, answer = self.queue.popleft()
        if isinstance(message, AdapterError):
            raise message
        if isinstance(message, Response):
            message.handle.answer = answer
        return message

    def turn_away(self, seconds: float) -> None:
        """Do nothing: there is no pipe here that could fill up."""

    def kill(self) -> None:
        """Die at once: what was queued can still be received."""
        self.queue.append((DiedInRun("when the suite killed it", -9), None))

    def wait(
        self, handle: RequestHandle, *, on_message: Callable[[Message], None], deadline: float | None = None
    ) -> Answer:
        """Hand over what is queued before the answer."""
        while handle.answer is None:
            message = self.receive(0)
            assert message is not None, f"{handle.method} was never answered"
            if not (isinstance(message, Response) and message.handle is handle):
                on_message(message)
        return handle.answer

    def when(self, method: str) -> list[int]:
        """The instants at which messages of this kind came in."""
        return [at for at, name, _ in self.sent if name == method]

    def _note(self, method: str, params: Mapping[str, Json]) -> None:
        self.sent.append((self.now, method, params))
        self.queue.extend((message, None) for message in self.react(self, method, params))

"""Code as the author of a Python adapter writes it; it has to pass mypy --strict and pyright strict unchanged."""

from __future__ import annotations

from typing import Any

from callproof.adapters.connection import connect
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError
from callproof.adapters.messages import Message, Notification, Refusal, Request, Response
from callproof.adapters.wire import Factory, Wire, WireMessage


def serve(wire: Wire) -> None:
    """An adapter is a function; it subclasses nothing."""
    while (message := wire.receive()) is not None:
        answer = _answer(message)
        if answer is not None:
            wire.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})


def _answer(message: WireMessage) -> dict[str, Any] | None:
    if message.get("method") == "initialize":
        return {
            "protocolVersion": "1.0",
            "implementation": {"name": "mine", "version": "1", "language": "python"},
            "claims": {"profiles": ["envelope"], "features": ["foreach"]},
        }
    return {} if "id" in message else None


class Recording:
    """A wire of the author's own, for unit tests: the protocol asks for two methods and no base class."""

    def __init__(self, *messages: WireMessage) -> None:
        self.waiting = list(messages)
        self.sent: list[WireMessage] = []

    def receive(self) -> WireMessage | None:
        """The next message, or None at the end."""
        return self.waiting.pop(0) if self.waiting else None

    def send(self, message: WireMessage) -> None:
        """Keep what was sent."""
        self.sent.append(message)


FACTORY: Factory = serve
serve(Recording({"jsonrpc": "2.0", "id": 1, "method": "shutdown"}))


def drive(address: str) -> str:
    """The other side: code that drives a system by hand."""
    seen: list[Message] = []
    try:
        with connect(address, deadlines=Deadlines(answer=5.0)) as system:
            handle = system.request("run/start", {"plan": {}, "policy": {}, "tools": []})
            answer = system.wait(handle, on_message=seen.append)
            while (message := system.receive(timeout=1.0)) is not None:
                if isinstance(message, Request):
                    system.answer(message.id, {"output": {}})
            return answer.message if isinstance(answer, Refusal) else str(answer.value["runId"])
    except AdapterError as error:
        return str(error)


def name(message: Message) -> str:
    """The union of messages is closed: a match over it is exhaustive."""
    match message:
        case Request() | Notification():
            return message.method
        case Response():
            return message.handle.method

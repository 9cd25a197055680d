"""A wire that changes the messages of a reference before they go out: most broken systems are made this way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from callproof_reference.wire import Wire

Message = dict[str, Any]
Tells = Callable[[Message], Iterable[Message]]


def every(change: Tells) -> Callable[[], Tells]:
    """A fault that looks at one message at a time and does not remember earlier ones."""

    def tells() -> Tells:
        return change

    return tells


def doubled(message: Message) -> Iterator[Message]:
    """Send every number as a double, as languages that have no other numbers do (B-10)."""
    yield {**message, "params": _doubled(message["params"])} if "params" in message else message


def _doubled(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _doubled(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_doubled(each) for each in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Altered:
    """The wire of one conversation; a message of the suite passes unchanged."""

    def __init__(self, tells: Callable[[], Tells] | None) -> None:
        self._wire = Wire()
        self._tells = None if tells is None else tells()

    def receive(self) -> Message | None:
        """The next message of the suite."""
        return self._wire.receive()

    def send(self, message: Message) -> None:
        """Send the messages that the fault makes of a message, in its order."""
        for each in [message] if self._tells is None else self._tells(message):
            self._wire.send(each)

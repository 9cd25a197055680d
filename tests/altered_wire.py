"""A wire on which other messages go out than a reference sent: how most broken systems are made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from callproof_reference.wire import Wire

Message = dict[str, Any]
Tells = Callable[[Message], Iterable[Message]]


def every(change: Tells) -> Callable[[], Tells]:
    """A fault that looks at one message at a time, and remembers none."""

    def tells() -> Tells:
        return change

    return tells


class Altered:
    """The wire of one conversation; an answer of the suite is passed on as it is."""

    def __init__(self, tells: Callable[[], Tells] | None) -> None:
        self._wire = Wire()
        self._tells = None if tells is None else tells()

    def receive(self) -> Message | None:
        """The next message of the suite."""
        return self._wire.receive()

    def send(self, message: Message) -> None:
        """What the fault makes of a message, in its order."""
        for each in [message] if self._tells is None else self._tells(message):
            self._wire.send(each)

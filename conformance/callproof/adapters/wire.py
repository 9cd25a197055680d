"""What a Python adapter gets, and what it has to be: the whole interface for its author.

An adapter is a callable that takes a ``Wire`` and returns when the conversation is
over.  It subclasses nothing and has to import nothing from here; it may import the types::

    def serve(wire: Wire) -> None:
        while (message := wire.receive()) is not None:
            ...
            wire.send({"jsonrpc": "2.0", "id": message["id"], "result": {}})
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

# A message as plain JSON.  An adapter's author narrows it by its method, so no closer type is possible here.
WireMessage: TypeAlias = dict[str, Any]


class Wire(Protocol):
    """Both directions of the wire, for one adapter.  Any thread may call either method."""

    def receive(self) -> WireMessage | None:
        """The next message of the suite; waits for it. None at the end of input, which means *stop*."""
        ...

    def send(self, message: WireMessage) -> None:
        """Send one message to the suite. Raises ValueError for what JSON cannot hold."""
        ...


Factory: TypeAlias = Callable[[Wire], None]

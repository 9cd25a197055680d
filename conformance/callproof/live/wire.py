"""What the live room needs from a conversation, and nothing more.

The conversation of the adapters room fits it; so does a hand-written one in a test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from callproof.adapters.claims import Claims
from callproof.adapters.messages import Answer, Message, RequestHandle, RequestId
from callproof.values.jsontext import Json


class Wire(Protocol):
    """One system, connected and initialized; see ``callproof.adapters.conversation.Conversation``."""

    @property
    def claims(self) -> Claims:
        """What the system claims."""
        ...

    def request(self, method: str, params: Mapping[str, Json]) -> RequestHandle:
        """Send a request at once."""
        ...

    def notify(self, method: str, params: Mapping[str, Json]) -> None:
        """Send a notification at once."""
        ...

    def answer(self, request_id: RequestId, result: Mapping[str, Json]) -> None:
        """Answer an open request of the system."""
        ...

    def refuse(self, request_id: RequestId, code: int, message: str, data: Json = None) -> None:
        """Answer an open request of the system with an error."""
        ...

    def receive(self, timeout: float) -> Message | None:
        """The next message, or None after ``timeout`` seconds."""
        ...

    def turn_away(self, seconds: float) -> None:
        """Read nothing that the system sends for that many seconds."""
        ...

    def kill(self) -> None:
        """End every process of the system at once; what it sent can still be received."""
        ...

    def wait(
        self, handle: RequestHandle, *, on_message: Callable[[Message], None], deadline: float | None = None
    ) -> Answer:
        """Read until the answer is there."""
        ...

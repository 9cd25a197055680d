"""The conversation with one system under test: JSON-RPC both ways, in the order of the wire.

Single-threaded for whoever uses it: messages are read only inside ``receive``,
``wait`` and ``ask``, and the order in which those hand them over is the order in
which the system sent them.  That order is evidence.  Sending never blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from callproof import limits
from callproof.adapters.claims import Claims, Implementation
from callproof.adapters.messages import Answer, Message, RequestHandle, RequestId
from callproof.values.jsontext import Json


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long a system may take, in seconds of real time, before it is ended and an error is reported."""

    start: float = limits.START_SECONDS
    answer: float = limits.ANSWER_SECONDS
    shutdown: float = 5.0
    term: float = limits.TERM_GRACE_SECONDS


class Conversation:
    """Everything that the suite may do with a connected system."""

    claims: Claims
    implementation: Implementation

    def request(self, method: str, params: Mapping[str, Json]) -> RequestHandle:
        """Send a request at once; its answer comes in as a ``Response`` and stands in the handle."""
        raise NotImplementedError

    def notify(self, method: str, params: Mapping[str, Json]) -> None:
        """Send a notification at once."""
        raise NotImplementedError

    def answer(self, request_id: RequestId, result: Mapping[str, Json]) -> None:
        """Answer an open request of the system."""
        raise NotImplementedError

    def refuse(self, request_id: RequestId, code: int, message: str, data: Json = None) -> None:
        """Answer an open request of the system with an error; ``data`` None leaves the member out."""
        raise NotImplementedError

    def receive(self, timeout: float) -> Message | None:
        """The next message from the system, in wire order; None if none arrives within ``timeout`` seconds."""
        raise NotImplementedError

    def wait(
        self, handle: RequestHandle, *, on_message: Callable[[Message], None], deadline: float | None = None
    ) -> Answer:
        """Read until the answer is there, handing every other message to ``on_message`` in wire order."""
        raise NotImplementedError

    def ask(
        self, method: str, params: Mapping[str, Json], *, on_message: Callable[[Message], None]
    ) -> Answer:
        """``request`` and ``wait`` in one."""
        raise NotImplementedError

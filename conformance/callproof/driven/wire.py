"""What a performance may do to the wire; it receives no messages from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, Protocol

from callproof.adapters.messages import RequestHandle, RequestId
from callproof.values.jsontext import Json


class Wire(Protocol):
    """The parts of a conversation that a performance uses."""

    def request(self, method: str, params: Mapping[str, Json]) -> RequestHandle:
        """Send a request at once."""
        ...

    def notify(self, method: str, params: Mapping[str, Json]) -> None:
        """Send a notification at once."""
        ...

    def answer(self, request_id: RequestId, result: Mapping[str, Json]) -> None:
        """Answer an open request."""
        ...

    def refuse(self, request_id: RequestId, code: int, message: str, data: Json = None) -> None:
        """Answer an open request with an error."""
        ...

    def out_of_turn(self, what: str, reason: str) -> NoReturn:
        """Report that the system sent something when nothing was to be sent.  Raises OutOfTurn."""
        ...

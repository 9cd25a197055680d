"""What passes on the wire, as the suite's code sees it.

Values only: which side sent what, and at which place in the order.  Does not know about
bytes, processes or the meaning of methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from callproof.values.jsontext import Json

# An id that the system gave to its own request; the suite sends it back unchanged.
RequestId: TypeAlias = str | int


@dataclass(frozen=True, slots=True)
class Result:
    """The good answer to a request of the suite; valid against the answer's shape."""

    value: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The error answer to a request of the suite, with a code that the protocol permits for its method."""

    code: int
    message: str
    data: Json = None


Answer: TypeAlias = Result | Refusal


class RequestHandle:
    """One request of the suite: sent at once, answered later.

    The conversation fills in ``answer`` when it reads it from the wire; no other code writes it.
    """

    __slots__ = ("answer", "id", "method")

    def __init__(self, request_id: int, method: str) -> None:
        self.id = request_id
        self.method = method
        self.answer: Answer | None = None

    @property
    def done(self) -> bool:
        """Whether the answer has arrived."""
        return self.answer is not None

    @property
    def result(self) -> Mapping[str, Json] | None:
        """The value of a good answer; None before any answer, and for a refusal."""
        return self.answer.value if isinstance(self.answer, Result) else None

    @property
    def error(self) -> Refusal | None:
        """The refusal; None before any answer, and for a good one."""
        return self.answer if isinstance(self.answer, Refusal) else None


@dataclass(frozen=True, slots=True)
class Request:
    """The system asks: ``tool/invoke`` or ``hook/before``.  ``arrival`` counts the lines of the wire from 0."""

    arrival: int
    id: RequestId
    method: str
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Notification:
    """The system tells: ``record``, ``tool/abort`` or ``run/finished``."""

    arrival: int
    method: str
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Response:
    """The system answered; the answer is in the handle."""

    arrival: int
    handle: RequestHandle


Message: TypeAlias = Request | Notification | Response

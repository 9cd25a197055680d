"""What the suite has to know of a protocol to judge its logs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from callproof.judge.judging import Heard
from callproof.protocols.entries import Entries
from callproof.protocols.laws import Laws


class Traced(Heard, Protocol):
    """A log of some protocol, linked up."""

    @property
    def lacking(self) -> frozenset[str]:
        """Evidence of the protocol that was not captured."""
        ...

    @property
    def finished(self) -> bool:
        """Whether the log tells the end of what it is about."""
        ...


def _nothing(_trace: object) -> None:
    """No log of most protocols has anything to be noted."""


@dataclass(frozen=True, slots=True)
class LoggedProtocol:
    """
    A protocol by its name, which is that of its chapter too.

    ``tells`` says what its logs are, in words; ``recognises`` is true of a log that is one of its own, and ``trace``
    links up any log, also one that was taken for its own by mistake.  ``noted`` is what a report has to say of a log
    beside what was found in it, if there is anything.
    """

    name: str
    tells: str
    recognises: Callable[[Entries], bool]
    trace: Callable[[Entries], Traced]
    laws: Laws[Any]
    noted: Callable[[Any], str | None] = _nothing

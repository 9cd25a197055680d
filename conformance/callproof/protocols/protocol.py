"""What the suite has to know about a protocol to judge its logs."""

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
        """Whether the log reports the end of what it is about."""
        ...


def _nothing(_trace: object) -> None:
    """Return None: for most protocols there is nothing to note about a log."""


@dataclass(frozen=True, slots=True)
class LoggedProtocol:
    """
    A protocol by its name, which is also the name of its chapter.

    ``tells`` says in words what its logs are. ``recognises`` is true for a log of this protocol. ``trace`` links up any
    log, also one that was taken for a log of this protocol by mistake. ``noted`` is what a report says about a log
    besides its findings, or None.
    """

    name: str
    tells: str
    recognises: Callable[[Entries], bool]
    trace: Callable[[Entries], Traced]
    laws: Laws[Any]
    noted: Callable[[Any], str | None] = _nothing

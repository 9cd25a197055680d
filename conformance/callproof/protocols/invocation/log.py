"""A log of the invocation contract as a whole: its records, and the responses that a suite drove."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from callproof.protocols.entries import Entries, Entry
from callproof.protocols.invocation.driven import Response, is_note, responses
from callproof.protocols.invocation.trace import Invocation
from callproof.protocols.laws import Laws
from callproof.trace.run import Flaw


@dataclass(frozen=True)
class Invocations:
    """A log as a whole.  Every record is complete by itself, so a log needs no end of its own."""

    name: str
    flaws: tuple[Flaw, ...]
    invocations: tuple[Invocation, ...]
    responses: tuple[Response, ...] = ()
    finished: bool = True

    @property
    def lacking(self) -> frozenset[str]:
        """Evidence that the log lacks: reports of the sources, outcomes, events of the metadata, word of a driver."""
        told = {name for each in self.invocations for name in EVIDENCE if name in each.entry.value}
        if any(each.told for each in self.invocations):
            told.add("outcome")
        told.discard(DRIVER)
        return frozenset(EVIDENCE) - told - ({DRIVER} if self.responses else frozenset())


DRIVER: Final = "driver"
EVIDENCE: Final = ("reported", "outcome", "execution", DRIVER)
LAWS: Final[Laws[Invocations]] = Laws(EVIDENCE)


def is_invocation(entry: Entry) -> bool:
    """Whether an object is a record (only a record has these two members together) or begins a driven response."""
    return ("intent" in entry.value and "request" in entry.value) or is_note(entry)


def invocations(log: Entries) -> Invocations:
    """The invocations in a log."""
    driven, records = responses(log.entries)
    return Invocations(log.name, log.flaws, records, driven)


def every(log: Invocations) -> Iterator[Invocation]:
    """Every invocation of a log."""
    yield from log.invocations


def ended(log: Invocations) -> Iterator[Response]:
    """Every driven response that came to its end: one that is not over may still do what it has not done."""
    yield from (each for each in log.responses if each.end is not None)

"""What a statement tells of, and what every one of them has, whichever suite had the cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from callproof import __version__
from callproof.judge.baseline import Entry
from callproof.judge.judgement import Judgement
from callproof.spec.registry import Specification

STATEMENT, TEXT, SYSTEM = "statement.json", "statement.md", "records/system.json"
Files = Mapping[str, bytes]


class NoStatement(ValueError):
    """Records that state nothing: what is wrong with them, and where."""


@dataclass(frozen=True, slots=True)
class System:
    """
    What a system said of itself, and the settings under which it was judged.

    ``run_outcome`` is what its run came to, generated cases and all, by the word of whoever ran it.  ``lacks`` is what
    cases may need and its way of being spoken to does not give.  ``protocol`` names the one whose live suite had the
    cases; None stands for the suite of executors.
    """

    suite: str
    name: str
    features: tuple[str, ...]
    strict: bool = False
    known: tuple[Entry, ...] = ()
    run_outcome: str | None = None
    lacks: tuple[str, ...] = ()
    protocol: str | None = None


class Matter(Protocol):
    """One suite, as far as its statements differ from those of the others."""

    @property
    def protocol(self) -> str | None:
        """The protocol that its systems speak; None of executors."""
        ...

    @property
    def judged_as(self) -> str | None:
        """What a system is judged as, with its article, where it is said."""
        ...

    @property
    def rests_on(self) -> str:
        """The cases that anybody can have again, and that a statement rests on."""
        ...

    @property
    def spec(self) -> Specification:
        """The requirements."""
        ...

    @property
    def paths(self) -> frozenset[str]:
        """Where records of cases may stand."""
        ...

    @property
    def dispensable(self) -> tuple[str, ...]:
        """What cases may need that no system claims."""
        ...

    @property
    def place(self) -> str:
        """The member by which an entry of a baseline says where."""
        ...

    def judged(self, system: System, records: Files) -> Judgement:
        """The judgement on the records.  Raises NoStatement."""
        ...


def this_suite() -> str:
    """The suite and its version, as a statement names it."""
    return f"callproof {__version__}"

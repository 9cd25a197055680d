"""What a statement is about, and what all statements have in common, whichever suite ran the cases."""

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
    """Records from which no statement can be made: what is wrong with them, and where."""


@dataclass(frozen=True, slots=True)
class System:
    """
    What a system said about itself, and the settings under which it was judged.

    ``run_outcome`` is the outcome of the whole run, generated cases included, as reported by its operator.  ``lacks``
    is what cases may need and the system's adapter does not provide.  ``protocol`` names the protocol whose live suite
    ran the cases; None stands for the suite of executors.
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
    """One suite, as far as its statements differ from those of other suites."""

    @property
    def protocol(self) -> str | None:
        """The protocol that its systems speak; None for executors."""
        ...

    @property
    def judged_as(self) -> str | None:
        """What a system is judged as, with its article; None if a statement does not say it."""
        ...

    @property
    def rests_on(self) -> str:
        """The cases that a statement rests on, which anybody can run again."""
        ...

    @property
    def spec(self) -> Specification:
        """The requirements."""
        ...

    @property
    def paths(self) -> frozenset[str]:
        """The paths that records of cases may have."""
        ...

    @property
    def dispensable(self) -> tuple[str, ...]:
        """What cases may need, but no system claims as a feature."""
        ...

    @property
    def place(self) -> str:
        """The name of the member by which an entry of a baseline says where it applies."""
        ...

    def judged(self, system: System, records: Files) -> Judgement:
        """The judgement on the records.  Raises NoStatement if they are not what the suite would write."""
        ...


def this_suite() -> str:
    """The suite and its version, as statements name them."""
    return f"callproof {__version__}"

"""What the suite has for one kind of system: its cases, how they are played, and the laws by which it is judged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from callproof.adapters.claims import Claims
from callproof.adapters.conversation import Conversation
from callproof.adapters.methods import Dialect
from callproof.driven.log import Log
from callproof.driven.playing import Performance
from callproof.driven.wire import Wire
from callproof.protocols.protocol import LoggedProtocol
from callproof.values.jsontext import Json

# The names of generated cases begin with this; the seed and the number of the case follow.
GENERATED: Final = "GEN"


class Case(Protocol):
    """A case: ``id`` is the id of its subject and a name; ``aims`` are what every lawful system shows in it."""

    @property
    def id(self) -> str:
        """Such as ``AL-05/blocked``."""
        ...

    @property
    def says(self) -> str:
        """What the case is, in a sentence."""
        ...

    @property
    def aims(self) -> tuple[str, ...]:
        """Ids of requirements."""
        ...


class Seen(Protocol):
    """What can be seen of a case that has been played."""

    @property
    def over(self) -> bool:
        """Whether the system said that the case was at its end."""
        ...

    @property
    def unsettled(self) -> bool:
        """Whether it said so with something still open, which may come later and belongs to no other case."""
        ...

    @property
    def log(self) -> Log:
        """What was seen."""
        ...


C = TypeVar("C", bound=Case)


@dataclass(frozen=True, slots=True)
class Heard:
    """What the system said, as far as a log reports it; without a ``method`` it answered the suite."""

    method: str | None
    params: Mapping[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class Suite(Generic[C]):
    """
    Everything that differs between the kinds of system.

    ``kind`` is the name of such a system, with its article; ``word`` is that of the command and of pytest's option.
    ``features`` are what may be claimed; if there are ``choices``, a system claims at least one. ``needs`` says what
    else it has to claim for a case; ``drive`` plays a case, with a patience in seconds, and raises BrokeOff if the
    adapter fails. ``generated`` makes the case of a seed and a number for a system with these claims, always the same
    one; ``smaller`` gives the cases that have one thing less than another, the greatest things first. ``performs``
    begins a case for a system of these claims; ``heard`` is what the system said by a line of a log, None if the line
    is the suite's own; ``measured`` are the members of the suite's own lines that a clock gave.
    """

    kind: str
    word: str
    protocol: LoggedProtocol
    dialect: Dialect
    features: tuple[str, ...]
    subjects: Mapping[str, str]
    cases: tuple[C, ...]
    needs: Callable[[C], Iterable[str]]
    drive: Callable[[C, Conversation, float], Seen]
    generated: Callable[[int, int, Collection[str]], C]
    smaller: Callable[[C], Iterator[C]]
    performs: Callable[[C, Claims, Wire], Performance]
    heard: Callable[[Mapping[str, Json]], Heard | None]
    measured: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

    def lacking(self, case: C, claims: Claims) -> tuple[str, ...]:
        """What a case needs and the system does not claim."""
        if self.choices and not any(each in claims for each in self.choices):
            return (" or ".join(self.choices),)
        return tuple(each for each in self.needs(case) if each not in claims)

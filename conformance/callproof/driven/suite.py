"""What the suite has for one kind of system: its cases, how they are played, and the laws that it is held against."""

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

# What the names of generated cases begin with; its seed and its number come after it.
GENERATED: Final = "GEN"


class Case(Protocol):
    """A case: ``id`` is that of its subject and a name, and ``aims`` are what every lawful system shows in it."""

    @property
    def id(self) -> str:
        """As ``AL-05/blocked``."""
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
    """What there is to see when a case has been played."""

    @property
    def over(self) -> bool:
        """Whether the system said that it was at the end."""
        ...

    @property
    def unsettled(self) -> bool:
        """Whether it said so with something open, which may still come and is of no other case."""
        ...

    @property
    def log(self) -> Log:
        """What was seen."""
        ...


C = TypeVar("C", bound=Case)


@dataclass(frozen=True, slots=True)
class Heard:
    """What the system said, as far as a log tells of it; without a ``method`` it answered the suite."""

    method: str | None
    params: Mapping[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class Suite(Generic[C]):
    """
    All that differs between one kind of system and another.

    ``kind`` is what one of them is called, with its article; ``word`` is that of the command and of pytest's option.
    ``features`` are what may be claimed, and a system claims one of ``choices`` at least, where there are any.
    ``needs`` says what else it has to claim for a case; ``drive`` plays a case, with a patience in seconds, and raises
    BrokeOff where the adapter fails.  ``generated`` makes the case of a seed and a number for a system with these
    claims, always the same one, and ``smaller`` those that have one thing less than another, the greatest things first.
    ``performs`` begins a case for a system of these claims; ``heard`` is what the system said by a line of a log, None
    where the line is the suite's own; ``measured`` are the members of such lines that a clock told.
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
        """What a case needs and a system does not claim."""
        if self.choices and not any(each in claims for each in self.choices):
            return (" or ".join(self.choices),)
        return tuple(each for each in self.needs(case) if each not in claims)

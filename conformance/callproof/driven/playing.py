"""Playing a case from its first message to its end, and a little beyond."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Final, Protocol

from callproof import limits
from callproof.adapters.conversation import Conversation
from callproof.adapters.errors import AdapterError
from callproof.adapters.messages import Message
from callproof.driven.log import Log
from callproof.values.jsontext import Json

# How long the suite waits, in seconds of real time, for the end of a case in which nothing happens any more.
PATIENCE: Final = limits.PATIENCE_SECONDS
# A case may take this many times the patience in all, however much happens.
_LONGEST: Final = 12
# No case of a lawful system sends even a tenth of this number of messages.
MOST_MESSAGES: Final = 5_000


class BrokeOff(Exception):
    """The adapter failed in a case: its error, and the log of what was seen until then."""

    def __init__(self, error: AdapterError, log: Log) -> None:
        super().__init__(str(error))
        self.error = error
        self.log = log


@contextmanager
def until_it_breaks_off(log: Log) -> Generator[None]:
    """Keep the log of what was seen if the adapter fails.  Raises BrokeOff for an AdapterError."""
    try:
        yield
    except AdapterError as error:
        raise BrokeOff(error, log) from error


class Performance(Protocol):
    """A case that is being played."""

    @property
    def log(self) -> Log:
        """What was seen so far."""
        ...

    @property
    def over(self) -> bool:
        """Whether the system said that the case is at its end."""
        ...

    @property
    def endless(self) -> bool:
        """Whether no end can be expected."""
        ...

    @property
    def waits(self) -> float | None:
        """How many seconds a player waits for something that may never come; None if none waits."""
        ...

    def take(self, message: Message) -> None:
        """Take one message of the system, and do what follows from it."""
        ...

    def give_way(self) -> None:
        """Stop waiting: no message has come for a while."""
        ...

    def give_up(self) -> None:
        """Stop expecting the end of the case."""
        ...


def begin(wire: Conversation, method: str, params: Mapping[str, Json], ends: str) -> None:
    """Begin a case; no other message may come before its acknowledgement.  Raises AdapterError."""
    wire.ask(method, params, on_message=partial(_too_early, wire, method, ends))


def _too_early(wire: Conversation, begins: str, ends: str, message: Message) -> None:
    """Refuse a message before a case is acknowledged: the wrong case would get it.  Raises AdapterError."""
    what = getattr(message, "method", "an answer")
    reason = f"it had not answered {begins} yet, and the messages of the previous case end with {ends}"
    wire.out_of_turn(what, reason)


def to_the_end(performance: Performance, wire: Conversation, patience: float) -> None:
    """Take messages until the case is over, or until its end can no longer be expected.  Raises AdapterError."""
    begun = quiet_since = time.monotonic()
    messages = 0
    while not performance.over and not performance.endless and messages < MOST_MESSAGES:
        if time.monotonic() - begun > _LONGEST * patience:
            return
        waits = performance.waits
        message = wire.receive(patience if waits is None else min(waits, patience))
        if message is not None:
            messages += 1
            quiet_since = time.monotonic()
            performance.take(message)
        elif waits is not None:
            performance.give_way()
        elif time.monotonic() - quiet_since >= patience:
            return


def linger(performance: Performance, wire: Conversation, seconds: float) -> None:
    """Take what comes after the end into the same log: late messages, but not a flood of them.  Raises AdapterError."""
    until, messages = time.monotonic() + seconds * 10, 0
    while time.monotonic() < until and messages < MOST_MESSAGES and (message := wire.receive(seconds)) is not None:
        messages += 1
        performance.take(message)

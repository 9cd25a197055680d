"""Cooperative tasks, which run in the order in which they were woken, and their clock, which waits for them (A77)."""

import time
from bisect import insort
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from datetime import UTC, datetime
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")


class Promise(Generic[T]):
    """A value that comes later, and only once; `await` waits for it."""

    def __init__(self) -> None:
        self.kept = False
        self.value: T  # exists only after the promise is kept
        self._waiting: list[Callable[[], object]] = []

    def keep(self, value: T) -> Self:
        """Give the value and wake all that wait for it. Only the first time counts (CANC-07, CANC-08)."""
        if not self.kept:
            self.kept, self.value = True, value
            for wake in self._waiting:
                wake()
        return self

    def when_kept(self, wake: Callable[[], object]) -> None:
        """Call `wake` once the value is there; at once if it already is."""
        if self.kept:
            wake()
        else:
            self._waiting.append(wake)

    def __await__(self) -> Generator["Promise[Any]", None, T]:
        if not self.kept:
            yield self
        return self.value


def first(*promises: Promise[Any]) -> Promise[None]:
    """A promise that is kept as soon as one of these is."""
    either = Promise[None]()
    for promise in promises:
        promise.when_kept(lambda: either.keep(None))
    return either


class Slots:
    """At most `limit` holders at a time, first come first served (DEP-03)."""

    def __init__(self, limit: int) -> None:
        self._limit, self._line = limit, list[Promise[None]]()  # the first `limit` in it hold a slot

    def ask(self) -> Promise[None]:
        """A slot, as soon as there is one."""
        self._line.append(slot := Promise[None]())
        return slot.keep(None) if len(self._line) <= self._limit else slot

    def leave(self, slot: Promise[None]) -> None:
        """Give a slot back, or stop waiting for it."""
        self._line.remove(slot)
        for each in self._line[: self._limit]:
            each.keep(None)


class Clock:
    """Tasks, and alarms of real time, or of virtual time, which stands still until it is moved (A77)."""

    def __init__(self, *, virtual: bool) -> None:
        self.virtual = virtual
        self.ready: deque[Callable[[], None]] = deque()  # what is done next, in this order
        self._stands = 1_767_225_600_000  # virtual time begins at 2026-01-01T00:00:00Z
        self._zero = time.time() - time.monotonic()  # the time of day, continued by a clock that nobody sets (TIME-08)
        self._alarms: list[tuple[int, Promise[None]]] = []  # by instant, and then in the order of their setting

    def spawn(self, task: Coroutine[Promise[Any], None, T]) -> Promise[T]:
        """Start a task at the next turn; the promise is its value."""
        done = Promise[T]()

        def advance() -> None:
            try:
                task.send(None).when_kept(lambda: self.ready.append(advance))
            except StopIteration as end:
                done.keep(end.value)

        self.ready.append(advance)
        return done

    def settle(self) -> None:
        """Go on until no task can move: each waits for the suite, for a tool or for time."""
        while self.ready:
            self.ready.popleft()()

    def now(self) -> int:
        """The instant, in whole milliseconds since 1970."""
        return self._stands if self.virtual else int((self._zero + time.monotonic()) * 1000)

    def after(self, ms: int) -> Promise[None]:
        """A promise that is kept once that much time has passed."""
        insort(self._alarms, (self.now() + ms, alarm := Promise[None]()), key=lambda entry: entry[0])
        return alarm

    def advance(self, ms: int = 0) -> None:
        """Ring all alarms of the next `ms`, virtually at their own instants and in order, with what they set off."""
        until = self.now() + ms
        self.settle()
        while self._alarms and self._alarms[0][0] <= until:
            self._stands, alarm = self._alarms.pop(0)
            alarm.keep(None)
            self.settle()
        self._stands = until

    def left(self, longest: float) -> float:
        """How many seconds of real time there are to the next alarm, at most `longest`."""
        return min([longest, *(max(0, due - self.now()) / 1000 for due, _ in self._alarms[:1])])


def rfc3339(instant: int) -> str:
    """An instant as records spell it (CALL-10, TIME-09)."""
    return f"{datetime.fromtimestamp(instant // 1000, UTC):%Y-%m-%dT%H:%M:%S}.{instant % 1000:03d}Z"

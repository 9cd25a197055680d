"""Cooperative tasks in turns: a scheduler that knows exactly when nothing can move.

A virtual clock needs that knowledge (A77), and it makes runs deterministic: tasks go on in the order in which they
were woken. It knows neither time nor tools.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Promise(Generic[T]):
    """A value that will be there once; awaiting it waits for that."""

    value: T  # only of a promise that was kept

    def __init__(self) -> None:
        self.kept = False
        self._waiting: list[Callable[[], None]] = []

    def keep(self, value: T) -> None:
        """Give the value and wake whoever waits. Only the first time counts (CANC-07, CANC-08)."""
        if not self.kept:
            self.kept, self.value = True, value
            for wake in self._waiting:
                wake()

    def when_kept(self, wake: Callable[[], None]) -> None:
        """Call `wake` once the value is there; at once if it already is."""
        if self.kept:
            wake()
        else:
            self._waiting.append(wake)

    def then(self, change: Callable[[T], U]) -> Promise[U]:
        """The promise of what `change` makes of the value."""
        changed: Promise[U] = Promise()
        self.when_kept(lambda: changed.keep(change(self.value)))
        return changed

    def __await__(self) -> Generator[Promise[Any], None, T]:
        if not self.kept:
            yield self
        return self.value


def kept(value: T) -> Promise[T]:
    """A promise that is kept already."""
    promise: Promise[T] = Promise()
    promise.keep(value)
    return promise


def first(*promises: Promise[Any]) -> Promise[None]:
    """A promise that is kept as soon as one of these is."""
    either: Promise[None] = Promise()
    for promise in promises:
        promise.when_kept(lambda: either.keep(None))
    return either


class Turns:
    """The tasks and whose turn it is."""

    def __init__(self) -> None:
        self._ready: deque[Callable[[], None]] = deque()

    def call(self, act: Callable[[], None]) -> None:
        """Do something at the next turn."""
        self._ready.append(act)

    def spawn(self, task: Coroutine[Promise[Any], None, T]) -> Promise[T]:
        """Start a task at the next turn; the promise is its value."""
        done: Promise[T] = Promise()

        def advance() -> None:
            try:
                task.send(None).when_kept(lambda: self.call(advance))
            except StopIteration as end:
                done.keep(end.value)

        self.call(advance)
        return done

    def settle(self) -> None:
        """Go on until no task can move: each waits for the suite, for a tool or for time."""
        while self._ready:
            self._ready.popleft()()


class Slots:
    """At most `free` holders at a time, first come first served (DEP-03)."""

    def __init__(self, free: int) -> None:
        self.free = free
        self._queue: deque[Promise[None]] = deque()

    def ask(self) -> Promise[None]:
        """A slot, as soon as there is one."""
        self._queue.append(slot := Promise[None]())
        self._serve()
        return slot

    def leave(self, slot: Promise[None]) -> None:
        """Give a slot back, or stop waiting for it."""
        if slot.kept:
            self.free += 1
            self._serve()
        else:
            self._queue.remove(slot)

    def _serve(self) -> None:
        while self.free and self._queue:
            self.free -= 1
            self._queue.popleft().keep(None)

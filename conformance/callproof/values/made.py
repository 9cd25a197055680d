"""Sequences that do not store their items: each item is made from an item of another sequence when it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

S = TypeVar("S")
T = TypeVar("T")


class Made(Sequence[T], Generic[S, T]):
    """The results of ``make`` for each item of a sequence, in its order."""

    __slots__ = ("_make", "_of")

    def __init__(self, of: Sequence[S], make: Callable[[S], T]) -> None:
        self._of = of
        self._make = make

    def __len__(self) -> int:
        return len(self._of)

    def __iter__(self) -> Iterator[T]:
        return map(self._make, self._of)

    @overload
    def __getitem__(self, place: int, /) -> T: ...
    @overload
    def __getitem__(self, place: slice, /) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice, /) -> T | tuple[T, ...]:
        return tuple(map(self._make, self._of[place])) if isinstance(place, slice) else self._make(self._of[place])

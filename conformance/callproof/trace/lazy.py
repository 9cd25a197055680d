"""A property that is worked out when it is first asked for, and then kept with its object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Lazy(Generic[T]):
    """
    A property that is worked out once.

    Like ``functools.cached_property``, without the lock that some versions of it take: a run is asked for some five
    hundred such properties, most of which take less time than a lock.
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, instance: None, owner: type[object]) -> Lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: type[object] | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type[object] | None = None) -> Lazy[T] | T:
        """The value; later look-ups find it in the instance's ``__dict__`` before they reach this property."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._work(instance)
        return value

"""The checks of one protocol: they have the same form as the checks of a run, but are kept apart from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from callproof.checks.check import Check, Finding, check_of

T = TypeVar("T")
S = TypeVar("S")


class Laws(Generic[T]):
    """The checks for the traces of one protocol; ``evidence`` is the names of the evidence that a check may need."""

    def __init__(self, evidence: Iterable[str] = ()) -> None:
        self._evidence = frozenset(evidence)
        self._checks: dict[str, tuple[Check[Any], ...]] = {}

    @property
    def by_requirement(self) -> Mapping[str, tuple[Check[Any], ...]]:
        """Every check, by the id of its requirement."""
        return self._checks

    def check(
        self, requirement: str, *, each: Callable[[T], Iterable[S]], needs: Iterable[str] = ()
    ) -> Callable[[Callable[[T, S], Iterator[Finding]]], Check[S]]:
        """
        Make a law out of a generator of findings over ``(trace, subject)``, as ``checks.check.check`` does.

        Raises ValueError if a name in ``needs`` is no evidence of this protocol.
        """
        wanted = tuple(needs)
        if unknown := set(wanted) - self._evidence:
            raise ValueError(f"{requirement} needs {min(unknown)!r}; evidence is one of {', '.join(self._evidence)}")

        def make(examine: Callable[[T, S], Iterator[Finding]]) -> Check[S]:
            made = check_of(requirement, each, examine, wanted)
            self._checks[requirement] = (*self._checks.get(requirement, ()), made)
            return made

        return make

"""The timeline of a broken run, drawn when somebody looks at it: of a log with many of them few are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from callproof.trace.lazy import Lazy
from callproof.values.jsontext import Json


class Drawing(Mapping[str, Json]):
    """
    A timeline (shape ``timeline``) that is not drawn yet.  It equals the dict of what will be drawn, and pickles as it.

    Until then it keeps the run that it is of.
    """

    def __init__(self, draw: Callable[[], Mapping[str, Json]]) -> None:
        self._draw = draw

    @Lazy
    def _drawn(self) -> Mapping[str, Json]:
        drawn = self._draw()
        del self._draw  # and with it the run
        return drawn

    def __getitem__(self, name: str) -> Json:
        """A member of the timeline."""
        return self._drawn[name]

    def __iter__(self) -> Iterator[str]:
        """The names of its members."""
        return iter(self._drawn)

    def __len__(self) -> int:
        """How many members it has."""
        return len(self._drawn)

    def __reduce__(self) -> tuple[type[dict[str, Json]], tuple[dict[str, Json]]]:
        """What travels to another process is what was drawn."""
        return dict, (dict(self._drawn),)

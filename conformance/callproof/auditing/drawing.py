"""The timeline of a broken run, drawn only when it is read: a log may have many broken runs, and few are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from callproof.trace.lazy import Lazy
from callproof.values.jsontext import Json


class Drawing(Mapping[str, Json]):
    """
    A timeline (shape ``timeline``) that is not drawn yet.  It equals the dict of its members, and pickles as that dict.

    Until it is drawn it keeps its run in memory.
    """

    def __init__(self, draw: Callable[[], Mapping[str, Json]]) -> None:
        self._draw = draw

    @Lazy
    def _drawn(self) -> Mapping[str, Json]:
        drawn = self._draw()
        del self._draw  # which also frees the run
        return drawn

    def __getitem__(self, name: str) -> Json:
        """A member of the timeline."""
        return self._drawn[name]

    def __iter__(self) -> Iterator[str]:
        """The names of the timeline's members."""
        return iter(self._drawn)

    def __len__(self) -> int:
        """How many members the timeline has."""
        return len(self._drawn)

    def __reduce__(self) -> tuple[type[dict[str, Json]], tuple[dict[str, Json]]]:
        """Pickle as the drawn timeline, since this is all that another process needs."""
        return dict, (dict(self._drawn),)

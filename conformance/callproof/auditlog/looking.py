"""Looks through lines for the runs that they name: through a whole file, or a stretch of one in another process.

The places of runs start again in each stretch: the first run that is met has the place 0, whatever came before.
So any process can look through stretches in any order, and the results are put together afterwards.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, TypeAlias

from callproof import limits
from callproof.auditlog.files import NotReadable, is_blank, is_cut, raw_lines
from callproof.auditlog.naming import run_named_in, run_named_in_stream
from callproof.auditlog.rereading import Standing
from callproof.trace.records import Kind

# The owner of a blank line, which belongs to no run and is no flaw (B-47).
NOBODY = 0xFFFF_FFFF
# Results are handed back after this many lines.
LINES_AT_ONCE = 65_536
# A smaller file is looked through before another process would have begun.
LARGE_BYTES = 32 * limits.MIB
# Small enough that there is no long wait for the last stretch, large enough that handing it over costs little.
STRETCH_BYTES = 4 * limits.MIB
NO_END = 1 << 63


@dataclass(slots=True)
class Seen:
    """
    Some consecutive lines, and the runs that they belong to.

    ``keys`` are the ``runId``s, each once, in the order in which they are met; lines that name no run have the empty
    one.  ``owners`` holds for each line the place of its run in ``keys``, and ``sizes`` its bytes.  If a line is over
    the limit, its size is that of its beginning; ``skipped`` holds the size of the rest, by the place of the line.
    ``unread`` is the place of the first such line that names no run.  ``failed`` says why reading ended after them.
    """

    keys: list[bytes] = field(default_factory=list[bytes])
    owners: array[int] = field(default_factory=lambda: array("I"))
    sizes: array[int] = field(default_factory=lambda: array("I"))
    skipped: dict[int, int] = field(default_factory=dict[int, int])
    unread: int | None = None
    failed: str | None = None

    def up_to(self, place: int) -> Seen:
        """The lines before the place ``place``."""
        skipped = {each: size for each, size in self.skipped.items() if each < place}
        unread = self.unread if self.unread is not None and self.unread < place else None
        return Seen(self.keys, self.owners[:place], self.sizes[:place], skipped, unread)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The lines of a file as it stands that begin at ``start`` or later, and before ``end``.  It pickles."""

    standing: Standing
    kind: Kind | None
    start: int
    end: int


# Looks through stretches, each once, and gives back what was seen in each, in their order.  Closing it frees what it
# holds.
Looking: TypeAlias = Callable[[Iterable[Stretch]], Generator[list[Seen], None, None]]


def stretches(standing: Standing, kind: Kind | None, end: int) -> list[Stretch]:
    """The lines of a file that begin before ``end``, in stretches; an empty list if this is not worthwhile."""
    if standing.path is None or end < LARGE_BYTES:
        return []
    return [Stretch(standing, kind, at, min(at + STRETCH_BYTES, end)) for at in range(0, end, STRETCH_BYTES)]


def in_turn(parts: Iterable[Stretch]) -> Generator[list[Seen], None, None]:
    """Look through stretches in this process, one after the other."""
    yield from map(looked_through, parts)


def looked_through(stretch: Stretch) -> list[Seen]:
    """What is seen in a stretch.  Never raises for what happens to its file."""
    try:
        stream = stretch.standing.stream_from(max(stretch.start - 1, 0))
        at = _first_line(stream, stretch)
    except OSError as error:
        return [Seen(failed=why_not(error))]
    return list(seen_in(stream, stretch.kind, at=at, end=stretch.end, tells=True))


def seen_in(
    stream: BinaryIO, kind: Kind | None, *, at: int = 0, end: int = NO_END, tells: bool = False
) -> Iterator[Seen]:
    """
    What is seen in the lines that begin before ``end``; the stream is at ``at``, the beginning of a line.

    ``tells`` says that the stream knows its position.  Never raises for what happens to the stream.
    """
    lines = raw_lines(stream)
    seen = Seen()
    while at < end and not seen.failed:
        seen = Seen()
        try:
            at = _look(seen, lines, kind, (at, end), stream if tells else None)
        except OSError as error:
            seen.failed = why_not(error)
        if not seen.owners and not seen.failed:
            return
        yield seen


def why_not(error: OSError) -> str:
    """Why a file cannot be read, as the rest of a sentence about it."""
    return error.reason if isinstance(error, NotReadable) else f"cannot be read: {error.strerror}"


def _first_line(stream: BinaryIO, stretch: Stretch) -> int:
    """Where the first line begins that begins in a stretch.  It reads an earlier line only up to the stretch's end."""
    if not stretch.start:
        return 0
    at = stretch.start - 1
    while at < stretch.end and (rest := stream.readline(limits.MIB)):
        at += len(rest)
        if rest.endswith(b"\n"):
            break
    return at


def _look(
    seen: Seen, lines: Iterator[bytes], kind: Kind | None, within: tuple[int, int], stream: BinaryIO | None
) -> int:
    """Look at some more lines, the first of which begins at ``within[0]``; return where the next line begins."""
    # Every line of every log passes here: so lookups happen once, and rare cases are handled elsewhere.
    named = run_named_in if kind is not None else run_named_in_stream
    places: dict[bytes | None, int] = {}
    owners, sizes, most = seen.owners, seen.sizes, limits.LINE_BYTES
    at, end = within
    for raw in lines:
        key = named(raw)
        place = places.get(key)
        if place is None:
            place = _met(seen, places, key, raw)
        owners.append(place)
        size = len(raw)
        sizes.append(size)
        at += size
        if size > most and stream is not None:
            at += _skipped(seen, stream, at)
        if at >= end or len(owners) == LINES_AT_ONCE:
            break
    return at


def _met(seen: Seen, places: dict[bytes | None, int], key: bytes | None, raw: bytes) -> int:
    """The place of a run that was not met before, or of the lines that name no run."""
    if key is None:
        if is_blank(raw):
            return NOBODY
        if is_cut(raw) and seen.unread is None:
            seen.unread = len(seen.owners)
        key = b""
    place = places.get(key)
    if place is None:
        place = places[key] = len(seen.keys)
        seen.keys.append(key)
    return place


def _skipped(seen: Seen, stream: BinaryIO, at: int) -> int:
    """How many bytes of a line were skipped; called when what was read of it is so long that it may have been cut."""
    rest = stream.tell() - at
    if rest:
        seen.skipped[len(seen.owners) - 1] = rest
    return rest

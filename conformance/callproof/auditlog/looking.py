"""Lines looked through for the runs that they name: all of a file, or a stretch of one that somebody else looks at.

What is found counts from nothing: the first run that is met has the place 0, whatever was met before.
So stretches can be looked through in any order and by any process, and be put together afterwards.
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

# The owner of a blank line, which is nobody's and no flaw (B-47).
NOBODY = 0xFFFF_FFFF
# What is found is given back after so many lines.
LINES_AT_ONCE = 65_536
# A file that is smaller is looked through before anybody else has begun.
LARGE_BYTES = 32 * limits.MIB
# Small enough that nobody waits long for the last, and large enough that handing it over is nothing.
STRETCH_BYTES = 4 * limits.MIB
NO_END = 1 << 63


@dataclass(slots=True)
class Seen:
    """
    Some lines that follow each other, and whose they are.

    ``keys`` are the ``runId``s, each once, in the order in which they are met; what names no run has the empty one.
    ``owners`` has the place among them of each line's, and ``sizes`` the bytes of each line.  Of a line over the limit
    that is its beginning; ``skipped`` has the rest, by the place of the line.  ``unread`` is the place of the first
    such line that names no run.  ``failed`` says why nothing could be read after them.
    """

    keys: list[bytes] = field(default_factory=list[bytes])
    owners: array[int] = field(default_factory=lambda: array("I"))
    sizes: array[int] = field(default_factory=lambda: array("I"))
    skipped: dict[int, int] = field(default_factory=dict[int, int])
    unread: int | None = None
    failed: str | None = None

    def up_to(self, place: int) -> Seen:
        """The lines before a place."""
        skipped = {each: size for each, size in self.skipped.items() if each < place}
        unread = self.unread if self.unread is not None and self.unread < place else None
        return Seen(self.keys, self.owners[:place], self.sizes[:place], skipped, unread)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The lines of a file as it stands that begin at ``start`` or later, and before ``end``; it pickles."""

    standing: Standing
    kind: Kind | None
    start: int
    end: int


# Looks through stretches, each once, and gives back what was seen in each in their order; what it holds is let go
# when it is closed.
Looking: TypeAlias = Callable[[Iterable[Stretch]], Generator[list[Seen], None, None]]


def stretches(standing: Standing, kind: Kind | None, end: int) -> list[Stretch]:
    """The lines of a file that begin before ``end``, in stretches; none where that is not worth while."""
    if standing.path is None or end < LARGE_BYTES:
        return []
    return [Stretch(standing, kind, at, min(at + STRETCH_BYTES, end)) for at in range(0, end, STRETCH_BYTES)]


def in_turn(parts: Iterable[Stretch]) -> Generator[list[Seen], None, None]:
    """Look through stretches here, one after the other."""
    yield from map(looked_through, parts)


def looked_through(stretch: Stretch) -> list[Seen]:
    """What is seen in a stretch.  Never raises for what becomes of its file."""
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
    What is seen in the lines that begin before ``end``; the stream stands ``at`` the beginning of one.

    ``tells`` says that it knows where it stands.  Never raises for what becomes of the stream.
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
    """Why a file cannot be read, as the rest of a sentence on it."""
    return error.reason if isinstance(error, NotReadable) else f"cannot be read: {error.strerror}"


def _first_line(stream: BinaryIO, stretch: Stretch) -> int:
    """Where the first line begins that begins in a stretch; of a line from before no more is read than lies in it."""
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
    """Look at some lines more, the first of which begins where nothing was looked at so far; where the next begins."""
    # Every line of every log goes through here: what can be looked up once is, and what is rare is elsewhere.
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
    """The place of a run that was not met before, and of what names no run."""
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
    """How much was skipped of a line of which so much was read that it may have been cut."""
    rest = stream.tell() - at
    if rest:
        seen.skipped[len(seen.owners) - 1] = rest
    return rest

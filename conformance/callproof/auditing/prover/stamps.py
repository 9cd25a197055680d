"""Proves instants by their spelling: texts that are spelt alike compare like the instants that they stand for.

Only one spelling per run is proved here: date, time, the same number of digits of a second, in UTC.
Then the order of the texts is the order of the instants, and no tolerance has to be considered.
Texts of several spellings are read one by one, which takes longer, and rewritten in one spelling.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from callproof.auditing.prover.unproved import Unproved, demand
from callproof.values.instants import SECOND, parse_instant

_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
_SHAPES: Final = frozenset(
    f"0000-00-00T00:00:00{fraction}{zone}\n".encode()
    for fraction in ("", *("." + "0" * digits for digits in range(1, 10)))
    for zone in ("Z", "+00:00")
)


def instants(texts: Sequence[str]) -> list[datetime]:
    """
    The instants of texts that all have the same spelling, to the microsecond; only the texts show what is finer.

    Raises Unproved for any other spelling.
    """
    joined = ("\n".join(texts) + "\n").encode()
    shape = joined[: len(texts[0]) + 1].translate(_ZEROS)
    demand(shape in _SHAPES and joined.translate(_ZEROS) == shape * len(texts), "an unusual spelling of an instant")
    if shape.endswith(b"+00:00\n"):
        demand(joined.count(b"+00:00") == len(texts), "instants of several zones")
    try:
        return list(map(datetime.fromisoformat, texts))
    except ValueError:
        raise Unproved("an instant that no calendar has") from None


class Stamp(NamedTuple):
    """An instant of any spelling: its text in the one common spelling, its nanoseconds, and its resolution."""

    text: str
    nanoseconds: int
    resolution: int


@lru_cache(maxsize=1024)  # the start and the end of a call also stand in its events
def stamp(text: str) -> Stamp:
    """The instant of an RFC 3339 text, as the checks read it.  Raises Unproved if there is none."""
    instant = parse_instant(text)
    if instant is None:
        raise Unproved("no instant")
    return Stamp(text_of(instant.nanoseconds), instant.nanoseconds, instant.resolution)


_EPOCH: Final = datetime(1970, 1, 1)


def text_of(nanoseconds: int) -> str:
    """The text of an instant, given since 1970, to the nanosecond in UTC.  Raises Unproved outside years 1 to 9999."""
    seconds, rest = divmod(nanoseconds, SECOND)
    try:
        moment = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        raise Unproved("an instant of no year") from None
    return f"{moment.isoformat()}.{rest:09}Z"


Stamps = Sequence[tuple[Stamp, Stamp]]
# Of a result, in the common spelling: its earliest beginning, its latest end, and the latest moment of its beginning.
Span = tuple[str, str, str]


def spans_of(stamps: Stamps) -> list[Span]:
    """The spans that stay possible if stamps are coarser than the finest one, as for the laws of effects (B-06)."""
    finest = min([min(start.resolution, end.resolution) for start, end in stamps], default=0)
    return [_span(start, end, finest) for start, end in stamps]


def _span(start: Stamp, end: Stamp, finest: int) -> Span:
    before, after = start.resolution - finest, end.resolution - finest
    if not before and not after:
        return start.text, end.text, start.text
    began, ended = start.nanoseconds, end.nanoseconds
    return text_of(began - before), text_of(ended + after), text_of(began + before)


def nanoseconds(text: str) -> int:
    """The exact instant of a text that was proved, since 1970.  Raises Unproved if it is no instant."""
    instant = parse_instant(text)
    if instant is None:
        raise Unproved("no instant")
    return instant.nanoseconds

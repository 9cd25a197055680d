"""The calls of one run as a picture: where each mark of a testimony stands.  Geometry only; the page draws it.

Each call has a lane, in the order in which the calls came; the marks go from left to right in
the order of the wire.  A bar reaches from the first mark of a call to its last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_Row = Mapping[str, Any]
_LANE = 26
_TOP = 30
_NAMES = 190
_STEP = 22
_WIDEST = 1_400
_RUN = "the run"
_FOLDER = "the folder"


@dataclass(frozen=True, slots=True)
class Mark:
    """
    One row of the testimony: where it is drawn, who says it, and what it says.

    ``number`` is its place among the rows, ``line`` the index of its message, if it is one.
    """

    x: float
    y: float
    by: str
    says: str
    number: int
    line: int | None


@dataclass(frozen=True, slots=True)
class Lane:
    """One call: its name, its height in the picture, and its left and right end."""

    name: str
    y: float
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Tick:
    """An instant: drawn above the first mark that has it, at the top of a picture, or as a line through it."""

    x: float
    says: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is drawn, and the size of the picture."""

    width: float
    height: float
    lanes: tuple[Lane, ...]
    marks: tuple[Mark, ...]
    ticks: tuple[Tick, ...]
    says: str


def picture(testimony: Mapping[str, Any]) -> Picture:
    """The picture of a testimony (shape ``testimony``)."""
    rows: Sequence[_Row] = testimony["rows"]
    step = min(_STEP, _WIDEST / max(len(rows), 1))
    names = tuple(dict.fromkeys(_lane_of(row) for row in rows))
    heights = {name: _TOP + _LANE * (place + 0.5) for place, name in enumerate(names)}
    marks = tuple(
        Mark(_NAMES + step * (place + 0.5), heights[_lane_of(row)], row["by"], row["says"], place + 1, row.get("line"))
        for place, row in enumerate(rows)
    )
    return Picture(
        width=_NAMES + step * len(rows) + 16,
        height=_TOP + _LANE * len(names) + 8,
        lanes=tuple(_lane(name, height, marks) for name, height in heights.items()),
        marks=marks,
        ticks=_ticks(rows, marks),
        says=_told(testimony, names),
    )


def _lane_of(row: _Row) -> str:
    return str(row.get("call", _FOLDER if row["by"] == "folder" else _RUN))


def _lane(name: str, height: float, marks: Sequence[Mark]) -> Lane:
    places = [mark.x for mark in marks if mark.y == height]
    return Lane(name, height, min(places), max(places))


def _ticks(rows: Sequence[_Row], marks: Sequence[Mark]) -> tuple[Tick, ...]:
    """A tick at each mark where time has passed, unless it would be too close to the one before to be read."""
    found: list[Tick] = []
    last: int | None = None
    for row, mark in zip(rows, marks):
        at_ms = row.get("atMs")
        if at_ms is None or at_ms == last:
            continue
        last = at_ms
        if not found or mark.x - found[-1].x >= 7 * len(found[-1].says) + 6:
            found.append(Tick(mark.x, f"{at_ms} ms"))
    return tuple(found)


def _told(testimony: Mapping[str, Any], names: Sequence[str]) -> str:
    """The picture in words, for people who cannot see it; the table below it has every mark."""
    calls = [name for name in names if name not in {_RUN, _FOLDER}]
    listed = f", with the calls {', '.join(calls)}" if calls else ""
    return f"The messages of {testimony['run']} in the order of the wire, {len(testimony['rows'])} of them{listed}."

"""A run of a log as a picture: where each bar, dot and line of a timeline stands.  Geometry only; the page draws it.

Each step or iteration has a lane, with a bar for each attempt; time runs from left to right.  A long wait is drawn
shorter than it was, and different instants never have the same place, so that the order can always be read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from callproof.report.picture import Tick
from callproof.values.counts import counted

_Row = Mapping[str, Any]
_TOP = 34
_LANE = 30
_LEFT = 190
_RIGHT = 30
_WIDEST = 820
_BAR = 14
_LONGEST_GAP = 160.0
_LANE_OF_THE_RUN = "the run"
_UNTIMED = "no instant recorded"
# The moments that stand for the question to a person, and for the answer.
_ASKED = frozenset({"run.confirmationRequested"})
_ANSWERED = frozenset({"run.confirmed", "approved", "rejected"})


@dataclass(frozen=True, slots=True)
class Bar:
    """One attempt: where its tool ran, or where it was made; ``ended`` is false if no end is recorded."""

    x: float
    y: float
    width: float
    waited: float
    status: str
    number: str
    says: str
    ended: bool
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dot:
    """One event, on the lane of its call or of the run."""

    x: float
    y: float
    says: str
    source: str


@dataclass(frozen=True, slots=True)
class Lane:
    """One step or iteration, and its height in the picture."""

    name: str
    y: float


@dataclass(frozen=True, slots=True)
class TimelinePicture:
    """Everything that is drawn, and the size of the picture."""

    width: float
    height: float
    lanes: tuple[Lane, ...]
    bars: tuple[Bar, ...]
    dots: tuple[Dot, ...]
    ticks: tuple[Tick, ...]
    asked: tuple[Tick, ...]
    answered: tuple[Tick, ...]
    says: str

    def place_of(self, source: str) -> tuple[float, float] | None:
        """Where a record is drawn: an event at its dot, a call or result at its bar."""
        dot = next((each for each in self.dots if each.source == source), None)
        if dot is not None:
            return dot.x, dot.y
        bar = next((each for each in self.bars if source in each.sources), None)
        if bar is None:
            return None
        # The call stands where it was made, the result where the tool ended.
        return (bar.waited if source == bar.sources[0] else bar.x + bar.width), bar.y


def timeline_picture(timeline: Mapping[str, Any]) -> TimelinePicture:
    """The picture of a timeline (shape ``timeline``)."""
    calls: Sequence[_Row] = timeline["calls"]
    moments: Sequence[_Row] = timeline["moments"]
    axis = _axis(calls, moments)
    names = (_LANE_OF_THE_RUN, *dict.fromkeys(_lane_of(call) for call in calls))
    lanes = tuple(Lane(name, _TOP + _LANE * (place + 0.5)) for place, name in enumerate(names))
    heights = {lane.name: lane.y for lane in lanes}
    end = max(axis.values())
    counts = f"{counted(len(calls), 'attempt')} of {counted(len(lanes) - 1, 'call')}"
    return TimelinePicture(
        width=end + _RIGHT,
        height=_TOP + _LANE * len(lanes) + 8,
        lanes=lanes,
        bars=tuple(_bar(call, heights[_lane_of(call)], axis, end) for call in calls),
        dots=tuple(_dot(moment, calls, heights, axis) for moment in moments),
        ticks=_ticks(axis),
        asked=_lines(moments, _ASKED, axis),
        answered=_lines(moments, _ANSWERED, axis)[:1],
        says=f"The calls of {timeline['run']} in time: {counts}.",
    )


def _axis(calls: Sequence[_Row], moments: Sequence[_Row]) -> Mapping[float | None, float]:
    """The place of each instant; the key None is the place of everything without an instant."""
    told = {call[name] for call in calls for name in ("madeMs", "fromMs", "toMs") if name in call}
    told |= {moment["atMs"] for moment in moments if "atMs" in moment}
    instants = sorted(told)
    gaps = [min(_LONGEST_GAP, 8 + 16 * math.log10(1 + after - before)) for before, after in pairwise(instants)]
    # A short run is stretched a little, and a long one is compressed to fit.
    scale = min(2.0, _WIDEST / max(1.0, sum(gaps)))
    axis: dict[float | None, float] = {None: float(_LEFT)}
    x = _LEFT + 14.0
    for instant, gap in zip(instants, [*gaps, 0.0]):
        axis[instant] = round(x, 1)
        x += gap * scale
    return axis


def _lane_of(call: _Row) -> str:
    return str(call["name"].rpartition(" attempt ")[0] or call["name"])


def _bar(call: _Row, y: float, axis: Mapping[float | None, float], end: float) -> Bar:
    made, begun = call.get("madeMs"), call.get("fromMs", call.get("madeMs"))
    x = axis[begun]
    to = axis[call["toMs"]] if "toMs" in call else end
    status = str(call.get("status", "no result"))
    return Bar(
        x=x,
        y=y,
        width=round(max(to - x, 4.0), 1),
        waited=axis[made] if made is not None else x,
        status=status if status in {"ok", "error", "timeout", "cancelled", "skipped"} else "none",
        number=str(call["name"].rpartition(" attempt ")[2]) if " attempt " in call["name"] else "",
        says=_says(call, status),
        ended="toMs" in call,
        sources=tuple(call["sources"]),
    )


def _says(call: _Row, status: str) -> str:
    told = [f"{call['name']}: {call.get('tool', 'no tool')}, {status}"]
    told += [str(call["code"])] if "code" in call else []
    span = [f"{call[name]} ms" for name in ("fromMs", "toMs") if name in call]
    told += [" to ".join(span)] if span else [_UNTIMED]
    return ", ".join((*told, *call["sources"]))


def _dot(moment: _Row, calls: Sequence[_Row], heights: Mapping[str, float], axis: Mapping[float | None, float]) -> Dot:
    # A stored report may come from anywhere, and name a call that it does not list.
    place: int = moment.get("call", len(calls))
    call = calls[place] if place < len(calls) else None
    lane = _LANE_OF_THE_RUN if call is None else _lane_of(call)
    at = f"{moment['atMs']} ms" if "atMs" in moment else _UNTIMED
    # An event of a call is drawn at the foot of its lane, where no bar covers it.
    foot = _BAR / 2 + 3 if call is not None else 0
    return Dot(
        axis[moment.get("atMs")], heights[lane] + foot, f"{moment['says']}, {at}, {moment['source']}", moment["source"]
    )


def _lines(moments: Sequence[_Row], wanted: frozenset[str], axis: Mapping[float | None, float]) -> tuple[Tick, ...]:
    found = (moment for moment in moments if moment["says"] in wanted and "atMs" in moment)
    return tuple(Tick(axis[moment["atMs"]], f"{moment['says']}, {moment['atMs']} ms") for moment in found)


def _ticks(axis: Mapping[float | None, float]) -> tuple[Tick, ...]:
    """A tick above the place of each instant, unless it would be too close to the one before to be read."""
    found: list[Tick] = []
    for instant, x in axis.items():
        says = _told(instant) if instant is not None else ""
        if says and (not found or x - found[-1].x >= 3.5 * (len(found[-1].says) + len(says)) + 10):
            found.append(Tick(x, says))
    return tuple(found)


def _told(milliseconds: float) -> str:
    if abs(milliseconds) < 1_000:
        return f"{milliseconds:g} ms"
    return f"{f'{milliseconds / 1_000:,.3f}'.rstrip('0').rstrip('.')} s"

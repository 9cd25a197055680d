"""Listeners: what becomes of a run whose listener is slow."""

from __future__ import annotations

import select
from typing import Any

from callproof_reference.wire import Wire

from miniatures.miniature import miniature
from miniatures.points import START, Patch, Point

SEND = Point(Wire, "send")
_PATIENCE_SECONDS = 0.05


def _is_slow(wire: Any) -> bool:
    """Whether the pipe is full and nobody empties it."""
    return not select.select([], [wire._sink], [], _PATIENCE_SECONDS)[1]


@miniature("stops-for-a-slow-listener", breaks="EVT-19", also=("DEP-05", "LOOP-08"), seen_in="SC-26")
def _(patch: Patch) -> None:
    """A run whose listener does not keep up is stopped."""
    runs: list[Any] = []

    def start(original: Any, run: Any, *given: Any) -> None:
        original(run, *given)
        runs.append(run)

    def send(original: Any, wire: Any, message: Any) -> None:
        if _is_slow(wire):
            runs[-1].halted.keep("the listener is slow")
        original(wire, message)

    patch.around(START, start)
    patch.around(SEND, send)


@miniature(
    "drops-what-a-slow-listener-leaves", breaks="EVT-20", also=("EVT-08", "EVT-18", "EVT-19", "EVT-21"), seen_in="SC-26"
)
def _(patch: Patch) -> None:
    """Events for which there is no room in the pipe are not shown."""

    def send(original: Any, wire: Any, message: Any) -> None:
        if message.get("method") != "record" or message["params"]["kind"] != "event" or not _is_slow(wire):
            original(wire, message)

    patch.around(SEND, send)

"""Driving a case from ``pipeline/start`` to its end, and a little beyond."""

from __future__ import annotations

import time
from collections.abc import Container, Mapping
from typing import Final

from callproof.adapters.conversation import Conversation
from callproof.driven.playing import PATIENCE, begin, linger, to_the_end, until_it_breaks_off
from callproof.driven.wire import Wire
from callproof.pipelines.case import SERIAL, UNORDERED, PipelineCase
from callproof.pipelines.log import start_of
from callproof.pipelines.performance import Performance
from callproof.values.jsontext import Json

# How long the suite waits, in seconds of real time, for messages after the end: first if the case asks for something
# late, then if it does not.
LINGER: Final = 0.05
GLANCE: Final = 0.005


def drive(case: PipelineCase, wire: Conversation, patience: float = PATIENCE) -> Performance:
    """
    Play a case; the performance has what was seen, and is not ``over`` if the pipeline did not finish.

    Raises BrokeOff if the adapter does something wrong.
    """
    start = start_for(case, wire.claims)
    performance = Performance(case, start, wire, time.monotonic)
    with until_it_breaks_off(performance.log):
        begin(wire, "pipeline/start", start, ends="pipeline/finished")
        to_the_end(performance, wire, patience)
        if performance.over:
            late = case.act is not None or any(each.late for each in case.answers.values())
            linger(performance, wire, LINGER if late else GLANCE)
            for request in performance.asked:
                wire.wait(request, on_message=performance.take)
        else:
            performance.give_up()
    return performance


def start_for(case: PipelineCase, claims: Container[str]) -> Mapping[str, Json]:
    """The message with which a case begins for a pipeline of these claims."""
    return start_of(case, case.ordering or (UNORDERED if "concurrent" in claims else SERIAL))


def performs(case: PipelineCase, claims: Container[str], wire: Wire) -> Performance:
    """A case that begins, for a pipeline of these claims."""
    return Performance(case, start_for(case, claims), wire)

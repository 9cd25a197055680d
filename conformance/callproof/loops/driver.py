"""Driving a case from ``loop/start`` to the end of the run, and a little beyond."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

from callproof.adapters.conversation import Conversation
from callproof.driven.playing import PATIENCE, begin, linger, to_the_end, until_it_breaks_off
from callproof.driven.wire import Wire
from callproof.loops.case import PROMPT, LoopCase
from callproof.loops.performance import Performance
from callproof.values.jsontext import Json

# How long the suite waits, in seconds of real time, for messages after the end of a run: first if the case asks for
# something late, then if it does not.
LINGER: Final = 0.05
GLANCE: Final = 0.005


def drive(case: LoopCase, wire: Conversation, patience: float = PATIENCE) -> Performance:
    """
    Play a case; the performance has what was seen, and is not ``over`` if the run did not end.

    Raises BrokeOff if the adapter does something wrong.
    """
    mode = mode_of(case, wire.claims)
    performance = Performance(case, mode, wire)
    with until_it_breaks_off(performance.log):
        begin(wire, "loop/start", start_of(case, mode), ends="loop/finished")
        to_the_end(performance, wire, patience)
        if performance.over:
            late = case.act is not None or any(each.late for each in case.answers.values())
            linger(performance, wire, LINGER if late else GLANCE)
            for request in performance.asked:
                wire.wait(request, on_message=performance.take)
        else:
            performance.give_up()
    return performance


def start_of(case: LoopCase, mode: str) -> Mapping[str, Json]:
    """The message with which a case begins."""
    tools: list[Json] = [
        {
            "name": tool.name,
            "description": f"The tool {tool.name} of a case.",
            "parameters": tool.parameters,
            "host": "client" if tool.of_client else "suite",
        }
        for tool in case.tools
    ]
    hooks: list[Json] = list(case.hooks.names)
    return {"prompt": PROMPT, "tools": tools, "mode": mode, "hooks": hooks, "streamed": case.streamed}


def mode_of(case: LoopCase, claims: Container[str]) -> str:
    """How a loop of these claims carries out the calls of one reply in a case."""
    return case.mode or ("parallel" if "parallel" in claims else "sequential")


def performs(case: LoopCase, claims: Container[str], wire: Wire) -> Performance:
    """A case that begins, for a loop of these claims."""
    return Performance(case, mode_of(case, claims), wire)

"""A case driven from ``loop/start`` to the end of the run, and a little beyond."""

from __future__ import annotations

import time
from functools import partial
from typing import Final

from callproof.adapters.conversation import Conversation
from callproof.adapters.messages import Message
from callproof.loops.case import LoopCase
from callproof.loops.log import PROMPT
from callproof.loops.performance import Performance
from callproof.values.jsontext import Json

# How long the suite waits, in seconds of real time: before the user acts, and after that for what the loop makes of it;
WAITED: Final = 0.3
# for what a lawful loop does by itself, such as to enter the siblings of a tool that waits for them;
HOPED: Final = 1.5
# for what may still come after the end of a run: where the case asks for something late, and where it does not,
LINGER: Final = 0.05
GLANCE: Final = 0.005
# and for the end of a run in which nothing happens any more.
PATIENCE: Final = 5.0
# So many times its patience a run may take in all, however much it has to tell.
LONGEST: Final = 12
# No case of a lawful loop sends a tenth of so many messages.
MOST_MESSAGES: Final = 5_000


def drive(case: LoopCase, wire: Conversation, patience: float = PATIENCE) -> Performance:
    """
    Play a case; what was seen is in the performance, which is not ``over`` where the run did not end.

    Raises AdapterError for what the adapter gets wrong.
    """
    mode = case.mode or ("parallel" if "parallel" in wire.claims else "sequential")
    performance = Performance(case, mode, wire)
    tools: list[Json] = [
        {
            "name": tool.name,
            "description": f"The tool {tool.name} of a case.",
            "parameters": tool.parameters,
            "host": "client" if tool.of_client else "suite",
        }
        for tool in case.tools
    ]
    told: dict[str, Json] = {"prompt": PROMPT, "tools": tools, "mode": mode, "streamed": case.streamed}
    wire.ask("loop/start", {**told, "hooks": list(case.hooks.names)}, on_message=partial(_too_early, wire))
    _to_the_end(performance, wire, patience)
    if performance.over:
        late = case.act is not None or any(each.late for each in case.answers.values())
        _linger(performance, wire, LINGER if late else GLANCE)
        for request in performance.asked:
            wire.wait(request, on_message=performance.take)
    else:
        performance.give_up()
    return performance


def _too_early(wire: Conversation, message: Message) -> None:
    """What comes before a case has been acknowledged would be told of the wrong one."""
    what = getattr(message, "method", "an answer")
    reason = "it had not answered loop/start yet, and what belongs to the case before ends with loop/finished"
    wire.out_of_turn(what, reason)


def _to_the_end(performance: Performance, wire: Conversation, patience: float) -> None:
    begun = quiet_since = time.monotonic()
    messages = 0
    while not performance.over and not performance.endless and messages < MOST_MESSAGES:
        if time.monotonic() - begun > LONGEST * patience:
            return
        in_vain = WAITED if performance.is_between_acts else min(HOPED, patience)
        message = wire.receive(in_vain if performance.waiting else patience)
        if message is not None:
            messages += 1
            quiet_since = time.monotonic()
            performance.take(message)
        elif performance.waiting:
            performance.give_way()
        elif time.monotonic() - quiet_since >= patience:
            return


def _linger(performance: Performance, wire: Conversation, seconds: float) -> None:
    """What comes after the end belongs to it as well: a late event, or another call."""
    until = time.monotonic() + seconds * 10
    while time.monotonic() < until and (message := wire.receive(seconds)) is not None:
        performance.take(message)

"""Driving a case from ``invocation/start`` to the end of the response."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

from callproof.adapters.conversation import Conversation
from callproof.driven.playing import PATIENCE, begin, linger, to_the_end, until_it_breaks_off
from callproof.driven.wire import Wire
from callproof.invocations.case import CONTRACTS, QUESTION, USERS, InvocationCase
from callproof.invocations.performance import Performance
from callproof.values.jsontext import Json

# How long the suite waits, in seconds of real time, for messages after the end.
GLANCE: Final = 0.005


def drive(case: InvocationCase, wire: Conversation, patience: float = PATIENCE) -> Performance:
    """
    Play a case; the performance has what was seen, and is not ``over`` if the response did not end.

    Raises BrokeOff if the adapter does something wrong.
    """
    start = start_of(case, wire.claims)
    performance = Performance(case, start, wire)
    with until_it_breaks_off(performance.log):
        begin(wire, "invocation/start", start, ends="invocation/finished")
        to_the_end(performance, wire, patience)
        if performance.over:
            linger(performance, wire, GLANCE)
        else:
            performance.give_up()
    return performance


def performs(case: InvocationCase, claims: Container[str], wire: Wire) -> Performance:
    """A case that begins, for a system of these claims."""
    return Performance(case, start_of(case, claims), wire)


def start_of(case: InvocationCase, claims: Container[str]) -> Mapping[str, Json]:
    """The start of a case for a system of these claims; a system that claims no contract is judged by the first one."""
    contract = case.contract or next((each for each in CONTRACTS if each in claims), CONTRACTS[0])
    user = case.user or next((each for name, each in USERS.items() if name in claims), "runtime")
    chosen = case.chosen
    return {
        "question": QUESTION,
        "contract": contract,
        "toolsBy": user,
        "tools": [{"toolName": each.name, "optional": each.optional} for each in case.tools],
        "profiles": [{"name": each.name, "tools": list(each.tools)} for each in case.profiles],
        "selected": {"profile": chosen.profile, "by": chosen.by, "mayReroute": chosen.may_reroute},
    }

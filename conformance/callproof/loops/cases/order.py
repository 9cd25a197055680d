"""Calls of one reply: side by side, one by one, and ending in any order."""

from __future__ import annotations

from typing import Final

from callproof.driven.tools import Wait
from callproof.loops.case import Answer, LoopCase, text
from callproof.loops.cases.building import DONE, TOOLS, asks, note, read

_TWO: Final = (asks(read("call_1", "a.md"), read("call_2", "b.md")),)
_SLOW: Final = Answer((text("slow"),), {"who": "slow"}, waits=Wait.RETURN, awaited="call_2")
_QUICK: Final = Answer((text("quick"),), {"who": "quick"})

CASES: Final = (
    LoopCase(
        "AL-04/at-once",
        "Each of two tools waits for the other to be entered.",
        _TWO,
        (*DONE, "HOST-20"),
        TOOLS,
        answers={each: Answer(waits=Wait.SIBLINGS) for each in ("call_1", "call_2")},
        mode="parallel",
    ),
    LoopCase(
        "AL-04/three-at-once",
        "Each of three tools waits for the others.",
        (asks(read("call_1"), note("call_2", 1), note("call_3", 2)),),
        (*DONE, "HOST-20"),
        TOOLS,
        answers={each: Answer(waits=Wait.SIBLINGS) for each in ("call_1", "call_2", "call_3")},
        mode="parallel",
    ),
    LoopCase(
        "AL-04/slow-first",
        "The first call ends after the second, and each has its own result.",
        _TWO,
        DONE,
        TOOLS,
        answers={"call_1": _SLOW, "call_2": _QUICK},
        mode="parallel",
    ),
    LoopCase(
        "AL-04/a-neighbour-fails",
        "The second of three calls throws, and the others go on.",
        (asks(read("call_1"), read("call_2"), read("call_3")),),
        DONE,
        TOOLS,
        answers={"call_1": _SLOW, "call_2": Answer(throws="no such file"), "call_3": _QUICK},
        mode="parallel",
    ),
    LoopCase(
        "AL-04/one-by-one",
        "Three calls, one after the other.",
        (asks(read("call_1"), note("call_2", 1), read("call_3")),),
        (*DONE, "HOST-19"),
        TOOLS,
        mode="sequential",
    ),
    LoopCase(
        "AL-04/one-by-one-slowly",
        "The first of two calls is slow, and the second waits for it.",
        _TWO,
        (*DONE, "HOST-19"),
        TOOLS,
        answers={"call_1": Answer(waits=Wait.ACT), "call_2": _QUICK},
        mode="sequential",
    ),
    LoopCase(
        "AL-04/one-by-one-after-a-failure",
        "The first of two calls throws, and the second is carried out.",
        _TWO,
        (*DONE, "HOST-19"),
        TOOLS,
        answers={"call_1": Answer(throws="no such file")},
        mode="sequential",
    ),
)

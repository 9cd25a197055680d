"""Progress: what tools tell while they are at work, and what they tell too late."""

from __future__ import annotations

from typing import Final

from callproof.driven.tools import Wait
from callproof.loops.case import Answer, LoopCase
from callproof.loops.cases.building import DONE, TOOLS, TRIED, asks, read

_TWO: Final = (asks(read("call_1", "a.md"), read("call_2", "b.md")),)

CASES: Final = (
    LoopCase(
        "AL-06/told",
        "Two tools report progress before they return.",
        _TWO,
        (*DONE, "HOST-09", "HOST-25"),
        TOOLS,
        answers={
            "call_1": Answer(progress=("a third", "two thirds"), waits=Wait.ACT),
            "call_2": Answer(progress=("half",)),
        },
    ),
    LoopCase(
        "AL-06/each-its-own",
        "Two tools report different progress at the same time, and go on.",
        _TWO,
        (*DONE, "HOST-09", "HOST-25"),
        TOOLS,
        answers={
            "call_1": Answer(progress=("page 1 of 2", 'page 2 of 2: "\u00e9" \U0001f426'), waits=Wait.ACT),
            "call_2": Answer(progress=("10 %", "90 %"), waits=Wait.ACT),
        },
        mode="parallel",
    ),
    LoopCase(
        "AL-06/an-id-again",
        "The calls of two replies have the same id, and report progress.",
        (asks(read("call_1", "a.md")), asks(read("call_1", "b.md"))),
        DONE,
        TOOLS,
        answers={"call_1": Answer(progress=("half",))},
    ),
    LoopCase(
        "AL-06/late",
        "A tool goes on reporting progress after it returned, while another is at work.",
        _TWO,
        DONE,
        TOOLS,
        answers={"call_1": Answer(late=("one more thing",)), "call_2": Answer(waits=Wait.ACT)},
        mode="parallel",
    ),
    LoopCase(
        "AL-06/late-in-the-end",
        "The last tool of a run goes on reporting progress after it returned.",
        (asks(read("call_1")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer(late=("one more thing", "and another"))},
    ),
    LoopCase(
        "AL-06/told-and-thrown",
        "A tool reports progress, then throws.",
        (asks(read("call_1")),),
        (*TRIED, "HOST-09", "HOST-25"),
        TOOLS,
        answers={"call_1": Answer(progress=("half",), throws="no more", waits=Wait.ACT)},
    ),
)

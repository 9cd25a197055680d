"""The user in the middle of a run: aborting it, and writing something."""

from __future__ import annotations

from typing import Final

from callproof.driven.tools import Wait
from callproof.loops.case import Act, Answer, Hooks, LoopCase, Reply
from callproof.loops.cases.building import TOOLS, asks, note, read

_ONE: Final = (asks(read("call_1")), asks(note("call_9", "never")))
_TWO: Final = (asks(read("call_1", "a.md"), read("call_2", "b.md")), asks(note("call_9", "never")))
_AIMS: Final = ("HOST-01", "HOST-02", "HOST-05", "HOST-18", "HOST-22")
_STEERED: Final = ("HOST-01", "HOST-02", "HOST-21", "HOST-22")

CASES: Final = (
    LoopCase(
        "AL-07/aborted",
        "The run is aborted while a tool is at work, which stops.",
        _ONE,
        _AIMS,
        TOOLS,
        answers={"call_1": Answer(waits=Wait.STOP)},
        act=Act("call_1"),
    ),
    LoopCase(
        "AL-07/not-listened",
        "The run is aborted, and the tool goes on and returns.",
        _ONE,
        _AIMS,
        TOOLS,
        answers={"call_1": Answer(waits=Wait.ACT)},
        act=Act("call_1"),
    ),
    LoopCase(
        "AL-07/two-at-work",
        "Two tools are at work when the run is aborted.",
        _TWO,
        _AIMS,
        TOOLS,
        answers={"call_1": Answer(waits=Wait.STOP), "call_2": Answer(waits=Wait.STOP)},
        act=Act("call_2"),
        mode="parallel",
    ),
    LoopCase(
        "AL-07/one-is-waiting",
        "The run is aborted in the first of two sequential calls: the second has its result, whatever it is.",
        _TWO,
        _AIMS,
        TOOLS,
        answers={"call_1": Answer(waits=Wait.STOP)},
        act=Act("call_1"),
        mode="sequential",
    ),
    LoopCase(
        "AL-07/aborted-with-hooks",
        "The run is aborted, and the hooks are asked as usual.",
        _ONE,
        (*_AIMS, "HOST-16"),
        TOOLS,
        answers={"call_1": Answer(waits=Wait.STOP)},
        act=Act("call_1"),
        hooks=Hooks({}, {}, {}),
    ),
    LoopCase(
        "AL-07/aborted-with-an-after-hook",
        "The run is aborted, and the hook is told the tool's result.",
        _ONE,
        (*_AIMS, "HOST-04", "HOST-16"),
        TOOLS,
        answers={"call_1": Answer(waits=Wait.STOP)},
        act=Act("call_1"),
        hooks=Hooks(after={}),
    ),
    LoopCase(
        "AL-07/aborted-before-the-reply",
        "The run is aborted while the model makes its first reply, which has a call.",
        _ONE,
        ("HOST-18", "HOST-22"),
        TOOLS,
        answers={"call_1": Answer(waits=Wait.STOP)},
        act=Act(reply=0),
    ),
    LoopCase(
        "AL-07/aborted-before-the-pieces",
        "The run is aborted while the model makes a reply that comes in pieces.",
        _TWO,
        ("HOST-18", "HOST-22"),
        TOOLS,
        act=Act(reply=0),
        streamed=True,
    ),
    LoopCase(
        "AL-07/aborted-before-the-second-reply",
        "The run is aborted while the model processes the first results.",
        (asks(read("call_1")), *_TWO),
        (*_AIMS, "HOST-21"),
        TOOLS,
        act=Act(reply=1),
    ),
    LoopCase(
        "AL-07/aborted-before-the-last-word",
        "The run is aborted while the model makes its last reply.",
        (Reply(said="Hello.", stop="stop"),),
        ("HOST-18", "HOST-22"),
        TOOLS,
        act=Act(reply=0),
    ),
    LoopCase(
        "AL-07/steered-before-the-reply",
        "The user writes a message while the model makes a reply that has a call.",
        (asks(read("call_1")),),
        _STEERED,
        TOOLS,
        act=Act(says="and in August?", reply=0),
    ),
    LoopCase(
        "AL-07/steered-before-the-last-word",
        "The user writes a message while the model makes its last reply, so another reply follows.",
        (Reply(said="Hello.", stop="stop"),),
        ("HOST-21", "HOST-22"),
        TOOLS,
        act=Act(says="and in August?", reply=0),
    ),
    LoopCase(
        "AL-07/steered",
        "The user writes a message while a tool is at work, and the model receives it.",
        (asks(read("call_1")),),
        _STEERED,
        TOOLS,
        answers={"call_1": Answer(waits=Wait.ACT)},
        act=Act("call_1", "and in August?"),
    ),
    LoopCase(
        "AL-07/steered-twice",
        "The user writes two messages while a tool is at work, and the model receives both.",
        _ONE,
        _STEERED,
        TOOLS,
        answers={"call_1": Answer(waits=Wait.ACT)},
        act=Act("call_1", "and in August?", adds="swifts, not swallows"),
    ),
    LoopCase(
        "AL-07/steered-twice-before-the-last-word",
        "The user writes two messages while the model makes its last reply.",
        (Reply(said="Hello.", stop="stop"),),
        ("HOST-21", "HOST-22"),
        TOOLS,
        act=Act(says="and in August?", reply=0, adds="swifts, not swallows"),
    ),
    LoopCase(
        "AL-07/steered-in-two",
        "The user writes a message in the first of two sequential calls.",
        (asks(read("call_1", "a.md"), read("call_2", "b.md")),),
        _STEERED,
        TOOLS,
        answers={"call_1": Answer(waits=Wait.ACT)},
        act=Act("call_1", "and in August?"),
        mode="sequential",
    ),
)

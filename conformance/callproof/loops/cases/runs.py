"""One run after another, with the same ids: nothing of one case is left in the next."""

from __future__ import annotations

from typing import Final

from callproof.loops.case import Answer, Before, Hooks, LoopCase, Persist, Tool, text
from callproof.loops.cases.building import ANY, CLOCK, DONE, NOTE, TOOLS, asks, note, read

_CALLS: Final = (asks(read("call_1", "a.md"), note("call_2", "b")),)
# A tool with the name of an earlier one, which requires something else and permits more.
_OTHER_READ: Final = Tool(
    "read", {"type": "object", "properties": {"lines": {"type": "integer"}}, "required": ["lines"]}
)

CASES: Final = (
    LoopCase(
        "AL-10/first",
        "Two calls and their results.",
        _CALLS,
        DONE,
        TOOLS,
        answers={"call_1": Answer((text("one"),), {"run": 1}), "call_2": Answer((text("two"),), {"run": 1})},
    ),
    LoopCase(
        "AL-10/the-same-again",
        "The same calls under the same ids, but their tools return something else.",
        _CALLS,
        DONE,
        TOOLS,
        answers={"call_1": Answer((text("three"),), {"run": 2}), "call_2": Answer((text("four"),), {"run": 2})},
    ),
    LoopCase(
        "AL-10/with-hooks",
        "Hooks block one of the calls, and rewrite the message of the other.",
        _CALLS,
        (*ANY, "HOST-03", "HOST-16", "HOST-17"),
        TOOLS,
        hooks=Hooks(
            {"call_1": Before(block=True, reason="not today")}, {}, {"call_2": Persist((text("(taken out)"),))}
        ),
    ),
    LoopCase(
        "AL-10/without-hooks",
        "The same calls without hooks.",
        _CALLS,
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-10/a-tool-less",
        "A tool of the run before no longer exists, and is called with arguments that it would have taken.",
        (asks(read("call_1", lines=3), note("call_2", "a")),),
        DONE,
        (NOTE, CLOCK),
    ),
    LoopCase(
        "AL-10/another-schema",
        "A tool has the name of a tool in an earlier run, but takes other arguments.",
        (asks(read("call_1", lines=3), read("call_2", "a.md")),),
        (*DONE, "HOST-12"),
        (_OTHER_READ, NOTE),
    ),
)

"""A model that fails: the run ends, or the loop asks again, and the loop makes nothing up."""

from __future__ import annotations

from typing import Final

from callproof.loops.case import LoopCase, Reply
from callproof.loops.cases.building import DONE, TOOLS, asks, note, read

_FAILS: Final = Reply(fails="the provider is overloaded")
_AIMS: Final = ("HOST-22",)

CASES: Final = (
    LoopCase("AL-09/from-the-first", "The model fails each time it is asked.", (_FAILS,), _AIMS, TOOLS),
    LoopCase(
        "AL-09/once",
        "The model fails, and would reply if it were asked again.",
        (_FAILS, asks(read("call_1"))),
        _AIMS,
        TOOLS,
    ),
    LoopCase(
        "AL-09/with-results",
        "The model fails when it receives results, and each time it is asked again.",
        (asks(read("call_1"), note("call_2", "a")), _FAILS),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-09/once-with-results",
        "The model fails when it receives results, and would reply if it were asked again.",
        (asks(read("call_1"), note("call_2", "a")), _FAILS, asks(read("call_3"))),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-09/instead-of-pieces",
        "The model fails, and its replies come in pieces.",
        (asks(read("call_1")), _FAILS),
        DONE,
        TOOLS,
        streamed=True,
    ),
)

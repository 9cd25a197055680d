"""Tools that a client carries out: their result is still to come."""

from __future__ import annotations

from typing import Final

from callproof.loops.case import Asked, LoopCase
from callproof.loops.cases.building import ASK, TOOLS, asks, read

_ASKED: Final = Asked("call_1", "ask_user", {"question": "which of them?"})

CASES: Final = (
    LoopCase(
        "AL-08/put-off",
        "A client carries out a call, and the loop enters no tool.",
        (asks(_ASKED),),
        ("HOST-01", "HOST-02", "HOST-08"),
        (*TOOLS, ASK),
    ),
    LoopCase(
        "AL-08/put-off-beside-another",
        "The loop carries out one call, and a client the other.",
        (asks(_ASKED, read("call_2")),),
        ("HOST-01", "HOST-02", "HOST-08", "HOST-13", "HOST-15"),
        (*TOOLS, ASK),
    ),
)

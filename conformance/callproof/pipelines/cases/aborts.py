"""The user aborts one call or all calls, at work or before they begin."""

from __future__ import annotations

from typing import Final

from callproof.driven.tools import Wait
from callproof.pipelines.case import SERIAL, UNORDERED, Act, Answer, Asking, Permit, PipelineCase
from callproof.pipelines.cases.building import TOOLS, read

_ONE: Final = (read("i-1", "a.md"),)
_TWO: Final = (read("i-1", "a.md"), read("i-2", "b.md"))
_AIMS: Final = ("PIPE-06", "PIPE-15", "PIPE-18")
_STOPS: Final = Answer(waits=Wait.STOP)

CASES: Final = (
    PipelineCase(
        "PL-09/at-work", "A tool at work is aborted and stops.", _ONE, _AIMS, TOOLS, {"i-1": _STOPS}, act=Act("i-1")
    ),
    PipelineCase(
        "PL-09/not-listened",
        "A tool at work is aborted, but goes on and returns.",
        _ONE,
        _AIMS,
        TOOLS,
        {"i-1": Answer(waits=Wait.ACT)},
        act=Act("i-1"),
    ),
    PipelineCase(
        "PL-09/two-at-work",
        "Two tools at work are aborted and stop.",
        _TWO,
        _AIMS,
        TOOLS,
        {"i-1": _STOPS, "i-2": _STOPS},
        act=Act("i-2"),
        ordering=UNORDERED,
    ),
    PipelineCase(
        "PL-09/one-of-two",
        "Two tools are at work, and one of the calls is aborted: the other goes on.",
        _TWO,
        _AIMS,
        TOOLS,
        {"i-1": _STOPS, "i-2": Answer(waits=Wait.RETURN, awaited="i-1")},
        act=Act("i-1", call="i-1"),
        ordering=UNORDERED,
    ),
    PipelineCase(
        "PL-09/one-waits",
        "The first of two serial calls is at work, and all calls are aborted.",
        _TWO,
        _AIMS,
        TOOLS,
        {"i-1": _STOPS},
        act=Act("i-1"),
        ordering=SERIAL,
    ),
    PipelineCase(
        "PL-09/the-one-that-waits",
        "The first of two serial calls is at work, and the second is aborted.",
        _TWO,
        _AIMS,
        TOOLS,
        {"i-1": Answer(waits=Wait.ACT)},
        act=Act("i-1", call="i-2"),
        ordering=SERIAL,
    ),
    PipelineCase(
        "PL-09/while-it-is-asked",
        "Permission is asked, the user aborts, and then permission is given.",
        _ONE,
        _AIMS,
        TOOLS,
        asking=Asking(permits={"i-1": Permit(after="act")}),
        act=Act("i-1", "permission"),
    ),
    PipelineCase(
        "PL-09/one-is-asked",
        "Permission for two calls is asked, one of them is aborted, and then permission is given for both.",
        _TWO,
        _AIMS,
        TOOLS,
        asking=Asking(permits={"i-1": Permit(after="act"), "i-2": Permit(after="act")}),
        act=Act("i-2", "permission", "i-1"),
        ordering=UNORDERED,
    ),
    PipelineCase(
        "PL-09/one-at-work-one-asked",
        "One call is at work, permission for another is asked, and all calls are aborted.",
        _TWO,
        _AIMS,
        TOOLS,
        {"i-1": _STOPS},
        Asking(permits={"i-2": Permit(after="act")}),
        act=Act("i-2", "permission"),
        ordering=UNORDERED,
    ),
)

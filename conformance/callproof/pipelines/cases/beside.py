"""Calls beside each other: at once, in order and one by one, and what the failure of one means for the others."""

from __future__ import annotations

from typing import Final

from callproof.driven.tools import Wait
from callproof.pipelines.case import ORDERED, SERIAL, UNORDERED, Answer, Asking, Permit, PipelineCase
from callproof.pipelines.cases.building import DONE, FAILED, TOOLS, clock, note, read

_THREE: Final = (read("i-1", "a.md"), read("i-2", "b.md"), read("i-3", "c.md"))
_TWO: Final = _THREE[:2]
_TOGETHER: Final = Answer(waits=Wait.SIBLINGS)
_CANCEL: Final = "cancel_siblings"
_SIBLINGS: Final = ("PIPE-01", "PIPE-06", "PIPE-08", "PIPE-14", "PIPE-16", "PIPE-18")


CASES: Final = (
    PipelineCase(
        "PL-08/at-once",
        "Two tools wait for each other.",
        _TWO,
        (*DONE, "PIPE-23"),
        TOOLS,
        {"i-1": _TOGETHER, "i-2": _TOGETHER},
        ordering=UNORDERED,
    ),
    PipelineCase(
        "PL-08/three-at-once",
        "Three tools wait for each other.",
        _THREE,
        (*DONE, "PIPE-23"),
        TOOLS,
        {each.id: _TOGETHER for each in _THREE},
        ordering=UNORDERED,
    ),
    PipelineCase(
        "PL-08/last-is-first",
        "The first of two tools returns after the second, and results may come in any order.",
        _TWO,
        DONE,
        TOOLS,
        {"i-1": Answer(waits=Wait.RETURN, awaited="i-2")},
        ordering=UNORDERED,
    ),
    PipelineCase(
        "PL-08/in-order",
        "The first of two tools returns after the second, and results come in order.",
        _TWO,
        (*DONE, "PIPE-02"),
        TOOLS,
        {"i-1": Answer(waits=Wait.RETURN, awaited="i-2")},
        ordering=ORDERED,
    ),
    PipelineCase(
        "PL-08/in-order-with-a-failure",
        "The second of three tools throws first, and results come in order.",
        _THREE,
        (*FAILED, "PIPE-02"),
        TOOLS,
        {"i-1": Answer(waits=Wait.RETURN, awaited="i-3"), "i-2": Answer(fails="timeout")},
        ordering=ORDERED,
    ),
    PipelineCase(
        "PL-08/in-order-with-a-denial",
        "The second of two calls is denied while the first one is at work, and results come in order.",
        (read("i-1", "a.md"), read("i-2", "b.md"), clock("i-3")),
        ("PIPE-02", "PIPE-06", "PIPE-10", "PIPE-18"),
        TOOLS,
        {"i-1": Answer(waits=Wait.RETURN, awaited="i-3")},
        Asking(permits={"i-2": Permit("person")}),
        ordering=ORDERED,
    ),
    PipelineCase("PL-08/one-by-one", "Three serial calls.", _THREE, (*DONE, "PIPE-22"), TOOLS, ordering=SERIAL),
    PipelineCase(
        "PL-08/one-by-one-and-slow",
        "Three serial calls, the first of which is slow.",
        _THREE,
        (*DONE, "PIPE-22"),
        TOOLS,
        {"i-1": Answer(waits=Wait.ACT)},
        ordering=SERIAL,
    ),
    PipelineCase(
        "PL-08/one-by-one-after-a-failure",
        "The first of three serial calls throws, and the others are executed.",
        _THREE,
        (*FAILED, "PIPE-22"),
        TOOLS,
        {"i-1": Answer(fails="execution_failed")},
        ordering=SERIAL,
    ),
    PipelineCase(
        "PL-08/failure-is-ignored",
        "One of two tools throws while the other is at work, which goes on.",
        _TWO,
        FAILED,
        TOOLS,
        {"i-1": Answer(fails="execution_failed", waits=Wait.SIBLINGS), "i-2": Answer(waits=Wait.ACT)},
        ordering=UNORDERED,
    ),
    PipelineCase(
        "PL-08/siblings-at-work-are-stopped",
        "One of two tools throws while the other is at work, which is asked to stop.",
        _TWO,
        _SIBLINGS,
        TOOLS,
        {"i-1": Answer(fails="execution_failed", waits=Wait.SIBLINGS), "i-2": Answer(waits=Wait.STOP)},
        ordering=UNORDERED,
        siblings=_CANCEL,
    ),
    PipelineCase(
        "PL-08/siblings-do-not-begin",
        "The first of three serial calls throws, and the others do not begin.",
        (read("i-1", "a.md"), note("i-2", "b"), clock("i-3")),
        _SIBLINGS,
        TOOLS,
        {"i-1": Answer(fails="execution_failed")},
        ordering=SERIAL,
        siblings=_CANCEL,
    ),
    PipelineCase(
        "PL-08/siblings-permitted-too-late",
        "One call throws, and the other is permitted only after the first has its result.",
        _TWO,
        _SIBLINGS,
        TOOLS,
        {"i-1": Answer(fails="execution_failed")},
        Asking(permits={"i-2": Permit(after="i-1")}),
        ordering=UNORDERED,
        siblings=_CANCEL,
    ),
    PipelineCase(
        "PL-08/siblings-that-are-well",
        "No call fails, and none is stopped.",
        _THREE,
        DONE,
        TOOLS,
        siblings=_CANCEL,
    ),
)

"""What tools tell besides their output: progress, in time and too late, and changes of the context."""

from __future__ import annotations

from typing import Final

from callproof.driven.tools import Wait
from callproof.pipelines.case import SERIAL, UNORDERED, Answer, PipelineCase
from callproof.pipelines.cases.building import DONE, TOOLS, read

_ONE: Final = (read("i-1", "a.md"),)
_TWO: Final = (*_ONE, read("i-2", "b.md"))
_CHANGE: Final = {"current_folder": "/notes"}


def _modifying(
    name: str, says: str, rule: str, ordering: str | None = None, waits: Wait = Wait.NOTHING
) -> PipelineCase:
    """A case in which both of two tools ask for a change of the context."""
    given = Answer(modifier=_CHANGE, waits=waits)
    aims = (*DONE, "PIPE-21")
    answers = {"i-1": given, "i-2": given}
    return PipelineCase(
        f"PL-10/{name}", says, _TWO, aims, TOOLS, answers, ordering=ordering, context=rule, needs=("contextModifiers",)
    )


CASES: Final = (
    PipelineCase(
        "PL-10/progress",
        "A tool reports progress.",
        _ONE,
        DONE,
        TOOLS,
        {"i-1": Answer(progress=("a quarter", "half", "all"))},
    ),
    PipelineCase(
        "PL-10/progress-of-two",
        "Two tools report progress at the same time.",
        _TWO,
        DONE,
        TOOLS,
        {name: Answer(progress=("half", "all"), waits=Wait.SIBLINGS) for name in ("i-1", "i-2")},
        ordering=UNORDERED,
    ),
    PipelineCase(
        "PL-10/progress-and-a-failure",
        "A tool reports progress, then throws.",
        _ONE,
        DONE,
        TOOLS,
        {"i-1": Answer(progress=("half",), fails="execution_failed")},
    ),
    PipelineCase(
        "PL-10/too-late",
        "A tool goes on reporting progress after its call has its result.",
        _TWO,
        DONE,
        TOOLS,
        {"i-1": Answer(progress=("half",), late=("all", "all and more")), "i-2": Answer(late=("more",))},
    ),
    _modifying("modifiers", "Tools ask for context changes, which are forbidden.", "forbid"),
    _modifying(
        "modifiers-at-once",
        "Parallel tools ask for context changes, which are permitted for serial calls only.",
        "allow_serial_only",
        UNORDERED,
        Wait.SIBLINGS,
    ),
    _modifying("modifiers-one-by-one", "Serial tools ask for context changes.", "allow_serial_only", SERIAL),
    _modifying(
        "modifiers-deferred",
        "Parallel tools ask for context changes, which wait until all calls are over.",
        "defer_until_batch_complete",
        UNORDERED,
        waits=Wait.SIBLINGS,
    ),
    PipelineCase(
        "PL-10/modifier-of-one",
        "One of two tools asks for a context change.",
        _TWO,
        (*DONE, "PIPE-21"),
        TOOLS,
        {"i-1": Answer(modifier=_CHANGE)},
        needs=("contextModifiers",),
    ),
)

"""Calls, the tools of a surface, and what becomes of both."""

from __future__ import annotations

from typing import Final

from callproof.pipelines.case import Answer, Asked, PipelineCase
from callproof.pipelines.cases.building import (
    ANY,
    AWAY,
    DONE,
    FAILED,
    FETCH,
    SHELL,
    TOOLS,
    clock,
    note,
    read,
)
from callproof.values.jsontext import Json

_ODD: Final[tuple[Json, ...]] = ("", 0, [], {}, [None, {"": "\u2028"}], "a\nb\U0001f426")


def _throwing(error_class: str) -> PipelineCase:
    """A case in which one of two tools throws."""
    says = f"A tool throws with {error_class}, and the other does not."
    calls = (read("i-1"), note("i-2", "a"))
    answers = {"i-1": Answer(fails=error_class)}
    return PipelineCase(f"PL-01/throws-{error_class.replace('_', '-')}", says, calls, FAILED, TOOLS, answers)


CASES: Final = (
    PipelineCase("PL-01/one", "One call.", (read("i-1"),), DONE, TOOLS),
    PipelineCase("PL-01/none", "The model makes no call.", (), ("PIPE-18",), TOOLS),
    PipelineCase(
        "PL-01/three", "Three calls of three tools.", (read("i-1"), note("i-2", "a"), clock("i-3")), DONE, TOOLS
    ),
    PipelineCase(
        "PL-01/equal",
        "Two calls that differ only in their ids: both are executed.",
        (read("i-1"), read("i-2")),
        DONE,
        TOOLS,
    ),
    PipelineCase(
        "PL-01/twelve",
        "Twelve calls in one batch.",
        tuple(note(f"i-{number}", number) for number in range(1, 13)),
        DONE,
        TOOLS,
    ),
    PipelineCase(
        "PL-01/odd-ids",
        "Ids in the styles of providers.",
        (clock("toolu_01A/b+c=="), clock("call|x|1"), clock("\u00e9 \U0001f426")),
        DONE,
        TOOLS,
    ),
    PipelineCase("PL-01/unknown", "A call of an unknown tool.", (Asked("i-1", "notes.shred", {}),), AWAY, TOOLS),
    PipelineCase(
        "PL-01/unknown-among-others",
        "One of three calls is of an unknown tool.",
        (read("i-1"), Asked("i-2", "notes.shred", {"path": "Birds.md"}), note("i-3", "a")),
        (*AWAY, *DONE),
        TOOLS,
    ),
    PipelineCase(
        "PL-01/nearly-its-name",
        "Names that only resemble a tool's name, in case, beginning or a blank, are unknown.",
        (Asked("i-1", "Notes.Read", {"path": "a"}), Asked("i-2", "notes", {"path": "a"}), Asked("i-3", "clock ", {})),
        AWAY,
        TOOLS,
    ),
    PipelineCase("PL-01/no-tools", "There are no tools.", (read("i-1"),), AWAY),
    PipelineCase(
        "PL-01/other-name",
        "A tool is called by one of its other names.",
        (Asked("i-1", "read", {"path": "Birds.md"}), Asked("i-2", "open_note", {"path": "Trees.md"}), read("i-3")),
        DONE,
        TOOLS,
    ),
    PipelineCase(
        "PL-01/other-name-refused",
        "A tool is called by one of its other names, and its schema refuses the input.",
        (Asked("i-1", "read", {"path": 7}),),
        AWAY,
        TOOLS,
    ),
    PipelineCase(
        "PL-01/deferred",
        "The schema of the tool is not loaded.",
        (Asked("i-1", "web.fetch", {"url": "https://example.org/"}), read("i-2")),
        (*AWAY, *DONE),
        (*TOOLS, FETCH),
    ),
    PipelineCase(
        "PL-01/blocked",
        "The surface blocks the tool.",
        (Asked("i-1", "shell.run", {"command": "rm"}), read("i-2")),
        (*AWAY, *DONE),
        (*TOOLS, SHELL),
    ),
    *map(_throwing, ("execution_failed", "timeout", "dependency_unavailable")),
    PipelineCase(
        "PL-01/all-throw",
        "Every tool throws.",
        (read("i-1"), read("i-2"), clock("i-3")),
        FAILED,
        TOOLS,
        {name: Answer(fails="execution_failed") for name in ("i-1", "i-2", "i-3")},
    ),
    PipelineCase(
        "PL-01/odd-outputs",
        "Tools return texts, numbers, lists and nothing.",
        tuple(clock(f"i-{number}") for number in range(1, 7)),
        DONE,
        TOOLS,
        {f"i-{number}": Answer(output) for number, output in enumerate(_ODD, 1)},
    ),
    PipelineCase(
        "PL-01/says-error",
        "A tool's output looks like a failure, but the tool has not failed.",
        (read("i-1"),),
        ANY,
        TOOLS,
        {"i-1": Answer({"text": "Error: permission denied", "is_error": True, "error_class": "permission_denied"})},
    ),
)

"""Permission: who says yes, who says no, and to what."""

from __future__ import annotations

from typing import Final

from callproof.driven.odd_values import ODD_TEXTS
from callproof.pipelines.case import Answer, Asked, Asking, Permit, PipelineCase, Pre
from callproof.pipelines.cases.building import AWAY, DONE, TOOLS, note, read

_TWO: Final = (read("i-1", "a.md"), read("i-2", "b.md"))
_ASKED: Final = (*DONE, "PIPE-13")


def _permission(name: str, says: str, permit: Permit, *aims: str) -> PipelineCase:
    """A case with a given answer to the question for permission for the first of two calls."""
    asking = Asking(permits={"i-1": permit})
    return PipelineCase(f"PL-05/{name}", says, _TWO, (*_ASKED, *aims), TOOLS, asking=asking)


CASES: Final = (
    PipelineCase("PL-05/asked", "Permission is asked for every call.", _TWO, _ASKED, TOOLS, asking=Asking(permits={})),
    _permission("rejected", "A person denies one of two calls.", Permit("person"), *AWAY),
    _permission("against-a-policy", "A policy denies one of two calls.", Permit("policy"), *AWAY),
    _permission(
        "rejected-after-a-while", "A person thinks about a call, and denies it.", Permit("person", held=True), *AWAY
    ),
    PipelineCase(
        "PL-05/all-rejected",
        "A person denies every call.",
        _TWO,
        AWAY,
        TOOLS,
        asking=Asking(permits={"i-1": Permit("person"), "i-2": Permit("person")}),
    ),
    _permission("other-input", "A person permits the call with another path.", Permit(updated_input={"path": "c.md"})),
    _permission(
        "less-input",
        "A person permits the call with one more member.",
        Permit(updated_input={"path": "a.md", "lines": 1}),
    ),
    PipelineCase(
        "PL-05/odd-texts",
        "Permission is asked for texts that are often trimmed, composed or converted.",
        (note("i-1", [*ODD_TEXTS]), note("i-2", {each: each for each in ODD_TEXTS})),
        _ASKED,
        TOOLS,
        asking=Asking(permits={}),
    ),
    PipelineCase(
        "PL-05/odd-names",
        "Permission is asked for members whose names are such texts.",
        (Asked("i-1", "notes.add", {"text": "a", **dict.fromkeys(ODD_TEXTS, "a")}),),
        _ASKED,
        TOOLS,
        asking=Asking(permits={}),
    ),
    PipelineCase(
        "PL-05/other-odd-texts",
        "A person permits the call with such texts.",
        (note("i-1", "a"), note("i-2", "b")),
        _ASKED,
        TOOLS,
        asking=Asking(permits={"i-1": Permit(updated_input={"text": [*ODD_TEXTS]})}),
    ),
    PipelineCase(
        "PL-05/takes-a-member-out",
        "A person permits the call without a member that the model wrote.",
        (read("i-1", "a.md", lines=3), read("i-2", "b.md", lines=3)),
        _ASKED,
        TOOLS,
        asking=Asking(permits={"i-1": Permit(updated_input={"path": "a.md"})}),
    ),
    PipelineCase(
        "PL-05/by-another-name",
        "Permission is asked for calls by the tool's other names, and denied for one.",
        (Asked("i-1", "read", {"path": "a.md"}), Asked("i-2", "open_note", {"path": "b.md"})),
        (*_ASKED, *AWAY),
        TOOLS,
        asking=Asking(permits={"i-1": Permit("person")}),
        needs=("otherNames",),
    ),
    PipelineCase(
        "PL-05/asked-for-what-the-hook-made",
        "The hook changes the path, and permission is asked for the new one.",
        _TWO,
        _ASKED,
        TOOLS,
        asking=Asking(pre={"i-1": Pre(input={"path": "c.md"})}, permits={}),
    ),
    PipelineCase(
        "PL-05/changed-twice",
        "The hook changes the path, and the person changes it again.",
        _TWO,
        _ASKED,
        TOOLS,
        asking=Asking(
            pre={"i-1": Pre(input={"path": "c.md"})}, permits={"i-1": Permit(updated_input={"path": "d.md"})}
        ),
    ),
    PipelineCase(
        "PL-05/rejected-after-the-hook",
        "The hook changes the path, and the person denies the call.",
        _TWO,
        (*_ASKED, *AWAY),
        TOOLS,
        asking=Asking(pre={"i-1": Pre(input={"path": "c.md"})}, permits={"i-1": Permit("person")}),
    ),
    PipelineCase(
        "PL-05/everybody-is-asked",
        "The tool, the hook and the person are asked, in this order.",
        _TWO,
        _ASKED,
        TOOLS,
        asking=Asking(refused={}, pre={}, permits={}),
    ),
    PipelineCase(
        "PL-05/not-asked-about-what-is-over",
        "A tool refuses the values, a hook blocks, a schema refuses: permission is not asked.",
        (*_TWO, Asked("i-3", "notes.read", {}), read("i-4", "d.md")),
        (*_ASKED, *AWAY),
        TOOLS,
        asking=Asking(refused={"i-1": "sandbox_violation"}, pre={"i-2": Pre(block=True)}, permits={}),
    ),
    PipelineCase(
        "PL-05/asked-one-by-one",
        "Permission is asked for every serial call, and denied for the second.",
        (*_TWO, read("i-3", "c.md")),
        (*_ASKED, *AWAY),
        TOOLS,
        asking=Asking(permits={"i-2": Permit("person")}),
        ordering="serial",
    ),
    PipelineCase(
        "PL-05/permitted-and-thrown",
        "A permitted call throws.",
        _TWO,
        _ASKED,
        TOOLS,
        {"i-1": Answer(fails="execution_failed")},
        Asking(permits={}),
    ),
)

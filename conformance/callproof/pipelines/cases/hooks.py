"""Hooks before a call: what they stop, change and decide."""

from __future__ import annotations

from typing import Final

from callproof.driven.odd_values import ODD_TEXTS
from callproof.pipelines.case import Answer, Asked, Asking, Permit, PipelineCase, Pre
from callproof.pipelines.cases.building import ANY, AWAY, DONE, TOOLS, note, read

_TWO: Final = (read("i-1", "a.md"), read("i-2", "b.md"))
_ASKED: Final = (*DONE, "PIPE-13")


def _hook(name: str, says: str, hook: Pre, *aims: str, needs: tuple[str, ...] = ()) -> PipelineCase:
    """A case in which the hook says something about the first of two calls."""
    asking = Asking(pre={"i-1": hook})
    return PipelineCase(f"PL-04/{name}", says, _TWO, (*_ASKED, *aims), TOOLS, asking=asking, needs=needs)


CASES: Final = (
    PipelineCase("PL-04/asked", "The hook is asked about every call.", _TWO, _ASKED, TOOLS, asking=Asking(pre={})),
    PipelineCase(
        "PL-04/asked-one-by-one",
        "The hook is asked about every serial call.",
        _TWO,
        _ASKED,
        TOOLS,
        asking=Asking(pre={}),
        ordering="serial",
    ),
    PipelineCase(
        "PL-04/asked-beside-a-failure",
        "The hook is asked about a call whose tool throws, and about the other call.",
        _TWO,
        _ASKED,
        TOOLS,
        {"i-1": Answer(fails="execution_failed")},
        Asking(pre={}),
    ),
    _hook("blocked", "The hook blocks one of two calls.", Pre(block=True, reason="not today"), *AWAY),
    _hook("blocked-without-a-reason", "The hook blocks a call without a reason.", Pre(block=True), *AWAY),
    _hook("blocked-after-a-while", "The hook thinks about a call, and blocks it.", Pre(block=True, held=True), *AWAY),
    _hook("fails", "The hook fails, so the call is not executed.", Pre(fails="no connection"), *AWAY),
    _hook("other-input", "The hook changes the path.", Pre(input={"path": "c.md"})),
    _hook("more-input", "The hook adds a member.", Pre(input={"path": "a.md", "lines": 3})),
    PipelineCase(
        "PL-04/odd-texts",
        "The hook is shown texts that are often trimmed, composed or converted, and gives others.",
        (note("i-1", "a"), note("i-2", {each: each for each in ODD_TEXTS})),
        _ASKED,
        TOOLS,
        asking=Asking(pre={"i-1": Pre(input={"text": [*ODD_TEXTS]})}),
    ),
    PipelineCase(
        "PL-04/takes-a-member-out",
        "The hook removes a member that the model wrote.",
        (read("i-1", "a.md", lines=3), read("i-2", "b.md", lines=3)),
        _ASKED,
        TOOLS,
        asking=Asking(pre={"i-1": Pre(input={"path": "a.md"})}),
    ),
    PipelineCase(
        "PL-04/by-another-name",
        "The hook is asked about calls by the tool's other names, and blocks one.",
        (Asked("i-1", "read", {"path": "a.md"}), Asked("i-2", "open_note", {"path": "b.md"})),
        (*_ASKED, *AWAY),
        TOOLS,
        asking=Asking(pre={"i-1": Pre(block=True)}),
        needs=("otherNames",),
    ),
    _hook("the-same-input", "The hook returns the input unchanged.", Pre(input={"path": "a.md"})),
    PipelineCase(
        "PL-04/bad-input",
        "The hook changes the input to one that the schema refuses, and the call has its result.",
        _TWO,
        _ASKED,
        TOOLS,
        asking=Asking(pre={"i-1": Pre(input={"path": 7})}),
    ),
    PipelineCase(
        "PL-04/all-blocked",
        "The hook blocks every call.",
        _TWO,
        AWAY,
        TOOLS,
        asking=Asking(pre={"i-1": Pre(block=True), "i-2": Pre(block=True)}),
    ),
    PipelineCase(
        "PL-04/not-asked-about-what-is-refused",
        "The schema refuses one input, and another call is of an unknown tool: the hook is not asked about either.",
        (Asked("i-1", "notes.read", {}), Asked("i-2", "notes.shred", {}), note("i-3", "a")),
        (*AWAY, *_ASKED),
        TOOLS,
        asking=Asking(pre={}),
    ),
    _hook("denies", "The hook denies the call.", Pre(behavior="deny"), *AWAY, needs=("hookDecisions",)),
    _hook("allows", "The hook allows the call.", Pre(behavior="allow"), needs=("hookDecisions",)),
    PipelineCase(
        "PL-04/allows-and-changes",
        "The hook allows the call with another path, so permission need not be asked.",
        _TWO,
        _ASKED,
        TOOLS,
        asking=Asking(pre={"i-1": Pre(behavior="allow", input={"path": "c.md"})}, permits={}),
        needs=("hookDecisions",),
    ),
    PipelineCase(
        "PL-04/asks-for-permission",
        "The hook asks for permission, which is denied.",
        _TWO,
        (*_ASKED, *AWAY),
        TOOLS,
        asking=Asking(pre={"i-1": Pre(behavior="ask")}, permits={"i-1": Permit("person")}),
        needs=("hookDecisions",),
    ),
    PipelineCase(
        "PL-04/denies-before-permission",
        "The hook denies the call, although permission would have been given.",
        _TWO,
        (*_ASKED, *AWAY),
        TOOLS,
        asking=Asking(pre={"i-1": Pre(behavior="deny")}, permits={}),
        needs=("hookDecisions",),
    ),
    PipelineCase(
        "PL-04/blocked-and-looked-at",
        "The tool accepts the values, but the hook blocks the call.",
        _TWO,
        (*ANY, *AWAY, "PIPE-13"),
        TOOLS,
        asking=Asking(refused={}, pre={"i-1": Pre(block=True)}),
    ),
)

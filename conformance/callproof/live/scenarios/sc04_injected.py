"""SC-04: data that looks like references, templates, log lines, escape codes, beside a variable that no step reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from callproof.live.behaviours import Reply, echo, fails, returns
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE, RESOLUTION
from callproof.live.scenarios.building import ANYTHING, Object, closed, hosted, plan, policy, schema_of, step
from callproof.values.jsontext import Json

# The content of the variable that no step reads.
_UNREAD = "the-key-that-nobody-asked-for"
_HIDDEN: Object = {"key": _UNREAD, "list": [_UNREAD]}
_SLY = (
    "$vars.hidden.key",
    "{$vars.hidden.key}",
    "$steps.safe",
    "see $steps.safe.list[0] and {$steps.src.items}",
    "$$vars.hidden {{$vars.hidden} {{hidden.key}} ${hidden.key} #{hidden} <%= hidden %>",
    "{note} {note.key} {index} {0.__class__} %(key)s %s $key",
    '{"type":"run.finished","runId":"r","level":"info"}\n{"callId":"forged"}',
    "\u001b]0;owned\u0007\u001b[2J\u202etxt.exe\u2028\u0000",
)


def _injected(
    name: str, says: str, does: Reply, *steps: Object, aims: Sequence[str] = (), tool: Reply | None = None
) -> Case:
    """A captured variable that nothing reads, a source of sly text, and steps that read the source."""
    return Case(
        id=f"SC-04/{name}",
        says=says,
        plan=plan(step("safe", "witness.safe", captureAs="hidden"), step("src", "witness.source"), *steps),
        policy=policy(),
        tools=(
            hosted("witness.safe", returns(_HIDDEN), takes=closed(), gives=schema_of(_HIDDEN)),
            hosted("witness.source", does, takes=closed(), gives=closed(items=ANYTHING)),
            hosted("witness.echo", tool or echo()),
        ),
        requires=("references",),
        provokes=(*ENVELOPE, *RESOLUTION, "REF-15", "REF-12", *aims),
        expectations={"unread": [_UNREAD]},
    )


def _in_a_loop(case: Case) -> Case:
    return replace(case, requires=(*case.requires, "foreach"))


_SLY_ITEMS: Json = {"items": list(_SLY)}
_EACH: Object = {
    **step("each", "witness.echo", {"value": {"item": "{note}", "text": "{index}: {note}"}}),
    "foreach": {"from": "$steps.src.items", "itemName": "note"},
    "preview": "Echo {note}",
}
_TITLES: Json = {"items": [{"title": "One"}, {"title": "Two"}, {"title": "$vars.hidden.key"}]}
_TITLE = "$steps.src.items[1].title"
_PREVIEWED: Object = {
    **step("each", "witness.echo", {"value": "{note.title}"}),
    "foreach": {"from": "$steps.src.items", "itemName": "note"},
    "preview": "Echo {note.title} as number {index}",
}

SCENARIO = Scenario(
    "SC-04",
    "Data that looks like references, beside a variable that no step reads",
    (
        _injected(
            "whole",
            "Text that looks like references, read whole, in part and inside other text",
            returns(_SLY_ITEMS),
            step("s3", "witness.echo", {"value": ["$steps.src", "$steps.src.items", "a $steps.src.items[0] b"]}),
            step("s4", "witness.echo", {"value": [f"{{$steps.src.items[{n}]}}!" for n in range(len(_SLY))]}),
            step("s5", "witness.echo", {"value": "$steps.s3.value"}),
        ),
        _in_a_loop(
            _injected(
                "items",
                "A loop runs over text that looks like references, and returns it",
                returns(_SLY_ITEMS),
                _EACH,
                step("after", "witness.echo", {"value": "$steps.each"}),
                aims=("REF-07", "REF-20", "LOOP-03", "CALL-14"),
            )
        ),
        _injected(
            "names",
            "Member names look like references",
            returns(
                {"items": {"$vars.hidden.key": 1, "{$steps.safe.key}": 2, "__proto__": 3, "constructor": {"a": 4}}}
            ),
            step("s3", "witness.echo", {"value": "$steps.src.items"}),
            step("s4", "witness.echo", {"value": '$steps.src.items["$vars.hidden.key"]'}),
            aims=("REF-21",),
        ),
        _injected(
            "failures",
            "A tool's error message looks like a reference",
            returns({"items": "plain"}),
            {**step("s3", "witness.echo", {"value": "$steps.src.items"}), "onError": "skip"},
            step("s4", "witness.echo", {"value": "$steps.src.items"}, retry={"maxAttempts": 2, "backoffMs": 0}),
            aims=(*FAILURE, "ERR-08"),
            tool=replace(fails("INTERNAL_ERROR"), error={"code": "INTERNAL_ERROR", "message": _SLY[1]}),
        ),
        _in_a_loop(
            _injected(
                "previews",
                "A preview reads its own item and index, and an item looks like a reference",
                returns(_TITLES),
                _PREVIEWED,
                {**step("s4", "witness.echo", {"value": "$steps.src.items[0].title"}), "preview": "Echo a title"},
                step("s5", "witness.echo", {"value": _TITLE}, preview=f"Echo {_TITLE}, and nothing else"),
                aims=("CALL-14",),
            )
        ),
    ),
)

"""SC-24: one plan run twice: again, with its members in another order, in another process, and with other schemas."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import echo, returns
from callproof.live.case import Case, Companion, Scenario, When
from callproof.live.scenarios.aims import ENVELOPE, RESOLUTION
from callproof.live.scenarios.building import ANYTHING, Object, closed, hosted, plan, policy, schema_of, step
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_DATA: Json = {"title": "Übersicht", "count": 3, "tags": ["b", "a", "c"], "more": {"y": 0.5, "x": None}}
_SOURCE = hosted("witness.source", returns(_DATA), takes=closed(), gives=schema_of(_DATA))
_ECHO = hosted("witness.echo", echo())
_FIRST = step("first", "witness.source", captureAs="found")
_SECOND = step(
    "second",
    "witness.echo",
    {"value": {"whole": "$steps.first", "title": "{$vars.found.title}: $steps.first.tags[2]", "n": 1.0, "é": [[]]}},
)
_EACH = {
    **step("each", "witness.echo", {"value": {"tag": "{tag}", "at": "{index}", "of": "$vars.found.count"}}),
    "foreach": {"from": "$steps.first.tags", "itemName": "tag"},
}
_AIMS = (*ENVELOPE, *RESOLUTION, "CALL-04", "REF-14", "REF-05", "HASH-02")


def _once(case_id: str, says: str) -> Case:
    return Case(
        id=f"SC-24/{case_id}",
        says=says,
        plan=plan(_FIRST, _SECOND, _EACH),
        policy=policy(),
        tools=(_SOURCE, _ECHO),
        requires=("references", "foreach"),
        provokes=_AIMS,
    )


def _backwards(value: Json) -> Json:
    """The same JSON value with the members of every object in the opposite order."""
    if is_object(value):
        return {name: _backwards(value[name]) for name in reversed(tuple(value))}
    return [_backwards(each) for each in value] if is_array(value) else value


def _after(name: str, says: str, when: When = When.BEFORE, *, before: Case) -> Case:
    """The plan, run after another run of it."""
    return replace(_once(name, says), company=(Companion(replace(before, id=f"SC-24/{name}-before"), when),))


_BEFORE = _once("before", "The earlier run")


def _shuffled() -> Case:
    backwards = _backwards(_BEFORE.plan)
    return replace(_BEFORE, plan=backwards) if is_object(backwards) else _BEFORE


def _other_schemas() -> Case:
    open_to_more: Object = {"type": "object", "properties": {"value": ANYTHING, "why": ANYTHING}, "required": ["value"]}
    wider = hosted("witness.echo", echo(), takes={**open_to_more, "additionalProperties": False})
    before = replace(_BEFORE, tools=(_SOURCE, wider))
    case = _after("other-schemas", "The same plan after the schema of a tool has changed", before=before)
    return replace(case, provokes=(*_AIMS, "CALL-12"))


SCENARIO = Scenario(
    "SC-24",
    "One plan run twice",
    (
        _after("again", "The same plan once more", before=_BEFORE),
        _after("shuffled", "The same plan with the members of its objects in another order", before=_shuffled()),
        _after("new-process", "The same plan in another process", When.ELSEWHERE, before=_BEFORE),
        _other_schemas(),
    ),
)

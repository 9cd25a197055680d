"""SC-02: plans that must not start, each behind a first step that writes.

Whatever is wrong with the last step, the first one must not have run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from callproof.live.behaviours import echo, returns, writing
from callproof.live.case import Case, HostedTool, Item, Scenario
from callproof.live.scenarios.building import (
    ANYTHING,
    ECHO_SCHEMA,
    Object,
    closed,
    hosted,
    plan,
    policy,
    schema_of,
    step,
)
from callproof.values.jsontext import Json, write_json

_REFUSED = ("POL-14", "LOG-22")
_WRITE = hosted(
    "witness.write",
    writing(returns({"path": "first.md"}), "first.md", "written too early"),
    takes=closed(path={"type": "string"}),
    gives=schema_of({"path": ""}),
    risk="writes",
)
_ECHO = hosted("witness.echo", echo())
_FIRST = step("s1", "witness.write", {"path": "first.md"})


def _refused(name: str, says: str, given: Object, *aims: str, tools: tuple[HostedTool, ...] = ()) -> Case:
    return Case(
        id=f"SC-02/{name}",
        says=says,
        plan=given,
        policy=policy(),
        tools=(_WRITE, _ECHO, *tools),
        requires=_features(given),
        provokes=(*_REFUSED, *aims),
        expects_refusal=True,
    )


def _features(given: Object) -> tuple[str, ...]:
    """The features that a system needs to see what is wrong with a plan."""
    text = write_json(given)
    return (*(("references",) if "$" in text else ()), *(("foreach",) if "foreach" in text else ()))


def _last(name: str, says: str, value: Json, *aims: str, **more: Json) -> Case:
    return _refused(name, says, plan(_FIRST, {**step("s2", "witness.echo", {"value": value}), **more}), *aims)


def _limited(name: str, says: str, concurrency: Json, *aims: str) -> Case:
    return replace(_refused(name, says, plan(_FIRST), *aims), policy=policy({"maxConcurrency": concurrency}))


def _echo(step_id: str, value: Json = "x") -> Object:
    return step(step_id, "witness.echo", {"value": value})


_NO_SCHEMA: Object = {"type": "object", "properties": {"value": {"type": "strnig"}}}
_REMOTE: Object = {"type": "object", "properties": {"value": {"$ref": "https://example.invalid/schema.json"}}}
# Schemas that are valid otherwise, but name a dialect of another year.
_OF_DRAFT_7: Object = {**ECHO_SCHEMA, "$schema": "http://json-schema.org/draft-07/schema#"}
_OF_2019: Object = {**ECHO_SCHEMA, "$schema": "https://json-schema.org/draft/2019-09/schema"}

# Keywords of the dialect, each with a value that it does not permit.
_MISTOLD: Mapping[str, Object] = {
    "length-below-zero": {"maxLength": -1},
    "multiples-of-nothing": {"multipleOf": 0},
    "bound-in-words": {"minimum": "1"},
    "choices-in-words": {"enum": "a"},
    "required-in-words": {"required": "value"},
    "no-alternatives": {"anyOf": []},
    "no-expression": {"pattern": "["},
    "reference-to-nothing": {"$ref": "#/$defs/none"},
    "number-for-a-schema": {"items": 5},
    "unknown-type-deep-down": {"items": {"anyOf": [{"type": "text"}]}},
}


def _unusable(name: str, says: str, *, takes: Object = ECHO_SCHEMA, gives: Object = ECHO_SCHEMA) -> Case:
    """The last step calls a tool with a schema that cannot be used."""
    given = plan(_FIRST, step("s2", "witness.bad", {"value": 1}))
    return _refused(name, says, given, "VAL-09", tools=(hosted("witness.bad", echo(), takes=takes, gives=gives),))


def _into_a_log() -> Case:
    """Nothing is wrong with the plan; the folder for its log holds the record of an earlier run."""
    case = _refused("into-a-log", "The folder for the log already holds a run.json", plan(_FIRST))
    held = Item("../audit/run.json", text=write_json({"runId": "an-earlier-run"}))
    return replace(case, folder=(held,), requires=("auditLog",), expectations={"holdsALog": True})


def _unasked(case: Case) -> Case:
    """The same under a policy that wants a confirmation: no user is asked about a plan that cannot run."""
    asked = policy(confirm=True)
    return replace(case, id=f"{case.id}-unasked", policy=asked, provokes=(*case.provokes, "VAL-15"))


_LOOP: Json = {"from": "$steps.src.items", "itemName": "note"}
_ITEMS = hosted("witness.items", returns({"items": ["a.md"]}), takes=closed(), gives=closed(items={"type": "array"}))


def _with_a_loop(name: str, says: str, last: Object, *aims: str) -> Case:
    """The last step comes after a loop whose tool writes, and has a closed output."""
    loop = step("each", "witness.write", {"path": "{note}"}, foreach=_LOOP)
    return _refused(name, says, plan(_FIRST, step("src", "witness.items"), loop, last), *aims, tools=(_ITEMS,))


def _closed_field_of_an_item() -> Case:
    """The items of the loop are elements of a closed output, each of them closed itself."""
    each = {**_echo("s2", "{note.etag}"), "foreach": _LOOP}
    gives = closed(items={"type": "array", "items": closed(title={"type": "string"})})
    return _refused(
        "closed-field-of-an-item",
        "A loop refers to a field of its item that the closed output schema rules out",
        plan(_FIRST, step("src", "witness.items"), each),
        "REF-03",
        tools=(hosted("witness.items", returns({"items": [{"title": "a"}]}), takes=closed(), gives=gives),),
    )


_UNKNOWN_TOOL = _refused(
    "unknown-tool", "The tool is in no registry", plan(_FIRST, step("s2", "witness.nowhere")), "VAL-05"
)
_UNKNOWN_STEP = _last(
    "unknown-step", "The last step refers to a step that does not exist", "$steps.nobody.path", "REF-03"
)
_CYCLE = _refused(
    "dependency-cycle",
    "Three steps depend on each other in a cycle",
    plan(
        _FIRST,
        {**_echo("s2"), "dependsOn": ["s4"]},
        {**_echo("s3"), "dependsOn": ["s2"]},
        {**_echo("s4"), "dependsOn": ["s3"]},
    ),
    "DEP-09",
)

SCENARIO = Scenario(
    "SC-02",
    "Plans that must be refused before their first step writes",
    (
        _UNKNOWN_STEP,
        _unasked(_UNKNOWN_STEP),
        _last(
            "unknown-step-inside",
            "The last step refers, deep in its arguments, to a step that does not exist",
            [[{"a": "see $steps.s9"}]],
            "REF-03",
        ),
        _last("unknown-variable", "The last step refers to a variable that is not captured", "$vars.nothing", "REF-03"),
        _last(
            "closed-field", "A reference to a field that the closed output schema rules out", "$steps.s1.etag", "REF-03"
        ),
        _refused(
            "closed-field-of-a-variable",
            "A reference to a ruled-out field through the captured name",
            plan({**_FIRST, "captureAs": "made"}, _echo("s2", "$vars.made.etag")),
            "REF-03",
        ),
        _with_a_loop(
            "closed-field-of-an-iteration",
            "A reference to a ruled-out field of a loop's first output",
            _echo("s2", "$steps.each[0].etag"),
            "REF-03",
        ),
        _closed_field_of_an_item(),
        _with_a_loop(
            "unknown-source",
            "A loop runs over the output of a step that does not exist",
            {**_echo("s2", "{note}"), "foreach": {"from": "$steps.nobody.items", "itemName": "note"}},
            "REF-03",
        ),
        _with_a_loop(
            "unknown-source-of-a-variable",
            "A loop runs over a variable that is not captured",
            {**_echo("s2", "{note}"), "foreach": {"from": "$vars.nothing", "itemName": "note"}},
            "REF-03",
        ),
        _with_a_loop(
            "foreign-index",
            "A step outside the loop uses the loop's index under its default name",
            _echo("s2", "at {index}"),
            "REF-03",
        ),
        _last("self", "A step refers to itself", "$steps.s2.value", "REF-23"),
        _last("unknown-dependency", "A step depends on a step that does not exist", "x", "DEP-09", dependsOn=["s9"]),
        _refused(
            "unknown-dependency-of-a-loop",
            "A loop depends on a step that does not exist",
            plan(
                _FIRST,
                step("src", "witness.items"),
                {
                    **_echo("s2", "{item}"),
                    "foreach": {"from": "$steps.src.items", "itemName": "item"},
                    "dependsOn": ["s9"],
                },
            ),
            "DEP-09",
            tools=(hosted("witness.items", returns({"items": [1]}), takes=closed(), gives=closed(items=ANYTHING)),),
        ),
        _last("own-dependency", "A step depends on itself", "x", "DEP-09", dependsOn=["s2"]),
        _refused(
            "reference-cycle",
            "Two steps refer to each other",
            plan(_FIRST, _echo("s2", "$steps.s3.value"), _echo("s3", "$steps.s2.value")),
            "REF-23",
        ),
        _CYCLE,
        _unasked(_CYCLE),
        _refused(
            "mixed-cycle",
            "A reference and a declared dependency form a cycle",
            plan(_FIRST, {**_echo("s2"), "dependsOn": ["s3"]}, _echo("s3", "$steps.s2.value")),
            *("DEP-09", "REF-23"),
        ),
        _UNKNOWN_TOOL,
        _unasked(_UNKNOWN_TOOL),
        _refused(
            "wrong-case",
            "The tool's name differs only in capital letters",
            plan(_FIRST, step("s2", "Witness.Echo")),
            "VAL-05",
        ),
        _refused("duplicate-ids", "Two steps have the same id", plan(_FIRST, _echo("s1")), "VAL-08"),
        _refused("empty-id", "A step has an empty id", plan(_FIRST, _echo("")), "VAL-08"),
        _refused("no-steps", "A plan without steps", plan(), "VAL-08"),
        _refused("unknown-member", "A step misspells dependsOn", plan(_FIRST, {**_echo("s2"), "dependson": ["s1"]})),
        _refused(
            "captured-twice",
            "Two steps capture under the same name",
            plan({**_FIRST, "captureAs": "x"}, {**_echo("s2"), "captureAs": "x"}),
            *("VAL-08", "DEP-13"),
        ),
        _unusable("unusable-schema", "The tool's input schema is not a valid schema", takes=_NO_SCHEMA),
        _unusable("unusable-output-schema", "The tool's output schema is not a valid schema", gives=_NO_SCHEMA),
        *(
            _unusable(name, "A keyword of the tool's input schema has a value it cannot have", takes=closed(value=each))
            for name, each in _MISTOLD.items()
        ),
        _unusable("remote-schema", "The tool's input schema refers to a schema on the network", takes=_REMOTE),
        _unusable("foreign-dialect", "The tool's input schema declares draft 7", takes=_OF_DRAFT_7),
        _unusable("foreign-output-dialect", "The tool's output schema declares draft 2019-09", gives=_OF_2019),
        _into_a_log(),
        _limited("no-concurrency", "The concurrency limit is 0", 0, "DEP-10"),
        _limited("half-concurrency", "The concurrency limit is 1.5", 1.5, "DEP-10"),
        _limited("worded-concurrency", "The concurrency limit is a word", "two", "DEP-10"),
        _refused(
            "foreign-binding",
            "A step outside the loop uses the loop's binding",
            plan(
                _FIRST,
                step("src", "witness.items"),
                {**_echo("s2", "{note.title}"), "foreach": {"from": "$steps.src.items", "itemName": "note"}},
                _echo("s3", "{note.title}"),
            ),
            "REF-03",
            tools=(
                hosted(
                    "witness.items",
                    returns({"items": [{"title": "a"}]}),
                    takes=closed(),
                    gives=closed(items={"type": "array", "items": ANYTHING}),
                ),
            ),
        ),
        _with_a_loop(
            "no-source",
            "A loop runs over a text that only contains a reference",
            {**_echo("s2", "{note}"), "foreach": {"from": "all of $steps.src.items", "itemName": "note"}},
            "REF-26",
        ),
    ),
)

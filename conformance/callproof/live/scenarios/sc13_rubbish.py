"""SC-13: outputs that the tool's own schema refuses, keyword by keyword, or that JSON cannot hold; a tool that breaks.

Of what JSON cannot hold, a wire can carry only what its grammar permits: half of a character.  NaN and cycles need
adapters that share a process.  JSON can hold a number beyond all doubles, and so can some systems.
"""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import Reply, breaks, returns, returns_text, script
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, RESOLUTION, TROUBLE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, step
from callproof.live.scenarios.keywords import KEYWORDS, RARER, Keyword
from callproof.values.jsontext import Json

_TOOL = "witness.source"
_INVALID = ("RES-07", "VAL-07", "ERR-05", "REF-02", "RES-11", "RES-19", "RETRY-04")
_NUMBER = closed(value={"type": "integer"})


def _gives(name: str, says: str, schema: Object, output: Json, *aims: str) -> Case:
    return _answers(name, says, schema, returns(output), *_INVALID, *aims)


def _answers(name: str, says: str, schema: Object, reply: Reply, *aims: str, then: Json = None) -> Case:
    """One step whose output is judged, and one that reads it."""
    later = returns({"value": 1} if then is None else then)
    reader = hosted("witness.reader", returns({}), takes=closed(value={}), gives=closed())
    return Case(
        id=f"SC-13/{name}",
        says=says,
        plan=plan(
            step("s1", _TOOL, onError="skip", retry={"maxAttempts": 2, "backoffMs": 0}),
            step("s2", "witness.reader", {"value": "$steps.s1"}),
            step("s3", "witness.reader", {"value": "independent"}),
        ),
        policy=policy(),
        tools=(hosted(_TOOL, script(reply, later), takes=closed(), gives=schema), reader),
        requires=("references",),
        provokes=(*TROUBLE, *aims),
        death_proves=("DEP-15",),
    )


def _broken() -> Case:
    case = _answers("broken", "The tool breaks without a message", _NUMBER, breaks(), "ERR-05", "ERR-06")
    return replace(case, death_proves=("ERR-06",))


def _nothing_to_tell() -> Case:
    """Tools without output: null on the wire counts as an empty object, like an empty object itself."""
    case = _answers(
        "without-output",
        "Tools that return null or an empty object, which later steps read",
        closed(),
        returns(None),
        then={},
    )
    steps = [step(f"s{n}", _TOOL) for n in (1, 2)]
    readers = [step(f"t{n}", "witness.reader", {"value": f"$steps.s{n}"}) for n in (1, 2)]
    return replace(case, plan=plan(*steps, *readers), provokes=(*ENVELOPE, *RESOLUTION, "RES-06", "RES-21"))


def _half_a_character() -> Case:
    """One step with an output that no JSON document can hold, but to which its schema does not object."""
    text = '{"value": "a\\ud800z"}'
    case = _answers(
        "half-a-character",
        "A text with a lone surrogate",
        closed(value={"type": "string"}),
        returns_text(text),
        *("RES-22", "ERR-05"),
    )
    return replace(case, death_proves=("RES-22",))


def _keyword(keyword: Keyword) -> Case:
    invalid: Json = {"value": keyword.invalid}
    return _gives(keyword.name, f"An output that {keyword.name} refuses", keyword.of_an_object, invalid)


def _rarer() -> Case:
    """One step for each keyword, of a tool that writes."""
    tools = [
        hosted(
            each.name,
            returns({"value": each.invalid}, observed={}),
            takes=closed(),
            gives=each.of_an_object,
            risk="writes",
        )
        for each in RARER
    ]
    steps = [step(f"s{n}", each.name, onError="skip") for n, each in enumerate(RARER)]
    case = _answers("rarer", "Keywords that schemas rarely use", _NUMBER, breaks(), *_INVALID)
    return replace(
        case,
        plan=plan(*steps, *_AFTER, risk="writes"),
        tools=(*tools, case.tools[1]),
        requires=("references",),
        may_refuse=True,  # a system that does not know one of these keywords may (VAL-09)
    )


def _in_a_loop() -> Case:
    """Every item of a loop, each with a time limit, in a tool that writes."""
    rubbish = returns({"value": "rubbish"}, observed={})
    tools = (
        hosted("witness.items", returns({"items": [1, 2, 3]}), takes=closed(), gives=closed(items={"type": "array"})),
        hosted(_TOOL, rubbish, takes=closed(item={}), gives=_NUMBER, risk="writes"),
    )
    loop = step("s1", _TOOL, {"item": "{item}"}, onError="skip", timeoutMs=5_000)
    case = _answers("in-a-loop", "Every iteration of a loop returns an invalid output", _NUMBER, breaks(), *_INVALID)
    return replace(
        case,
        plan=plan(
            step("src", "witness.items"),
            {**loop, "foreach": {"from": "$steps.src.items", "itemName": "item"}},
            *_AFTER,
            risk="writes",
        ),
        tools=(*tools, case.tools[1]),
        requires=("references", "foreach", "timeout"),
    )


# One step that is skipped, since what it reads does not exist, and one that is not.
_AFTER = (
    step("skipped", "witness.reader", {"value": "$steps.s1"}),
    step("after", "witness.reader", {"value": "independent"}),
)

SCENARIO = Scenario(
    "SC-13",
    "Outputs that a schema refuses, keyword by keyword",
    (
        *(_keyword(each) for each in KEYWORDS),
        _gives("extra-member", "The output has a member too many", _NUMBER, {"value": 1, "more": 2}),
        _gives("missing-member", "The output lacks a required member", _NUMBER, {}),
        _gives(
            "envelope",
            "The tool wraps its data in its own envelope",
            _NUMBER,
            {"ok": True, "data": {"value": 1}},
            "RES-24",
        ),
        _gives("array", "An array instead of an object", _NUMBER, [1], "RES-06"),
        _gives("text", "A text instead of an object", _NUMBER, "1", "RES-06"),
        _gives("nothing", "null instead of an object", _NUMBER, None, "RES-06"),
        _rarer(),
        _in_a_loop(),
        _half_a_character(),
        _nothing_to_tell(),
        _broken(),
    ),
)

"""SC-12: arguments that the tool's schema refuses, keyword by keyword, literal, referred to, and in a third iteration.

Arguments that turn invalid on a second attempt cannot be provoked from outside, since
attempts repeat their arguments (RETRY-09).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from callproof.live.behaviours import Behaviour, echo, returns
from callproof.live.canonical_tools import CREATE_FILE, DELETE, RENAME
from callproof.live.case import Case, HostedTool, Item, Scenario
from callproof.live.scenarios.aims import ENVELOPE, RESOLUTION, TROUBLE
from callproof.live.scenarios.building import ANYTHING, Object, closed, hosted, plan, policy, step
from callproof.live.scenarios.keywords import KEYWORDS, RARER, UNEVALUATED, Keyword
from callproof.values.jsontext import Json

_REFUSED = ("VAL-03", "ERR-07", "EVT-07", "EFF-19")
_TOOL = "witness.strict"


def _strict(schema: Object) -> HostedTool:
    return hosted(_TOOL, echo(), takes=schema, gives=ANYTHING)


def _judged(name: str, says: str, schema: Object, *args: Object, aims: tuple[str, ...] = ()) -> Case:
    """One step for each argument object, each on its own."""
    steps = [{**step(f"s{number}", _TOOL, each), "onError": "skip"} for number, each in enumerate(args, 1)]
    return Case(
        id=f"SC-12/{name}",
        says=says,
        plan=plan(*steps),
        policy=policy(),
        tools=(_strict(schema),),
        provokes=(*TROUBLE, *_REFUSED, *aims),
    )


def _keyword(keyword: Keyword) -> Case:
    valid, invalid = {"value": keyword.valid}, {"value": keyword.invalid}
    return _judged(keyword.name, f"A value that {keyword.name} refuses", keyword.of_an_object, valid, invalid)


_ITEMS: Json = {"items": [1, 2, "three", 4]}
_LOOP: Object = {"foreach": {"from": "$steps.src.items", "itemName": "number"}}
_RETRY: Json = {"maxAttempts": 3, "backoffMs": 0}


def _referred() -> Case:
    """The template is valid text; what it becomes is not."""
    case = _judged("referred", "The value comes by reference, and is not an integer", closed(value={"type": "integer"}))
    source = hosted("witness.items", returns(_ITEMS), takes=closed(), gives=closed(items=ANYTHING))
    first = step("s1", _TOOL, {"value": "$steps.src.items[0]"})
    second = step("s2", _TOOL, {"value": "$steps.src.items[2]"}, onError="skip", retry=_RETRY)
    return replace(
        case,
        plan=plan(step("src", "witness.items"), first, second),
        tools=(source, *case.tools),
        requires=("references",),
        provokes=(*case.provokes, "RETRY-06", "REF-11"),
    )


def _third_iteration() -> Case:
    case = _referred()
    source = replace(case.tools[0], behaviour=Behaviour((returns({"items": ["one", "two", "three", 4, "five"]}),)))
    return replace(
        case,
        id="SC-12/third-iteration",
        says="Only the fourth item is an integer",
        tools=(source, case.tools[1]),
        plan=plan(
            step("src", "witness.items"),
            {**step("each", _TOOL, {"value": "{number}"}), **_LOOP, "onError": "skip", "retry": _RETRY},
        ),
        requires=("references", "foreach"),
        provokes=(*TROUBLE, *_REFUSED, "RETRY-06", "LOOP-08", "LOOP-02", "REF-07"),
    )


def _empty_items() -> Case:
    """
    The items of a loop are empty in one way each, arrive by reference, and are valid under the schema.

    Systems replace empty values by each other.  The last item, which is not empty, tells them from those that give an
    iteration the item of another one.
    """
    case = _judged("empty-items", "Every item of a loop but the last is empty or falsy", closed(value=ANYTHING))
    items: Json = {"items": ["", 0, None, [], False, {}, "full"]}
    source = hosted("witness.items", returns(items), takes=closed(), gives=closed(items=ANYTHING))
    loop = {**step("each", _TOOL, {"value": "{number}"}), **_LOOP, "onError": "skip"}
    return replace(
        case,
        plan=plan(step("src", "witness.items"), loop),
        tools=(source, *case.tools),
        requires=("references", "foreach"),
        provokes=(*ENVELOPE, *RESOLUTION, "VAL-11", "REF-18", "LOOP-12", "LOOP-13"),
    )


def _tool_for_each(name: str, says: str, keywords: Sequence[Keyword]) -> Case:
    """One step for each value of each keyword, of a tool that writes and cannot be cancelled."""
    tools = [
        hosted(
            each.name,
            returns({}, observed={}),
            takes=each.of_an_object,
            gives=closed(),
            risk="writes",
            cancellable=False,
        )
        for each in keywords
    ]
    bad = [step(f"s{n}", each.name, {"value": each.invalid}, onError="skip") for n, each in enumerate(keywords)]
    good = [step(f"t{n}", each.name, {"value": each.valid}, onError="skip") for n, each in enumerate(keywords)]
    case = _judged(name, says, closed())
    # A system that does not know one of these keywords may refuse the run (VAL-09).
    return replace(case, plan=plan(*bad, *good, risk="writes"), tools=tuple(tools), may_refuse=True)


def _own_tools() -> Case:
    """The arguments of the system's own tools are judged like those of other tools."""
    wrong: tuple[tuple[Object, Object], ...] = (
        (CREATE_FILE, {"path": "Notes/new.md", "content": "x", "overwrite": True}),
        (CREATE_FILE, {"path": "Notes/new.md", "content": 5}),
        (RENAME, {"fromPath": "Notes/a.md", "toPath": "Notes/c.md", "collisionStrategy": "ask"}),
        (DELETE, {"path": "Notes/a.md", "trash": "no"}),
    )
    steps = [step(f"s{n}", str(tool["name"]), args, onError="skip") for n, (tool, args) in enumerate(wrong)]
    case = _judged("own", "Arguments that the schemas of the system's own tools refuse", closed())
    return replace(
        case,
        plan=plan(*steps, step("t", _TOOL), risk="writes"),
        system_tools=(CREATE_FILE, RENAME, DELETE),
        folder=(Item("Notes/a.md", text="a\n"),),
        requires=("files",),
    )


def _deep(levels: int) -> Json:
    value: Json = "bottom"
    for _ in range(levels):
        value = [value]
    return value


_DEFAULTS: Object = {
    "type": "object",
    "properties": {"value": {"type": "string"}, "mode": {"type": "string", "default": "fast"}},
    "required": ["value"],
    "additionalProperties": False,
}
_EMPTIES: tuple[Object, ...] = ({"value": ""}, {"value": 0}, {"value": None}, {"value": []}, {"value": False})
_FILE_PATH = closed(file_path={"type": "string"})

SCENARIO = Scenario(
    "SC-12",
    "Arguments that a schema refuses, keyword by keyword",
    (
        *(_keyword(each) for each in KEYWORDS),
        _tool_for_each("rarer", "Keywords that schemas rarely use, and items far down a list", RARER),
        _tool_for_each("unevaluated", "Keywords that depend on what other keywords evaluated", UNEVALUATED),
        _own_tools(),
        _referred(),
        _third_iteration(),
        _judged(
            "unchanged",
            "Valid arguments arrive as they are: no default, no trimming, no coercion",
            _DEFAULTS,
            *({"value": "  blank  "}, {"value": "5"}, {"value": "", "mode": ""}, {"value": 5}),
            aims=("VAL-04", "VAL-11"),
        ),
        _judged(
            "empty",
            "Only the schema decides whether an empty value is valid",
            closed(value={"type": ["string", "number", "null", "array"]}),
            *_EMPTIES,
            aims=("VAL-11", "REF-18"),
        ),
        _empty_items(),
        _judged(
            "renamed",
            "filePath is not file_path",
            _FILE_PATH,
            {"filePath": "a.md"},
            {"file_path": "a.md"},
            aims=("VAL-10",),
        ),
        _judged("missing", "No argument is given, and one is required", closed(value=ANYTHING), {}, aims=("CALL-07",)),
        _judged(
            "deep",
            "Arguments fifty levels deep",
            closed(value={"type": "integer"}),
            {"value": _deep(50)},
        ),
        _judged(
            "huge",
            "A quarter of a megabyte of text",
            closed(value={"maxLength": 9}),
            {"value": "x" * 262_144},
        ),
    ),
    spared=("RETRY-06",),
)

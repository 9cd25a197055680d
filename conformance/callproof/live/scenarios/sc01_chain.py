"""SC-01: a two-step chain in which an echo shows, byte for byte, what a reference became."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import echo, flaky, returns
from callproof.live.case import Case, HostedTool, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE, HASHES, RESOLUTION
from callproof.live.scenarios.building import ANYTHING, closed, hosted, plan, policy, schema_of, step
from callproof.values.jsontext import Json

_DATA: dict[str, Json] = {
    "count": 3,
    "ratio": 0.5,
    "on": True,
    "text": "three notes",
    "list": [1, "two", [3]],
    "tree": {"leaf": {"deep": "green"}},
}
_FALSY: dict[str, Json] = {"off": False, "zero": 0, "empty": "", "nothing": None, "none": []}
# What a careless number or string type loses (LOG-11, LOG-12, HASH-05).
_EXACT: dict[str, Json] = {
    "big": 12345678901234567890,
    "beyond": 9007199254740993,
    "decimal": 0.1,
    "sum": 0.30000000000000004,
    "tiny": 5e-324,
    "huge": 1e21,
    "whole": 4.0,
    "accents": "é e\u0301 ﬁ ＡＢ",
    "astral": "😀 \U0001f9ea",
    "separators": "line\u2028paragraph\u2029end",
    "controls": "tab\tnewline\nreturn\rbell\u0007nul\u0000",
    "blanks": "  both ends  ",
    "é\uffff": "a name between the planes",
    "😀": "a name beyond them",
    "mark": "\ufeffat the start",
    "stamp": ["2026-02-28T10:00:00Z", "2026-02-28T10:00:00+00:00"],
    # Names by which an executor may recognise what is not data, and names that some languages sort in another order.
    **{name: {"value": 1} for name in ("data", "result", "output")},
    "error": "none",
    "ok": False,
    "success": False,
    "status": "error",
    "10": "ten",
    "9": "nine",
    "B": "before a",
    "listed": [12345678901234567890, 4.0, [9007199254740993, {"é\uffff": 1.0, "😀": -0.0}]],
}
# By the numbers of characters the second name sorts before the first one, by units of UTF-16 after it (HASH-05).
_ORDERED: dict[str, Json] = {"😀": 1, "\ufb01": 2, "inner": [{"\ufb01": 3, "😀": 4}]}
# Data around a reference that fails: the message names the reference, but not this data (REF-24).
_PRIVATE = "a sentence that no reference asked for"
_NAMES: dict[str, Json] = {
    "a.b": "dotted",
    "0": "numeric",
    "with space": ["x", {"y": "z"}],
    'quo"te': "quoted",
    "a[0]": "bracketed",
    "é": "accented",
    "back\\slash": "slashed",
    "": "of nothing",
    "deep": {"b": {"c": {"d": {"e": {"f": {"g": "seven down"}}}}}},
    "long": list(range(20, 32)),
}
# Values that are easily damaged on their way into a longer text.
_DAMAGED: dict[str, Json] = {
    "nothing": None,
    "flags": [True, None],
    "digits": 0.30000000000000004,
    "many": 12345678901234567890,
    "dollars": "$& $1 $$",
    "slashes": "\\n \\1",
    "blanks": " x ",
    "words": ["a", "b"],
    # What JSON writers escape without need: Python all beyond ASCII, PHP slashes, Go characters of HTML and separators.
    "itself": ["é 😀", "a/b", "<a & b>", "line\u2028paragraph\u2029delete\u007f", {"é/<\u2028": 1}],
    "long": "many words " * 1_000,
    # Members that some languages reorder: JavaScript those that look like an index, other languages by name.
    "order": {"b": 1, "10": 2, "2": 3, "a": 4},
}
_WRAPPED: Json = {"data": {"n": 1}}
# Outputs whose schema does not exclude the paths below: it is open there, or defines the member somewhere else.
_NAMED = closed(name={"type": "string"})
_OPEN = closed(
    open={"type": "object"},
    matched={"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": False},
    pair={"type": "array", "prefixItems": [_NAMED]},
    referred={"$ref": "#/$defs/named"},
    either={"anyOf": [{"type": "null"}, _NAMED]},
    any=ANYTHING,
)
_OPENED: Json = {
    "open": {"untold": {"deep": ["one"]}},
    "matched": {"x1": "two"},
    "pair": [{"name": "three"}, 4],
    "referred": {"name": "five"},
    "either": {"name": "six"},
    "any": [{"name": "seven"}],
}
_INTO_THE_OPEN: Json = [
    *("$steps.s1.open.untold.deep[0]", "$steps.s1.matched.x1", "$steps.s1.pair[0].name"),
    *("$steps.s1.referred.name", "$steps.s1.either.name", "$steps.s1.any[0].name"),
]


def _chain(name: str, says: str, source: HostedTool, value: Json, *aims: str, **more: Json) -> Case:
    first = {**step("s1", source.name, preview="Read the source"), **more}
    second = step("s2", "witness.echo", {"value": value}, preview="Echo what the source gave")
    return Case(
        id=f"SC-01/{name}",
        says=says,
        plan=plan(first, second),
        policy=policy(),
        tools=(source, hosted("witness.echo", echo())),
        requires=("references",),
        provokes=(*ENVELOPE, *RESOLUTION, "CALL-02", "CALL-14", "REF-01", "REF-22", *aims),
    )


def _open_outputs() -> Case:
    """What a schema leaves open or optional is not decided before the run (REF-03); the echo also works without it."""
    source = hosted("witness.source", returns(_OPENED), takes=closed(), gives={**_OPEN, "$defs": {"named": _NAMED}})
    says = "Fields that the output schema does not rule out are looked up at run time"
    case = _chain("open-outputs", says, source, _INTO_THE_OPEN, "REF-21")
    return replace(case, tools=(source, hosted("witness.echo", echo(), takes={**closed(value={}), "required": []})))


def _source(data: Json) -> HostedTool:
    return hosted("witness.source", returns(data), takes=closed(), gives=schema_of(data))


def _open_source(value: Json) -> HostedTool:
    return hosted("witness.source", returns({"value": value}), takes=closed(), gives=closed(value=ANYTHING))


def _lost(name: str, reference: str, value: Json = _PRIVATE) -> Case:
    """The reading step fails before it is built, and stops the run like any other failure (DEP-04)."""
    case = _chain(name, f"{reference} finds no value at run time", _open_source(value), reference)
    aims = (*ENVELOPE, *FAILURE, "REF-04", "REF-17", "REF-24", "EVT-07")
    reader = step("s2", "witness.echo", {"value": reference})
    later = step("s3", "witness.echo", {"value": "of nothing that failed"}, dependsOn=["s1"])
    return replace(
        case,
        plan=plan(step("s1", "witness.source"), reader, later),
        provokes=aims,
        expectations={"private": [_PRIVATE]},
    )


_TYPED = {
    "whole": "$steps.s1",
    "count": "$steps.s1.count",
    "ratio": "$steps.s1.ratio",
    "on": "$steps.s1.on",
    "list": "$steps.s1.list",
    "inner": "$steps.s1.list[2][0]",
    "tree": "{$steps.s1.tree}",
    "deep": "$steps.s1.tree.leaf.deep",
}
_TEXT = "n=$steps.s1.count r=$steps.s1.ratio on=$steps.s1.on l=$steps.s1.list t={$steps.s1.text}.md d=$steps.s1.tree"
_QUOTED = (
    *('$steps.s1["a.b"]', '$steps.s1["0"]', '$steps.s1["with space"][1].y', '$steps.s1["quo\\"te"]'),
    *('$steps.s1["a[0]"]', '$steps.s1["é"]', '$steps.s1["\\u00e9"]', '$steps.s1["back\\\\slash"]', '$steps.s1[""]'),
    *("$steps.s1.deep.b.c.d.e.f.g", "$steps.s1.long[11]", "$steps.s1.long[007]"),
)

SCENARIO = Scenario(
    "SC-01",
    "A chain of two steps and a typed reference",
    (
        _chain("typed", "Whole-string references keep their types", _source(_DATA), _TYPED, "REF-11", "HASH-03"),
        _chain("embedded", "References inside text take their text form", _source(_DATA), _TEXT, "REF-11"),
        _chain(
            "captured",
            "The output is also read through its captured name",
            _source(_DATA),
            {"all": "$vars.found", "one": "$vars.found.tree.leaf", "text": "{$vars.found.count} in $vars.found.text"},
            *("REF-05", "REF-06"),
            captureAs="found",
        ),
        _chain("falsy", "Falsy values are kept", _source(_FALSY), {n: f"$steps.s1.{n}" for n in _FALSY}, "REF-18"),
        _chain(
            "falsy-captured",
            "Falsy values of a captured variable are kept too",
            _source(_FALSY),
            {n: f"$vars.found.{n}" for n in _FALSY},
            *("REF-05", "REF-18"),
            captureAs="found",
        ),
        _chain(
            "in-text",
            "Values that are easily damaged inside text",
            _source(_DAMAGED),
            "; ".join(f"{n}: {{$steps.s1.{n}}}" for n in _DAMAGED),
            "REF-11",
        ),
        _chain("wrapped", "Output that looks like an envelope is data", _source(_WRAPPED), "$steps.s1", "RES-24"),
        _chain("exact", "Odd numbers and strings pass unchanged", _source(_EXACT), "$steps.s1", "HASH-05", *HASHES),
        _chain("ordered", "Names that UTF-16 sorts differently", _source(_ORDERED), "$steps.s1", "HASH-05", *HASHES),
        _chain("quoted", "Odd member names are reached in brackets", _source(_NAMES), list(_QUOTED), "REF-21"),
        _open_outputs(),
        _chain(
            "alias",
            "The plan calls a tool by its alias",
            hosted("witness.source", returns({"n": 1}), takes=closed(), gives=schema_of({"n": 1}), aliases=["w.src"]),
            "$steps.s1.n",
            "VAL-06",
            tool="w.src",
        ),
        _chain(
            "after-retry",
            "A reference to a retried step uses its last attempt",
            hosted(
                "witness.source",
                flaky(2, "INTERNAL_ERROR", True, {"n": 3}),
                takes=closed(),
                gives=schema_of({"n": 3}),
            ),
            "$steps.s1.n",
            *("REF-19", "RETRY-10"),
            retry={"maxAttempts": 3, "backoffMs": 0},
        ),
        _lost("length", "$steps.s1.value.length"),
        _lost("prototype", "$steps.s1.value.constructor"),
        _lost("attribute", "$steps.s1.value.__class__"),
        _lost("index", "$steps.s1.value[0]"),
        _lost("member", "$steps.s1.value.missing", {"present": _PRIVATE}),
        _lost("past-the-end", "$steps.s1.value[2]", [_PRIVATE, _PRIVATE]),
        # It has more digits than the widest index of a machine; it leads to nothing, like any other past the end.
        _lost("far-past-the-end", f"$steps.s1.value[{10**20 - 1}]", [_PRIVATE, _PRIVATE]),
        _lost("element-by-name", '$steps.s1.value["0"]', [_PRIVATE]),
        _lost("member-by-number", "$steps.s1.value[0]", {"0": _PRIVATE}),
    ),
)

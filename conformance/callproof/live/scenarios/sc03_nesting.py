"""SC-03: references deep inside arrays and twice in one string, beside text that only looks like one."""

from __future__ import annotations

from callproof.live.behaviours import echo, returns
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, RESOLUTION
from callproof.live.scenarios.building import closed, hosted, plan, policy, schema_of, step
from callproof.values.jsontext import Json

_DATA: dict[str, Json] = {
    "n": 7,
    "text": "seven",
    "list": ["a", ["b"]],
    # Text that would be a reference if it were read again (REF-15).
    "sly": "$steps.s1.n and {$steps.s1.text} and {item.x}",
}


def _nested(name: str, says: str, value: Json, *aims: str) -> Case:
    source = hosted("witness.source", returns(_DATA), takes=closed(), gives=schema_of(_DATA))
    return Case(
        id=f"SC-03/{name}",
        says=says,
        plan=plan(step("s1", "witness.source"), step("s2", "witness.echo", {"value": value})),
        policy=policy(),
        tools=(source, hosted("witness.echo", echo())),
        requires=("references",),
        provokes=(*ENVELOPE, *RESOLUTION, "REF-01", "REF-11", *aims),
    )


# Each stands in one string with a true reference, so that the string is a template.
_LITERALS = (
    "$5.00",
    "{}",
    "{ json }",
    "{x}",
    "{{x}}",
    "$$5",
    "\\frac{a}{b} $x^2$",
    "$stepsize",
    "$steps",
    "$steps.",
    "$vars",
    "{items}",
    "{index}",
    "${HOME}",
    "%s %(n)s {0}",
    "<b>&amp;</b>",
    "{{ handlebars }}",
    "$STEPS.s1.n",
)

SCENARIO = Scenario(
    "SC-03",
    "References in nested arrays, twice in one string, beside literals",
    (
        _nested(
            "arrays",
            "References in nested arrays and objects",
            [[["$steps.s1.n", [["$steps.s1.list"]]]], {"a": [{"b": "$steps.s1.text"}]}],
        ),
        _nested(
            "twice",
            "The same reference twice in one string",
            "$steps.s1.n + $steps.s1.n = {$steps.s1.n}{$steps.s1.text}",
        ),
        _nested(
            "literals",
            "Text that is not a reference stays as it is",
            [f"{each} {{$steps.s1.n}}" for each in _LITERALS],
            "REF-16",
        ),
        _nested("bare-literals", "Text that is not a reference, by itself", [*_LITERALS, "$steps.s1.n"], "REF-16"),
        _nested(
            "escapes",
            "A doubled $ or { turns a reference into text",
            ["$$steps.s1.n", "{{$steps.s1.n}", "a $$steps.s1.n b"],
            "REF-16",
        ),
        _nested(
            "names", "Member names are never resolved", {"$steps.s1.n": 1, "{$steps.s1.text}": "$steps.s1.n"}, "REF-25"
        ),
        _nested("one-pass", "A resolved value is not resolved again", ["$steps.s1.sly", "x $steps.s1.sly y"], "REF-15"),
        _nested(
            "path-ends",
            "References end in the middle of a text",
            "notes/{$steps.s1.text}.md, $steps.s1.text, $steps.s1.n: $steps.s1.list[1][0]!",
        ),
        _nested(
            "shared",
            "One list referred to twice, beside the output that contains it",
            ["$steps.s1.list", "$steps.s1.list", "$steps.s1"],
            "REF-12",
        ),
    ),
)

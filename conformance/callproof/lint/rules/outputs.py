"""OUT: what an output schema promises."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint.definition import Schema
from callproof.lint.rule import Drop, Fault, Fix, Replace, outputs, rule
from callproof.values.jsontext import Json


@rule("OUT004", each=outputs)
def the_output_does_not_say_ok(schema: Schema) -> Iterator[Fault]:
    """An output has no member `ok`, which the result around it has."""
    root = schema.resolved
    if "ok" not in root.properties:
        return
    at = (*root.within, "properties", "ok")
    edits: tuple[Drop | Replace, ...] = (Drop(at),)
    if "ok" in root.required:
        kept: list[Json] = [each for each in root.required if each != "ok"]
        edits = (*edits, Replace((*root.within, "required"), kept))
    yield Fault(
        at=at,
        observed="the output has a member ok",
        permitted="no member ok: whether a call succeeded is said by the result around the output",
        fix=Fix(edits, safe=False, says="take ok out of the output"),
    )

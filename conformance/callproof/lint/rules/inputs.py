"""IN: what an input schema accepts."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint.definition import Schema
from callproof.lint.rule import Fault, Fix, Put, inputs, rule
from callproof.lint.wording import shown


@rule("IN002", each=inputs)
def the_input_accepts_no_argument_that_it_does_not_name(schema: Schema) -> Iterator[Fault]:
    """The root of an input schema has `additionalProperties: false`."""
    root = schema.resolved
    if not root.members or root.get("additionalProperties") is False:
        return
    told = "is not written" if not root.has("additionalProperties") else f"is {shown(root.get('additionalProperties'))}"
    base = root.within
    at = (*base, "additionalProperties") if root.has("additionalProperties") else base
    yield Fault(
        at=at,
        observed=f"additionalProperties of the input {told}, so that any argument is accepted",
        permitted="additionalProperties: false",
        fix=Fix((Put(base, "additionalProperties", False),), safe=True, says="close the input"),
    )

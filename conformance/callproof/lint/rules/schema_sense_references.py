"""SCH: references that lead nowhere, that leave the document, or that hide the keywords beside them."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint.definition import Schema
from callproof.lint.rule import Fault, rule
from callproof.lint.schema_facts import facts, having
from callproof.lint.schemas.drafts import JUDGING_NOTHING, REFERENCES
from callproof.lint.wording import listed, nearest, shown
from callproof.values.jsonvalue import escape_token, is_object

# Keywords that may be beside a reference of an old draft, since they judge nothing.
_SILENT = JUDGING_NOTHING | {"$ref", "example"}


@rule("SCH012", each=having(*REFERENCES))
def a_reference_leads_to_an_existing_part_of_the_schema(schema: Schema) -> Iterator[Fault]:
    """A reference into the document leads to a part of it."""
    for target in facts(schema).references.targets(schema.within, schema.value):
        if target.outcome == "dangling":
            names = _definitions(schema)
            near = nearest(target.reference, names)
            several = "one of " if len(names) > 1 else ""
            yield Fault(
                (target.keyword,),
                f"{target.keyword} is {shown(target.reference)}, but the schema has nothing there",
                f"{several}{listed(names)}" if names else "a reference to a part of the same schema",
                f"did you mean {near}?" if near else "a pointer begins at the root of its schema, not of the file",
            )


@rule("SCH013", each=having(*REFERENCES))
def a_reference_stays_in_its_document(schema: Schema) -> Iterator[Fault]:
    """No reference leaves the schema: none is ever fetched."""
    for target in facts(schema).references.targets(schema.within, schema.value):
        if target.outcome == "external":
            yield Fault(
                (target.keyword,),
                f"{target.keyword} is {shown(target.reference)}, which is outside the schema",
                "a reference that begins with #",
                "copy what it refers to into $defs; nothing was fetched, and nothing behind it was judged",
            )


@rule("SCH014", each=having("$ref"))
def no_keyword_beside_a_reference_is_ignored(schema: Schema) -> Iterator[Fault]:
    """Up to draft-07 a reference stands alone: keywords beside it are ignored."""
    if not isinstance(schema.get("$ref"), str) or not facts(schema).assumed.reference_alone:
        return
    hidden = [name for name in schema.members if name not in _SILENT and not name.startswith("x-")]
    if hidden:
        yield Fault(
            (hidden[0],),
            f"{listed(hidden)} beside $ref has no effect in {facts(schema).assumed.name}",
            "a reference alone, or both inside allOf",
            "write allOf with the reference and with the rest, or name draft 2020-12 in $schema",
        )


def _definitions(schema: Schema) -> list[str]:
    root = schema.root
    return [
        f"#/{keyword}/{escape_token(name)}"
        for keyword in ("$defs", "definitions")
        if is_object(named := root.get(keyword))
        for name in named
    ]

"""The tools of one run: their names, their schemas, what is known of them. Knows no plan and calls nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from callproof.schema.validator import SchemaValidator

from callproof_reference.jsontext import Json, Object, strings


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as its registry describes it, ready to judge arguments and output; `own` is run by this executor."""

    name: str
    names: frozenset[str]
    descriptor: Object
    accepts: SchemaValidator
    returns: SchemaValidator
    risk_level: Json
    cancellable: bool
    own: bool


def by_name(descriptors: Iterable[Object]) -> dict[str, Object]:
    """Descriptors by name and by declared alias (VAL-06): a name before an alias, no alias that two tools claim."""
    named = {str(each.get("name")): each for each in descriptors}
    claims = [(alias, each) for each in named.values() for alias in strings(each.get("aliases"))]
    aliases = [alias for alias, _ in claims]
    return {alias: each for alias, each in claims if aliases.count(alias) == 1} | named


def load(descriptor: Object) -> Tool:
    """The tool of a descriptor. Raises UnusableSchema when its arguments or output cannot be judged (VAL-09)."""
    name = str(descriptor["name"])
    return Tool(
        name,
        frozenset({name, *strings(descriptor.get("aliases"))}),
        descriptor,
        SchemaValidator(_schema(descriptor.get("inputSchema"))),
        SchemaValidator(_schema(descriptor.get("outputSchema"))),
        descriptor.get("riskLevel", "commands"),  # undeclared counts as the highest (POL-19)
        descriptor.get("cancellable") is not False,
        descriptor.get("host") == "system",
    )


def _schema(schema: Json) -> Object:
    if isinstance(schema, dict):
        return schema
    return {} if schema is True else {"not": {}}

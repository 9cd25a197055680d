"""The tools of one run: their names, and what their schemas say beyond yes and no. Knows no plan and calls nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from callproof.schema.validator import SchemaValidator

from callproof_reference.jsontext import Json, Object, as_object, objects, strings
from callproof_reference.references import Path

_COMPOSED = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as its registry describes it, ready to judge arguments and output; `own` is run by this executor."""

    name: str
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
    return Tool(
        str(descriptor["name"]),
        descriptor,
        SchemaValidator(_schema(descriptor["inputSchema"])),
        SchemaValidator(_schema(descriptor["outputSchema"])),
        descriptor.get("riskLevel", "commands"),  # undeclared counts as the highest (POL-19)
        descriptor.get("cancellable") is not False,
        descriptor.get("host") == "system",
    )


def _schema(schema: Json) -> Object:
    if isinstance(schema, dict):
        return schema
    return {} if schema is True else {"not": {}}


class Undeclared(Exception):
    """A path leads where the schema says that nothing can be; the message says where."""


def within(schema: Json, path: Path) -> Json:
    """The schema of what a path leads to, {} where that is open. Raises Undeclared for a closed-schema field (A3)."""
    for segment in path:
        if isinstance(segment, int):
            schema = element(schema)
        elif isinstance(schema, dict):
            properties = as_object(schema.get("properties"))
            if segment not in properties and (_closed(schema) or not _may_be(schema, "object")):
                raise Undeclared(f"the output schema declares no {segment!r} there")
            schema = properties.get(segment, {})
    return schema if isinstance(schema, dict) else {}


def element(schema: Json) -> Json:
    """The schema of an array's elements, {} where that is open. Raises Undeclared for what is never an array."""
    if not isinstance(schema, dict):
        return {}
    if not _may_be(schema, "array"):
        raise Undeclared("what stands there is no array")
    return {} if "prefixItems" in schema else schema.get("items", {})


def paths(tool: str, args: Object, schema: Json) -> Iterator[tuple[str, str]]:
    """
    The arguments that are vault paths, as pointer and text (A70).

    Only members that the schema declares, at any depth: what an open object holds is the user's own (A84).
    """
    if tool == "vault.listFiles" and isinstance(args.get("prefix"), str):
        yield "/prefix", str(args["prefix"])
    yield from _paths(args, [schema], schema, "")


def declared(value: Json, schema: Json) -> Json:
    """The value without the members that a closed schema does not declare (A69)."""
    if isinstance(value, dict) and isinstance(schema, dict):
        known = as_object(schema.get("properties"))
        return {n: declared(m, known.get(n)) for n, m in value.items() if n in known or not _closed(schema)}
    if isinstance(value, list) and isinstance(schema, dict):
        return [declared(each, schema.get("items")) for each in value]
    return value


def _closed(schema: Object) -> bool:
    return schema.get("additionalProperties") is False and "patternProperties" not in schema


def _may_be(schema: Object, kind: str) -> bool:
    types = schema.get("type", kind)
    return kind in types if isinstance(types, list) else types == kind


def _paths(value: Json, schemas: list[Json], root: Json, pointer: str) -> Iterator[tuple[str, str]]:
    here = list(_flattened(schemas, root))
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _paths(each, [schema.get("items") for schema in here], root, f"{pointer}/{index}")
    elif isinstance(value, dict):
        for name, member in value.items():
            inner = [p[name] for s in here if isinstance(p := s.get("properties"), dict) and name in p]
            if inner and name in ("path", "fromPath", "toPath") and isinstance(member, str):
                yield f"{pointer}/{name}", member
            elif inner and name == "paths" and isinstance(member, list):
                yield from ((f"{pointer}/paths/{i}", each) for i, each in enumerate(member) if isinstance(each, str))
            elif inner:
                yield from _paths(member, inner, root, f"{pointer}/{name}")


def _flattened(schemas: list[Json], root: Json) -> Iterator[Object]:
    """The schemas with what they are composed of, each once, since they come from strangers."""
    waiting, seen = list(schemas), set[int]()
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, dict) and id(schema) not in seen:
            seen.add(id(schema))
            yield schema
            waiting += (each for branches in map(schema.get, _COMPOSED) for each in objects(branches))
            if isinstance(reference := schema.get("$ref"), str):
                waiting.append(_pointed(root, reference))


def _pointed(root: Json, reference: str) -> Json:
    here = root
    for name in reference.removeprefix("#").split("/")[1:]:
        here = here.get(name.replace("~1", "/").replace("~0", "~")) if isinstance(here, dict) else None
    return here

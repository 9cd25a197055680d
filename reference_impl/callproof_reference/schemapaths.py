"""Walking a schema along with a value: what a path can lead to, and which arguments are paths.

Knows just enough of JSON Schema for that, and decides nothing where a schema is open.
"""

from __future__ import annotations

from collections.abc import Iterator

from callproof_reference.jsontext import Json, Object, as_object
from callproof_reference.references import Path

_COMPOSED = ("allOf", "anyOf", "oneOf")


class Undeclared(Exception):
    """A path leads where the schema says that nothing can be; the message says where."""


def within(schema: Json, path: Path) -> Json:
    """The schema of what a path leads to, {} where that is open. Raises Undeclared for a closed-schema field (A3)."""
    for segment in path:
        if not isinstance(schema, dict):
            return {}
        schema = _member(schema, segment) if isinstance(segment, str) else element(schema)
    return schema


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
        closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
        return {n: declared(m, known.get(n)) for n, m in value.items() if n in known or not closed}
    if isinstance(value, list) and isinstance(schema, dict):
        return [declared(each, schema.get("items")) for each in value]
    return value


def _member(schema: Object, name: str) -> Json:
    properties = schema.get("properties")
    if isinstance(properties, dict) and name in properties:
        return properties[name]
    closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if closed or not _may_be(schema, "object"):
        raise Undeclared(f"the output schema declares no {name!r} there")
    return {}


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
            for branches in map(schema.get, _COMPOSED):
                waiting.extend(branches if isinstance(branches, list) else [])
            if isinstance(reference := schema.get("$ref"), str):
                waiting.append(_pointed(root, reference))


def _pointed(root: Json, reference: str) -> Json:
    here = root
    for name in reference.removeprefix("#").split("/")[1:]:
        here = here.get(name.replace("~1", "/").replace("~0", "~")) if isinstance(here, dict) else None
    return here

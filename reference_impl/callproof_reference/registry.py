"""The tools of one run: their names, and what their schemas say beyond yes and no. Knows no plan and calls nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from callproof.schema.validator import SchemaValidator

from callproof_reference.jsontext import Json, Object, as_object, objects, strings
from callproof_reference.references import Path


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as its registry describes it, ready to judge arguments and output; `own` is run by this executor."""

    name: str
    descriptor: Object
    accepts: SchemaValidator
    returns: SchemaValidator
    risk_level: str
    cancellable: bool
    own: bool


class Undeclared(Exception):
    """A path leads where the schema says that nothing can be; the message says where."""


def by_name(descriptors: Iterable[Object]) -> dict[str, Object]:
    """Descriptors by name and by declared alias (VAL-06): a name before an alias, no alias that two tools claim."""
    named = {str(each.get("name")): each for each in descriptors}
    claims = [(alias, each) for each in named.values() for alias in strings(each.get("aliases"))]
    aliases = [alias for alias, _ in claims]
    return {alias: each for alias, each in claims if aliases.count(alias) == 1} | named


def load(descriptor: Object) -> Tool:
    """The tool of a descriptor. Raises UnusableSchema when its arguments or output cannot be judged (VAL-09)."""
    schemas = descriptor["inputSchema"], descriptor["outputSchema"]
    accepts, returns = (SchemaValidator({"not": {}} if each is False else as_object(each)) for each in schemas)
    risk_level = descriptor.get("riskLevel", "commands")  # undeclared counts as the highest (POL-19)
    cancellable, own = descriptor.get("cancellable") is not False, descriptor.get("host") == "system"
    return Tool(descriptor["name"], descriptor, accepts, returns, risk_level, cancellable, own)


def within(schema: Json, path: Path) -> Json:
    """The schema of what a path leads to, {} where that is open. Raises Undeclared for a closed-schema field (A3)."""
    for segment in path:
        here, kind = as_object(schema), "array" if isinstance(segment, int) else "object"
        types, properties = here.get("type", kind), as_object(here.get("properties"))
        fits = kind in types if isinstance(types, list) else types == kind
        if isinstance(segment, int):
            if not fits:
                raise Undeclared("what stands there is no array")
            schema = {} if "prefixItems" in here else here.get("items", {})
        elif segment not in properties and (_closed(here) or not fits):
            raise Undeclared(f"the output schema declares no {segment!r} there")
        else:
            schema = properties.get(segment, {})
    return as_object(schema)


def declared(value: Json, schema: Json) -> Json:
    """The value without the members that a closed schema does not declare (A69)."""
    if isinstance(value, dict) and isinstance(schema, dict):
        known = as_object(schema.get("properties"))
        return {n: declared(m, known.get(n)) for n, m in value.items() if n in known or not _closed(schema)}
    if isinstance(value, list) and isinstance(schema, dict):
        return [declared(each, schema.get("items")) for each in value]
    return value


def paths(tool: str, args: Object, schema: Json) -> Iterator[tuple[str, str]]:
    """The arguments that are vault paths, as pointer and text: what the schema declares, at any depth (A70, A84)."""
    if tool == "vault.listFiles" and isinstance(args.get("prefix"), str):
        yield "/prefix", args["prefix"]
    yield from _paths(args, [schema], schema, "")


def _paths(value: Json, schemas: list[Json], root: Json, pointer: str) -> Iterator[tuple[str, str]]:
    here = list(_flattened(schemas, root))
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _paths(each, [schema.get("items") for schema in here], root, f"{pointer}/{index}")
    for name, member in as_object(value).items():
        inner: list[Json] = [p[name] for s in here if name in (p := as_object(s.get("properties")))]
        if inner and name in ("path", "fromPath", "toPath") and isinstance(member, str):
            yield f"{pointer}/{name}", member
        elif inner and name == "paths" and isinstance(member, list):
            listed = cast("list[Json]", member)
            yield from ((f"{pointer}/paths/{i}", each) for i, each in enumerate(listed) if isinstance(each, str))
        elif inner:
            yield from _paths(member, inner, root, f"{pointer}/{name}")


def _flattened(schemas: list[Json], root: Json) -> Iterator[Object]:
    waiting, seen = list(schemas), set[int]()
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, dict) and id(schema) not in seen:  # strangers' schemas may refer to themselves
            seen.add(id(schema))
            yield schema
            waiting += (each for branches in ("allOf", "anyOf", "oneOf") for each in objects(schema.get(branches)))
            if isinstance(reference := schema.get("$ref"), str):
                here = root
                for name in reference.removeprefix("#").split("/")[1:]:
                    here = as_object(here).get(name.replace("~1", "/").replace("~0", "~"))
                waiting.append(here)


def _closed(schema: Object) -> bool:
    return schema.get("additionalProperties") is False and "patternProperties" not in schema

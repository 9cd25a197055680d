"""Which arguments of a call are vault paths (A70, A84).

Only names that the tool's own schema declares count: a `path` inside an object that the schema leaves open, such as
front matter, is the user's data. This room knows schemas as plain JSON and judges no path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_array, is_object

_ONE_PATH: Final = frozenset({"path", "fromPath", "toPath"})
_MANY_PATHS: Final = "paths"
_PREFIX_TOOL: Final = "vault.listFiles"

_BRANCHES: Final = ("allOf", "anyOf", "oneOf")


def path_arguments(tool: str, args: Json, schema: Json) -> Iterator[tuple[str, str]]:
    """Each path-valued argument of a call, as its JSON pointer into the args and its text.

    They are the strings `path`, `fromPath` and `toPath` and the elements of `paths`, wherever `schema` (the tool's
    inputSchema) declares them, and `prefix` of vault.listFiles.
    """
    if is_object(args) and tool == _PREFIX_TOOL:
        yield from _texts(args.get("prefix"), "/prefix")
    yield from _walk(args, (schema,), schema, "")


def _walk(value: Json, schemas: tuple[Json, ...], root: Json, pointer: str) -> Iterator[tuple[str, str]]:
    here = tuple(_parts(schemas, root))
    if is_object(value):
        for name, member in value.items():
            declared = tuple(_declarations(here, name))
            if not declared:
                continue
            inner = f"{pointer}/{escape_token(name)}"
            if name in _ONE_PATH and isinstance(member, str):
                yield inner, member
            elif name == _MANY_PATHS and is_array(member):
                yield from (pair for index, each in enumerate(member) for pair in _texts(each, f"{inner}/{index}"))
            elif is_object(member) or is_array(member):
                yield from _walk(member, declared, root, inner)
    elif is_array(value):
        items = tuple(schema["items"] for schema in here if "items" in schema)
        for index, element in enumerate(value):
            yield from _walk(element, items, root, f"{pointer}/{index}")


def _texts(value: Json, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value


def _declarations(schemas: tuple[Mapping[str, Json], ...], name: str) -> Iterator[Json]:
    for schema in schemas:
        properties = schema.get("properties")
        if is_object(properties) and name in properties:
            yield properties[name]


def _parts(schemas: Iterable[Json], root: Json) -> Iterator[Mapping[str, Json]]:
    """Schemas and all that they are composed of, each once: local references and branches of allOf, anyOf, oneOf.

    Each once, because schemas come from outside: circles end, and branches that share a part do not multiply.
    """
    waiting, seen = list(schemas), set[int]()
    while waiting:
        schema = waiting.pop()
        if not is_object(schema) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema
        reference = schema.get("$ref")
        if isinstance(reference, str):
            waiting.append(_local(reference, root))
        for keyword in _BRANCHES:
            branches = schema.get(keyword)
            waiting.extend(branches if is_array(branches) else ())


def _local(reference: str, root: Json) -> Json:
    """What a reference inside the document points to; a reference out of it is never followed (SEC-03)."""
    if not reference.startswith("#"):
        return None
    here = root
    for token in reference[1:].split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        here = here.get(name) if is_object(here) else None
    return here

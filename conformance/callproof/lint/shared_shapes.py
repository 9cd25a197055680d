"""The shapes that canonical tools share, and objects that look like one of them and differ from it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from callproof.lint import declared
from callproof.lint.definition import Catalogue, Definition, Schema
from callproof.lint.document import Document
from callproof.lint.found import Found
from callproof.lint.wording import listed, values_listed
from callproof.schema.validator import shape_schema
from callproof.values.jsonvalue import is_object

# The shapes, each with the members that identify it: those that it requires.
_KNOWN_BY = {
    "FileEntry": frozenset({"path", "kind"}),
    "SearchMatch": frozenset({"path", "snippet"}),
    "EditorPosition": frozenset({"line", "ch"}),
    "EditorRange": frozenset({"from", "to"}),
    "CommandDescriptor": frozenset({"id", "name"}),
    "FilePatch": frozenset({"replaceRange"}),
}


def seeming(schema: Schema) -> Iterator[str]:
    """The shapes that an object seems to have, by the names of its own properties."""
    named = schema.get("properties")
    if is_object(named):
        yield from (shape for shape, names in _KNOWN_BY.items() if names <= named.keys() and _means(schema, shape))


def departures(schema: Schema, shape: str) -> Iterator[tuple[str, str, str]]:
    """The members in which an object departs from a shape that it seems to have: name, what was seen, what is right."""
    here, there = declared.members(schema), declared.members(_shape(shape))
    for name in (each for each in there if each in here):
        wrong = _other_type(here[name], there[name]) or _other_values(here[name], there[name])
        if wrong is not None:
            yield name, f"{name} {wrong[0]}", f"{wrong[1]}, as in {shape}"


def _other_type(here: Schema, there: Schema) -> tuple[str, str] | None:
    told, wanted = declared.types(here), declared.types(there)
    if told is None or wanted is None or told == wanted:
        return None
    return f"has the type {listed(sorted(told))}", listed(sorted(wanted))


def _other_values(here: Schema, there: Schema) -> tuple[str, str] | None:
    told, wanted = declared.values(here), declared.values(there)
    if told is None or wanted is None or not declared.beyond(told, wanted):
        return None
    return f"lists the values {values_listed(told)}", values_listed(wanted)


def _means(schema: Schema, shape: str) -> bool:
    """Whether the shape is really meant: many other things have path and kind, id and name, or from and to as well."""
    if shape == "CommandDescriptor":
        return schema.within[-3:] == ("properties", "commands", "items")
    if shape == "FileEntry":
        kinds = declared.values(schema.properties["kind"])
        return kinds is None or "file" in kinds or "folder" in kinds
    if shape == "EditorRange":
        return all("line" in declared.members(schema.properties[name]) for name in ("from", "to"))
    return True


@cache
def _shape(name: str) -> Schema:
    value = shape_schema(f"tools/{name}")
    document = Document(name, "", value)
    catalogue = Catalogue((document,))
    return Schema(
        Definition(catalogue, Found(document, (), {"inputSchema": value})), "input", ("inputSchema",), value, ()
    )

"""The shapes that canonical tools share, and objects that look like one of them and are none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from callproof.lint import declared
from callproof.lint.definition import Catalogue, Definition, Found, Schema
from callproof.lint.document import Document
from callproof.lint.wording import listed, shown
from callproof.schema.validator import shape_schema
from callproof.values.jsonvalue import equal

SHAPES = ("FileEntry", "SearchMatch", "EditorPosition", "EditorRange", "CommandDescriptor", "FilePatch")


def departures(schema: Schema, shape: str) -> Iterator[tuple[str, str, str]]:
    """The members in which an object departs from a shape that it seems to have: name, what was seen, what is right."""
    wanted = _shape(shape)
    here, there = declared.members(schema), declared.members(wanted)
    if not declared.required(wanted) <= here.keys() or not _means(schema, shape):
        return
    for name in (each for each in there if each in here):
        types, told = declared.types(there[name]), declared.types(here[name])
        if types is not None and told is not None and types != told:
            yield name, f"{name} has the type {listed(sorted(told))}", f"{listed(sorted(types))}, as in {shape}"
            continue
        values, mine = declared.values(there[name]), declared.values(here[name])
        if (
            values is not None
            and mine is not None
            and not all(any(equal(each, one) for one in values) for each in mine)
        ):
            yield name, f"{name} is one of {listed(map(shown, mine))}", f"{listed(map(shown, values))}, as in {shape}"


def _means(schema: Schema, shape: str) -> bool:
    """Whether the required members alone say enough: an id and a name, or a from and a to, belong to many things."""
    if shape == "CommandDescriptor":
        return schema.within[-3:] == ("properties", "commands", "items")
    if shape == "EditorRange":
        ends = declared.members(schema)
        return all("line" in declared.members(ends[name]) for name in ("from", "to"))
    return True


@cache
def _shape(name: str) -> Schema:
    value = shape_schema(f"tools/{name}")
    document = Document(name, "", value)
    catalogue = Catalogue((document,))
    return Schema(
        Definition(catalogue, Found(document, (), {"inputSchema": value})), "input", ("inputSchema",), value, ()
    )

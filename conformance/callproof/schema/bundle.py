"""Shapes made into self-contained JSON Schemas.

A shape names other shapes in ``$ref``, or a part of one, as in ``loop/start#/properties/mode``.
The generated file carries them under ``$defs``, so that one file is enough and nothing ever
has to be fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.schema.bounds import DIALECT
from callproof.spec.blocks import Shape
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_ID_PREFIX = "urn:callproof:1.0:"


class UnknownShape(LookupError):
    """A ``$ref`` of a shape names no shape of the specification."""

    def __init__(self, name: str, shape: Shape) -> None:
        super().__init__(f"{shape.place}: the shape {shape.name} refers to {name!r}, which no chapter defines")


def bundle(shape: Shape, shapes: Mapping[str, Shape]) -> dict[str, Json]:
    """
    The JSON Schema document of one shape: ``$schema``, ``$id``, ``title``, and every shape it needs in ``$defs``.

    Raises UnknownShape for a reference to a shape that does not exist.
    """
    needed = sorted(_needed(shape, shapes))
    document: dict[str, Json] = {
        "$schema": DIALECT,
        "$id": _ID_PREFIX + shape.name,
        "title": shape.schema.get("title", shape.name),
        **_localised(shape.schema),
    }
    if needed:
        document["$defs"] = {_key(name): _localised(shapes[name].schema) for name in needed}
    return document


def _needed(shape: Shape, shapes: Mapping[str, Shape]) -> set[str]:
    found: set[str] = set()
    waiting = [shape]
    while waiting:
        current = waiting.pop()
        for target in _references(current.schema):
            name, _, pointer = target.partition("#")
            if name not in shapes or not _leads_somewhere(pointer, shapes[name].schema):
                raise UnknownShape(target, current)
            if name not in found:
                found.add(name)
                waiting.append(shapes[name])
    return found


def _references(value: Json) -> Iterator[str]:
    if is_object(value):
        target = value.get("$ref")
        if isinstance(target, str) and not target.startswith("#"):
            yield target
        for inner in value.values():
            yield from _references(inner)
    elif is_array(value):
        for inner in value:
            yield from _references(inner)


def _leads_somewhere(pointer: str, value: Json) -> bool:
    for token in pointer.split("/")[1:]:
        if is_object(value):
            value = value.get(token)
        elif is_array(value):
            value = value[int(token)] if token.isdecimal() and int(token) < len(value) else None
        else:
            return False
    return value is not None


def _local(target: str) -> str:
    """Where a shape, or a part of it, stands in the file."""
    name, _, pointer = target.partition("#")
    return f"#/$defs/{_key(name)}{pointer}"


def _key(name: str) -> str:
    # A slash would have to be escaped in the pointer to the definition.
    return name.replace("/", ".")


def _localised(schema: Mapping[str, Json]) -> dict[str, Json]:
    localised = _localise(schema)
    assert isinstance(localised, dict)  # noqa: S101  an object is localised to an object
    return localised


def _localise(value: Json) -> Json:
    if is_object(value):
        return {
            name: _local(inner)
            if name == "$ref" and isinstance(inner, str) and not inner.startswith("#")
            else _localise(inner)
            for name, inner in value.items()
        }
    if is_array(value):
        return [_localise(inner) for inner in value]
    return value

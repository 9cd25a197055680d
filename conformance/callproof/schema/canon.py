"""The complete definitions of the canonical tools, made from their blocks.

Every shared shape is copied to where it is used, so that a definition can be copied and
used anywhere, also by programs that follow no references.
"""

from __future__ import annotations

from collections.abc import Mapping

from callproof.schema.bundle import UnknownShape
from callproof.spec.blocks import Shape
from callproof.spec.conventions import CanonicalTool, Conventions
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The members that describe a shape as a document; a schema within a definition does not need them.
_OF_A_DOCUMENT = ("title", "description")


def canonical_definition(tool: CanonicalTool, conventions: Conventions) -> dict[str, Json]:
    """The whole definition of a canonical tool.  Raises UnknownShape if a shape that it needs is missing."""
    return {
        "name": tool.name,
        "description": tool.said["description"],
        "category": tool.name.partition(".")[0],
        "riskLevel": tool.said["riskLevel"],
        "sideEffects": tool.said["sideEffects"],
        "availability": tool.said["availability"],
        "errors": tool.said["errors"],
        "inputSchema": _root(f"{tool.name}.input", tool, conventions.shapes),
        "outputSchema": _root(f"{tool.name}.output", tool, conventions.shapes),
    }


def _root(name: str, tool: CanonicalTool, shapes: Mapping[str, Shape]) -> Json:
    if name not in shapes:
        raise UnknownShape(name, Shape(tool.name, {}, tool.place))
    schema = {word: value for word, value in shapes[name].schema.items() if word not in _OF_A_DOCUMENT}
    return _put_in(schema, shapes[name], shapes)


def _put_in(value: Json, within: Shape, shapes: Mapping[str, Shape]) -> Json:
    if is_array(value):
        return [_put_in(inner, within, shapes) for inner in value]
    if not is_object(value):
        return value
    target = value.get("$ref")
    own = {word: inner for word, inner in value.items() if word != "$ref"}
    if not isinstance(target, str):
        return {word: _put_in(inner, within, shapes) for word, inner in own.items()}
    if target not in shapes:
        raise UnknownShape(target, within)
    shared = {word: inner for word, inner in shapes[target].schema.items() if word != "title"}
    return _put_in({**shared, **own}, shapes[target], shapes)

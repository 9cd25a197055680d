"""What sources find: values that are definitions or plans, each with its place and the form of its members."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from callproof.lint.document import Document, Pointer
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array

NOTHING: Mapping[str, Json] = {}


@dataclass(frozen=True, slots=True)
class Form:
    """Where a definition of one origin keeps its members: by default, where the conventions and MCP keep them."""

    name: str = "mcp"
    inner: Pointer = ()
    input: str = "inputSchema"
    output: str = "outputSchema"


@dataclass(frozen=True, slots=True)
class Found:
    """A definition or a plan that a source found: in which document, where in it, and in which form."""

    document: Document
    pointer: Pointer
    value: Json
    form: Form = Form()


def strings(value: Json) -> tuple[str, ...]:
    """The texts of an array; empty if it is not an array."""
    return tuple(each for each in value if isinstance(each, str)) if is_array(value) else ()

"""Which values of a document are tool definitions and plans, in the forms in which people keep them.

It knows nothing about files: MCP answers, arrays, single definitions, and the forms of three providers look
alike, whatever their source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.lint.document import Document, Pointer
from callproof.lint.found import Found
from callproof.lint.sources.arrays import form_of, gemini_form, is_hosted, plain_types
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_SCHEMA_NAMES = frozenset({"inputSchema", "input_schema", "parameters", "outputSchema"})
_TOOL_NAMES = _SCHEMA_NAMES | {"riskLevel", "sideEffects", "annotations", "description"}
_DECLARATIONS = ("functionDeclarations", "function_declarations")


def definitions_in(document: Document) -> Iterator[Found]:
    """Every definition of a document, with its place and form."""
    yield from _inside(document, (), document.value)


def plans_in(document: Document) -> Iterator[Found]:
    """Every plan of a document: the document itself, or its member ``plan``."""
    value = document.value
    if not is_object(value):
        return
    if is_array(value.get("steps")):
        yield Found(document, (), value)
    elif is_object(plan := value.get("plan")) and is_array(plan.get("steps")):
        yield Found(document, ("plan",), plan)


def _inside(document: Document, pointer: Pointer, value: Json) -> Iterator[Found]:
    if is_array(value):
        if any(_is_tool(each) for each in value):
            yield from _listed(document, pointer, value)
    elif is_object(value):
        if is_object(result := value.get("result")) and not _is_tool(value):
            yield from _inside(document, (*pointer, "result"), result)
        elif is_array(tools := value.get("tools")):
            yield from _listed(document, (*pointer, "tools"), tools)
        elif _is_tool(value):
            yield from _one(document, pointer, value)


def _listed(document: Document, pointer: Pointer, values: Iterator[Json] | object) -> Iterator[Found]:
    for place, each in enumerate(values if is_array(values) else ()):
        yield from _one(document, (*pointer, place), each)


def _one(document: Document, pointer: Pointer, value: Json) -> Iterator[Found]:
    """A definition; several for an object that only holds the declarations of one provider."""
    for name in _DECLARATIONS:
        if is_object(value) and is_array(declared := value.get(name)):
            for place, each in enumerate(declared):
                yield Found(document, (*pointer, name, place), plain_types(each), gemini_form(each))
            return
    if not is_hosted(value):
        yield Found(document, pointer, value, form_of(value))


def _is_tool(value: Json) -> bool:
    if not is_object(value):
        return False
    if is_object(inner := value.get("function")):
        return _named(inner)
    return _named(value) or any(is_array(value.get(name)) for name in _DECLARATIONS)


def _named(value: Mapping[str, Json]) -> bool:
    """Whether an object is a definition: it has a name and one more member of a tool, or a member for a schema."""
    return bool(_SCHEMA_NAMES & value.keys()) or ("name" in value and bool(_TOOL_NAMES & value.keys()))

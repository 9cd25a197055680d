"""The forms in which three providers take tools, and what else their arrays contain.

A form says where a definition keeps its schemas.  Only one thing is rewritten: Gemini
writes the names of types in capitals, and the rules expect those of JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping

from callproof.lint.found import Form
from callproof.lint.keywords import schemas_below
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

MCP = Form()
ANTHROPIC = Form("anthropic", input="input_schema")
OPENAI = Form("openai", input="parameters")
OPENAI_NESTED = Form("openai", ("function",), input="parameters")
# Members of a definition of Gemini that hold its schemas, as the interface and its kits write them.
_GEMINI_INPUTS = ("parametersJsonSchema", "parameters_json_schema", "parameters")
_GEMINI_OUTPUTS = ("responseJsonSchema", "response_json_schema", "response")
_GEMINI_TYPES = frozenset({"ARRAY", "BOOLEAN", "INTEGER", "NULL", "NUMBER", "OBJECT", "STRING"})
_OWN_TYPES = frozenset({"custom", "function", "object"})
_MEMBERS = frozenset({"description", "function", "inputSchema", "input_schema", "outputSchema", "parameters"})


def form_of(value: Json) -> Form:
    """The form that a definition has; if it could have any form, MCP's."""
    if not is_object(value) or "inputSchema" in value:
        return MCP
    if is_object(value.get("function")):
        return OPENAI_NESTED
    if "input_schema" in value:
        return ANTHROPIC
    return OPENAI if "parameters" in value or value.get("type") == "function" else MCP


def gemini_form(value: Json) -> Form:
    """The form of a function declaration of Gemini, which has two fields for each schema."""
    held: Mapping[str, Json] = value if is_object(value) else {}
    given = next((name for name in _GEMINI_INPUTS if name in held), _GEMINI_INPUTS[-1])
    taken = next((name for name in _GEMINI_OUTPUTS if name in held), _GEMINI_OUTPUTS[-1])
    return Form("gemini", input=given, output=taken)


def plain_types(value: Json) -> Json:
    """A function declaration of Gemini with the names of types as JSON Schema writes them."""
    if not is_object(value):
        return value
    schemas = (*_GEMINI_INPUTS, *_GEMINI_OUTPUTS)
    return {name: _lowered(each) if name in schemas else each for name, each in value.items()}


def is_hosted(value: Json) -> bool:
    """Whether an entry of an array is a tool of the provider itself, which has no definition to judge."""
    if not is_object(value) or _MEMBERS & value.keys():
        return False
    kind = value.get("type")
    if isinstance(kind, str):
        return kind not in _OWN_TYPES
    # Gemini writes {"googleSearch": {}}.
    return len(value) == 1 and "name" not in value and all(is_object(each) for each in value.values())


def _lowered(schema: Json) -> Json:
    if not is_object(schema):
        return schema
    kind = schema.get("type")
    changed: dict[str, Json] = {**schema}
    if isinstance(kind, str) and kind in _GEMINI_TYPES:
        changed["type"] = kind.lower()
    for down, inner in schemas_below(schema):
        _put(changed, schema, down, _lowered(inner))
    return changed


def _put(changed: dict[str, Json], schema: Mapping[str, Json], down: tuple[str | int, ...], value: Json) -> None:
    """Set the value at a pointer of one or two steps, in copies."""
    keyword = str(down[0])
    if len(down) == 1:
        changed[keyword] = value
        return
    held = changed[keyword]
    if held is schema[keyword]:
        held = changed[keyword] = [*held] if is_array(held) else {**held} if is_object(held) else held
    if isinstance(held, list) and isinstance(down[1], int):
        held[down[1]] = value
    elif isinstance(held, dict):
        held[str(down[1])] = value

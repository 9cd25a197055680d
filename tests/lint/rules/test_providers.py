"""PORT: each limit of each profile, with a definition that keeps it and one that does not."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.profiles.loading import NAMES
from callproof.lint.rule import Fault, all_rules
from callproof.lint.sources.files import gathered
from hypothesis import given
from hypothesis import strategies as st

RULES = {each.id: each for each in all_rules() if each.group == "PORT"}
CLOSED = {"type": "object", "additionalProperties": False, "required": ["a"], "properties": {"a": {"type": "string"}}}


def held(definition: object, *profiles: str) -> Catalogue:
    read = gathered([document_of("tools.json", definition)])
    return Catalogue(read.documents, read.found, read.plans, profiles)


def faults(definition: object, *profiles: str) -> list[tuple[str, Fault]]:
    """Every fault that any rule of the group finds for some profiles."""
    catalogue = held(definition, *profiles)
    return [
        (name, fault)
        for name, rule in RULES.items()
        for subject in rule.each(catalogue)
        for fault in rule.examine(subject)
    ]


def fired(definition: object, *profiles: str) -> set[str]:
    return {name for name, _ in faults(definition, *profiles)}


def tool(schema: object = None, name: str = "count", **more: object) -> dict:
    return {"name": name, "inputSchema": CLOSED if schema is None else schema, **more}


def without(definition: dict, member: str) -> dict:
    """A definition without one of its members."""
    return {name: value for name, value in definition.items() if name != member}


def with_a(**schema: object) -> dict:
    return tool({**CLOSED, "properties": {"a": schema}})


def referring(b: object) -> dict:
    """A closed schema in which one property refers to a definition, and another one is the given schema."""
    properties = {"a": {"$ref": "#/$defs/A"}, "b": {"type": "string"}, "c": b}
    return {**CLOSED, "required": ["a", "b", "c"], "properties": properties, "$defs": {"A": {"type": "string"}}}


# What pydantic writes for a model that contains itself and for two that contain each other, and zod for a tuple.
ROOT = {"$ref": "#/$defs/Node", "$defs": {"Node": CLOSED}}
MUTUAL = {
    **CLOSED,
    "properties": {"a": {"$ref": "#/$defs/A"}},
    "$defs": {
        name: {**CLOSED, "properties": {"a": {"anyOf": [{"$ref": f"#/$defs/{other}"}, {"type": "null"}]}}}
        for name, other in (("A", "B"), ("B", "A"))
    },
}
TUPLE = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "properties": {"a": {"type": "array", "items": [{"type": "string"}, {"type": "number"}]}},
}


@pytest.mark.parametrize("profile", [each for each in NAMES if each not in {"seed"}])
def test_a_plain_tool_is_taken_everywhere(profile: str) -> None:
    """It is closed, requires every parameter, and has a name of letters."""
    assert fired(tool(), profile) == set()


@pytest.mark.parametrize(
    ("definition", "profile", "rule"),
    [
        (tool(name="vault.readFile"), "openai", "PORT001"),
        (tool(name="vault.readFile"), "anthropic", "PORT001"),
        (tool(name="9lives"), "gemini", "PORT001"),
        (tool(name="c" * 65), "openai", "PORT001"),
        (tool(name=""), "openai", "PORT001"),
        (tool(name=7), "openai", "PORT001"),
        (without(tool(), "name"), "anthropic", "PORT001"),
        ([tool(), 7], "gemini", "PORT001"),
        (tool(name="c" * 129), "anthropic", "PORT001"),
        (tool(name="c" * 59), "all-providers", "PORT002"),
        (tool(name="count\n"), "openai", "PORT001"),
        (tool({**CLOSED, "properties": {"a": {"type": "string"}, "b\n": {"type": "string"}}}), "anthropic", "PORT003"),
        (tool(name="count\n"), "mcp-2025-11-25", "PORT015"),
        (tool({**CLOSED, "properties": {"a": {}, "b[c]": {}}}), "anthropic", "PORT003"),
        (tool({**CLOSED, "properties": {"a": {}, "x-y": {}}}), "gemini", "PORT003"),
        (tool({**CLOSED, "anyOf": [{"required": ["a"]}]}), "anthropic", "PORT004"),
        (tool({**CLOSED, "enum": [{}]}), "openai", "PORT004"),
        (tool({"type": "string"}), "openai", "PORT004"),
        (tool({**CLOSED, "required": []}), "openai-strict", "PORT005"),
        (with_a(type="object", properties={}), "openai-strict", "PORT005"),
        (with_a(allOf=[{"type": "string"}]), "openai-strict", "PORT005"),
        (with_a(oneOf=[{"type": "string"}]), "openai-strict", "PORT005"),
        (with_a(enum=[f"v{n}" for n in range(1_001)]), "openai-strict", "PORT005"),
        (with_a(enum=["x" * 120_001]), "openai-strict", "PORT005"),
        (with_a(type="string", default="x"), "gemini", "PORT006"),
        (with_a(type="integer", minimum=1), "anthropic-strict", "PORT007"),
        (with_a(type="string", maxLength=1), "anthropic-strict", "PORT007"),
        (with_a(type="array", minItems=2), "anthropic-strict", "PORT007"),
        (with_a(enum=[{"b": 1}]), "anthropic-strict", "PORT007"),
        (with_a(type="string", format="regex"), "anthropic-strict", "PORT007"),
        (with_a(type="array", items={"$ref": "#"}), "anthropic-strict", "PORT007"),
        (with_a(type="string", pattern="^(?!/).+$"), "anthropic-strict", "PORT007"),
        (with_a(type="string", pattern=r"^(a)\1$"), "anthropic-strict", "PORT007"),
        (with_a(type="string", pattern=r"\bend"), "anthropic-strict", "PORT007"),
        (with_a(type="string", pattern=r"\[(?=a)]"), "anthropic-strict", "PORT007"),
        (tool({**CLOSED, "properties": {"a": {"allOf": [{"$ref": "#/$defs/A"}]}}, "$defs": {"A": {}}}),
         "anthropic-strict", "PORT007"),
        (with_a(enum=[f"{n:060}" for n in range(251)]), "openai-strict", "PORT005"),
        (tool(ROOT), "openai", "PORT004"),
        (tool(ROOT), "anthropic", "PORT004"),
        (tool({"$schema": "http://json-schema.org/draft-07/schema#"}), "anthropic", "PORT004"),
        (with_a(description="Anything."), "openai-strict", "PORT005"),
        (with_a(type="array", items={}), "anthropic-strict", "PORT007"),
        (with_a(type="string", anyOf=[{"format": "ipv4"}, {"format": "ipv6"}]), "anthropic-strict", "PORT007"),
        (with_a(type="string", format="uri"), "openai-strict", "PORT005"),
        (with_a(type="string", pattern="^(?!/).+$"), "openai-strict", "PORT005"),
        (with_a(type="object", properties={}, required=[], additionalProperties=False, propertyNames={"maxLength": 9}),
         "openai-strict", "PORT005"),
        (tool(referring({"$ref": "#/$defs/A", "description": "One."})), "openai-strict", "PORT005"),
        (tool(referring({"$ref": "#/properties/b"})), "openai-strict", "PORT005"),
        (tool(MUTUAL), "anthropic-strict", "PORT007"),
        (with_a(oneOf=[{"type": "string"}, {"type": "integer"}]), "anthropic-strict", "PORT007"),
        (with_a(const="x"), "gemini", "PORT009"),
        (with_a(type="array"), "openai", "PORT016"),
        (with_a(type=["string", "array"]), "openai", "PORT016"),
        (with_a(type="array", prefixItems=[{"type": "string"}]), "openai-strict", "PORT016"),
        (with_a(type="array"), "gemini", "PORT016"),
        (tool({**CLOSED, "required": ["a", "b"]}), "gemini", "PORT016"),
        (with_a(type="integer", enum=[1, 2]), "gemini", "PORT016"),
        (tool({**CLOSED, **TUPLE}), "anthropic", "PORT016"),
        (tool({**CLOSED, "$schema": "http://json-schema.org/draft-04/schema#",
               "properties": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": True}}}),
         "anthropic", "PORT016"),
        (with_a(type="array", items={"type": "string"}, uniqueItems=True), "openai-strict", "PORT005"),
        (with_a(**CLOSED, minProperties=1), "openai-strict", "PORT005"),
        (with_a(**CLOSED, patternProperties={"^x-": {"type": "string"}}), "openai-strict", "PORT005"),
        (with_a(type="array", items={"type": "string"}, prefixItems=[{"type": "string"}]), "openai-strict", "PORT005"),
        (tool({**CLOSED, "properties": {"a": True}}), "openai-strict", "PORT005"),
        (tool({**CLOSED, "properties": {"a": True}}), "anthropic-strict", "PORT007"),
        (tool(without({**CLOSED, "required": []}, "properties")), "openai", "PORT016"),
        (tool({"properties": {"a": {"type": "string"}}}), "gemini", "PORT004"),
        (with_a(properties={"b": {"type": "string"}}), "gemini", "PORT016"),
        (with_a(type="string", properties={"b": {"type": "string"}}), "gemini", "PORT016"),
        (with_a(type="string", enum=["b", ""]), "gemini", "PORT016"),
        (with_a(type=["string", "null"]), "gemini", "PORT010"),
        (tool(title=7), "mcp-2025-11-25", "PORT012"),
        (tool({"properties": {}}), "mcp-2025-11-25", "PORT012"),
        (tool(True), "mcp-2026-07-28", "PORT012"),
        (tool({**CLOSED, "properties": []}), "mcp-2025-11-25", "PORT012"),
        (tool({**CLOSED, "properties": {"a": True}}), "mcp-2025-11-25", "PORT012"),
        (tool({**CLOSED, "required": "a"}), "mcp-2025-11-25", "PORT012"),
        (tool(annotations={"readOnlyHint": "yes"}), "mcp-2025-11-25", "PORT012"),
        (tool(annotations=None), "mcp-2025-11-25", "PORT012"),
        (tool(annotations={"title": 7}), "mcp-2025-11-25", "PORT012"),
        (tool(_meta=[]), "mcp-2026-07-28", "PORT012"),
        (tool(icons={"src": "https://example.test/a.png"}), "mcp-2026-07-28", "PORT012"),
        (tool(icons=[{"mimeType": "image/png"}]), "mcp-2025-11-25", "PORT012"),
        (tool({**CLOSED, "required": None}), "mcp-2025-11-25", "PORT012"),
        (tool({**CLOSED, "properties": None}), "mcp-2025-11-25", "PORT012"),
        (tool(outputSchema={"type": "array"}), "mcp-2025-11-25", "PORT013"),
        (tool(outputSchema=ROOT), "mcp-2025-11-25", "PORT013"),
        (with_a(type="number", **{"x-mcp-header": "A"}), "mcp-2026-07-28", "PORT014"),
        (with_a(type="string", **{"x-mcp-header": "two words"}), "mcp-2026-07-28", "PORT014"),
        (with_a(type="string", **{"x-mcp-header": ""}), "mcp-2026-07-28", "PORT014"),
        (with_a(type="array", items={"type": "string", "x-mcp-header": "A"}), "mcp-2026-07-28", "PORT014"),
        (tool(name="count words"), "mcp-2026-07-28", "PORT015"),
        (tool(name=""), "mcp-2026-07-28", "PORT015"),
        (tool(name=None), "mcp-2026-07-28", "PORT012"),
        ({"tools": [tool(), tool()]}, "anthropic", "PORT017"),
        ({"tools": [tool(), tool()]}, "gemini", "PORT017"),
        ({"tools": [tool(), tool()]}, "openai", "PORT018"),
        ({"tools": [tool(), tool()]}, "mcp-2025-11-25", "PORT018"),
        ({"tools": [tool(), tool()]}, "mcp-2026-07-28", "PORT018"),
    ],
)  # fmt: skip
def test_what_a_profile_does_not_permit_is_found(definition: dict, profile: str, rule: str) -> None:
    """The rule for it finds it, and no rule of a profile that was not chosen does."""
    found = faults(definition, profile)
    assert rule in {name for name, _ in found}
    assert all("read 2026-11-2" in fault.help for _, fault in found)
    assert fired(definition, "seed") == set()


def test_two_tools_of_one_name_are_told_once() -> None:
    """The weightier rule reports each namesake of an earlier tool by itself; a name in another case is another name."""
    tools = {"tools": [tool(), tool(name="Count"), tool(), tool()]}
    found = [(name, fault.at) for name, fault in faults(tools, "all-providers") if name in {"PORT017", "PORT018"}]
    assert found == [("PORT017", ("name",))] * 2
    assert fired({"tools": [tool(), tool(name="Count")]}, "all-providers") == set()


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        (without({**tool(), "description": "Counts."}, "inputSchema"), "inputSchema is missing"),
        ({**tool(), "description": "Counts.", "inputSchema": None}, "inputSchema is null"),
        (tool({"properties": {}}), "the type of inputSchema is missing"),
        (tool({"type": None}), "the type of inputSchema is null"),
        (without(tool(), "name"), "the name is missing"),
    ],
)
def test_what_is_not_written_is_not_called_null(definition: dict, said: str) -> None:
    """An author who reads "null" would look for a null that is not there."""
    assert said in {fault.observed for name, fault in faults(definition, "mcp-2025-11-25") if name == "PORT012"}


@pytest.mark.parametrize(
    ("definition", "at", "observed"),
    [
        (without(tool(), "name"), (), "the name is missing"),
        ({**tool(), "name": 7}, ("name",), "the name is 7"),
        (tool(title=7), ("title",), "title is 7"),
        (tool(title={}), ("title",), "title is an object"),
        (tool(_meta=[]), ("_meta",), "_meta is an array"),
        (tool(annotations={"readOnlyHint": "yes"}), ("annotations", "readOnlyHint"), 'readOnlyHint is "yes"'),
        (tool(annotations={"title": 7}), ("annotations", "title"), "title is 7"),
        (tool(icons=[{"src": "a"}, {}]), ("icons", 1), "the icon has no string in src"),
        (tool({"type": "array"}), ("inputSchema", "type"), 'the type of inputSchema is "array"'),
        (tool({"properties": {}}), ("inputSchema",), "the type of inputSchema is missing"),
        (tool({**CLOSED, "required": "a"}), ("inputSchema", "required"), 'required is "a"'),
        (tool({**CLOSED, "required": ["a", 1, {}]}), ("inputSchema", "required"), "required has 1"),
    ],
)
def test_what_a_client_cannot_read_is_told_where_it_stands(definition: dict, at: tuple, observed: str) -> None:
    """PORT012: a missing part is reported at what lacks it, and once for all profiles that rest on the protocol."""
    profiles = ("mcp-2025-11-25", "mcp-2026-07-28")
    found = [(fault.at, fault.observed) for name, fault in faults(definition, *profiles) if name == "PORT012"]
    assert found == [(at, observed)]


LISTS = {
    **CLOSED,
    "properties": {
        "a": {"type": ["string", "null"], "default": "x"},
        "b": {"type": ["null"], "default": "y"},
        "c": {"type": ["integer"]},
    },
}


@pytest.mark.parametrize(
    ("definition", "profile", "rule", "at", "observed"),
    [
        (without(tool(), "name"), "openai", "PORT001", (), "the name is missing"),
        (tool(name=None), "openai", "PORT001", ("name",), "the name is null"),
        (tool(name=7), "openai", "PORT001", ("name",), "the name is 7"),
        (tool({"type": "array"}), "openai", "PORT004", ("type",), 'the type of the input schema is "array"'),
        (tool({"properties": {}}), "openai", "PORT004", (), "the type of the input schema is missing"),
        (tool({"type": None}), "openai", "PORT004", ("type",), "the type of the input schema is null"),
        (tool(LISTS), "gemini", "PORT006", ("properties", "a", "default"), 'default is "x", and 1 more schema has one'),
        (with_a(**{"not": {}, "const": 1}), "gemini", "PORT009", ("properties", "a", "not"),
         "the schema has not, const"),
        (with_a(type="string", default="x"), "gemini", "PORT006", ("properties", "a", "default"), 'default is "x"'),
        (tool(LISTS), "gemini", "PORT010", ("properties", "a", "type"),
         'type is ["string", "null"], and 2 more schemas have several'),
        (tool(name="a b.c"), "openai", "PORT001", ("name",), 'the name has " ", "."'),
        (tool(name="9lives"), "gemini", "PORT001", ("name",), 'the name is "9lives"'),
        (tool(name="a" * 65), "openai", "PORT001", ("name",), "the name is 65 characters long"),
        (with_a(type="array"), "openai", "PORT016", ("properties", "a", "type"), "the array has no items"),
        (tool(without({**CLOSED, "required": []}, "properties")), "openai", "PORT016", ("type",),
         "the input schema has no properties"),
        (with_a(type="string", properties={}), "gemini", "PORT016", ("properties", "a", "properties"),
         'properties has the type "string" beside it'),
        (with_a(properties={}), "gemini", "PORT016", ("properties", "a", "properties"),
         "properties has no type beside it"),
        (with_a(type="string", enum=["b", "", ""]), "gemini", "PORT016", ("properties", "a", "enum", 1),
         "a value of the enum is the empty string"),
        (tool({**CLOSED, "required": ["a", "b"]}), "gemini", "PORT016", ("required",),
         'required names "b", but properties does not'),
        (tool({**CLOSED, "properties": {"a": {"type": "object", "properties": {}, "required": ["b", "c"]}}}),
         "gemini", "PORT016", ("properties", "a", "required"), 'required names "b", "c", but properties does not'),
        (tool({**CLOSED, "$schema": "http://json-schema.org/draft-04/schema#",
               "properties": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": True}}}),
         "anthropic", "PORT016", ("properties", "a", "exclusiveMinimum"),
         "exclusiveMinimum is written as in draft-04"),
        (tool(outputSchema={"type": "array"}), "mcp-2025-11-25", "PORT013", ("type",),
         'the type of the output schema is "array"'),
        (tool(outputSchema={"properties": {}}), "mcp-2025-11-25", "PORT013", (),
         "the type of the output schema is missing"),
    ],
)  # fmt: skip
def test_what_a_provider_refuses_is_told_where_it_stands_first(
    definition: dict, profile: str, rule: str, at: tuple, observed: str
) -> None:
    """One finding for a definition gives the number of the others; a missing part is reported at what lacks it."""
    found = [(fault.at, fault.observed) for name, fault in faults(definition, profile) if name == rule]
    assert found == [(at, observed)]


@pytest.mark.parametrize(
    ("definition", "profile", "rule", "help_"),
    [
        (tool(outputSchema={"type": "array"}), "mcp-2025-11-25", "PORT013", "put the value into a member of an "),
        (tool(outputSchema={"type": "dict"}), "mcp-2025-11-25", "PORT013", 'write "type": "object"; '),
        (tool({**CLOSED, "properties": {"a": {}}, "required": ["aa"]}), "gemini", "PORT016", "did you mean a?"),
        (tool({**CLOSED, "required": ["b"]}), "gemini", "PORT016", "add each to the properties, or "),
        (with_a(type="object", additionalProperties={"type": "string"}), "anthropic-strict", "PORT007",
         'name the members in properties, and write "additionalProperties": false; '),
        (with_a(oneOf=[{"type": "string"}]), "anthropic-strict", "PORT007", "write anyOf instead; "),
        (with_a(type="string", format="datetime"), "anthropic-strict", "PORT007", "did you mean date-time?"),
    ],
)  # fmt: skip
def test_help_begins_with_the_next_step(definition: dict, profile: str, rule: str, help_: str) -> None:
    """The sentence that the rule rests on comes after it."""
    told = [fault.help for name, fault in faults(definition, profile) if name == rule]
    assert any(each.startswith(help_) and "read 20" in each for each in told), told


def test_what_several_profiles_say_of_one_thing_is_told_once() -> None:
    """Of two limits for the number of tools the lower one is reported: a user who keeps to it keeps to both."""
    tools = {"tools": [tool(name=f"count_{n}") for n in range(130)]}
    (most,) = (fault for name, fault in faults(tools, "openai", "all-providers") if name == "PORT011")
    assert most.on.name == "count_40"
    revisions = ("mcp-2025-11-25", "mcp-2026-07-28")
    assert [name for name, _ in faults(tool(name="count words"), *revisions)] == ["PORT015"]


def test_tools_without_a_name_are_no_namesakes() -> None:
    """They are reported as tools without a name, and the tools after them are still compared."""
    nameless = [tool(name=""), tool(name=""), without(tool(), "name"), tool(name=7), tool(name=7)]
    found = [
        fault.on.name
        for name, fault in faults({"tools": [*nameless, tool(), tool()]}, "anthropic")
        if name == "PORT017"
    ]
    assert found == ["count"]


@pytest.mark.parametrize(
    ("definition", "observed"),
    [
        (with_a(**{"x-mcp-header": "A"}), ["is on a parameter without a type"]),
        (with_a(type=None, **{"x-mcp-header": "A"}), ["is on a parameter of the type null"]),
        (with_a(type="number", **{"x-mcp-header": "A"}), ['is on a parameter of the type "number"']),
        (with_a(type="array", items={"type": "string", "x-mcp-header": "A"}), ['is below "items"']),
        (with_a(anyOf=[{"type": "string", "x-mcp-header": "A"}]), ['is below "anyOf"']),
        (tool({**CLOSED, "x-mcp-header": "A"}), ['is on a parameter of the type "object"', "is at the root"]),
        (with_a(properties={"items": {"type": "string", "x-mcp-header": "A"}}), []),
    ],
)
def test_a_header_is_told_with_what_is_wrong_of_it(definition: dict, observed: list[str]) -> None:
    """PORT014: a missing type is not called null, and a keyword other than properties above the header is named."""
    found = [fault.observed for name, fault in faults(definition, "mcp-2026-07-28") if name == "PORT014"]
    assert found == [f"x-mcp-header {each}" for each in observed]


@pytest.mark.parametrize("header", [7, None, "two words", ""])
def test_a_header_that_is_no_token_is_told_as_that_alone(header: object) -> None:
    """PORT014: there is no further finding about its parameter."""
    found = faults(with_a(type="object", **{"x-mcp-header": header}), "mcp-2026-07-28")
    assert len([name for name, _ in found if name == "PORT014"]) == 1


@pytest.mark.parametrize(
    ("definition", "profile", "rule"),
    [
        (tool(name="vault.readFile"), "gemini", "PORT001"),
        (tool(name="c" * 64), "openai", "PORT001"),
        (tool(name="c" * 58), "all-providers", "PORT002"),
        (tool(name=7), "mcp-2026-07-28", "PORT015"),
        (tool(name=""), "mcp-2025-11-25", "PORT012"),
        (tool({**CLOSED, "properties": {"a": {"properties": {"b[c]": {}}}}}), "anthropic", "PORT003"),
        (with_a(anyOf=[{"type": "string"}]), "anthropic", "PORT004"),
        (with_a(anyOf=[{"type": "string"}, {"type": "null"}]), "openai-strict", "PORT005"),
        (with_a(type="array", minItems=1), "anthropic-strict", "PORT007"),
        (with_a(type="string", pattern=r"^(?:a|\\b)[(?!]\(?=(\w?=)[\b]$"), "anthropic-strict", "PORT007"),
        (with_a(enum=[f"{n:060}" for n in range(250)]), "openai-strict", "PORT005"),
        (tool({**CLOSED, "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}),
         "anthropic-strict", "PORT007"),
        (tool(outputSchema={"type": "array"}), "mcp-2026-07-28", "PORT013"),
        (with_a(type="string", format="uuid", pattern="^[a-z]+$"), "openai-strict", "PORT005"),
        (with_a(enum=["b", "c"]), "openai-strict", "PORT005"),
        (with_a(allOf=[{"type": "string"}, {"description": "A word."}]), "anthropic-strict", "PORT007"),
        (tool(referring({"$ref": "#/$defs/A"})), "openai-strict", "PORT005"),
        (with_a(anyOf=[{"$ref": "#"}, {"type": "null"}]), "openai-strict", "PORT005"),
        (with_a(type="array", items={}), "openai", "PORT016"),
        # Other rules report these: PORT004 the root, SCH001 a schema that no draft permits.
        (tool({"type": "string"}), "openai", "PORT016"),
        (tool({"properties": {"a": {"type": "string"}}}), "gemini", "PORT016"),
        (tool(True), "anthropic", "PORT016"),
        (with_a(type="integer", minimum="0"), "anthropic", "PORT016"),
        (tool({**CLOSED, "$schema": "http://json-schema.org/draft-07/schema#", "required": "a"}),
         "anthropic", "PORT016"),
        (tool({**CLOSED, "if": {"required": ["a"]}, "then": {"required": ["a"]}}), "gemini", "PORT016"),
        (with_a(type="array"), "anthropic", "PORT016"),
        (with_a(type="integer", enum=[1, 2]), "openai", "PORT016"),
        (tool({**CLOSED, "$schema": "http://json-schema.org/draft-07/schema#"}), "anthropic", "PORT016"),
        (with_a(type="array", prefixItems=[{"type": "string"}]), "anthropic", "PORT016"),
        (with_a(type="array", items={"type": "string"}, minItems=1, maxItems=2), "openai-strict", "PORT005"),
        (with_a(**CLOSED), "openai-strict", "PORT005"),
        (tool({**CLOSED, "properties": {"a": {"type": "string"}}, "$defs": {"A": False}}), "openai-strict", "PORT005"),
        (tool({**CLOSED, "required": [], "properties": {}}), "openai", "PORT016"),
        (with_a(type="object"), "openai", "PORT016"),
        (with_a(type="object", properties={"b": {"type": "string"}}), "gemini", "PORT016"),
        (with_a(type="string", enum=["b", " "]), "gemini", "PORT016"),
        (tool({**CLOSED, "if": {"properties": {"a": {}}}, "then": {"required": ["a"]}}), "gemini", "PORT016"),
        (tool(annotations={"title": "Count", "readOnlyHint": True}, _meta={}, icons=[{"src": "data:image/png,a"}]),
         "mcp-2025-11-25", "PORT012"),
        (with_a(type="string", **{"x-mcp-header": "Region"}), "mcp-2026-07-28", "PORT014"),
        (with_a(type="string", **{"x-mcp-header": "two words"}), "mcp-2025-11-25", "PORT014"),
    ],
)  # fmt: skip
def test_what_a_profile_permits_is_let_pass(definition: dict, profile: str, rule: str) -> None:
    """Each definition is one that is permitted and close to one that is not."""
    assert rule not in fired(definition, profile)


def test_a_definition_for_gemini_is_judged_by_the_field_that_it_uses() -> None:
    """Clients remove some keywords from tools of others; a definition that is sent as it is must not have them."""

    def declared(**field: object) -> set[str]:
        return fired({"functionDeclarations": [{"name": "count", **field}]}, "gemini")

    assert declared(parameters={"type": "OBJECT", "additionalProperties": False}) == {"PORT009"}
    assert declared(parameters={"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}) == set()
    assert declared(parametersJsonSchema={"additionalProperties": False, "const": {}, "type": ["object"]}) == set()
    odd = {"properties": {"a": {"type": "ARRAY"}, "b": {"type": "INTEGER", "enum": [1]}}, "required": ["c"]}
    assert declared(parameters={"type": "OBJECT", **odd}) == {"PORT016"}
    assert declared(parametersJsonSchema={"type": "object", **odd}) == set()
    assert declared(parameters={"properties": {"a": {"properties": {}, "enum": [""]}}}) == {"PORT004", "PORT016"}
    assert declared(parametersJsonSchema={"properties": {"a": {"properties": {}, "enum": [""]}}}) == set()


def test_a_header_stands_once_whatever_its_case() -> None:
    """The case of a header does not matter."""
    properties = {"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}
    (found,) = faults(tool({**CLOSED, "properties": properties}), "mcp-2026-07-28")
    assert found[1].at == ("properties", "b", "x-mcp-header")


def test_the_tool_that_is_too_many_is_named() -> None:
    """It is the first one over the number."""
    tools = {"tools": [tool(name=f"count_{n}") for n in range(130)]}
    (found,) = [fault for name, fault in faults(tools, "openai") if name == "PORT011"]
    assert found.on.name == "count_128"
    assert fired({"tools": tools["tools"][:128]}, "openai") == set()


def test_the_strict_tools_of_a_request_are_counted_together() -> None:
    """No single tool exceeds the limit."""
    tools = [tool(name=f"count_{n}") for n in range(21)]
    assert fired({"tools": tools[:20]}, "anthropic-strict") == set()
    assert fired({"tools": tools}, "anthropic-strict") == {"PORT008"}


@pytest.mark.parametrize(
    ("schema", "required", "most"),
    [
        ({"type": ["string", "null"]}, True, 16),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, True, 16),
        ({"type": "string"}, False, 24),
    ],
    ids=["a list of types", "alternatives", "optional"],
)
def test_the_parameters_of_all_strict_tools_are_counted_together(schema: dict, required: bool, most: int) -> None:
    """Sixteen of a union type, in either spelling, or twenty-four optional ones: over several tools, at every depth."""

    def takes(number: int) -> dict:
        names = [f"p{place}" for place in range(number)]
        inner = {**CLOSED, "properties": dict.fromkeys(names, schema), "required": names if required else []}
        return {**CLOSED, "properties": {"a": inner}, "required": ["a"]}

    for number, expected in ((most, set()), (most + 1, {"PORT008"})):
        tools = [tool(takes(10), name="one"), tool(takes(number - 10), name="two")]
        assert fired({"tools": tools}, "anthropic-strict") == expected


OPEN = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize("strict", [True, False, None, "true"])
@pytest.mark.parametrize(
    "profile", ["openai", "openai-strict", "anthropic", "anthropic-strict", "gemini", "all-providers"]
)
def test_a_definition_that_asks_for_strict_is_held_to_it(profile: str, strict: object) -> None:
    """This holds in the form of a chosen provider, which would refuse the request as it is."""
    flat = {"type": "function", "name": "count", "parameters": OPEN, "strict": strict}
    nested = {"type": "function", "function": {"name": "count", "parameters": OPEN, "strict": strict}}
    openai = profile == "openai-strict" or (strict is True and profile in {"openai", "all-providers"})
    anthropic = profile == "anthropic-strict" or (strict is True and profile in {"anthropic", "all-providers"})
    strict_rules = {"PORT005", "PORT007"}
    for definition in (flat, nested):
        asked = "PORT007" if profile == "anthropic-strict" else "PORT005" if openai else ""
        assert fired(definition, profile) & strict_rules == {asked} - {""}
    sent = {"name": "count", "input_schema": OPEN, "strict": strict}
    asked = "PORT005" if profile == "openai-strict" else "PORT007" if anthropic else ""
    assert fired(sent, profile) & strict_rules == {asked} - {""}
    assert (fired(tool(OPEN, strict=strict), profile) & strict_rules != set()) is profile.endswith("-strict")


def test_the_tools_that_ask_for_strict_are_counted_alone() -> None:
    """The tools beside them are not part of the sum."""

    def sent(number: int, **more: object) -> dict:
        return {"name": f"count_{number}", "input_schema": CLOSED, **more}

    plain = [sent(number) for number in range(20)]
    assert fired({"tools": [*plain, sent(20, strict=True)]}, "anthropic") == set()
    (found,) = faults({"tools": [*plain, *(sent(number, strict=True) for number in range(20, 41))]}, "anthropic")
    assert (found[0], found[1].on.name) == ("PORT008", "count_40")


def test_levels_are_counted_as_the_schema_is_written() -> None:
    """Eleven levels inside one another are too many; a reference leads to another place, even to the root."""

    def nested(levels: int, end: dict) -> dict:
        return end if not levels else {**CLOSED, "properties": {"a": nested(levels - 1, end)}}

    assert fired(tool(nested(11, {"type": "string"})), "openai-strict") == {"PORT005"}
    referring_on = {**nested(6, {"$ref": "#/$defs/A"}), "$defs": {"A": nested(6, {"type": "string"})}}
    assert fired(tool(referring_on), "openai-strict") == set()


@pytest.mark.parametrize(("value", "profile"), [(1, "gemini"), ({}, "anthropic-strict"), ([], "anthropic-strict")])
def test_the_first_value_of_an_enum_that_is_refused_is_named(value: object, profile: str) -> None:
    """There is one finding for each enum."""
    (found,) = (fault for _, fault in faults(with_a(enum=["b", value, value]), profile))
    assert (found.at[-1], found.observed) == (1, f"a value of the enum is {value}")
    assert not faults(with_a(enum=["b", 1.5, 1, None, True]), "anthropic-strict")


def test_a_name_comes_with_the_one_that_can_be_sent() -> None:
    """The author need not rename a tool because of a dot."""
    ((_, fault),) = faults(tool(name="vault.readFile"), "openai")
    assert "send it as vault__readFile, which" in fault.help


def test_a_name_that_is_proposed_is_one_that_all_chosen_providers_take() -> None:
    """One provider accepts twice the length that another accepts."""
    for profiles in (("anthropic", "openai"), ("openai", "anthropic")):
        ((_, fault),) = faults(tool(name=f"vault.{'a' * 80}"), *profiles)
        assert fault.help.startswith("rename it; ")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["object", "a", "#", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "required", "enum", "$ref", "items", "format", "x-mcp-header", "name"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=14,
)


@given(JSON, JSON, JSON)
def test_garbage_is_survived(name: object, schema: object, output: object) -> None:
    """A definition may be any value; each rule ends, with or without a finding."""
    faults({"tools": [{"name": name, "inputSchema": schema, "outputSchema": output}, schema]}, *NAMES)


OF_GEMINI = {
    "type": "object",
    "propertyOrdering": ["a", "b"],
    "properties": {
        "a": {"type": "string", "nullable": True, "example": "x"},
        "b": {"type": "array", "items": {"type": "integer", "format": "int32"}},
        "c": {"type": "number", "format": "double"},
        "d": {"type": "string", "format": "enum", "enum": ["x"]},
    },
}


def judged(definition: object, *profiles: str) -> set[str]:
    """The ids of the rules of schemas that fire under some profiles."""
    catalogue, judging = held(definition, *profiles), [each for each in all_rules() if each.group == "SCH"]
    return {each.id for each in judging for subject in each.each(catalogue) for _ in each.examine(subject)}


@pytest.mark.parametrize("field", ["inputSchema", "parameters", "parametersJsonSchema"])
def test_no_rule_of_schemas_accuses_what_gemini_asks_for(field: str) -> None:
    """SCH003, SCH004: PORT010 advises ``nullable``; whoever writes it for Gemini is not told to take it out again."""
    told: Any = {"name": "count", field: OF_GEMINI}
    told = told if field == "inputSchema" else {"functionDeclarations": [told]}
    accused = {"SCH003", "SCH004"}
    assert accused & judged(told, "gemini") == (accused if field == "parametersJsonSchema" else set())
    assert accused & judged(told, "openai") == accused
    assert accused & judged(told, "gemini", "openai") == (accused if field == "parametersJsonSchema" else set())


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        (with_a(type="string", nulable=True), "SCH003"),
        (with_a(type="string", discriminator={}), "SCH003"),
        (with_a(type="string", format="datetime"), "SCH004"),
        ({**tool(), "outputSchema": {"type": "object", "properties": {"a": {"nullable": True}}}}, "SCH003"),
        ({**tool(), "outputSchema": {"type": "object", "properties": {"a": {"format": "int32"}}}}, "SCH004"),
    ],
)
def test_what_gemini_does_not_know_either_is_still_reported(schema: Any, rule: str) -> None:
    """SCH003, SCH004: the profile speaks only of its own names, and of inputs."""
    assert rule in judged(schema, "gemini")

"""What the rules of schemas report, and where: one planted fault each, and what only looks like one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from callproof import limits
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of, read_document
from callproof.lint.running import held
from callproof.lint.settings import Settings
from callproof.lint.sources.files import gathered
from tool_catalogues import catalogue, closed, faults, reading

SEVEN = "http://json-schema.org/draft-07/schema#"
FOUR = "http://json-schema.org/draft-04/schema#"
PLANTED: list[tuple[str, Any, list[str]]] = [
    ("a word that is not a type", {"type": "int"}, ["SCH001 /p/type"]),
    (
        "a required that is not a list",
        {"type": "object", "required": "a", "properties": {"a": {"type": "null"}}},
        ["SCH001 /p/required"],
    ),
    ("a length below zero", {"type": "string", "maxLength": -1}, ["SCH001 /p/maxLength"]),
    ("a keyword with a letter missing", {"type": "string", "maxLenght": 3}, ["SCH003 /p/maxLenght"]),
    ("a keyword in another case", {"type": "array", "items": {"type": "null"}, "MinItems": 1}, ["SCH003 /p/MinItems"]),
    ("a word of OpenAPI's", {"type": "string", "nullable": True}, ["SCH003 /p/nullable"]),
    ("a word of Gemini's", {"type": "string", "propertyOrdering": []}, ["SCH003 /p/propertyOrdering"]),
    ("an extension", {"type": "string", "x-order": 1}, []),
    ("a format with a letter wrong", {"type": "string", "format": "date_time"}, ["SCH004 /p/format"]),
    ("a format that is no text", {"type": "string", "format": 7}, ["SCH001 /p/format"]),
    ("a format of a later draft", {"type": "string", "format": "uuid"}, []),
    ("nothing said", {"description": "Anything."}, ["SCH005 /p"]),
    ("nothing but an extension", {"x-order": 1}, ["SCH005 /p"]),
    ("anything on purpose", True, []),
    (
        "members that another part forbids",
        {"type": "object", "properties": {"a": {}}, "allOf": [{"properties": {"a": False}}]},
        [],
    ),
    ("a bound that is not a number", {"minimum": 5, "maximum": "2"}, ["SCH001 /p/maximum"]),
    ("two bounds that are no numbers", {"minimum": "5", "maximum": "2"}, ["SCH001 /p/maximum", "SCH001 /p/minimum"]),
    (
        "members that another part describes",
        {"type": "object", "properties": {"a": {}}, "allOf": [{"properties": {"a": {"type": "null"}}}]},
        [],
    ),
    (
        "members that an alternative describes",
        {"type": "object", "properties": {"a": {}}, "oneOf": [{"properties": {"a": {"type": "null"}}}]},
        [],
    ),
    (
        "members that no part describes",
        {"type": "object", "properties": {"a": {}}, "allOf": [{"properties": {"a": {"title": "A"}}}]},
        ["SCH005 /p/allOf/0/properties/a", "SCH005 /p/properties/a"],
    ),
    (
        "members of which another part says nothing",
        {"type": "object", "properties": {"a": {}}, "allOf": [{"properties": {"a": True}}, {"required": ["a"]}]},
        ["SCH005 /p/properties/a"],
    ),
    (
        "members that another part describes, and one that none does",
        {"type": "object", "properties": {"a": {}, "b": {}}, "allOf": [{"properties": {"a": {"type": "null"}}}]},
        ["SCH005 /p/properties/b"],
    ),
    ("a definition that is called items", {"type": "null", "$defs": {"items": {}}}, []),
    ("a list of whatever", {"type": "array"}, ["SCH006 /p/type"]),
    ("a list of what stands at its beginning", {"type": "array", "prefixItems": [{"type": "null"}]}, []),
    ("a list with something in it", {"type": "array", "contains": {"type": "null"}}, []),
    ("a list of what was not evaluated", {"type": "array", "unevaluatedItems": False}, []),
    ("one list of some", {"type": "array", "enum": [[1], [2]]}, []),
    ("one list", {"type": "array", "const": [1]}, []),
    ("a list that a part describes", {"type": "array", "allOf": [{"items": {"type": "null"}}]}, []),
    ("a list that an alternative describes", {"type": "array", "anyOf": [{"items": {"type": "null"}}]}, []),
    ("a list that another alternative describes", {"type": "array", "oneOf": [{"items": {"type": "null"}}]}, []),
    ("a list of nothing", {"type": "array", "maxItems": 0}, []),
    ("a list that is described elsewhere", {"type": "array", "$ref": "#/$defs/ends"}, []),
    ("a value outside the type", {"type": "string", "enum": ["a", 1]}, ["SCH007 /p/enum/1"]),
    ("a value twice", {"enum": ["a", "b", "a"]}, ["SCH007 /p/enum/2"]),
    ("the same number written twice", {"type": "number", "enum": [1, 1.0]}, ["SCH007 /p/enum/1"]),
    ("a truth is not a number", {"enum": [1, True]}, []),
    ("a default out of bounds", {"type": "integer", "minimum": 1, "default": 0}, ["SCH008 /p/default"]),
    ("a default of another type", {"type": "string", "default": 5}, ["SCH008 /p/default"]),
    ("a default behind a reference", {"$ref": "#/$defs/small", "default": 99}, ["SCH008 /p/default"]),
    ("a default of null", {"type": "string", "default": None}, ["SCH008n /p/default"]),
    ("a default of null that may be", {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}, []),
    (
        "defaults and an example in a schema that is none",
        {"type": "array", "items": {"type": "string", "default": 1}, "minItems": -1, "default": None, "examples": [7]},
        ["SCH001 /p/minItems"],
    ),
    ("an example that is refused", {"type": "string", "examples": ["a", 1]}, ["SCH009 /p/examples/1"]),
    (
        "an example of OpenAPI's that is refused",
        {"type": "string", "example": 1},
        ["SCH003 /p/example", "SCH009 /p/example"],
    ),
    ("examples that are no list", {"type": "integer", "examples": "ab"}, ["SCH001 /p/examples"]),
    ("an object twice, in another order", {"enum": [{"a": 1, "b": 2}, {"b": 2, "a": 1}]}, ["SCH007 /p/enum/1"]),
    ("an enum beside a word that is not a type", {"type": "text", "enum": ["a"]}, ["SCH001 /p/type"]),
    ("an enum of several types", {"type": ["string", "null"], "enum": ["a", None, 1]}, ["SCH007 /p/enum/2"]),
    ("an enum that is not a list", {"enum": "aa"}, ["SCH001 /p/enum"]),
    ("bounds that cross", {"type": "integer", "minimum": 5, "maximum": 2}, ["SCH011 /p"]),
    ("bounds that cross, of no type", {"minimum": 5, "maximum": 2}, ["SCH011 /p/minimum"]),
    ("exclusive bounds that cross", {"exclusiveMinimum": 5, "exclusiveMaximum": 5}, ["SCH011 /p/exclusiveMinimum"]),
    ("an upper bound excludes the lower", {"minimum": 5, "exclusiveMaximum": 5}, ["SCH011 /p/minimum"]),
    ("a lower bound excludes the upper", {"exclusiveMinimum": 5, "maximum": 5}, ["SCH011 /p/exclusiveMinimum"]),
    ("bounds with one value between, of no type", {"minimum": 5, "maximum": 5}, []),
    ("lengths that cross, of no type", {"minLength": 3, "maxLength": 1}, ["SCH011 /p/minLength"]),
    ("numbers of items that cross, of no type", {"minItems": 3, "maxItems": 1}, ["SCH011 /p/minItems"]),
    ("numbers of members that cross", {"minProperties": 3, "maxProperties": 1}, ["SCH011 /p/minProperties"]),
    (
        "lengths that cross, beside a member with bounds that do not",
        {"type": "object", "properties": {"a": {"minimum": 1, "maximum": 2}, "b": {"minLength": 3, "maxLength": 1}}},
        ["SCH011 /p/properties/b/minLength"],
    ),
    ("lengths of one value, of no type", {"minLength": 3, "maxLength": 3}, []),
    ("lengths that cross", {"type": "string", "minLength": 3, "maxLength": 1}, ["SCH011 /p"]),
    ("no integer between", {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}, ["SCH011 /p"]),
    ("a number between", {"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 2}, []),
    ("two types at once", {"allOf": [{"type": "string"}, {"type": "integer"}]}, ["SCH011 /p"]),
    ("an enumeration outside the type", {"type": "string", "enum": [1, 2]}, ["SCH011 /p"]),
    ("nothing but not", {"not": {}}, ["SCH011 /p/not"]),
    ("what is not to be, and never is", {"not": {"type": "string", "enum": [1]}}, []),
    ("bounds that are not to be, and cross", {"not": {"minimum": 5, "maximum": 2}}, []),
    (
        "members that are called not",
        {
            "type": "object",
            "properties": {"not": {"type": "string", "enum": [1]}},
            "patternProperties": {"not": {"minimum": 5, "maximum": 2}},
        },
        ["SCH011 /p/patternProperties/not/minimum", "SCH011 /p/properties/not"],
    ),
    ("forbidden on purpose", False, []),
    (
        "required and forbidden",
        {"type": "object", "properties": {"a": False, "b": {"type": "null"}}, "required": ["a"]},
        ["SCH011 /p"],
    ),
    (
        "required and not named, in a closed object",
        {"type": "object", "properties": {"b": {"type": "null"}}, "required": ["a"], "additionalProperties": False},
        ["SCH011 /p/required/0"],
    ),
    (
        "more items than values",
        {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 3},
        ["SCH011 /p"],
    ),
    ("a value that holds itself for ever", {"$ref": "#/$defs/endless"}, ["SCH011 /$defs/endless/required"]),
    ("a list that holds itself for ever", {"$ref": "#/$defs/nested"}, ["SCH011 /$defs/nested/minItems"]),
    ("a list that ends", {"$ref": "#/$defs/ends"}, []),
    ("a tree that ends in null", {"$ref": "#/$defs/tree"}, []),
    ("a reference to nothing", {"$ref": "#/$defs/smal"}, ["SCH012 /p/$ref"]),
    ("a reference elsewhere", {"$ref": "https://example.com/x"}, ["SCH013 /p/$ref"]),
    ("a file beside", {"$ref": "common.json#/a"}, ["SCH013 /p/$ref"]),
    ("a bracket too few", {"type": "string", "pattern": "^[a-z+$"}, ["SCH016 /p/pattern"]),
    ("a group of Python's", {"type": "string", "pattern": "^(?P<y>a)$"}, ["SCH016 /p/pattern"]),
    ("an escape that nobody needs", {"type": "string", "pattern": r"^a\_b$"}, ["SCH016n /p/pattern"]),
    ("a class of Unicode, by the u flag", {"type": "string", "pattern": r"^\p{L}+$"}, ["SCH016n /p/pattern"]),
    ("a pattern without an end", {"type": "string", "pattern": "[a-z]"}, ["SCH017 /p/pattern"]),
    ("a class that is all but one character", {"type": "string", "pattern": "[^/]+"}, ["SCH017 /p/pattern"]),
    ("a sign of money", {"type": "string", "pattern": r"\$[0-9]"}, ["SCH017 /p/pattern"]),
    ("a class with a bracket in it", {"type": "string", "pattern": r"[\]$]"}, ["SCH017 /p/pattern"]),
    ("an end after a backslash", {"type": "string", "pattern": r"\\$"}, []),
    ("an end after a class", {"type": "string", "pattern": "[^a]$"}, []),
    ("a pattern that is tied to the beginning", {"type": "string", "pattern": "^a"}, []),
    ("an empty pattern", {"type": "string", "pattern": ""}, []),
    ("a class with an opening bracket in it", {"type": "string", "pattern": "^[[a]$"}, []),
    (
        "names of members by a pattern that nobody reads, and by one that many do",
        {"type": "object", "patternProperties": {"^(": {"type": "null"}, r"^a\_": {"type": "null"}}},
        ["SCH016 /p/patternProperties/^(", r"SCH016n /p/patternProperties/^a\_"],
    ),
    ("an exponential pattern", {"type": "string", "pattern": "^(a+)+$"}, ["SCH018 /p/pattern"]),
    (
        "a repeated class of Unicode, repeated",
        {"type": "string", "pattern": r"^(\p{L}+)+$"},
        ["SCH016n /p/pattern", "SCH018n /p/pattern"],
    ),
    ("a quadratic pattern", {"type": "string", "pattern": "^a*a*$"}, ["SCH018n /p/pattern"]),
    (
        "a pattern for names",
        {"type": "object", "patternProperties": {"^(a+)+$": {"type": "null"}}},
        ["SCH018 /p/patternProperties/^(a+)+$"],
    ),
    ("a circle", {"$ref": "#/$defs/circle"}, ["SCH019 /$defs/circle/anyOf/1/$ref"]),
    ("a length of an integer", {"type": "integer", "minLength": 1}, ["SCH021 /p/minLength"]),
    ("a then without an if", {"type": "string", "then": {"maxLength": 3}}, ["SCH021 /p/then"]),
    ("a then with its if", {"type": "string", "if": {"minLength": 2}, "then": {"maxLength": 3}}, []),
    ("an else without an if", {"type": "string", "else": {"maxLength": 3}}, ["SCH021 /p/else"]),
    (
        "numbers of what is contained, and nothing that is",
        {"type": "array", "items": {"type": "null"}, "minContains": 1, "maxContains": 2},
        ["SCH021 /p/maxContains", "SCH021 /p/minContains"],
    ),
    (
        "a length beside a word that is not a type",
        {"type": ["text", "integer"], "minLength": 1},
        ["SCH001 /p/type"],
    ),
    ("a length beside several types", {"type": ["integer", "string"], "minLength": 1}, []),
    ("an object of whatever", {"type": "object"}, ["SCH022 /p/type"]),
    ("an object of whatever, or null", {"type": ["object", "null"]}, ["SCH022 /p/type"]),
    ("a map", {"type": "object", "additionalProperties": {"type": "string"}}, []),
]  # fmt: skip
DEFINITIONS = {
    "small": {"type": "integer", "maximum": 9},
    "endless": {"type": "object", "properties": {"a": {"$ref": "#/$defs/endless"}}, "required": ["a"]},
    "nested": {"type": "array", "items": {"$ref": "#/$defs/nested"}, "minItems": 1},
    "ends": {"type": "array", "items": {"$ref": "#/$defs/ends"}},
    "tree": {
        "anyOf": [
            {"type": "null"},
            {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}, "required": ["next"]},
        ]
    },
    "circle": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/circle"}]},
}


def _found(schema: Any) -> list[str]:
    tool = {"name": "a.b", "description": "Do something.", "inputSchema": schema}
    read = gathered([document_of("tools.json", {"tools": [tool]})])
    outcome = held(Catalogue(read.documents, read.found), Settings(select=("SCH",)))
    assert outcome.problems == ()
    places = [each.pointer_text.removeprefix("/tools/0/inputSchema") for each in outcome.findings]
    return sorted(f"{each.rule} {at.replace('/properties/p', '/p', 1)}" for each, at in zip(outcome.findings, places))


@pytest.mark.parametrize(("schema", "expected"), [(s, e) for _, s, e in PLANTED], ids=[name for name, _, _ in PLANTED])
def test_a_planted_fault_is_found_where_it_stands(schema: Any, expected: list[str]) -> None:
    """Its own rule finds it and no other does; what only looks like a fault is left alone."""
    used = {name: each for name, each in DEFINITIONS.items() if f"#/$defs/{name}" in json.dumps(schema)}
    assert _found({"type": "object", "properties": {"p": schema}, "$defs": used}) == expected


@pytest.mark.parametrize(("draft", "keyword"), [(SEVEN, "items"), (None, "prefixItems")])
def test_an_item_of_a_tuple_says_what_it_takes(draft: str | None, keyword: str) -> None:
    """SCH005: the rule looks into the list of either draft."""
    tuple_of = {"type": "array", keyword: [{"type": "null"}, {"description": "One."}, True]}
    schema = {**({"$schema": draft} if draft else {}), **closed({"p": tuple_of})}
    found = faults("SCH005", catalogue(reading("a.b", schema, closed({}))))
    assert [each.at for each in found] == [(keyword, 1)]


@pytest.mark.parametrize("keyword", ["$dynamicRef", "$recursiveRef"])
def test_a_list_may_be_described_behind_a_reference_of_any_kind(keyword: str) -> None:
    """SCH006: with ``$recursiveRef`` the list is one of 2019-09."""
    draft = "2019-09" if keyword == "$recursiveRef" else "2020-12"
    takes = {
        "$schema": f"https://json-schema.org/draft/{draft}/schema",
        **closed({"p": {"type": "array", keyword: "#"}}),
    }
    assert faults("SCH006", catalogue(reading("a.b", takes, closed({})))) == []


@pytest.mark.parametrize(
    "said",
    [
        *({"$comment": "One."}, {"default": 1}, {"deprecated": True}, {"description": "One."}, {"examples": [1]}),
        *({"$id": "p"}, {"readOnly": True}, {"title": "P"}, {"writeOnly": True}, {"example": 1}),
    ],
    ids=lambda said: next(iter(said)),
)
def test_what_is_told_of_a_value_is_no_condition(said: Any) -> None:
    """SCH005: notes for people restrict nothing, so any value is valid."""
    found = faults("SCH005", catalogue(reading("a.b", closed({"p": said}), closed({}))))
    assert [each.at for each in found] == [("properties", "p")]


@pytest.mark.parametrize(
    ("p", "told"),
    [
        ({"type": "integer", "minimum": 5, "maximum": 2}, "minimum and maximum exclude each other"),
        ({"type": "string", "enum": [1]}, "type and enum exclude each other"),
        ({"type": "array", "items": False, "minItems": 1}, "items and minItems exclude each other"),
        ({"type": "integer", "anyOf": [{"type": "null"}]}, "type and anyOf exclude each other"),
        ({"type": "string", "$ref": "#/$defs/a"}, "type at /$defs/a and type exclude each other"),
        (
            {"allOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]},
            "type at /$defs/a and type at /properties/p/allOf/1",
        ),
        (
            {"type": "string", "allOf": [{"maxLength": 2}, {"minLength": 5}]},
            "the schema at /properties/p/allOf/0 and the schema at /properties/p/allOf/1 exclude each other",
        ),
        (
            closed({"a": False}),
            "properties, additionalProperties and required exclude each other",
        ),
        (
            {"type": "object", "additionalProperties": False, "required": ["a"]},
            '"a" is required, but additionalProperties refuses it',
        ),
        ({"type": "object", "required": ["a"], "maxProperties": 0}, "required and maxProperties exclude each other"),
        (
            {**closed({}, ["a"]), "patternProperties": {"^b": {"type": "null"}}},
            "properties, patternProperties, additionalProperties and required exclude each other",
        ),
        ({**closed({}, ["a"]), "type": "string", "enum": [1]}, "type and enum exclude each other"),
        ({"not": {}}, "not permits no value"),
        ({"enum": []}, "enum permits no value"),
    ],
)
def test_what_excludes_every_value_is_named(p: Any, told: str) -> None:
    """SCH011: it names the keywords of which one must change, and their places if elsewhere; or two whole parts."""
    takes = {**closed({"p": p}, []), "$defs": {"a": {"type": "integer"}}}
    (found,) = faults("SCH011", catalogue(reading("a.b", takes, closed({}))))
    assert found.observed.startswith(f"no value is valid here: {told}")
    assert found.help == "correct it: no call can have a valid value here"


def test_an_input_that_nothing_satisfies_is_one_that_nobody_can_call() -> None:
    """SCH011: if this is so at the root, the whole tool is of no use."""
    takes = {**closed({"p": {"type": "null"}}), "allOf": [{"type": "string"}]}
    (found,) = faults("SCH011", catalogue(reading("a.b", takes, closed({}))))
    assert (found.at, found.help) == ((), "correct it: no call can be valid")
    assert found.observed == "no value is valid here: type and type at /allOf/0 exclude each other"


def test_an_input_that_requires_the_unnamed_is_told_of_what_else_nothing_satisfies() -> None:
    """SCH011: what IN005 reports is the root alone, however many of the required names are properties."""
    takes = closed({"p": {"type": "string", "enum": [1]}, "q": {"type": "null"}}, ["q", "z"])
    assert [each.at for each in faults("SCH011", catalogue(reading("a.b", takes, closed({}))))] == [("properties", "p")]


@pytest.mark.parametrize("root", [{"type": "object"}, {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}])
def test_an_object_that_is_no_argument_may_be_of_whatever(root: Any) -> None:
    """SCH022: the rule leaves the whole input to SCH015, and says nothing of outputs."""
    assert faults("SCH022", catalogue(reading("a.b", root, closed({"p": {"type": "object"}})))) == []


@pytest.mark.parametrize("named", ["array", "boolean", "integer", "null", "number", "object", "string"])
def test_a_keyword_of_other_values_is_told_beside_any_type(named: str) -> None:
    """SCH021: a length limits texts and nothing else, and a bound limits numbers."""
    keyword = "minLength" if named != "string" else "minimum"
    takes = closed({"p": {"type": named, keyword: 1}})
    assert [each.at for each in faults("SCH021", catalogue(reading("a.b", takes, closed({}))))] == [(keyword,)]


@pytest.mark.parametrize(
    ("more", "holds"),
    [({}, "anything"), ({"additionalProperties": True}, "anything"), ({"additionalProperties": False}, "nothing")],
)
def test_an_object_without_members_is_told_by_what_it_may_hold(more: Any, holds: str) -> None:
    """SCH022: it may hold anything at all, or nothing if it is closed."""
    takes = closed({"p": {"type": "object", **more}})
    (found,) = faults("SCH022", catalogue(reading("a.b", takes, closed({}))))
    assert found.observed.endswith(f"so it may hold {holds}")


@pytest.mark.parametrize(
    "said",
    [
        {"properties": {"a": {"type": "null"}}},
        {"patternProperties": {"^a": {"type": "null"}}},
        {"propertyNames": {"pattern": "^a$"}},
        {"unevaluatedProperties": {"type": "null"}},
        {"required": ["a"]},
        {"allOf": [{"required": ["a"]}]},
        {"anyOf": [{"required": ["a"]}]},
        {"oneOf": [{"required": ["a"]}]},
        {"not": {"required": ["a"]}},
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {"dependentSchemas": {"a": {"required": ["b"]}}},
        {"dependentRequired": {"a": ["b"]}},
        {"dependencies": {"a": ["b"]}},
        {"enum": [{"a": 1}]},
        {"const": {"a": 1}},
        *({"maxProperties": 3}, {"maxProperties": 0}),
        *({"$ref": "#/$defs/a"}, {"$dynamicRef": "#/$defs/a"}, {"$recursiveRef": "#"}),
    ],
    ids=lambda said: next(iter(said)),
)
def test_an_object_of_which_something_is_said_is_not_told_as_one_of_whatever(said: Any) -> None:
    """SCH022: each of these keywords says something about the members of an object."""
    told = {"type": "object", "properties": {"p": {"type": "object", **said}}}
    assert [each for each in _found(told) if each.startswith("SCH022")] == []
    (keyword,) = list(said)[:1]
    empty = {"properties": {}, "required": [], "allOf": [], "additionalProperties": {}}.get(keyword)
    if empty is not None:
        told = {"type": "object", "properties": {"p": {"type": "object", keyword: empty}}}
        assert "SCH022 /p/type" in _found(told)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "object"}, ["SCH015"]),
        ({"type": "object", "properties": {}}, ["SCH015"]),
        ({"$ref": "https://example.com/a"}, []),
        ({"type": "object", "$dynamicRef": "#/$defs/a"}, []),
        ({"type": "object", "$recursiveRef": "#"}, []),
        ({"type": "object", "properties": {"a": {"type": "null"}}}, []),
        ({"type": "object", "patternProperties": {"^a": {"type": "null"}}}, []),
        ({"type": "object", "allOf": [{"properties": {"a": {"type": "null"}}}]}, []),
        ({"type": "object", "anyOf": [{"properties": {"a": {"type": "null"}}}]}, []),
        ({"type": "object", "oneOf": [{"properties": {"a": {"type": "null"}}}]}, []),
    ],
)
def test_an_input_names_the_arguments_of_which_its_text_speaks(schema: Any, expected: list[str]) -> None:
    """SCH015: it may name them in any of its parts."""
    tool = {"name": "a.b", "description": "Do something. Parameters: a, what is done.", "inputSchema": schema}
    assert ["SCH015" for _ in faults("SCH015", catalogue(tool))] == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        *(({}, 1), ({"$schema": SEVEN}, 1), ({"title": "T"}, 1), ({"title": "T", "x-a": 1}, 1)),
        ({"type": "object", "title": "T"}, 0),
    ],
)
def test_an_input_that_says_nothing_at_all_is_told_whatever_its_text_speaks_of(schema: Any, expected: int) -> None:
    """SCH015: a type alone says that there are no arguments."""
    assert len(faults("SCH015", catalogue({"name": "a.b", "description": "Do.", "inputSchema": schema}))) == expected


def test_a_member_that_is_required_and_not_named_is_told_by_one_rule() -> None:
    """IN005 reports it at the root of an input, and SCH011 in every other place where it leaves no valid value."""
    shut = {"type": "object", "additionalProperties": False, "properties": {}, "required": ["a"]}
    takes, gives = reading("a.b", shut, closed({})), reading("a.b", closed({}), shut)
    assert [len(faults(rule, catalogue(takes))) for rule in ("IN005", "SCH011")] == [1, 0]
    assert [len(faults(rule, catalogue(gives))) for rule in ("IN005", "SCH011")] == [0, 1]


def test_a_tool_that_no_call_fits_is_told_in_every_profile() -> None:
    """SCH011 reports it if the conventions, and so IN005, are not chosen; JSON Schema permits it in an open object."""
    shut = {"type": "object", "additionalProperties": False, "properties": {}, "required": ["a"]}
    for name in ("mcp-2025-11-25", "openai", "anthropic", "gemini"):
        held = replace(catalogue(reading("a.b", shut, closed({}))), profiles=(name,))
        (fault,) = faults("SCH011", held)
        assert (fault.at, fault.help) == (("required", 0), "correct it: no call can be valid")
        assert fault.observed == 'no value is valid here: "a" is required, but additionalProperties refuses it'
        open_one = {**shut, "additionalProperties": True}
        assert faults("SCH011", replace(catalogue(reading("a.b", open_one, closed({}))), profiles=(name,))) == []


@pytest.mark.parametrize(
    ("schema", "fixes"),
    [
        ({"type": "string", "maxLenght": 3}, ["rename maxLenght to maxLength"]),
        ({"type": "string", "maxLenght": 3, "maxLength": 3}, []),
        ({"type": "string", "colour": "red"}, []),
        ({"type": "string", "default": None}, ["permit null"]),
        ({"type": "string", "enum": ["a"], "default": None}, []),
        ({"type": "string", "const": "a", "default": None}, []),
        ({"type": ["string", "integer"], "default": None}, []),
    ],
)
def test_a_fix_is_offered_where_it_mends(schema: Any, fixes: list[str]) -> None:
    """SCH003, SCH008n: not if the better name is taken, nor if null beside the type would not permit null."""
    held_against = catalogue(reading("notes.look", closed({"p": schema}, []), closed({})))
    found = [each.fix for rule in ("SCH003", "SCH008n") for each in faults(rule, held_against)]
    assert [each.says for each in found if each is not None] == fixes


VALUES: dict[str, Any] = {
    "null": None, "boolean": True, "number": 1.5, "integer": 7, "string": "a", "array": [1], "object": {"a": 1},
}  # fmt: skip


@pytest.mark.parametrize("named", VALUES)
def test_a_listed_value_is_of_the_type_beside_it_or_told(named: str) -> None:
    """SCH007: this holds for each type; an integer is a number, too."""
    told = closed({"p": {"type": named, "enum": [*VALUES.values()]}}, [])
    found = faults("SCH007", catalogue(reading("a.b", told, closed({}))))
    of_it = {named, "integer"} if named == "number" else {named}
    assert [each.at for each in found] == [("enum", at) for at, each in enumerate(VALUES) if each not in of_it]


def test_no_fix_that_changes_what_a_schema_permits_is_called_safe() -> None:
    """SCH003, SCH008n: ``--fix`` makes none of them unless the user asks for unsafe ones."""
    nulls = {"p": {"type": "string", "default": None}, "dryRun": {"type": "boolean", "default": None}}
    told = closed({**nulls, "q": {"type": "string", "maxLenght": 3}}, [])
    held_against = catalogue(reading("notes.look", told, closed({})))
    fixes = [each.fix for rule in ("SCH003", "SCH008n") for each in faults(rule, held_against)]
    assert [each and each.safe for each in fixes] == [False, False, False]


def test_a_default_that_can_never_apply_is_a_fault_of_arguments_alone() -> None:
    """SCH010: a result may be required to have a member with a default."""
    shape = closed({"p": {"type": "string", "default": "a"}}, ["p"])
    assert [each.at for each in faults("SCH010", catalogue(reading("a.b", shape, closed({}))))] == [("required", 0)]
    assert faults("SCH010", catalogue(reading("a.b", closed({}), shape))) == []


def test_a_value_that_its_schema_refuses_is_told_with_the_place_in_it() -> None:
    """SCH008: of a large default only a part may be wrong; of several parts the first is told."""
    inner = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"maxLength": 1}}}
    for default, told in (({"a": 1, "b": "ab"}, " at /a: the value is not of type"), ([], "its own schema: ")):
        (found,) = faults(
            "SCH008", catalogue(reading("a.b", closed({"p": {**inner, "default": default}}, []), closed({})))
        )
        assert told in found.observed
        assert found.help == "change the default or the type that refuses it"


@pytest.mark.parametrize("draft", [SEVEN, "https://json-schema.org/draft/2020-12/schema"])
def test_the_draft_decides_what_stands_beside_a_reference(draft: str) -> None:
    """Up to draft-07, keywords beside a reference are ignored."""
    schema = {
        "$schema": draft,
        "properties": {"p": {"$ref": "#/definitions/d", "maximum": 3}},
        "definitions": {"d": {"type": "integer"}},
    }
    assert _found({"type": "object", **schema}) == (["SCH014 /p/maximum"] if draft == SEVEN else [])


@pytest.mark.parametrize(
    "beside",
    [
        *({"title": "P"}, {"description": "One."}, {"$comment": "One."}, {"default": 1}, {"examples": [1]}),
        *({"$id": "p"}, {"readOnly": True}, {"writeOnly": True}, {"deprecated": True}, {"x-order": 1}),
        *({"$schema": SEVEN}, {"definitions": {}}, {"$defs": {}}, {"contentEncoding": "base64"}, {"example": 1}),
    ],
    ids=lambda beside: next(iter(beside)),
)
def test_what_judges_nothing_may_be_beside_a_reference_of_an_old_draft(beside: Any) -> None:
    """SCH014: only conditions are told, since only they would have an effect elsewhere."""
    p = {"$ref": "#/definitions/d", **beside}
    takes = {"$schema": SEVEN, **closed({"p": p}), "definitions": {"d": {"type": "integer"}}}
    assert faults("SCH014", catalogue(reading("a.b", takes, closed({})))) == []


def test_an_id_of_draft_four_judges_nothing() -> None:
    """SCH014: its name has no sign in front there."""
    p = {"$ref": "#/definitions/d", "id": "p", "maximum": 3, "minimum": 1}
    takes = {"$schema": FOUR, **closed({"p": p}), "definitions": {"d": {"type": "integer"}}}
    (found,) = faults("SCH014", catalogue(reading("a.b", takes, closed({}))))
    assert (found.at, found.observed) == (("maximum",), "maximum, minimum beside $ref has no effect in draft-04")


@pytest.mark.parametrize(
    ("draft", "p", "expected"),
    [
        (SEVEN, {"type": "object", "properties": {}, "unevaluatedProperties": False}, ["/p/unevaluatedProperties"]),
        (SEVEN, {"type": "array", "prefixItems": [{"type": "string"}]}, ["/p/prefixItems"]),
        (SEVEN, {"type": "array", "items": [{"type": "string"}], "additionalItems": False}, []),
        (SEVEN, {"dependentSchemas": {"a": {"unevaluatedProperties": False}}}, ["/p/dependentSchemas"]),
        (SEVEN, {"type": "array", "items": {"$dynamicRef": "#"}}, ["/p/items/$dynamicRef"]),
        (SEVEN, {"$ref": "#", "unevaluatedProperties": False}, []),
        (FOUR, {"if": {"const": "a"}, "then": {"minLength": 1}}, ["/p/if"]),
        (FOUR, {"enum": ["a"], "examples": ["a"], "$comment": "One.", "contentEncoding": "base64"}, []),
        ("", {"type": "object", "dependencies": {"a": ["b"]}}, ["/p/dependencies"]),
        ("", {"$ref": "#", "dependencies": {"a": ["b"]}}, ["/p/dependencies"]),
        ("", {"type": "object", "dependentRequired": {"a": ["b"]}}, []),
        ("", {"type": "array", "items": {"$recursiveRef": "#"}}, ["/p/items/$recursiveRef"]),
        ("", {"type": "array", "items": {"type": "string"}, "additionalItems": False}, ["/p/additionalItems"]),
        ("", {"id": "a", "$ref": "#/definitions/a", "definitions": {"a": {"type": "string"}}}, []),
        ("https://example.test/dialect", {"type": "array", "prefixItems": [{"type": "string"}]}, []),
    ],
)
def test_a_keyword_of_another_draft_is_told(draft: str, p: Any, expected: list[str]) -> None:
    """It is reported if it would judge values, once for each schema, and not again below it."""
    named = {"$schema": draft} if draft else {}
    found = _found({**named, "type": "object", "properties": {"p": p}, "required": ["p"]})
    assert [each.removeprefix("SCH023 ") for each in found if each.startswith("SCH023")] == expected


@pytest.mark.parametrize(
    ("rule", "p", "told"),
    [
        ("SCH003", {"type": "string", "nullable": True}, "nullable is a keyword of OpenAPI, not of JSON Schema, so"),
        *(
            ("SCH003", {"type": "object", "properties": {}, name: {}}, f"{name} is a keyword of OpenAPI, not of JSON ")
            for name in ("discriminator", "externalDocs", "xml")
        ),
        ("SCH003", {"type": "string", "propertyOrdering": []}, "propertyOrdering is a keyword of Gemini, not of JSON "),
        ("SCH003", {"type": "string", "maxLenght": 3}, "maxLenght is not a keyword of JSON Schema, so"),
        (
            "SCH023",
            {"dependencies": {"a": ["b"]}},
            "dependencies is not part of 2020-12, the draft that applies without $schema, so validators may ignore it",
        ),
        (
            "SCH023",
            {"dependencies": {"a": ["b"]}, "additionalItems": False},
            "dependencies, additionalItems are not part of ",
        ),
        ("SCH001", {"required": "a"}, 'required is "a", which is not of type "array"'),
        ("SCH001", {"required": [7]}, 'required/0 is 7, which is not of type "string"'),
        ("SCH001", {"anyOf": [7]}, 'anyOf/0 is 7, which is not of types "boolean", "object"'),
        ("SCH001", {"properties": {"type": "null"}}, 'properties/type is "null", which is not of types "boolean", '),
        ("SCH019", {"$ref": "#/$defs/circle"}, '$ref leads back to itself through "#/$defs/circle", over'),
    ],
)
def test_a_keyword_is_told_by_what_it_is(rule: str, p: Any, told: str) -> None:
    """The finding says: one or several of another draft, a word of others or unknown, or where a reference leads."""
    takes = {**closed({"p": p}), "$defs": DEFINITIONS}
    (found,) = faults(rule, catalogue(reading("a.b", takes, closed({}))))
    assert found.observed.startswith(told)


@pytest.mark.parametrize(
    ("named", "help_"),
    [("date_time", "did you mean date-time?"), ("colour", "use a pattern, or say it in the description")],
)
def test_a_format_that_is_none_is_told_with_what_helps(named: str, help_: str) -> None:
    """SCH004: the finding proposes the format that is probably meant, if one is near."""
    takes = closed({"p": {"type": "string", "format": named}})
    assert [each.help for each in faults("SCH004", catalogue(reading("a.b", takes, closed({}))))] == [help_]


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (r"^a\_b$", "ECMA-262 with the u flag, which JSON Schema asks for: an escape \\_ "),
        (r"^\p{L}$", "Python's re: bad escape \\p "),
        ("^a{12345678901}$", "Python's re: the repetition number is too large"),
        (f"^a{{{'9' * 5_000}}}$", "Python's re: the repetition number is too large"),
    ],
)
def test_a_pattern_that_not_every_reader_takes_is_told_with_the_one_that_refuses_it(pattern: str, told: str) -> None:
    """SCH016n: it has the reader's reason, too; a count may be any number in ECMA-262."""
    takes = closed({"p": {"type": "string", "pattern": pattern}})
    (found,) = faults("SCH016n", catalogue(reading("a.b", takes, closed({}))))
    assert f" is invalid for {told}" in found.observed


@pytest.mark.parametrize(
    ("pattern", "told", "unknown"),
    [
        ("^x(a+)+$", ' on the text "x", "a" many times, "!" doubles with each repetition', ""),
        ("^(a+)+y$", ' on the text "a" many times doubles with each repetition', ""),
        ("^a*a*$", ' on the text "a" many times, "!" grows with the square of the repetitions, or faster', ""),
        (r"^(a+)+\b$", ' on the text "a" many times, "!" doubles with', "parts of a pattern that were left out"),
        (r"^a*a*\b$", ' on the text "a" many times, "!" grows with', "parts of a pattern that were left out"),
    ],
)
def test_a_slow_pattern_is_told_with_a_text_that_shows_it(pattern: str, told: str, unknown: str) -> None:
    """SCH018, SCH018n: a beginning, a part that is repeated, and an end; unknown if a part was left out."""
    held_against = catalogue(reading("a.b", closed({"p": {"type": "string", "pattern": pattern}}), closed({})))
    (found,) = [each for rule in ("SCH018", "SCH018n") for each in faults(rule, held_against)]
    assert f"for the pattern {json.dumps(pattern)}{told}" in found.observed
    assert found.unknown == unknown


def test_a_member_that_is_named_twice_is_found_at_its_second_place() -> None:
    """It is found although a reader keeps only one of the two."""
    text = '{"name": "a.b", "inputSchema": {"type": "object", "properties": {"a": {"type": "null", "type": "string"}}}}'
    read = gathered([read_document("tools.json", text.encode())])
    outcome = held(Catalogue(read.documents, read.found), Settings(select=("SCH",)))
    assert [(each.rule, each.pointer_text) for each in outcome.findings] == [
        ("SCH020", "/inputSchema/properties/a/type")
    ]
    assert outcome.findings[0].fault.observed == '"type" occurs a second time in the object'


@pytest.mark.parametrize("schema", [None, 7, "object", [], True])
def test_an_input_schema_that_is_no_object_is_told_or_left(schema: Any) -> None:
    """A boolean is a schema; the other values are not."""
    assert [each.split()[0] for each in _found(schema)] == ([] if schema is True else ["SCH001"])


def test_a_word_of_others_is_told_with_what_json_schema_has_for_it() -> None:
    """SCH001, SCH003: the finding says what to do instead, and does not advise to write x-example."""
    takes = closed(
        {
            "a": {"type": "string", "example": "b"},
            "c": {"type": "string", "nullable": True},
            "d": {"type": "string", "nullable": False},
            "e": {"type": "any"},
            "f": {"type": "dict"},
            "g": {"type": "array", "items": [{}]},
            "h": {"type": "object", "properties": {"items": []}},
            "i": {"type": "object", "discriminator": {"propertyName": "a"}},
            "j": {"type": "string", "maxLenght": 3},
        },
        [],
    )
    held_against = catalogue(reading("notes.look", takes, closed({})))
    assert [each.help for each in faults("SCH003", held_against)] == [
        "write examples, which is a list",
        "add null to the types: JSON Schema has no keyword for it",
        "take it out, or begin its name with x-",
        "take it out, and let a const in each alternative tell them apart",
        "did you mean maxLength?",
    ]
    assert {each.at[1:]: each.help for each in faults("SCH001", held_against)} == {
        ("e", "type"): "list the permitted types, or leave type out",
        ("f", "type"): 'write "object"',
        ("g", "items"): "write prefixItems, which 2020-12 has for a list of schemas",
        ("h", "properties", "items"): "correct it: validators refuse the whole schema",
    }


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        *(("dict", "object"), ("float", "number"), ("double", "number"), ("int", "integer"), ("list", "array")),
        *(("tuple", "array"), ("strng", "string"), ("nul", "null"), ("bool", "boolean"), ("qqqqqqqq", "")),
    ],
)
def test_a_word_for_a_type_is_told_with_the_type_that_it_means(said: str, meant: str) -> None:
    """SCH001: it may be a word of another language, or have a letter wrong; of other words nobody knows."""
    (found,) = faults("SCH001", catalogue(reading("a.b", closed({"p": {"type": said}}), closed({}))))
    assert found.help == (f'write "{meant}"' if meant else "list the permitted types, or leave type out")
    assert found.permitted == "a type: array, boolean, integer, null, number, object, string"


def test_a_fault_of_a_schema_as_a_whole_is_told_of_the_schema() -> None:
    """SCH001: in draft-04 an exclusive bound is a word about another one, which is lacking here."""
    takes = {"$schema": FOUR, "type": "object", "exclusiveMaximum": True}
    (found,) = faults("SCH001", catalogue(reading("a.b", takes, closed({}))))
    assert found.at == ()
    assert found.observed.startswith("the schema is {")
    assert found.observed.endswith(', which "maximum" is a required property')


def test_a_dialect_that_nobody_knows_is_told_where_it_is_named() -> None:
    """SCH002: null names no dialect, and is a fault of another kind (SCH001)."""
    takes = {"$schema": "https://example.com/dialect", "type": "object"}
    assert [each.at for each in faults("SCH002", catalogue(reading("a.b", takes, closed({}))))] == [("$schema",)]
    assert faults("SCH002", catalogue(reading("a.b", {**takes, "$schema": None}, closed({})))) == []


@pytest.mark.parametrize(
    ("p", "help_"),
    [
        ({"dependencies": {"a": ["b"]}}, "use keywords of 2019-09, or name draft-07, draft-06, draft-04 in $schema"),
        ({"dependencies": {"a": ["b"]}, "prefixItems": [{"type": "null"}]}, "use keywords of 2019-09"),
    ],
)
def test_a_keyword_of_another_draft_is_told_with_the_drafts_that_have_it(p: Any, help_: str) -> None:
    """SCH023: a draft helps only if it has all of the keywords."""
    takes = {"$schema": "https://json-schema.org/draft/2019-09/schema", **closed({"p": p})}
    (found,) = faults("SCH023", catalogue(reading("a.b", takes, closed({}))))
    assert " not part of 2019-09, so validators" in found.observed
    assert found.help == help_


@pytest.mark.parametrize(("pairs", "told"), [(9, 0), (10, 1)])
def test_five_hundred_and_twelve_cases_are_not_too_many(pairs: int, told: int) -> None:
    """SCH019: nine pairs of alternatives over one value make as many."""
    pair = {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    takes = {"type": "object", "properties": {"a": {}, "b": {}}, "allOf": [pair] * pairs}
    assert len(faults("SCH019", catalogue(reading("a.b", takes, closed({}))))) == told


def test_of_a_schema_with_many_faults_only_some_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """SCH001: nobody reads more of them."""
    monkeypatch.setattr(limits, "FINDINGS_SHOWN_PER_REQUIREMENT", 3)
    takes = closed({f"p{number}": {"minimum": "1"} for number in range(4)})
    assert len(faults("SCH001", catalogue(reading("a.b", takes, closed({}))))) == 3


def test_a_reference_that_leads_nowhere_is_told_with_the_definitions() -> None:
    """SCH012: both names of the place for definitions count; the nearest of them is proposed if there is one."""
    takes = closed({"p": {"$ref": "#/$defs/Nottes"}})
    (found,) = faults("SCH012", catalogue(reading("a.b", takes, closed({}))))
    help_ = "a pointer begins at the root of its schema, not of the file"
    assert (found.permitted, found.help) == ("a reference to a part of the same schema", help_)
    takes |= {"$defs": {"Notes": {"type": "null"}}, "definitions": {"a/b": {"type": "null"}}}
    (found,) = faults("SCH012", catalogue(reading("a.b", takes, closed({}))))
    assert (found.permitted, found.help) == ("one of #/$defs/Notes, #/definitions/a~1b", "did you mean #/$defs/Notes?")


def test_a_reference_that_is_no_text_hides_nothing() -> None:
    """SCH014: what is beside it is no fault, but the reference is (SCH001)."""
    takes = {"$schema": SEVEN, **closed({"p": {"$ref": 7, "maximum": 3}})}
    held_against = catalogue(reading("a.b", takes, closed({})))
    assert [len(faults(rule, held_against)) for rule in ("SCH001", "SCH014")] == [1, 0]

"""A schema that says the same in another way is judged the same: by reference, in parts, with a list of types."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.document import read_document
from callproof.lint.page import Example, page
from callproof.lint.rule import all_rules
from callproof.lint.running import held
from callproof.lint.settings import DEFAULT_PROFILE, Settings
from callproof.lint.sources.files import gathered
from tool_catalogues import Tool, canonical, catalogue, closed, ids, reading

pytestmark = pytest.mark.many

_ANNOTATIONS = ("description", "default", "title", "examples")
# Rules about the spelling itself: for providers, about a schema's own place, and about closing a possible part.
_OF_SPELLING = ("PORT", "SCH005", "SCH011", "SCH012", "SCH013", "SCH014", "SCH019", "IN003", "OUT003")
RULES = [each.id for each in all_rules() if not each.id.startswith(_OF_SPELLING)]


def _apart(schema: Tool) -> tuple[Tool, Tool]:
    """The annotations of a schema, and the rest of it."""
    return {k: v for k, v in schema.items() if k in _ANNOTATIONS}, {
        k: v for k, v in schema.items() if k not in _ANNOTATIONS
    }


def referred(root: Tool, name: str, schema: Tool) -> Tool:
    """The whole schema behind a reference whose pointer needs two kinds of escapes."""
    root.setdefault("$defs", {})[f"a/~%b {name}"] = schema
    return {"$ref": f"#/$defs/a~1~0%25b%20{name}"}


def annotated(root: Tool, name: str, schema: Tool) -> Tool:
    """The annotations beside the reference, and the rest behind it."""
    about, rest = _apart(schema)
    root.setdefault("$defs", {})[f"Of {name}"] = rest
    return {"$ref": f"#/$defs/Of%20{name}", **about}


def in_a_part(root: Tool, name: str, schema: Tool) -> Tool:
    """As an older pydantic wrote it: the annotations beside an ``allOf`` of the rest."""
    about, rest = _apart(schema)
    return {"allOf": [rest], **about}


def listed(root: Tool, name: str, schema: Tool) -> Tool:
    """Its single type, written as a list."""
    return {**schema, "type": [schema["type"]]} if isinstance(schema.get("type"), str) else schema


SPELLINGS: tuple[Callable[[Tool, str, Tool], Tool], ...] = (referred, annotated, in_a_part, listed)


def _roots(value: Any) -> Iterator[Tool]:
    for each in value if isinstance(value, list) else (value,):
        if isinstance(each, dict) and "tools" in each:
            yield from _roots(each["tools"])
        elif isinstance(each, dict):
            yield from (each[name] for name in ("inputSchema", "outputSchema") if isinstance(each.get(name), dict))


def found(value: Any, rule: str, example: Example) -> Counter[str]:
    """How often each rule finds something in the value of an example."""
    apart = value if "documents" in example.words else [value]
    read = gathered(read_document(f"{place}.json", json.dumps(each).encode()) for place, each in enumerate(apart))
    profiles = example.profiles or (DEFAULT_PROFILE,)
    settings = Settings(extend_select=(rule,), ignore=_OF_SPELLING, profiles=profiles)
    return Counter(
        each.rule for each in held(Catalogue(read.documents, read.found, read.plans, profiles), settings).findings
    )


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("rule", RULES)
def test_the_examples_of_a_page_say_the_same_in_another_spelling(
    rule: str, spelling: Callable[[Tool, str, Tool], Tool]
) -> None:
    """Every parameter and every member of an output of every example, bad and good, rewritten."""
    for example in page(rule).examples:
        value = json.loads(example.text)
        spelt = copy.deepcopy(value)
        for root in _roots(spelt):
            members = root.get("properties")
            for name, each in [*members.items()] if isinstance(members, dict) else ():
                if isinstance(each, dict):
                    members[name] = spelling(root, name, each)
        assert found(spelt, rule, example) == found(value, rule, example), example.text


TEXT: Tool = {"type": "string"}
NULLABLE: Tool = {"anyOf": [TEXT, {"type": "null"}]}
FAILED: Tool = closed({"ok": {"const": False}, "error": TEXT})


def told(takes: Tool, gives: Tool, *rules: str) -> list[str]:
    """What some rules find in a tool with these schemas."""
    return ids(catalogue(reading("notes.look", takes, gives)), *rules)


def test_members_of_an_output_are_found_in_its_alternatives() -> None:
    """For example one form for success and one for failure, as MCP servers write it."""
    output = {"type": "object", "oneOf": [closed({"ok": {"const": True}, "data": TEXT}), FAILED]}
    assert told(closed({}), output, "OUT004", "OUT005") == ["OUT004", "OUT004", "OUT005"]
    assert told(closed({}), {"allOf": [FAILED]}, "OUT004") == ["OUT004"]
    assert told(closed({}), {"oneOf": [closed({}), closed({"errorMessage": TEXT})]}, "ERR003") == ["ERR003"]


@pytest.mark.parametrize("where", ["allOf", "oneOf", "then"])
def test_what_is_described_in_a_part_is_not_missing(where: str) -> None:
    """REF003, IDEM001, IDEM002, OUT010 and PAT001, which report missing parts."""

    def beside(more: Tool, *names: str) -> Tool:
        part: Any = {"if": {}, "then": {"properties": more}} if where == "then" else {where: [{"properties": more}]}
        return {"type": "object", "properties": dict.fromkeys(names, TEXT), "required": [], **part}

    rules = ("REF003", "IDEM001", "IDEM002", "OUT010", "PAT001")
    file = beside({"etag": TEXT, "truncated": {"type": "boolean"}}, "path", "content", "items")
    assert told(closed({"expectedEtag": TEXT, "limit": TEXT}, []), file, *rules) == []
    assert told(beside({"mode": {"enum": ["regex"]}}, "pattern"), closed({}), *rules) == []
    takes = beside({"expectedEtag": TEXT}, "path", "content")
    tool = {**reading("notes.write", takes, closed({"etag": TEXT})), "riskLevel": "writes"}
    assert ids(catalogue(tool), *rules) == []


def test_names_are_required_in_parts_too() -> None:
    """Required names may stand beside a reference, or in the branches of an allOf."""
    base = {"Base": {k: v for k, v in closed({"note": TEXT}).items() if k != "required"}}
    beside = {"$ref": "#/$defs/Base", "required": ["note", "more"], "$defs": base}
    assert told(beside, closed({}), "IN004", "IN005", "IN007") == ["IN007", "IN005"]
    parts = {**closed({"note": TEXT}, []), "allOf": [{"required": ["note", "more"]}]}
    assert told(parts, closed({}), "IN005", "IN007") == ["IN007", "IN005"]
    assert told({"type": "object", "allOf": [{"properties": {"dryRun": TEXT}}]}, closed({}), "IN006") == ["IN006"]


@pytest.mark.parametrize(
    ("name", "schema", "expected"),
    [
        ("path", {**NULLABLE, "default": "/etc/hosts"}, ["PATH004"]),
        ("path", {"anyOf": [{**TEXT, "examples": ["a\\b.md"]}, {"type": "null"}]}, ["PATH005"]),
        ("path", {**NULLABLE, "description": "The absolute path."}, ["PATH004"]),
        ("path", NULLABLE, ["PATH006"]),
        ("paths", {"type": "array", "items": {"anyOf": [{**TEXT, "enum": ["~/a"]}]}}, ["PATH004"]),
        ("ids", {**NULLABLE, "description": "Comma-separated ids."}, ["DOC006"]),
        ("day", {**NULLABLE, "description": "As YYYY-MM-DD."}, ["DOC005"]),
        ("day", {"anyOf": [{**TEXT, "format": "date"}], "description": "As YYYY-MM-DD."}, []),
        ("command", NULLABLE, ["SEC007"]),
        ("command", {"anyOf": [{**TEXT, "maxLength": 9}]}, []),
        ("password", NULLABLE, ["SEC006"]),
        ("options", {"type": ["object", "null"]}, ["SCH022"]),
        ("options", {"type": "object", "maxProperties": 1}, []),
        ("count", {"type": ["integer", "null"]}, ["SEC008"]),
    ],
)
def test_a_parameter_that_may_be_null_is_judged_like_the_one_that_may_not(
    name: str, schema: Tool, expected: list[str]
) -> None:
    """pydantic writes optional parameters like that; a bound in one branch counts as a bound."""
    rules = ("PATH004", "PATH005", "DOC005", "DOC006", "SEC006", "SEC007", "SCH022", *expected)
    assert told(closed({name: schema}, []), closed({}), *rules) == expected


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ({"type": "array", "prefixItems": [TEXT, TEXT], "items": False}, []),
        ({"type": "array", "items": [TEXT, TEXT], "additionalItems": False}, []),  # as in draft-07
        ({"type": "array", "prefixItems": [TEXT, {"type": "integer"}]}, ["PATH002"]),
        ({"type": "array", "prefixItems": [TEXT], "items": {"type": "integer"}}, ["PATH002"]),
    ],
)
def test_a_tuple_of_texts_is_a_list_of_texts(paths: Tool, expected: list[str]) -> None:
    """PATH002: the rule looks at all elements."""
    assert told(closed({"paths": paths}), closed({}), "PATH002") == expected


def test_a_pattern_in_a_part_refuses_what_is_no_path() -> None:
    """PATH006: all patterns that a value must match count together."""
    takes = closed(
        {"path": {"allOf": [{**TEXT, "pattern": r"^[^\\\\/]"}, {"pattern": r"^[^:]*$"}, {"pattern": r"^[^.]*$"}]}}
    )
    assert told(takes, closed({}), "PATH006") == []


def test_a_time_that_may_be_null_says_its_format() -> None:
    """The format may stand in the branch that is a text, or beside the branches."""
    dated = {"anyOf": [{**TEXT, "format": "date-time"}, {"type": "null"}]}
    assert told(closed({}), closed({"created_at": NULLABLE}), "OUT009") == ["OUT009"]
    assert told(closed({}), closed({"created_at": dated}), "OUT009") == []


def test_a_part_is_described_where_its_type_is() -> None:
    """DOC004: also behind a reference in an allOf."""
    described = {"Language": {**TEXT, "description": "As BCP 47 has it."}}
    takes = {**closed({"language": {"allOf": [{"$ref": "#/$defs/Language"}]}}), "$defs": described}
    assert told(takes, closed({}), "DOC004") == []


def test_the_root_behind_a_reference_is_no_object_inside() -> None:
    """zod-to-json-schema writes a schema with a name like that: SCH022 is about arguments."""
    takes: Tool = {"$ref": "#/definitions/Args", "definitions": {"Args": closed({})}}
    assert told(takes, closed({}), "SCH022") == []
    assert told({**takes, "definitions": {"Args": {}}}, closed({}), "SCH015") == ["SCH015"]


@pytest.mark.parametrize(
    ("reference", "named"),
    [("#named", {"$anchor": "named"}), ("https://example.com/named", {"$id": "https://example.com/named"})],
)
def test_a_reference_is_followed_by_anchor_and_by_address_too(reference: str, named: Tool) -> None:
    """IN006, OUT006, PATH002, PATH004, IDEM003 and DOC004 judge the types and the texts behind the reference."""

    def by_name(name: str, schema: Tool) -> Tool:
        return {**closed({name: {"$ref": reference}}, []), "$defs": {"Named": {**schema, **named}}}

    listed_texts = {"type": "array", "items": TEXT, "description": "Where they are."}
    assert told(by_name("note", {**TEXT, "description": "A word."}), closed({}), "IN006", "DOC004") == []
    assert told(by_name("note", {"type": "integer"}), closed({}), "IN006", "DOC004") == ["DOC004", "IN006"]
    assert told(by_name("paths", listed_texts), closed({}), "PATH002", "DOC004") == []
    assert told(by_name("path", {**TEXT, "default": "/a"}), closed({}), "PATH004") == ["PATH004"]
    assert told(by_name("expectedEtag", TEXT), closed({}), "IDEM003") == []
    assert told(closed({}), by_name("mtimeMs", {"type": "integer"}), "OUT006") == []


def test_a_member_that_is_only_named_is_described_in_a_part() -> None:
    """An author who closes an object over the members of its parts must write it so: IN006 and CAN002."""
    part = {"note": TEXT, "dryRun": TEXT}
    for nothing in (True, {}):
        named = {**closed(dict.fromkeys(part, nothing), []), "allOf": [{"properties": part}]}
        assert told(named, closed({}), "IN006") == ["IN006"]  # about dryRun alone
        assert ids(catalogue(canonical("vault.searchText", _closed_over(nothing))), "CAN") == []


def _closed_over(nothing: Any) -> Callable[[Tool], object]:
    """A change that moves the members of an output into a part, and leaves their names in place."""

    def change(tool: Tool) -> None:
        output = tool["outputSchema"]
        part = {"properties": output["properties"], "required": output["required"]}
        tool["outputSchema"] = {**closed(dict.fromkeys(output["properties"], nothing)), "allOf": [part]}

    return change


def test_a_pointer_inside_a_part_with_an_address_begins_there() -> None:
    """It does not begin at the root, which has another definition of that name."""
    inner = {"$id": "https://example.com/a", "$ref": "#/$defs/P", "$defs": {"P": {**TEXT, "default": "/a"}}}
    takes = {**closed({"path": inner}, []), "$defs": {"P": {"type": "integer"}}}
    assert told(takes, closed({}), "PATH004") == ["PATH004"]


@pytest.mark.parametrize(
    "more",
    [
        {"if": {"required": ["a"]}, "then": {"properties": {"b": TEXT, "dryRun": {"type": "boolean"}}}},
        {"dependentSchemas": {"a": {"properties": {"b": TEXT, "dryRun": {"type": "boolean"}}}}},
    ],
)
def test_what_a_condition_describes_is_a_property(more: Tool) -> None:
    """IN005 and IN008 report no name that a condition describes."""
    takes = {"type": "object", "properties": {"a": TEXT}, "required": ["b"], **more}
    tool = {**reading("notes.put", takes, closed({})), "riskLevel": "writes"}
    assert ids(catalogue(tool), "IN005", "IN008") == []

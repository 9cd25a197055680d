"""Rules on definitions, inputs, outputs and paths, in cases for which their pages have no room: let pass, or not."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint.patharguments import HOUSE_PATTERN, asks_for_absolute, lets_pass
from callproof.lint.rule import Replace
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_catalogues import catalogue, closed, faults, findings, ids, plan, reading, step, writing

# A busy machine must not fail these tests: they do not judge how long a case takes.
UNHURRIED = settings(deadline=None, suppress_health_check=list(HealthCheck))

TEXT = {"type": "string"}
WORDS = closed({"words": {"type": "integer"}})
CLOSED = {"unevaluatedProperties": False}
OF_A, OF_B = {"type": "object", "properties": {"a": TEXT}}, {"properties": {"b": TEXT}}


def taking(properties: dict[str, Any], **more: Any) -> Any:
    """A tool that reads, with an input of these properties."""
    return reading("text.countWords", {**closed(properties, []), **more}, WORDS)


def giving(properties: dict[str, Any], **more: Any) -> Any:
    """A tool that reads, with an output of these properties."""
    return reading("text.countWords", closed({}), {**closed(properties, []), **more})


@pytest.mark.parametrize(("name", "rules"), [("", ["TD012"]), (" ", ["TD012"]), (7, ["TD012"]), (None, ["TD012"])])
def test_a_definition_has_a_name(name: Any, rules: list[str]) -> None:
    """It needs one whatever else it says, and whatever its category; another rule judges the form of a name."""
    tool = reading("a.bC", closed({}), WORDS)
    assert ids(catalogue({**tool, "name": name, "category": "a"}), "TD012") == rules
    assert ids(catalogue({each: tool[each] for each in tool if each != "name"}), "TD") == ["TD012"]


@pytest.mark.parametrize(
    ("told", "rules"),
    [
        *[({"cancellable": each}, ["TD013"]) for each in ("no", "false", 0, [], {})],
        *[({"cancellable": each}, []) for each in (True, False, None)],
        *[({"category": each}, ["TD013"]) for each in (7, ["text"], False, {})],
        ({"category": "text"}, []),
        ({"category": None}, []),
    ],
)
def test_what_a_definition_may_say_has_its_type(told: Any, rules: list[str]) -> None:
    """Null states nothing, and an absent member is not reported."""
    assert ids(catalogue({**taking({}), **told}), "TD") == rules


@pytest.mark.parametrize("value", [7, None, "tool", [], True, {}])
def test_what_is_no_definition_has_no_input_and_says_so_once(value: Any) -> None:
    """TD001 reports it, and the rules on its other members report nothing."""
    assert ids(catalogue(value, reading("a.bC", closed({}), WORDS)), "TD", "IN", "OUT") == ["TD001"]


@pytest.mark.parametrize(
    ("level", "near"), [("readonly", "read-only"), ("Write", "writes"), ("x", ""), (None, ""), ([], ""), ({}, "")]
)
def test_a_wrong_risk_level_gets_the_nearest_one(level: Any, near: str) -> None:
    """If none is near, the finding says how to choose one."""
    (fault,) = faults("TD004", catalogue({**taking({}), "riskLevel": level}))
    assert fault.help == f"did you mean {near}?" if near else fault.help.startswith("write read-only if")


@pytest.mark.parametrize(
    ("effects", "number"),
    [
        ([], 0),
        (["create-file", "x-send-mail"], 0),
        (["x-"], 1),
        (["X-mail", 7, None], 3),
        (["create-file", "create-file"], 1),
        ("create-file", 1),
        ({}, 1),
        (None, 1),
    ],
)
def test_side_effects_are_words_of_the_vocabulary(effects: Any, number: int) -> None:
    """Words of the author's own are told apart by their beginning, x-."""
    assert len(faults("TD005", catalogue({**taking({}), "sideEffects": effects}))) == number


@pytest.mark.parametrize(
    ("told", "number"),
    [({}, 0), ({"requires": []}, 0), ({"requires": ["vault"], "platform": 7}, 0), ({"requires": "vault"}, 1),
     ({"requires": {"vault": True}}, 1), ({"requires": ["vault", 7]}, 1), ({"requires": None}, 1), ([], 1)],
)  # fmt: skip
def test_what_a_tool_requires_is_a_list_of_texts(told: Any, number: int) -> None:
    """The rule ignores other members of its availability."""
    assert len(faults("TD006", catalogue({**taking({}), "availability": told}))) == number


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("a.readFile", "a.readFile", True),
        ("a.readFile", "a_read_file", True),
        ("a.readFile", "A.ReadFile", True),
        ("a.readFile", "a.readFiles", False),
        ("", "", False),
        ("...", "---", False),
        ("搜索", "搜索", True),
        ("搜索_a", "搜索A", True),
        ("搜索_a", "列表_a", False),
        ("notes.найти", "notes.открыть", False),
    ],
)
def test_names_are_compared_without_case_and_separators(first: str, second: str, same: bool) -> None:
    """A name without a letter cannot be shared."""
    tools = [{**taking({}), "name": each} for each in (first, second)]
    assert len(faults("TD010", catalogue(*tools))) == same


def test_a_name_that_stands_twice_is_told_as_such_beside_one_that_looks_like_it() -> None:
    """An identical name is reported rather than a similar one, whichever of them comes first."""
    tools = [{**taking({}), "name": each} for each in ("get weather!", "get_weather", "get_weather", "get weather!")]
    held = catalogue(*tools)
    first, second, *others = (each.spot for each in held.definitions)
    assert len({first, second, *others}) == 4
    assert [each.observed for each in faults("TD010", held)] == [
        f'the tool at {first} has a name that differs only in case or separators: "get weather!"',
        f"the tool at {second} has the same name",
        f"the tool at {first} has the same name",
    ]


@pytest.mark.parametrize(
    ("name", "category", "better"),
    [
        ("vault.readFile", None, None),
        ("vault.readFile", "vault", None),
        ("readFile", None, None),
        ("vault.read_file", None, "vault.readFile"),
        ("Vault.ReadFile", None, "vault.readFile"),
        ("read_file", "vault", "vault.readFile"),
        ("vault.deep.readFile", None, "vault.deepReadFile"),
        ("vault.", None, None),
        ("vault.öffneDatei", None, None),  # no letter of it may get lost
    ],
)
def test_a_name_with_a_category_gets_its_form(name: str, category: Any, better: str | None) -> None:
    """There is a fix if that form can be made from the name."""
    tool = {**taking({}), "name": name, **({"category": category} if category else {})}
    fixes = [each.fix for each in faults("TD011", catalogue(tool))]
    assert [each.says for each in fixes if each] == ([f"rename it to {better}"] if better else [])


def test_what_is_read_only_by_name_and_level_is_let_pass() -> None:
    """The first verb counts: a tool that gets an update only reads."""
    tools = [{**taking({}), "name": each} for each in ("a.getUpdate", "list_deleted_files", "x.frobnicate")]
    assert faults("TD009", catalogue(*tools)) == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["object"], "additionalProperties": False, "required": []}, ["IN001"]),
        ({"type": ["object", "null"], "additionalProperties": False, "required": []}, ["IN001"]),
        ({"type": "string"}, ["IN001"]),
        ({"type": "array", "items": TEXT, "required": ["a"]}, ["IN001"]),
        ({"type": 5}, ["IN001", "IN002", "IN004"]),
        ({"type": "dict"}, ["IN001", "IN002", "IN004"]),
        ({"enum": ["a", "b"]}, ["IN001"]),
        ({"type": ["object", "null"]}, ["IN001", "IN002", "IN004"]),
        (True, ["IN001"]),
        (None, ["TD001", "IN001"]),
        ({}, ["IN001", "IN002", "IN004"]),
        ({"$ref": "#/$defs/a", "$defs": {"a": closed({"a": TEXT})}}, []),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {}}}}, ["IN002", "IN004"]),
        ({"$ref": "#/$defs/a", "$defs": {}}, ["IN001", "IN002", "IN004"]),
        ({"$ref": "#"}, ["IN001", "IN002", "IN004"]),
        ({**closed({"a": TEXT}), "required": ["b"]}, ["IN005"]),
        ({**closed({"a": TEXT}), "required": "a"}, []),
    ],
)
def test_the_root_of_an_input_is_what_it_refers_to(schema: Any, expected: list[str]) -> None:
    """References within the schema are followed; one that leads nowhere is left as it is."""
    assert sorted(set(ids(catalogue({**taking({}), "inputSchema": schema}), "TD001", "IN"))) == sorted(expected)


@pytest.mark.parametrize("kind", ["string", "array", ["number", "null"]])
def test_of_a_root_of_another_type_nothing_but_the_type_is_told(kind: Any) -> None:
    """No member has to be named, closed, required or added in such a root, and no fix does so."""
    tool = {**taking({}), "riskLevel": "writes", "inputSchema": {"type": kind}, "outputSchema": {"type": kind}}
    assert sorted(set(ids(catalogue(tool), "IN", "OUT002", "OUT001"))) == ["IN001", "OUT001"]


def test_members_of_the_parts_of_an_open_schema_exist() -> None:
    """The root may require them, unless it is closed."""
    parts = {"allOf": [{"properties": {"b": TEXT}}, {"$ref": "#/$defs/c"}], "$defs": {"c": {"properties": {"c": TEXT}}}}
    held = catalogue(taking({}, required=["b", "c", "d"], additionalProperties=True, **parts))
    assert [each.at[-1] for each in faults("IN005", held)] == [2]
    assert len(faults("IN005", catalogue(taking({}, required=["b", "c", "d"], **parts)))) == 3
    assert faults("IN005", catalogue(taking({}, required=["b"], patternProperties={}))) == []


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_an_alternative_requires_what_exists(keyword: str) -> None:
    """If the root is closed and does not name a member, no call can satisfy an alternative that requires it."""
    held = catalogue(taking({"a": TEXT, "b": TEXT}, **{keyword: [{"required": ["a"]}, {"required": ["b", "c"]}]}))
    (fault,) = faults("IN005", held)
    assert fault.at == (keyword, 1, "required", 1)
    assert "alternative" in fault.observed


@pytest.mark.parametrize(
    ("inner", "open_to_others"),
    [
        ({"type": "object", "properties": {"a": TEXT}}, True),
        ({"type": "object", "properties": {"a": TEXT}, "additionalProperties": {}}, True),
        ({"type": "object", "properties": {"a": TEXT}, "additionalProperties": TEXT}, False),
        ({"type": "object", "properties": {"a": TEXT}, "unevaluatedProperties": False}, False),
        ({"type": "object", "properties": {"a": TEXT}, "patternProperties": {"^x": {}}}, False),
        ({"type": "object"}, False),
        ({"type": "object", "additionalProperties": True}, False),
        ({"type": "array", "items": {"properties": {"a": TEXT}}}, True),
        ({"type": "string", "properties": {"a": TEXT}}, False),
        ({"anyOf": [{"properties": {"a": TEXT}}, {"type": "null"}]}, True),
        ({"properties": {"b": TEXT}, "anyOf": [{"properties": {"a": TEXT}}]}, False),
        ({"allOf": [{"properties": {"a": TEXT}}]}, True),
        ({"allOf": [{"properties": {"a": TEXT}}, {"properties": {"b": TEXT}}]}, True),
        ({"allOf": [{"properties": {"a": TEXT}}], "properties": {"b": TEXT}, "unevaluatedProperties": False}, False),
        ({"allOf": [{"properties": {"a": TEXT}, "additionalProperties": TEXT}]}, False),
        ({"allOf": [{"properties": {"a": TEXT}}], "patternProperties": {"^x": {}}}, False),
        ({"not": {"properties": {"a": TEXT}}}, False),
    ],
)
def test_an_object_inside_is_open_where_it_names_members_and_lets_others_pass(inner: Any, open_to_others: bool) -> None:
    """A map is not open, nor is a schema that is only one condition among several."""
    assert bool(faults("IN003", catalogue(taking({"x": inner})))) == open_to_others
    assert bool(faults("OUT003", catalogue(giving({"x": inner})))) == open_to_others


PART = {"$ref": "#/$defs/Part"}


@pytest.mark.parametrize(
    ("properties", "told"),
    [
        ({"x": {**OF_B, "allOf": [PART], "unevaluatedProperties": False}}, []),
        ({"x": {"allOf": [PART, OF_B], "unevaluatedProperties": False}}, []),
        ({"x": {**OF_B, **PART, "unevaluatedProperties": False}}, []),
        ({"x": {"allOf": [{"allOf": [PART]}, OF_B], "unevaluatedProperties": False}}, []),
        ({"x": {**OF_B, "allOf": [PART]}}, [("x", True)]),
        ({"x": {**OF_B, **PART}}, [("x", True)]),
        ({"x": {"allOf": [PART, {"$ref": "#/properties/x/$defs/B"}], "$defs": {"B": OF_B}}}, [("x", True)]),
        ({"x": {"allOf": [PART], "description": "A part alone."}}, [("Part", True)]),
        ({"x": PART}, [("Part", True)]),
        ({"x": PART, "y": {**OF_B, "allOf": [PART], "unevaluatedProperties": False}}, [("Part", False)]),
        ({"x": {"not": PART}}, []),
        ({"x": {**OF_B, "additionalProperties": False, "anyOf": [PART]}}, []),
    ],
)
def test_what_is_a_part_of_an_object_is_not_closed_alone(properties: Any, told: list[tuple[str, bool]]) -> None:
    """Its object is closed, over all parts.  ``told`` has the place of each finding and whether it has a fix."""
    for rule, made in (("IN003", taking), ("OUT003", giving)):
        held = catalogue(made(properties, **{"$defs": {"Part": OF_A}}))
        found = [each for each in findings(held) if each.rule == rule]
        assert [(each.pointer[-1], each.fault.fix is not None) for each in found] == told


@pytest.mark.parametrize(
    ("x", "told"),
    [
        ({"allOf": [{"properties": {"y": OF_A}}]}, [("y",)]),
        ({"allOf": [{"properties": {"y": {"type": "array", "items": OF_A}}}, OF_B]}, [("y", "items")]),
        ({"allOf": [{"allOf": [{"properties": {"y": OF_A}}]}], "properties": {"z": OF_A}}, [("y",), ("z",)]),
        ({"allOf": [{"properties": {"y": OF_A}}, {"properties": {"y": OF_B}}]}, []),
        ({"allOf": [{"properties": {"y": OF_A}}, {"anyOf": [{"properties": {"y": OF_B}}, {}]}]}, []),
        ({"allOf": [{"properties": {"y": OF_A}}], "patternProperties": {"^y": {"required": ["b"]}}}, []),
        ({"allOf": [{"properties": {"y": OF_A}}], "properties": {"y": True}}, [("y",)]),
        ({"allOf": [{"properties": {"y": {"allOf": [{"properties": {"z": OF_A}}], **CLOSED}}}]}, [("z",)]),
        ({"allOf": [{"not": {"properties": {"y": OF_A}}}]}, []),
        ({"allOf": [{"then": {"properties": {"y": OF_A}}}]}, []),
        ({"items": {"properties": {"y": OF_A}, "allOf": [OF_A], **CLOSED}}, [("y",)]),
        ({"allOf": [{"items": OF_A}, {"prefixItems": [OF_B]}]}, []),
    ],
)
def test_a_member_that_one_part_alone_describes_is_a_value_of_its_own(x: Any, told: list[tuple[str, ...]]) -> None:
    """IN003, OUT003: if several parts describe a member, none of them has all names inside it."""
    for rule, made in (("IN003", taking), ("OUT003", giving)):
        found = [each.pointer for each in findings(catalogue(made({"x": {**CLOSED, **x}}))) if each.rule == rule]
        assert [each[-len(way) :] for each, way in zip(found, told, strict=True)] == told


def test_an_older_draft_has_no_word_to_close_an_object_over_its_parts() -> None:
    """A fix would write a keyword that the draft ignores."""
    for draft, mended in (("http://json-schema.org/draft-07/schema#", False), ("", True)):
        more = {"$schema": draft} if draft else {}
        (fault,) = faults("IN003", catalogue(taking({"x": {"allOf": [OF_A, OF_B]}}, **more)))
        assert (fault.fix is not None) is mended


def test_an_empty_required_is_not_written_where_the_draft_permits_none() -> None:
    """The metaschema of draft-04 refuses it."""
    for draft, mended in (("draft-04", False), ("draft-07", True)):
        schema = {"$schema": f"http://json-schema.org/{draft}/schema#", "type": "object", "properties": {}}
        (fault,) = faults("IN004", catalogue({**taking({}), "inputSchema": schema}))
        assert (fault.fix is not None) is mended


def test_an_alternative_is_not_closed_by_a_fix() -> None:
    """Closed, it would forbid the members that the root names."""
    (fault,) = faults("IN002", catalogue(taking({"a": TEXT}, additionalProperties=True, anyOf=[{"required": ["a"]}])))
    assert fault.fix is None
    assert "properties of the root" in fault.help


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("allOf", [OF_B]),
        ("anyOf", [OF_B]),
        ("oneOf", [OF_B]),
        ("if", OF_B),
        ("dependentSchemas", {"a": OF_B}),
        ("patternProperties", {"^b": TEXT}),
    ],
)
def test_what_names_members_in_further_places_is_closed_by_hand(keyword: str, value: Any) -> None:
    """Closed as it stands, a root would forbid the members named there; an object below it is not reported at all."""
    for rule, made in (("IN002", taking), ("OUT002", giving)):
        (fault,) = faults(rule, catalogue(made({"a": TEXT}, **{keyword: value}, additionalProperties=True)))
        assert fault.fix is None
    if keyword != "allOf":
        assert faults("IN003", catalogue(taking({"x": {**OF_A, keyword: value}}))) == []


@pytest.mark.parametrize(
    ("properties", "others"),
    [({}, True), ({}, {}), ({}, {"type": "number"}), ({"a": TEXT}, {"type": "number"})],
)
def test_a_map_is_not_closed_by_a_fix(properties: Any, others: Any) -> None:
    """Closed, it would refuse every member of the map."""
    for rule, made in (("IN002", taking), ("OUT002", giving)):
        (fault,) = faults(rule, catalogue(made(properties, additionalProperties=others)))
        assert fault.fix is None
        assert "name every member in properties" in fault.help


@pytest.mark.parametrize(
    ("more", "mended"),
    [
        ({"required": ["a"]}, True),
        ({"required": ["a", "b"]}, False),
        ({"dependentRequired": {"a": ["c"]}}, False),
        ({"dependentRequired": {"c": ["a"]}}, True),
        ({"examples": [{"a": "x"}]}, True),
        ({"examples": [{"a": "x"}, {"b": "x"}]}, False),
        ({"default": {"b": "x"}}, False),
        ({"const": {"b": "x"}}, False),
        ({"enum": [{"a": "x"}, {"b": "x"}]}, False),
        ({"minProperties": 1}, True),
        ({"minProperties": 2}, False),
    ],
)
def test_a_fix_closes_nothing_to_what_it_requires_or_shows(more: Any, mended: bool) -> None:
    """Closed, it would refuse every value, or its own example."""
    for rule, made in (("IN002", taking), ("OUT002", giving)):
        (fault,) = faults(rule, catalogue(made({"a": TEXT}, additionalProperties=True, **more)))
        assert (fault.fix is not None) is mended


@pytest.mark.parametrize(
    ("more", "mended"),
    [
        ({}, True),
        ({"enum": [{"a": "x"}]}, True),
        ({"const": "x"}, False),
        ({"anyOf": [{"type": "null"}]}, False),
        ({"type": ["object", "null"]}, False),
    ],
)
def test_a_fix_makes_no_object_of_what_is_none(more: Any, mended: bool) -> None:
    """If keywords beside the fix permit no object, no value would be valid any more."""
    schema = {"properties": {"a": TEXT}, "required": [], "additionalProperties": False, **more}
    for rule, key in (("IN001", "inputSchema"), ("OUT001", "outputSchema")):
        (fault,) = faults(rule, catalogue({**taking({}), key: schema}))
        assert (fault.fix is not None) is mended


@pytest.mark.parametrize(("properties", "mended"), [({"note": TEXT}, True), ({}, False)])
def test_a_common_member_that_is_no_property_is_made_optional_by_hand(properties: Any, mended: bool) -> None:
    """Every caller has to give it so far; a root that is closed later would refuse what all of them give."""
    (fault,) = faults("IN007", catalogue(taking(properties, required=["note"], additionalProperties=True)))
    assert (fault.fix is not None) is mended


@pytest.mark.parametrize(
    ("more", "mended"), [({}, True), ({"default": "a/b.md"}, True), ({"examples": ["/b.md"]}, False)]
)
def test_a_pattern_is_not_put_beside_a_path_that_it_refuses(more: Any, mended: bool) -> None:
    """Otherwise the schema would refuse its own example."""
    (fault,) = faults("PATH006", catalogue(taking({"path": {**TEXT, **more}})))
    assert (fault.fix is not None) is mended


@pytest.mark.parametrize(("required", "mended"), [(["a"], True), (["b"], False)])
def test_a_fix_closes_no_object_inside_to_what_it_requires(required: list[str], mended: bool) -> None:
    """IN003 and OUT003: closed, it would refuse every value."""
    for rule, made in (("IN003", taking), ("OUT003", giving)):
        inner = {"type": "object", "properties": {"a": TEXT}, "required": required}
        (fault,) = faults(rule, catalogue(made({"p": inner})))
        assert (fault.fix is not None) is mended


@pytest.mark.parametrize(
    ("more", "mended"),
    [
        ({}, True),
        ({"default": "x", "examples": ["x"], "minLength": 1}, True),
        ({"default": None}, True),
        ({"default": 1}, False),
        ({"examples": ["x", 1]}, False),
        ({"examples": [None]}, False),
        ({"minimum": 1}, False),
        ({"enum": [1]}, False),
    ],
)
def test_a_common_member_gets_its_type_where_nothing_beside_it_is_about_another(more: Any, mended: bool) -> None:
    """Otherwise the schema would refuse its own default, or a keyword would have no effect."""
    (fault,) = faults("IN006", catalogue(taking({"note": {"type": "integer", **more}})))
    assert (fault.fix is not None) is mended


def test_an_output_of_which_no_member_is_named_is_not_closed_by_a_fix() -> None:
    """Closed, it would always be empty; an input without arguments may be meant so."""
    for rule, schema, mended in (("IN002", "inputSchema", True), ("OUT002", "outputSchema", False)):
        for bare in ({"type": "object"}, {"type": "object", "properties": {}}):
            (fault,) = faults(rule, catalogue({**taking({}), schema: bare}))
            assert (fault.fix is not None) is mended


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("success", True),
        ("status", True),
        ("error", True),
        ("errorCode", True),
        ("errors", False),
        ("statusText", False),
    ],
)
def test_an_output_has_no_member_that_says_how_the_call_went(name: str, told: bool) -> None:
    """OUT005: the four names of its page, wherever the output names them."""
    part = closed({name: TEXT}, [])
    assert [each.at for each in faults("OUT005", catalogue(giving({name: TEXT})))] == [("properties", name)] * told
    assert bool(faults("OUT005", catalogue(giving({}, additionalProperties=True, anyOf=[part])))) is told


@pytest.mark.parametrize(
    ("shown", "mended"),
    [
        ({}, True),
        ({"examples": [12, 12.0]}, True),
        ({"examples": [12, 12.5]}, False),
        ({"default": 0.5}, False),
        ({"enum": [1, 2.5]}, False),
        ({"const": 2.5}, False),
    ],
)
def test_milliseconds_that_show_a_fraction_are_made_integers_by_hand(shown: Any, mended: bool) -> None:
    """Otherwise the schema would refuse its own example."""
    (fault,) = faults("OUT006", catalogue(giving({"tookMs": {"type": "number", **shown}})))
    assert (fault.fix is not None) is mended


@pytest.mark.parametrize(
    ("others", "mended"), [(["b\\c"], [True, True]), (["a/b"], [False]), (["c\\b/d", "c/b\\d"], [True, False, False])]
)
def test_a_path_is_not_written_a_second_time_into_an_enumeration(others: Any, mended: list[bool]) -> None:
    """An enumeration has each value only once."""
    found = faults("PATH005", catalogue(taking({"path": {"type": "string", "enum": ["a\\b", *others]}})))
    assert [each.fix is not None for each in found] == mended


def test_what_is_closed_in_other_places_too_is_not_closed_by_a_safe_fix() -> None:
    """The root of a tree is also the schema of its branches."""
    branch = {"type": "object", "required": [], "properties": {"below": {"type": "array", "items": {"$ref": "#"}}}}
    tree = {"$ref": "#/$defs/Node", "$defs": {"Node": {**branch, "properties": {"below": {"$ref": "#/$defs/Node"}}}}}
    plain = {"$ref": "#/$defs/Node", "$defs": {"Node": {**branch, "properties": {"a": TEXT}}}}
    safe = []
    for schema in (branch, tree, plain):
        (fault,) = faults("IN002", catalogue(reading("text.countWords", schema, WORDS)))
        safe.append(fault.fix is not None and fault.fix.safe)
    assert safe == [False, False, True]


@pytest.mark.parametrize(
    ("name", "schema", "wrong"),
    [
        ("dryRun", {"type": "boolean"}, False),
        ("dryRun", {"const": True}, False),
        ("dryRun", {"type": ["boolean", "null"]}, True),
        ("note", {"anyOf": [TEXT, {"type": "null"}]}, True),
        ("requestId", {"type": "integer"}, True),
        ("requestId", {}, True),
    ],
)
def test_the_common_members_have_one_type_each(name: str, schema: Any, wrong: bool) -> None:
    """Null is not one of them."""
    assert bool(faults("IN006", catalogue(taking({name: schema})))) == wrong


@pytest.mark.parametrize(
    ("takes", "at"),
    [
        ({"anyOf": [{"properties": {"note": {"type": "integer"}}}, OF_B]}, ["anyOf", 0]),
        ({"oneOf": [OF_B, {"allOf": [{"properties": {"note": {}}}]}]}, ["oneOf", 1, "allOf", 0]),
        ({"anyOf": [{"properties": {"note": TEXT}}, {"properties": {"note": {"maxLength": 9}}}]}, []),
        ({"properties": {"note": TEXT}, "anyOf": [{"properties": {"note": {"maxLength": 9}}}]}, []),
        ({"anyOf": [{"properties": {"note": TEXT}}, OF_B]}, []),
        ({**closed({"a": TEXT}, []), "anyOf": [{"properties": {"note": {"type": "integer"}}}]}, []),
    ],
)
def test_a_common_member_of_an_alternative_has_its_type_too(takes: Any, at: list[str | int]) -> None:
    """IN006: there is one finding, but none if the root refuses the member or another part states its type."""
    found = faults("IN006", catalogue({**taking({}), "inputSchema": {"type": "object", **takes}}))
    assert [each.at for each in found] == ([(*at, "properties", "note")] if at else [])


@pytest.mark.parametrize(
    ("takes", "at"),
    [
        ({"anyOf": [{"required": ["note"]}, {"required": ["b", "note"]}]}, [("anyOf", 0, "required", 0)]),
        ({"allOf": [{"oneOf": [{"allOf": [{"required": ["note"]}]}]}]}, [("allOf", 0, "oneOf", 0, "allOf", 0)]),
        ({"anyOf": [{"required": ["note"]}, {"required": ["b"]}]}, []),
        ({"required": ["note"], "anyOf": [{"required": ["note"]}]}, [("required", 0)]),
        ({"required": [7, "note", "note"]}, [("required", 1)]),
    ],
)
def test_what_every_alternative_requires_is_required(takes: Any, at: list[tuple[str | int, ...]]) -> None:
    """IN007: a member that one of them does not require can be left out."""
    schema = {"type": "object", "properties": {"note": TEXT, "b": TEXT}, **takes}
    found = faults("IN007", catalogue({**taking({}), "inputSchema": schema}))
    assert [each.at[: len(way)] for each, way in zip(found, at, strict=True)] == at
    if "anyOf" in takes and at:
        dropped = [each.at for fault in found if fault.fix is not None for each in fault.fix.edits]
        assert len(dropped) == (1 if "required" in takes else 2)


@pytest.mark.parametrize(
    ("takes", "at"),
    [
        ({"allOf": [{"properties": {"dryRun": {"type": "boolean"}}}]}, ("allOf", 0)),
        ({"anyOf": [OF_A, {"properties": {"dryRun": {"type": "boolean"}}}]}, ("anyOf", 1)),
        ({**closed({"a": TEXT}, []), "allOf": [{"properties": {"dryRun": {"type": "boolean"}}}]}, None),
        ({"properties": {"a": closed({"dryRun": TEXT})}}, None),
    ],
)
def test_a_dry_run_of_a_part_is_one_of_the_input(takes: Any, at: tuple[str | int, ...] | None) -> None:
    """IN010: it counts as it does for IN008, unless the root refuses it."""
    schema = {"type": "object", **takes}
    found = faults("IN010", catalogue({**taking({}), "inputSchema": schema}))
    assert [each.at for each in found] == ([] if at is None else [("inputSchema", *at, "properties", "dryRun")])


@pytest.mark.parametrize(
    ("more", "fixed"),
    [
        ({}, True),
        ({"propertyNames": {"pattern": "^[a-zA-Z]+$"}}, True),
        ({"propertyNames": {"pattern": "^[a-z]+$"}}, False),
        ({"propertyNames": {"enum": ["path"]}}, False),
        ({"maxProperties": 1}, False),
        ({"allOf": [{"properties": {"path": TEXT}}]}, True),
        ({"allOf": [closed({"path": TEXT})]}, False),
    ],
)
def test_no_fix_adds_a_member_that_the_object_refuses_all_the_same(more: dict[str, Any], fixed: bool) -> None:
    """IN008, IDEM002: keywords beside the properties may refuse the name, have no room for it, or close the object."""
    tool = writing("a.putC", {**closed({"path": TEXT}), **more}, closed({}), "create-file")
    (fault,) = faults("IN008", catalogue(tool))
    assert (fault.fix is not None) is fixed
    marked = {name: value for name, value in more.items() if name != "propertyNames"}
    asking = writing("a.putC", closed({"expectedEtag": TEXT}), {**closed({"path": TEXT}), **marked}, "create-file")
    (fault,) = faults("IDEM002", catalogue(asking))
    assert (fault.fix is not None) is (fixed or "propertyNames" in more)


def test_a_dry_run_is_asked_of_tools_that_change_something() -> None:
    """Every tool that changes something needs it, whatever it changes, and no other tool."""
    tool = writing("a.bC", closed({"path": TEXT}), WORDS, "create-file")
    assert len(faults("IN008", catalogue(tool))) == 1
    assert len(faults("IN008", catalogue({**tool, "riskLevel": "commands"}))) == 1
    assert faults("IN008", catalogue({**tool, "riskLevel": "read-only"})) == []


def test_only_the_step_that_sets_it_is_told() -> None:
    """The other steps of the plan are not."""
    steps = plan(step("a", "x", {}), step("b", "x", {"requestId": None}), step("c", "x", []))  # type: ignore[arg-type]
    (fault,) = faults("IN009", catalogue(taking({}), plan=steps))
    assert "b" in fault.observed


_FURTHER_TIMES = (
    "lastModified", "startTime", "endTime", "unixTime", "dueDate", "modificationDate", "createdOn", "updatedOn",
    "lastSeen", "last_updated", "file_last_modified",
)  # fmt: skip
_NO_TIMES = (
    "time", "playTime", "cookingTime", "runTime", "date", "on", "last", "lastPage", "lastLine", "start", "end",
    "startLine", "seen", "isOn", "startTimeout", "lastSeenDuration", "dates", "timeCreated", "birthYear",
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "schema", "rules"),
    [
        ("mtimeMs", {"type": "integer"}, []),
        ("mtimeMs", {"type": ["integer", "null"]}, []),
        ("mtimeMs", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, []),
        ("mtimeMs", {"type": "number"}, ["OUT006"]),
        ("mtimeMs", TEXT, ["OUT006", "OUT009"]),
        ("mtimeMs", {}, ["OUT006"]),
        ("teamMs", {"type": "number"}, ["OUT006"]),
        ("elapsed_Ms", {"type": "number"}, ["OUT006"]),
        ("elapsed-Ms", {"type": "integer"}, []),
        ("mtime_Ms", {"type": "integer"}, []),
        ("Ms", {"type": "number"}, ["OUT006"]),
        ("VMs", {"type": "array"}, []),
        ("items", {"type": "number"}, []),
        ("mtime", {"type": "integer"}, ["OUT007"]),
        ("createdAt", {"type": "number"}, ["OUT007"]),
        ("created_at", {"type": "number"}, ["OUT007"]),
        ("createdAtSeconds", {"type": "number"}, ["OUT007"]),
        ("createdAtSeconds", {"type": "integer"}, []),
        ("created", {"type": "boolean"}, []),
        ("created", {"type": "integer"}, []),
        ("created", {"type": "integer", "description": "When it was made."}, ["OUT007"]),
        ("deleted", {**TEXT, "description": "The name of the tag."}, []),
        ("timeout", {"type": "integer"}, []),
        ("elapsedTime", {"type": "number"}, []),
        ("updatedAt", TEXT, ["OUT009"]),
        ("updatedAt", {**TEXT, "format": "date-time"}, []),
        ("updatedAt", {**TEXT, "format": "date"}, []),
        ("update", TEXT, []),
        *((name, {"type": kind}, ["OUT007"]) for kind in ("number", "integer") for name in _FURTHER_TIMES),
        *((f"{name}Ms", {"type": "integer"}, []) for name in _FURTHER_TIMES),
        *((f"{name}_seconds", {"type": "number"}, []) for name in _FURTHER_TIMES),
        # As texts, some of them are days or hours, which have no format of a time.
        *((name, TEXT, []) for name in _FURTHER_TIMES),
        *((name, {"type": "number"}, []) for name in _NO_TIMES),
        ("startTime", {"type": "number", "description": "Where the segment begins in the audio."}, []),
        ("endTime", {"type": "number", "description": "Offset from the start, in seconds."}, []),
        ("startTime", {"type": "number", "description": "When the meeting begins."}, ["OUT007"]),
        ("clipStartTime", {"type": "number"}, []),
        ("dueDate", {"type": ["number", "null"]}, ["OUT007"]),
        ("lastModified", {"type": "boolean"}, []),
    ],
)
def test_times_are_told_by_their_names(name: str, schema: Any, rules: list[str]) -> None:
    """If a name can mean something else, its description decides."""
    held = catalogue(giving({"inner": closed({name: schema})}))
    assert ids(held, "OUT006", "OUT007", "OUT009") == rules


@pytest.mark.parametrize(("name", "better"), [("createdAt", "createdAtMs"), ("created_at", "created_at_ms")])
def test_a_time_without_a_unit_gets_a_name_in_its_own_casing(name: str, better: str) -> None:
    """OUT007: the name that the finding suggests is one that no rule reports."""
    (found,) = faults("OUT007", catalogue(giving({name: {"type": "integer"}})))
    assert found.help == f"rename it to {better} if it counts milliseconds"
    assert ids(catalogue(giving({better: {"type": "integer"}})), "OUT") == []


def test_times_of_one_form_are_let_pass() -> None:
    """Durations and counts are not times."""
    one, other = giving({"mtimeMs": {"type": "integer"}}), giving({"tookMs": {"type": "integer"}, "created": TEXT})
    assert faults("OUT008", catalogue(one, other)) == []
    dated = giving({"day": {**TEXT, "format": "date-time"}})
    assert len(faults("OUT008", catalogue(one, other, dated))) == 1


@pytest.mark.parametrize(
    ("times", "told"),
    [
        (["mtimeMs", "createdAtMs", "day"], "day is a text, and mtimeMs of"),
        (["day", "updatedAt", "mtimeMs"], "mtimeMs is a number, and day of"),
        (["day", "mtimeMs"], "mtimeMs is a number, and day of"),
    ],
)
def test_of_two_forms_of_times_the_rarer_one_is_told(times: list[str], told: str) -> None:
    """OUT008: it is reported with the first one of the other form; if both are equally frequent, the number is."""
    schemas: Any = {
        name: {"type": "integer"} if name.endswith("Ms") else {**TEXT, "format": "date-time"} for name in times
    }
    (found,) = faults("OUT008", catalogue(*(giving({name: each}) for name, each in schemas.items())))
    assert found.observed.startswith(told)


@pytest.mark.parametrize(
    ("schema", "mended"),
    [
        (TEXT, True),
        ({"type": ["string", "null"]}, True),
        ({"anyOf": [TEXT, {"type": "null"}]}, False),
        ({**TEXT, "enum": ["yesterday"]}, False),
    ],
)
def test_a_time_gets_a_format_where_it_says_itself_that_it_is_a_text(schema: Any, mended: bool) -> None:
    """OUT009: it gets none if it lists its values."""
    (found,) = faults("OUT009", catalogue(giving({"updatedAt": schema})))
    assert (found.fix is not None) == mended


def test_a_tool_that_takes_nothing_has_written_no_content() -> None:
    """OUT010: the input may be missing, which another rule reports."""
    bare = {**giving({"path": TEXT}), "riskLevel": "writes"}
    assert faults("OUT010", catalogue({name: each for name, each in bare.items() if name != "inputSchema"})) == []
    assert len(faults("OUT010", catalogue({**bare, "inputSchema": closed({"content": TEXT})}))) == 1


def test_an_object_that_a_tool_takes_is_none_that_it_gives() -> None:
    """OUT011: another rule reports such an object in an input."""
    assert faults("OUT011", catalogue(taking({"x": {"type": "object"}}))) == []


def test_the_times_of_two_registries_are_not_compared() -> None:
    """Two captured lists are two registries, even if one run reads both."""
    from callproof.lint.definition import Catalogue
    from callproof.lint.document import document_of
    from callproof.lint.sources.files import gathered

    read = gathered(
        document_of(name, [giving({"mtimeMs": {"type": "integer"}}), tool])
        for name, tool in (("a", giving({})), ("b", {**giving({}), "name": "text.countLines"}))
    )
    registries = Catalogue(read.documents, read.found).registries
    assert [len(each.definitions) for each in registries] == [2, 2]


@pytest.mark.parametrize(
    ("inner", "opaque"),
    [
        ({"type": "object"}, True),
        ({"type": "object", "additionalProperties": True}, True),
        ({"type": "object", "additionalProperties": {}}, True),
        ({"type": "object", "additionalProperties": False}, False),
        ({"type": "object", "additionalProperties": TEXT}, False),
        ({"type": "object", "properties": {}}, False),
        ({"type": "object", "oneOf": [{}]}, False),
        ({"type": ["object", "null"]}, True),
        ({"type": ["object", "null"], "properties": {}}, False),
        ({"type": ["object", "string"]}, False),  # need not be an object
    ],
)
def test_an_object_of_an_output_says_what_is_in_it(inner: Any, opaque: bool) -> None:
    """It says so by members, as a map, or by another schema."""
    assert bool(faults("OUT011", catalogue(giving({"x": inner})))) == opaque


@pytest.mark.parametrize(
    ("properties", "flagged"),
    [
        ({"file_path": TEXT}, True),
        ({"filename": TEXT}, True),
        ({"notePath": {"type": ["string", "null"]}}, True),
        ({"path": TEXT}, False),
        ({"path": TEXT, "outputPath": TEXT}, False),
        ({"path": {"type": "object"}, "filePath": TEXT}, False),
        ({"toPath": TEXT}, False),
        ({"imagePath": TEXT, "outputPath": TEXT}, False),
        ({"fromPath": TEXT}, False),
        ({"xpath": TEXT}, False),
        ({"json_path": TEXT}, False),
        ({"urlPath": TEXT}, False),
        ({"file_name": {**TEXT, "description": "The name of the new file."}}, False),
        ({"file_name": {**TEXT, "description": "A file of this folder. No path is allowed."}}, False),
        ({"filename": {**TEXT, "description": "The name, without any path separators."}}, False),
        ({"filename": {**TEXT, "description": "The attachment filename"}}, False),
        ({"filename": {**TEXT, "description": "The filename of the plan. Do not give an absolute path."}}, True),
        ({"page_path": {**TEXT, "description": "Path of the URL to open."}}, False),
        ({"key_path": {**TEXT, "description": "The JSON Path of the key."}}, False),
        ({"page_id__path": {**TEXT, "description": "(Path parameter)"}}, False),
        ({"file_path": {**TEXT, "description": "Such as 's3://bucket/file-name'."}}, False),
        ({"filePath": {"type": "object"}}, False),
        ({"empathy": TEXT}, False),
        ({"file": {**TEXT, "description": "The path of the note."}}, True),
        ({"targetFolder": {**TEXT, "description": "Relative path to the folder."}}, True),
        ({"file": {**TEXT, "description": "The text of the note."}}, False),
        ({"file": {**TEXT, "description": "Path or URL of the file."}}, False),
        ({"profile": {**TEXT, "description": "Path of the profile."}}, False),
        ({"path": TEXT, "file": {**TEXT, "description": "The path of the note."}}, False),
    ],
)
def test_the_one_path_of_an_object_is_called_path(properties: Any, flagged: bool) -> None:
    """Several paths need several names."""
    assert bool(faults("PATH001", catalogue(taking(properties)))) == flagged


def test_the_tools_of_the_editor_and_the_workspace_have_names_of_their_own() -> None:
    """No other tools may use such names."""
    for name, flagged in (("editor.getSelection", False), ("workspace.getContext", True), ("notes.get", True)):
        held = catalogue(reading(name, closed({}), closed({"filePath": TEXT})))
        assert bool(faults("PATH001", held)) == flagged
    for needs, flagged in (("activeEditor", False), ("selection", False), ("vault", True)):
        held = catalogue(
            reading("canvas.get", closed({}), closed({"filePath": TEXT}), availability={"requires": [needs]})
        )
        assert bool(faults("PATH001", held)) == flagged


@pytest.mark.parametrize(
    ("schema", "flagged"),
    [
        ({"type": "array", "items": TEXT}, False),
        ({"anyOf": [{"type": "array", "items": TEXT}, {"type": "null"}]}, False),
        ({"type": "array"}, True),
        ({"type": "array", "items": {"type": "object"}}, True),
        (TEXT, True),
    ],
)
def test_what_is_called_paths_is_a_list_of_texts(schema: Any, flagged: bool) -> None:
    """It may also be null."""
    assert bool(faults("PATH002", catalogue(taking({"paths": schema})))) == flagged


@pytest.mark.parametrize(
    ("name", "properties", "flagged"),
    [
        ("files.moveFile", {"source": TEXT, "destination": TEXT}, True),
        ("move", {"old_path": TEXT, "new_path": TEXT}, True),
        ("notes.renameNote", {"path": TEXT, "newName": TEXT}, True),
        ("files.moveFile", {"fromPath": TEXT, "toPath": TEXT}, False),
        ("files.moveFile", {"fromPath": TEXT, "toPath": TEXT, "newTitle": TEXT, "source": TEXT}, False),
        ("files.moveFile", {"fromPath": TEXT, "destination": TEXT}, True),
        ("files.moveFile", {"source": TEXT, "toPath": TEXT}, True),
        ("move", {"old_path": TEXT, "target": TEXT}, True),
        ("move", {"source": TEXT, "new_path": TEXT}, True),
        ("move", {"from": TEXT, "to": TEXT, "content": TEXT}, False),
        ("files.moveFile", {"source": {"type": "boolean"}, "new": {"type": "object"}}, False),
        ("board.moveCard", {"source": TEXT, "target": TEXT}, False),
        ("files.copyFile", {"source": TEXT, "destination": TEXT}, False),
        ("mail.moveMessage", {"id": TEXT}, False),
        ("files.renameFile", {"a": TEXT, "b": TEXT}, True),
        ("files.renameFile", {"a": TEXT, "b": TEXT, "dryRun": {"type": "boolean"}}, True),
        ("files.renameFile", {"path1": TEXT, "path_2": TEXT}, True),
        ("files.renameFile", {"fromPath": TEXT, "b": TEXT}, False),
        ("files.renameFile", {"a": TEXT, "b": TEXT, "c": TEXT}, False),
        ("files.renameFile", {"path": TEXT, "title": TEXT}, False),
        ("board.moveCard", {"a": TEXT, "b": TEXT}, False),
    ],
)
def test_a_move_of_files_is_told_by_its_names(name: str, properties: Any, flagged: bool) -> None:
    """The rule ignores a move of anything else."""
    held = catalogue({**taking(properties), "name": name})
    assert bool(faults("PATH003", held)) == flagged


@pytest.mark.parametrize(
    ("member", "value", "rule", "told"),
    [
        ("sideEffects", None, "TD005", "the definition has no sideEffects"),
        ("sideEffects", "none", "TD005", 'sideEffects is "none"'),
        ("availability", None, "TD006", "the definition has no availability"),
        ("availability", [], "TD006", "availability is []"),
        ("name", None, "TD012", "the definition has no name"),
        ("name", " ", "TD012", 'the name is " "'),
    ],
)
def test_what_is_missing_is_told_otherwise_than_what_is_wrong(member: str, value: Any, rule: str, told: str) -> None:
    """It is reported at the definition, since a missing member has no place."""
    tool = taking({})
    tool = {**tool, member: value} if value is not None else {k: v for k, v in tool.items() if k != member}
    (found,) = faults(rule, catalogue(tool))
    assert (found.observed, found.at) == (told, () if value is None else (member,))


@pytest.mark.parametrize(
    ("effects", "observed", "help_"),
    [
        (["create-file", "create-file"], '"create-file" is listed twice', "take it out"),
        (["create_file"], '"create_file" is not a known side effect', "did you mean create-file?"),
        (["send-mail"], '"send-mail" is not a known side effect', "begin a word of your own with x-"),
        (["create-file", 7], "7 is not a known side effect", "begin a word of your own with x-"),
    ],
)
def test_a_side_effect_that_is_none_is_told_with_what_it_may_be(effects: list[Any], observed: str, help_: str) -> None:
    """TD005: it is reported at its place in the list."""
    (found,) = faults("TD005", catalogue({**taking({}), "sideEffects": effects}))
    assert (found.observed, found.help) == (observed, help_)
    assert found.at == ("sideEffects", len(effects) - 1)


@pytest.mark.parametrize(
    ("more", "flagged"),
    [({}, True), ({"enum": ["a.md"]}, False), ({"const": "a.md"}, False), ({"type": "object"}, False)],
)
def test_a_path_that_is_one_of_some_values_needs_no_pattern(more: Any, flagged: bool) -> None:
    """PATH006: a value that is not a text needs none either."""
    assert bool(faults("PATH006", catalogue(taking({"path": {**TEXT, **more}})))) == flagged


@pytest.mark.parametrize(
    ("name", "says", "flagged"),
    [
        ("filename", "A name.", False),
        ("filename", "The file, from the root of the vault.", True),
        ("file_name", "The name of the file. No path is allowed.", False),
        ("filePath", "The name of the file.", True),
        ("path", "The name of the note.", True),
    ],
)
def test_a_bare_name_needs_no_pattern_for_paths(name: str, says: str, flagged: bool) -> None:
    """PATH006: a bare name is no path for PATH001 either; a member that is called path is one."""
    assert bool(faults("PATH006", catalogue(taking({name: {**TEXT, "description": says}})))) == flagged


def test_a_pattern_that_lets_too_much_pass_is_told_where_it_stands() -> None:
    """PATH006: a missing pattern is reported at the path, and only an unsafe fix adds the house pattern."""
    (bare,) = faults("PATH006", catalogue(taking({"path": TEXT})))
    assert bare.at == ("properties", "path")
    assert bare.fix is not None
    assert not bare.fix.safe
    (wide,) = faults("PATH006", catalogue(taking({"path": {**TEXT, "pattern": "[a-z]"}})))
    assert (wide.at, wide.fix) == (("properties", "path", "pattern"), None)
    (choice,) = faults("PATH006", catalogue(taking({"path": {"anyOf": [TEXT, {"type": "null"}]}})))
    assert choice.fix is None


def test_what_one_pattern_refuses_another_need_not() -> None:
    """PATH006: a path must match all of them, so what any of them refuses does not pass."""
    parts = [{"pattern": "^[^\\\\:]*$"}, {"pattern": "^[^/.].*$"}]
    (one,) = faults("PATH006", catalogue(taking({"path": {**TEXT, **parts[0]}})))
    (both,) = faults("PATH006", catalogue(taking({"path": {**TEXT, "allOf": parts}})))
    assert len(both.observed) < len(one.observed)


def test_the_file_that_is_open_has_a_name_of_its_own_in_the_workspace() -> None:
    """PATH001: in other categories this name is not let pass."""
    for name, flagged in (("workspace.getContext", False), ("notes.getContext", True)):
        held = catalogue(reading(name, closed({}), closed({"activeFilePath": TEXT})))
        assert bool(faults("PATH001", held)) == flagged


def test_a_pattern_without_a_mode_is_told_by_one_rule() -> None:
    """PAT001 reports the name pattern, PAT002 every other name except those that contain the kind of the pattern."""
    told: Any = {**TEXT, "description": "A regular expression."}
    for name, rules in (("pattern", ["PAT001"]), ("expression", ["PAT002"]), ("regex", []), ("lineRegexp", [])):
        assert ids(catalogue(taking({name: told})), "PAT001", "PAT002") == rules
    assert ids(catalogue(taking({"asText": {"type": "boolean", "description": "Not as a glob."}})), "PAT002") == []
    assert ids(catalogue(taking({"flag": {"type": "boolean", "description": "Read it as a regex."}})), "PAT002") == []


def test_side_effects_that_are_no_list_contradict_nothing() -> None:
    """TD005 reports that they are not a list."""
    assert ids(catalogue({**taking({}), "sideEffects": "none"}), "TD005", "TD007") == ["TD005"]


@pytest.mark.parametrize(
    ("takes", "place"),
    [
        ({"type": ["object"], "properties": {}}, ("type",)),
        ({"properties": {}}, ()),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, ("$defs", "a", "type")),
    ],
)
def test_a_type_that_is_no_object_is_told_where_it_is_written(takes: Any, place: tuple[str, ...]) -> None:
    """IN001: if no type is written, it is reported at the schema."""
    (found,) = faults("IN001", catalogue({**taking({}), "inputSchema": takes}))
    assert found.at == place


@pytest.mark.parametrize(
    ("told", "help_"),
    [
        ("dict", 'write "object"'),
        (["object", "null"], 'write "object" alone'),
        ("array", "put the value into a member of an object"),
    ],
)
def test_a_root_of_another_type_is_told_with_what_to_do(told: Any, help_: str) -> None:
    """IN001: a word that is no type is a slip; a list has to become a member."""
    (found,) = faults("IN001", catalogue({**taking({}), "inputSchema": {"type": told}}))
    assert found.help == help_


def test_a_required_name_that_is_misspelt_gets_the_nearest_property() -> None:
    """IN005: it also lists the properties."""
    (found,) = faults("IN005", catalogue(taking({"language": {}, "text": {}}, required=["langauge"])))
    assert (found.permitted, found.help) == ("only names of properties: language, text", "did you mean language?")


@pytest.mark.parametrize(
    ("draft", "help_"),
    [
        ("http://json-schema.org/draft-04/schema#", "draft-04 permits no empty list: name a later draft in $schema"),
        ("http://json-schema.org/draft-07/schema#", 'add "required": []'),
    ],
)
def test_an_empty_list_of_what_is_required_is_added_where_the_draft_permits_it(draft: str, help_: str) -> None:
    """IN004: if the draft does not permit it, the finding says what helps."""
    takes = {"$schema": draft, "type": "object", "properties": {}}
    (found,) = faults("IN004", catalogue({**taking({}), "inputSchema": takes}))
    assert (found.help, found.fix is None) == (help_, "draft-04" in draft)


@pytest.mark.parametrize(
    ("takes", "told"),
    [
        (closed({}, ["b"]), '"b" is required but is not a property, so no call is valid'),
        ({"type": "object", "properties": {}, "required": ["b"]}, '"b" is required but is not a property'),
        (
            {**closed({"a": TEXT}, []), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            '"b" is required but is not a property, so no call can use this alternative',
        ),
    ],
)
def test_what_is_required_and_not_there_is_told_with_what_comes_of_it(takes: Any, told: str) -> None:
    """IN005: nothing comes of it if other members are permitted."""
    assert [each.observed for each in faults("IN005", catalogue({**taking({}), "inputSchema": takes}))] == [told]


def test_a_common_member_that_is_required_is_told_where_that_is_written() -> None:
    """IN007: in a part of the schema as well as at its root."""
    takes = {**closed({"dryRun": {"type": "boolean"}}, []), "allOf": [{"required": ["dryRun"]}]}
    assert [each.at for each in faults("IN007", catalogue({**taking({}), "inputSchema": takes}))] == [
        ("allOf", 0, "required", 0)
    ]


@pytest.mark.parametrize(
    ("told", "mended"),
    [
        ({}, True),
        ({"$ref": "#/$defs/a"}, False),
        ({"anyOf": [{"type": "null"}]}, False),
        ({"oneOf": [{"type": "null"}]}, False),
        ({"allOf": [{"type": "null"}]}, False),
        ({"enum": [1]}, False),
        ({"const": 1}, False),
        ({"examples": [1]}, False),
        ({"minLength": 1}, False),
    ],
)
def test_a_common_member_gets_its_type_where_nothing_contradicts_it(told: Any, mended: bool) -> None:
    """IN006: the type of a dry run becomes boolean, unless another keyword contradicts that."""
    takes = {**closed({"dryRun": told}, []), "$defs": {"a": {"type": "string"}}}
    (found,) = faults("IN006", catalogue({**taking({}), "inputSchema": takes}))
    assert (found.fix is not None) == mended


def test_a_tool_without_a_name_shares_it_with_nobody() -> None:
    """TD010: the names of the tools after it are still compared."""
    bare = {name: each for name, each in taking({}).items() if name != "name"}
    assert [each.at for each in faults("TD010", catalogue(bare, bare, taking({}), taking({})))] == [("name",)]


def test_no_fix_of_a_name_is_made_unasked() -> None:
    """TD011: callers use this name, so the fix is unsafe."""
    (found,) = faults("TD011", catalogue({**taking({}), "name": "count_words", "category": "text"}))
    assert found.fix is not None
    assert not found.fix.safe


def test_a_pattern_that_a_tool_gives_is_looked_for_by_nobody() -> None:
    """PAT001: a mode would tell a caller how the tool reads the pattern, so an output needs none."""
    assert len(faults("PAT001", catalogue(taking({"pattern": TEXT})))) == 1
    assert faults("PAT001", catalogue(reading("text.grep", closed({}), closed({"pattern": TEXT})))) == []


@pytest.mark.parametrize(
    ("names", "told", "help_"),
    [
        (["source", "dest"], 'the paths of a move are called "source" and "dest"', "rename to fromPath and toPath"),
        (["fromPath", "new_path"], 'a path of a move is called "new_path"', "rename to toPath"),
        (["src", "toPath"], 'a path of a move is called "src"', "rename to fromPath"),
    ],
)
def test_the_names_of_the_paths_of_a_move_are_told_with_better_ones(names: list[str], told: str, help_: str) -> None:
    """A path that already has its right name is not among them."""
    (found,) = faults("PATH003", catalogue({**taking(dict.fromkeys(names, TEXT)), "name": "files.moveFile"}))
    assert (found.observed, found.help) == (told, help_)
    assert found.at[-1] in told


def test_a_move_that_takes_nothing_is_none_of_paths() -> None:
    """Its schema is missing, which another rule reports."""
    assert faults("PATH003", catalogue({"name": "files.moveFile", "description": "Move a file."})) == []


def test_a_list_of_paths_is_known_by_its_name_alone_and_fails_nothing() -> None:
    """PATH002: the finding is not certain, since the author may mean paths of a site."""
    (found,) = faults("PATH002", catalogue(taking({"file_paths": {"type": "array", "items": TEXT}})))
    assert not found.certain
    assert faults("PATH002", catalogue(taking({"file_paths": {"type": "object"}}))) == []
    routes: Any = {"type": "array", "items": TEXT, "description": "The routes of the site."}
    assert faults("PATH002", catalogue(taking({"page_paths": routes}))) == []


@pytest.mark.parametrize(
    ("name", "told", "flagged"),
    [
        ("paths", {"type": "array", "items": TEXT, "default": ["/etc"]}, True),
        ("tags", {"type": "array", "items": TEXT, "default": ["/etc"]}, False),
        ("paths", {"type": "object", "default": "/etc"}, False),
        ("file", {**TEXT, "description": "The path of the note.", "default": "/etc"}, True),
        ("file", {**TEXT, "description": "The text of the note.", "default": "/etc"}, False),
    ],
)
def test_what_holds_paths_is_known_by_its_name_and_its_schema(name: str, told: Any, flagged: bool) -> None:
    """PATH004: other texts in a list, and a file that is given by its content, may begin with a slash."""
    assert bool(faults("PATH004", catalogue(taking({name: told})))) == flagged


@pytest.mark.parametrize(
    ("more", "number"),
    [
        ({"default": "/etc"}, 1),
        ({"default": "~/notes"}, 1),
        ({"example": "/etc"}, 1),
        ({"examples": [[7, "/etc"], [None], {}]}, 1),
        ({"examples": ["C:\\x", "file://x", "a/b.md", 7]}, 2),
        ({"enum": ["a", "https://x/y"]}, 1),
        ({"const": "\\\\host\\share"}, 1),
        ({"pattern": "^/.+"}, 1),
        ({"pattern": HOUSE_PATTERN}, 0),
        ({"pattern": "^(?!/).+$"}, 0),
        ({"format": "uri"}, 1),
        *(({"format": each}, 1) for each in ("uri-reference", "iri", "iri-reference", "url")),
        ({"format": "path"}, 0),
        ({"description": "The absolute path of the file."}, 1),
        ({"description": "Never an absolute path."}, 0),
        ({"description": "A path relative to the vault, not an absolute path."}, 0),
        ({"default": "notes/a:b.md"}, 0),
    ],
)
def test_values_outside_the_vault_are_told(more: Any, number: int) -> None:
    """So are those of the elements of a list; a finding that rests on prose alone is not certain."""
    found = faults("PATH004", catalogue(taking({"path": {**TEXT, **more}})))
    assert len(found) == number
    assert all(each.certain == ("description" not in more) for each in found)
    assert len(faults("PATH004", catalogue(taking({"url": {**TEXT, **more}})))) == 0


@pytest.mark.parametrize(
    ("rule", "keyword", "value"),
    [
        ("PATH004", "default", "/etc"),
        ("PATH004", "pattern", "^/.+"),
        ("PATH004", "format", "uri"),
        ("PATH004", "description", "The absolute path of the file."),
        ("PATH005", "default", "a\\b.md"),
    ],
)
def test_what_is_shown_in_a_part_is_told_where_it_stands(rule: str, keyword: str, value: str) -> None:
    """The object with the path may lie at any depth, and the path may be described there or by reference."""
    shown: Any = {**TEXT, keyword: value}
    deep = taking({"inner": closed({"path": shown})})
    assert [each.pointer_text for each in findings(catalogue(deep), rule)] == [
        f"/tools/0/inputSchema/properties/inner/properties/path/{keyword}"
    ]
    takes = {**closed({"inner": closed({"path": {"$ref": "#/$defs/where"}})}), "$defs": {"where": shown}}
    held = catalogue({**taking({}), "inputSchema": takes})
    assert [each.pointer_text for each in findings(held, rule)] == [f"/tools/0/inputSchema/$defs/where/{keyword}"]


@pytest.mark.parametrize(
    ("description", "rules"),
    [
        ("The URL path of the route.", []),
        ("A JSON Pointer to the member.", []),
        ("The path of the request.", []),
        ("Path within the API, with its version.", []),
        ("The path of the JSON file.", ["PATH004", "PATH005", "PATH006"]),
        ("The file, by its path or its URL.", ["PATH004", "PATH005", "PATH006"]),
    ],
)
def test_a_path_into_a_site_or_a_document_is_none_of_a_file(description: str, rules: list[str]) -> None:
    """The description says so; a slash at the beginning of the path is then not the root of a disk."""
    told = taking({"path": {**TEXT, "description": description, "examples": ["/v1/a", "a\\b"]}})
    assert sorted({each.rule for each in findings(catalogue(told), "PATH004", "PATH005", "PATH006")}) == rules


_OUTSIDE = "C:\\vault\\a.md"
_NOTES = {"type": "array", "items": closed({"path": TEXT, "text": TEXT})}


@pytest.mark.parametrize(
    ("properties", "more", "places"),
    [
        ({"path": TEXT}, {"examples": [{"path": "a.md"}, {"path": _OUTSIDE}]}, [("examples", 1, "path")]),
        ({"path": TEXT}, {"default": {"path": _OUTSIDE}}, [("default", "path")]),
        ({"path": TEXT}, {"example": {"path": _OUTSIDE}}, [("example", "path")]),
        (
            {"paths": {"type": "array", "items": TEXT}},
            {"default": {"paths": ["a", _OUTSIDE]}},
            [("default", "paths", 1)],
        ),
        ({"notes": _NOTES}, {"default": {"notes": [{"path": _OUTSIDE}]}}, [("default", "notes", 0, "path")]),
        (
            {"note": {**closed({"path": TEXT}), "examples": [{"path": _OUTSIDE}]}},
            {},
            [("properties", "note", "examples", 0, "path")],
        ),
        (
            {"note": {"$ref": "#/$defs/note"}},
            {"$defs": {"note": closed({"path": TEXT})}, "default": {"note": {"path": _OUTSIDE}}},
            [("default", "note", "path")],
        ),
        # Paths of the vault, values of other members, and what is no object or no text.
        ({"path": TEXT}, {"examples": [{"path": "Inbox/a.md"}, _OUTSIDE, [_OUTSIDE], 7], "default": {"path": 7}}, []),
        ({"path": TEXT, "text": TEXT}, {"examples": [{"text": _OUTSIDE, "more": {"path": _OUTSIDE}}]}, []),
        ({"notes": _NOTES}, {"default": {"notes": {"path": _OUTSIDE}}}, []),
        ({"path": {**TEXT, "description": "The URL path of the route."}}, {"default": {"path": "/v1\\a"}}, []),
    ],
)
def test_an_example_of_an_object_shows_the_paths_in_it(properties: Any, more: Any, places: list[Any]) -> None:
    """PATH004, PATH005: a planner copies the arguments of a whole call just like one argument."""
    for tool in (taking(properties, **more), giving(properties, **more)):
        held = catalogue(tool)
        for name in ("PATH004", "PATH005"):
            assert [each.at for each in faults(name, held)] == places
        for fix in (each.fix for each in faults("PATH005", held)):
            assert fix is not None
            assert fix.edits == (Replace(fix.edits[0].at, "C:/vault/a.md"),)


def test_an_example_of_several_paths_is_a_list_whose_elements_are_looked_at() -> None:
    """A planner would copy each path that is shown."""
    paths = {"type": "array", "items": TEXT, "examples": [["a", "/b", 7], ["c\\d"], 7], "const": [7, "/e"]}
    held = catalogue(taking({"paths": paths}))
    assert [each.at[2:] for each in faults("PATH004", held)] == [("const", 1), ("examples", 0, 1)]
    assert [each.at[2:] for each in faults("PATH005", held)] == [("examples", 1, 0)]


@pytest.mark.parametrize(
    ("more", "mended"),
    [
        ({}, True),
        ({"properties": {"file_path": TEXT, "inner": {"type": "object", "properties": {"file_path": TEXT}}}}, True),
        ({"anyOf": [{"required": ["file_path"]}, {"required": ["content"]}]}, False),
        ({"dependentRequired": {"content": ["file_path"]}}, False),
        ({"dependentRequired": {"file_path": ["content"]}}, False),
        ({"examples": [{"file_path": "a.md"}]}, False),
        ({"default": {"file_path": "a.md"}}, False),
        ({"allOf": [{"$ref": "#/properties/file_path"}]}, False),
        ({"allOf": [{"$ref": "#/properties/file_path/items"}]}, False),
        ({"allOf": [{"$ref": "#/properties/file_path_of_another"}]}, True),
    ],
)
def test_a_path_is_not_called_otherwise_where_its_old_name_would_stay(more: Any, mended: bool) -> None:
    """Otherwise nothing could satisfy an alternative that requires the old name, and an example would be refused."""
    takes = {**closed({"file_path": TEXT, "content": TEXT}), **more}
    fault = faults("PATH001", catalogue(reading("text.countWords", takes, WORDS)))[0]
    assert (fault.fix is not None) == mended


def test_a_member_is_not_taken_out_where_something_else_speaks_of_it() -> None:
    """A schema that requires a member that it no longer permits accepts nothing."""
    either = {"anyOf": [{"required": ["ok"]}, {"required": ["a"]}]}
    for more, mended in ({}, True), (either, False):
        (fault,) = faults("OUT004", catalogue(giving({"ok": {"type": "boolean"}, "a": TEXT}, **more)))
        assert (fault.fix is not None) == mended
    dry = {"dryRun": {"type": "boolean"}, "a": TEXT}
    for more, mended in ({}, True), ({"dependentRequired": {"dryRun": ["a"]}}, False):
        (fault,) = faults("IN010", catalogue(taking(dry, **more)))
        assert (fault.fix is not None) == mended


def test_the_values_of_a_list_of_paths_are_looked_at() -> None:
    """The rule looks at values of the list itself and at values of its elements."""
    paths = {"type": "array", "items": {**TEXT, "examples": ["/a"]}, "default": ["/b", "c"], "examples": ["d"]}
    assert [each.at[2:] for each in faults("PATH004", catalogue(taking({"paths": paths})))] == [
        ("default", 0),
        ("items", "examples", 0),
    ]


@UNHURRIED
@given(st.text("abAZ09 ._-/äß", min_size=1).filter(lambda each: "//" not in each and not each.startswith("/")))
def test_the_house_pattern_takes_paths_of_the_vault(path: str) -> None:
    """They may have any name without a parent segment."""
    import re

    if ".." not in path.split("/"):
        assert re.search(HOUSE_PATTERN, path)


@pytest.mark.parametrize("path", ["/a", "~/a", "../a", "a/..", "a/../b", "..", "C:/a", "c:\\a", "a\\b", "file://a", ""])
def test_the_house_pattern_refuses_the_others(path: str) -> None:
    """Absolute paths, parent segments, URIs and backslashes."""
    import re

    assert re.search(HOUSE_PATTERN, path) is None


@pytest.mark.parametrize(
    ("pattern", "passes"),
    [
        (HOUSE_PATTERN, ()),
        ("^[a-z]+$", ()),
        (".*", ("absolute paths", "parent segments", "URIs", "backslashes")),
        ("^(?!/).*$", ("parent segments", "URIs", "backslashes")),
        ("(", ()),
        ("a" * 5_000, ()),
    ],
)
def test_a_pattern_is_tried_on_one_of_each(pattern: str, passes: tuple[str, ...]) -> None:
    """Another rule reports a text that is not a pattern."""
    assert lets_pass(pattern) == passes


@pytest.mark.parametrize(
    ("properties", "rules"),
    [
        ({"pattern": TEXT}, ["PAT001"]),
        ({"pattern": TEXT, "mode": TEXT}, []),
        ({"pattern": {"type": "object"}}, []),
        ({"pattern": {**TEXT, "default": "clear"}}, []),
        ({"pattern": {**TEXT, "default": "*.md"}}, ["PAT001"]),
        ({"query": {**TEXT, "description": "A regex."}, "mode": TEXT}, []),
        ({"query": {**TEXT, "description": "A regex."}}, ["PAT002"]),
        ({"regex": {**TEXT, "description": "A regular expression."}}, []),
        ({"nameRegex": {**TEXT, "description": "A regular expression."}}, []),
        ({"include": {**TEXT, "description": "A glob."}}, ["PAT002"]),
        ({"query": {**TEXT, "description": "A text, not a regex."}}, []),
        ({"status": {**TEXT, "description": "The code expected. Can be a regular expression."}}, []),
        ({"query": {**TEXT, "description": "A glob or a regex."}}, []),
        ({"isRegex": {"type": "boolean", "description": "Whether it is a regex."}}, []),
    ],
)
def test_a_pattern_says_what_it_is(properties: Any, rules: list[str]) -> None:
    """The name says so, or a mode beside it."""
    assert ids(catalogue(taking(properties)), "PAT") == rules


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Absolute path to the file. Must be absolute, not relative.", True),
        ("Full path of the file to read.", True),
        ("The absolute path, or a path relative to the working folder.", False),
        ("Supports file:// URLs.", True),
        ("Rejects absolute paths.", False),
        ("The path of the note.", False),
    ],
)
def test_prose_is_read_sentence_by_sentence(text: str, asks: bool) -> None:
    """A sentence that forbids absolute paths does not ask for them."""
    assert asks_for_absolute(text, prose=True) == asks


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The note, such as /home/anna/notes/a.md.", True),
        (r"The note, such as C:\notes\a.md.", True),
        ("The note, such as ~/notes/a.md.", True),
        ("The note, such as notes/home/a.md or ./tmp/a.md.", False),
        ("The note. Files below /etc/ are never read.", False),
        ("The page, such as https://example.com/home/a.", False),
        ("Either a/b or a:b.", False),
    ],
)
def test_a_description_shows_no_path_of_an_operating_system(text: str, told: bool) -> None:
    """A planner copies such a path from any text; a path inside the vault may have a folder of that name."""
    assert bool(faults("PATH004", catalogue(taking({"path": {**TEXT, "description": text}})))) is told

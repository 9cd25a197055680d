"""REF: names and shapes of outputs, and references of plans, followed through the schemas of their tools."""

from __future__ import annotations

from typing import Any

import pytest
from tool_catalogues import Tool, canonical, catalogue, closed, faults, ids, plan, reading, step

TEXT, COUNT, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}


def listing(element: Any) -> Tool:
    """A list of such elements."""
    return {"type": "array", "items": element}


def two(element: Any) -> Tool:
    """An object that has the same element twice."""
    return closed({"left": element, "right": element})


# Nested objects, none of which has only one member.
BELOW = two(two(two(TEXT)))


def gives(properties: Tool, required: list[str] | None = None, takes: Tool | None = None) -> Tool:
    """A tool with this output."""
    return reading("notes.look", closed(takes or {}, []), closed(properties, required))


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ({"items": listing(TEXT)}, []),
        ({"paths": listing(TEXT), "count": COUNT}, []),
        ({"notes": listing(TEXT)}, ["REF001"]),
        ({"created": listing(TEXT), "deleted": listing(TEXT)}, []),
        ({"result": listing(TEXT)}, ["REF001"]),
        ({"notes": {"anyOf": [listing(TEXT), {"type": "null"}]}}, []),
    ],
)
def test_the_only_list_of_an_output_has_one_of_four_names(output: Tool, expected: list[str]) -> None:
    """Two lists need two names; a list that is the only member of its output is a list, too."""
    assert ids(catalogue(gives(output)), "REF001") == expected


@pytest.mark.parametrize(
    ("name", "better"),
    [("openTasks", "items"), ("commits", "items"), ("search_matches", "matches"), ("dirPaths", "paths")],
)
def test_a_list_gets_the_name_that_its_own_ends_in(name: str, better: str) -> None:
    """REF001: a name that is only spelt alike, such as commits and commands, means something else."""
    (found,) = faults("REF001", catalogue(gives({name: listing(TEXT)})))
    assert found.help == f"rename it to {better}"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ({"result": TEXT}, ["REF002"]),
        ({"data": listing(TEXT)}, []),
        ({"answer": closed({"data": closed({"words": COUNT})}), "took": COUNT}, ["REF002"]),
        ({"answer": closed({"words": COUNT}), "took": COUNT}, []),
        ({"answer": closed({"words": COUNT})}, ["REF002"]),
        ({"slug": TEXT}, []),
        ({"items": listing(TEXT)}, []),
        ({"result": TEXT, "truncated": FLAG}, []),
        ({"a": closed({"b": closed({"c": TEXT}), "e": closed({"f": TEXT})}), "d": closed({"e": closed({})})}, []),
        ({"a": closed({"b": closed({"c": closed({"d": closed({"e": TEXT})})})})}, ["REF002"]),
        ({"a": BELOW, "took": COUNT}, []),
        ({"a": BELOW, "b": BELOW}, ["REF002"]),
    ],
)
def test_an_output_is_not_wrapped(output: Tool, expected: list[str]) -> None:
    """A single member that is an object, or has the name of a wrapper, is one level too many."""
    assert ids(catalogue(gives(output)), "REF002") == expected


def test_a_wrapper_that_says_so_is_one_whatever_it_holds() -> None:
    """A framework marks the outputs that it wraps: the list inside has no name of its own."""
    output = {**closed({"result": listing(TEXT)}), "x-fastmcp-wrap-result": True}
    assert ids(catalogue(reading("notes.look", closed({}), output)), "REF001", "REF002") == ["REF002"]


@pytest.mark.parametrize(("levels", "expected"), [(2, []), (3, ["REF002"])])
def test_the_first_value_lies_within_three_objects(levels: int, expected: list[str]) -> None:
    """The root counts as the first."""
    inner: Tool = closed({"value": TEXT, "other": TEXT})
    for _ in range(levels):
        inner = closed({"inner": inner, "also": inner})
    tool = reading("notes.look", closed({}), inner)
    assert ids(catalogue(tool), "REF002") == expected


def test_a_schema_without_end_has_its_first_value_too_deep() -> None:
    """A reference in a circle is followed as far as the law asks, and no further."""
    output = closed({"one": {"$ref": "#"}, "other": {"$ref": "#"}})
    assert ids(catalogue(reading("notes.look", closed({}), output)), "REF002") == ["REF002"]


@pytest.mark.parametrize(
    ("takes", "output", "expected"),
    [
        (["limit"], ["items", "truncated"], []),
        (["limit"], ["items", "nextOffset"], []),
        (["limit"], ["items"], ["REF003"]),
        (["offset"], ["items", "truncated"], ["REF003"]),
        (["limit", "offset"], ["items", "nextOffset"], []),
        (["limit", "offset"], ["items"], ["REF003"]),
        (["query"], ["items"], []),
        (["limit"], [], []),
    ],
)
def test_what_is_cut_says_so(takes: list[str], output: list[str], expected: list[str]) -> None:
    """Another rule reports an output without members."""
    tool = gives(dict.fromkeys(output, COUNT), takes=dict.fromkeys(takes, COUNT))
    assert ids(catalogue(tool), "REF003") == expected


def test_two_names_for_one_thing_are_told_at_the_less_usual_one() -> None:
    """The name of the conventions is kept; a tool that has both is let pass, and so is the canon."""
    one = reading("notes.find", closed({"query": TEXT, "limit": COUNT}), closed({}))
    other = reading("tasks.find", closed({"search_query": TEXT, "maxResults": COUNT}), closed({}))
    found = faults("REF004", catalogue(one, other))
    assert [each.help for each in found] == ["rename it to limit", "rename it to query"]
    assert ids(catalogue(one, one | {"name": "tasks.find"}), "REF004") == []
    both = reading("tasks.find", closed({"query": TEXT, "q": TEXT}), closed({}))
    assert ids(catalogue(both), "REF004") == []
    assert ids(catalogue(other, canonical("vault.searchText")), "REF004") == []


def test_the_name_of_the_conventions_is_the_better_one_however_rare_it_is() -> None:
    """REF004: without a name of the conventions, the usual one is; the first tool with another name is reported."""
    tools = [reading(f"{name}.find", closed({"maxResults": COUNT}), closed({})) for name in ("notes", "tasks")]
    rare = reading("mail.find", closed({"limit": COUNT}), closed({}))
    (found,) = faults("REF004", catalogue(*tools, rare))
    assert found.help == "rename it to limit"
    assert found.observed == "maxResults is what mail.find calls limit"
    (found,) = faults("REF004", catalogue(*tools, reading("mail.find", closed({"topK": COUNT}), closed({}))))
    assert found.help == "rename it to maxResults"


def test_a_tool_that_has_the_better_name_too_is_not_told_to_call_it_as_it_does() -> None:
    """REF004: the finding is about the first tool that has only the other name."""
    both = reading("mail.find", closed({"limit": COUNT, "maxResults": COUNT}), closed({}))
    (found,) = faults("REF004", catalogue(both, reading("notes.find", closed({"maxResults": COUNT}), closed({}))))
    assert found.on is not None
    assert found.on.tool.name == "notes.find"
    assert found.observed == "maxResults is what mail.find calls limit"


ENTRY = closed({"path": TEXT, "title": TEXT, "due": COUNT}, ["path"])
LIST = reading(
    "tasks.list", closed({}), closed({"items": listing(ENTRY), "first": ENTRY, "next": COUNT}, ["items", "first"])
)
READ = reading("notes.read", closed({"path": TEXT, "from": COUNT}, ["path"]), closed({"content": TEXT}))
OPEN = reading("web.get", closed({}), {"type": "object", "required": [], "properties": {}})
MAP = reading("notes.words", closed({}), {"type": "object", "additionalProperties": COUNT})
EITHER = reading("notes.pick", closed({}), closed({"one": {"anyOf": [ENTRY, closed({"path": TEXT, "size": COUNT})]}}))
TOOLS = (LIST, READ, OPEN, MAP, EITHER)


def judged(reference: str, source: str = "tasks.list", argument: str = "path", **more: Any) -> list[str]:
    """What REF005 and REF006 find in a plan whose second step has this reference as an argument."""
    first = step("s1", source, {}, captureAs="found")
    second = step("s2", "notes.read", {"path": "a.md", argument: reference}, **more)
    return ids(catalogue(*TOOLS, plan=plan(first, second)), "REF005", "REF006")


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("$steps.s1.first.path", []),
        ("$steps.s1.items[0].path", []),
        ('$steps.s1["first"].path', []),
        ("$vars.found.first.path", []),
        ("$vars.own", []),  # an executor may have variables of its own (REF-05 of the envelope)
        ("$steps.s9.path", ["REF005"]),
        ("$steps.s2.content", ["REF005"]),
        ("$steps.s1.firts.path", ["REF005"]),
        ("$steps.s1.items.path", ["REF005"]),
        ("$steps.s1.first[0]", ["REF005"]),
        ("$steps.s1.first.path.x", ["REF005"]),
        ("$vars.found.nothing", ["REF005"]),
        ("$steps.s1.first.title", ["REF005"]),  # may be missing, and path is required
        ("Notes/$steps.s1.first.path", []),
        ("Notes/{$steps.s1.first.title}.md", ["REF005"]),
        ("$steps.s1.first", ["REF006"]),
        ("$steps.s1.items", ["REF006"]),
        ("$$steps.s9.path", []),  # escaped: text
        ("{item.path}", []),  # text, without a loop that gives an item
    ],
)
def test_a_reference_is_followed_through_the_schemas(reference: str, expected: list[str]) -> None:
    """It must lead to a member that exists, is always there, and is of a type that the argument accepts."""
    assert judged(reference) == expected


@pytest.mark.parametrize(
    ("reference", "permitted"),
    [
        ("$steps.s9.path", "a step of the plan: s1, s2"),
        ("$steps.s2.content", "another step of the plan"),
        ("$steps.s1.firts.path", "a member that is declared there: items, first, next"),
        ("$steps.s1.first.path.x", "a member that the output of the step can have"),
    ],
)
def test_a_reference_that_leads_nowhere_is_told_with_what_is_there(reference: str, permitted: str) -> None:
    """REF005: it names the steps of the plan, or the members of the output."""
    first = step("s1", "tasks.list", {}, captureAs="found")
    second = step("s2", "notes.read", {"path": reference})
    (found,) = faults("REF005", catalogue(*TOOLS, plan=plan(first, second)))
    assert found.permitted == permitted


def test_what_may_be_missing_may_feed_what_may_be_left_out() -> None:
    """`from` is optional, and so is `due`; a text for a number is still reported."""
    assert judged("$steps.s1.first.due", argument="from") == []
    assert judged("$steps.s1.first.path", argument="from") == ["REF006"]
    assert judged("from $steps.s1.first.due", argument="from") == ["REF006"]


@pytest.mark.parametrize(
    ("reference", "source", "expected"),
    [
        ("$steps.s1.body", "web.get", []),  # an open output without members tells nothing
        ("$steps.s1.garden", "notes.words", ["REF005", "REF006"]),  # a map may have it, and as a number
        ("$steps.s1.one.path", "notes.pick", []),
        ("$steps.s1.one.size", "notes.pick", ["REF005", "REF006"]),  # one of two forms has it
        ("$steps.s1.one.nothing", "notes.pick", ["REF005"]),
        ("$steps.s1.x", "no.suchTool", []),
    ],
)
def test_what_a_schema_leaves_open_decides_nothing(reference: str, source: str, expected: list[str]) -> None:
    """A member that an output has only sometimes does not count as there."""
    assert judged(reference, source) == expected


LOOSE: Tool = {**ENTRY, "additionalProperties": True}
FOLLOWED: Tool = {"if": {"required": ["path"]}, "then": {"properties": {"size": COUNT}}}
PAIR: Tool = {"type": "array", "prefixItems": [ENTRY], "items": closed({"size": COUNT})}


def told_of(output: Any, reference: str, argument: str = "need") -> list[str]:
    """What REF005 observes if a step refers into this output, for an argument that it needs or for another one."""
    source = reading(
        "a.give",
        closed({}),
        {**closed({"it": output}), "$defs": {"Named": {"$anchor": "named", "properties": {"size": COUNT}}}},
    )
    target = reading("b.take", closed({"need": {}, "other": {}}, ["need"]), closed({}))
    steps = plan(step("s1", "a.give", {}), step("s2", "b.take", {"need": "x", argument: f"$steps.s1.it{reference}"}))
    return [each.observed.partition(" ")[2] for each in faults("REF005", catalogue(source, target, plan=steps))]


@pytest.mark.parametrize("open_as", [{}, {"additionalProperties": True}, {"additionalProperties": {}}])
def test_what_an_open_output_does_not_declare_may_be_missing_there(open_as: Tool) -> None:
    """It is like an optional member: for other arguments only a run decides (REF-03 and REF-04 of the envelope)."""
    output: Tool = {"type": "object", "required": ["path"], "properties": {"path": TEXT}, **open_as}
    undeclared = "needs paht, which the output does not declare and may lack; did you mean path?"
    assert told_of(output, ".paht") == [undeclared]
    assert told_of(output, ".paht", "other") == []
    assert told_of({**output, "required": ["paht"]}, ".paht") == []  # says only that it is there


ELSEWHERE: list[tuple[Tool, str]] = [
    ({**LOOSE, "anyOf": [{"properties": {"size": COUNT}}, {"properties": {"age": COUNT}}]}, ".path"),
    ({**LOOSE, "oneOf": [{"required": ["title"]}, {"required": ["due"]}]}, ".path"),
    (
        {**LOOSE, "anyOf": [{"required": ["title"]}, {"properties": {"title": TEXT}, "required": ["title"]}]},
        ".title",
    ),
    ({**LOOSE, **FOLLOWED}, ".size"),
    ({"properties": {"path": TEXT}, "unevaluatedProperties": False, **FOLLOWED}, ".size"),
    ({"properties": {"path": TEXT}, "dependentSchemas": {"path": {"properties": {"size": COUNT}}}}, ".size"),
    ({"properties": {"path": TEXT}, "unevaluatedProperties": False, "anyOf": [ENTRY, {"properties": {}}]}, ".path"),
    ({"properties": {"path": TEXT}, "$ref": "#named"}, ".size"),
    ({"properties": {"path": TEXT}, "$ref": "#nobody"}, ".size"),
    ({"properties": {"path": TEXT}, "$dynamicRef": "#named"}, ".size"),
    ({"properties": {"path": TEXT}, "patternProperties": {"^s": COUNT}}, ".size"),
    ({"properties": {"path": TEXT}, "anyOf": [{}], "oneOf": [{"properties": {"size": COUNT}}]}, ".size"),
    (PAIR, "[0].path"),
    (PAIR, "[1].size"),
    ({"type": "array", "items": [ENTRY]}, "[0].path"),
]


@pytest.mark.parametrize(("output", "reference"), ELSEWHERE)
def test_what_is_described_in_another_part_of_a_schema_is_no_fault(output: Tool, reference: str) -> None:
    """It may be beside the alternatives, under a condition, behind a reference that is not followed, or in a tuple."""
    output = {"required": ["path"], **output}
    assert told_of(output, reference, "other") == []
    assert [each for each in told_of(output, reference) if "declare" in each] == []


EXCLUDED: list[tuple[Tool, str, str]] = [
    ({**ENTRY, "anyOf": [{"required": ["title"]}, {"required": ["due"]}]}, ".size", "size"),
    ({"allOf": [ENTRY]}, ".size", "size"),
    ({"properties": {}, "unevaluatedProperties": False, "anyOf": [ENTRY, {"properties": {}}]}, ".size", "size"),
    (PAIR, "[0].size", "size"),
    (PAIR, "[1].path", "path"),
]


@pytest.mark.parametrize(("output", "reference", "member"), EXCLUDED)
def test_what_a_closed_output_excludes_is_nowhere(output: Tool, reference: str, member: str) -> None:
    """This holds whatever it feeds, and wherever the output is closed."""
    for argument in ("need", "other"):
        (told,) = told_of(output, reference, argument)
        assert told.startswith(f"asks for {member}, which the output does not declare")


def test_a_member_has_a_schema_of_its_own_in_each_form_of_its_object() -> None:
    """If only one has it, it may be missing; the argument must accept what each form gives (REF-04 of the envelope)."""
    forms = [closed({"target": TEXT}), closed({"target": closed({"path": TEXT})})]
    source: Tool = {"anyOf": forms}
    assert told_of(source, ".target.path", "other") == []
    assert told_of(source, ".target.path") == ["needs path, which may be missing there"]
    assert len(told_of(source, ".target.size", "other")) == 1
    tool = reading("a.give", closed({}), closed({"it": {"anyOf": [*forms, closed({"target": COUNT})]}}))
    for name in ("path", "from"):
        steps = plan(step("s1", "a.give", {}), step("s2", "notes.read", {"path": "a", name: "$steps.s1.it.target"}))
        assert ids(catalogue(tool, READ, plan=steps), "REF006") == ["REF006"]


def test_a_member_that_two_parts_describe_is_of_the_type_of_both() -> None:
    """An alternative that says less about it than the schema around the alternatives permits no more values."""
    output = {
        **closed({"size": COUNT}),
        "oneOf": [{"properties": {"size": {"type": "number"}}}, {"required": ["size"]}],
    }
    source = reading("a.give", closed({}), closed({"it": output}))
    target = reading("b.take", closed({"size": COUNT}), closed({}))
    steps = plan(step("s1", "a.give", {}), step("s2", "b.take", {"size": "$steps.s1.it.size"}))
    assert ids(catalogue(source, target, plan=steps), "REF006") == []


def found_of(output: Tool, reference: str, takes: Tool, needed: bool) -> list[str]:
    """What REF005 and REF006 find if a member of an output is fed to an argument."""
    source = reading("a.give", closed({}), output)
    target = reading("b.take", closed({"to": takes}, ["to"] if needed else []), closed({}))
    steps = plan(step("s1", "a.give", {}), step("s2", "b.take", {"to": f"$steps.s1{reference}"}))
    return ids(catalogue(source, target, plan=steps), "REF005", "REF006")


KIND: Tool = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "a"}}}


@pytest.mark.parametrize(
    "dead",
    [
        False,
        {"type": "string"},
        {"properties": {"kind": {"const": "b"}, "size": TEXT}},
        {"properties": {"kind": COUNT, "size": TEXT}},
        {"properties": {"size": TEXT}, "required": ["size"], "additionalProperties": False},
    ],
)
def test_an_alternative_that_no_value_can_have_is_none(dead: Any) -> None:
    """What it says about a member never applies, and the others have what it lacks (REF005, REF006)."""
    alive = {"properties": {"kind": {"enum": ["a", "c"]}, "size": COUNT}, "required": ["size"]}
    for word in ("anyOf", "oneOf"):
        assert found_of({**KIND, word: [dead, alive]}, ".size", COUNT, needed=True) == []
        assert found_of({**KIND, word: [alive, dead]}, ".size", COUNT, needed=True) == []


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ({"properties": {"size": TEXT}}, ["REF005", "REF006"]),
        ({"properties": {"kind": TEXT, "size": TEXT}, "required": ["size"]}, ["REF006"]),
        ({"type": ["object", "null"], "properties": {"size": {"type": "number"}}, "required": ["size"]}, ["REF006"]),
    ],
)
def test_an_alternative_that_a_value_can_have_counts(other: Any, found: list[str]) -> None:
    """It may say anything that does not contradict the schema around it."""
    alive = {"properties": {"size": COUNT}, "required": ["size"]}
    assert found_of({**KIND, "anyOf": [alive, other]}, ".size", COUNT, needed=True) == found


def test_where_all_alternatives_are_dead_each_of_them_is_told() -> None:
    """It is unclear which of them is the slip."""
    dead = {"type": "string"}
    assert found_of({**KIND, "anyOf": [dead, dead]}, ".size", COUNT, needed=True) == ["REF005"]


@pytest.mark.parametrize(
    ("more", "reference", "takes", "needed", "found"),
    [
        ({"additionalProperties": COUNT}, ".x1", TEXT, False, []),
        ({"additionalProperties": COUNT}, ".y1", TEXT, False, ["REF006"]),
        ({"additionalProperties": False}, ".x1", TEXT, True, ["REF005"]),
        ({"additionalProperties": False}, ".x1", COUNT, False, ["REF006"]),
        ({"additionalProperties": False}, ".y1", TEXT, False, ["REF005"]),
        ({"additionalProperties": False, "required": ["x1"]}, ".x1", TEXT, True, []),
        ({}, ".y1", TEXT, False, []),
        ({}, ".y1", TEXT, True, ["REF005"]),
    ],
)
def test_a_member_that_a_pattern_names_is_what_the_pattern_says(
    more: Tool, reference: str, takes: Tool, needed: bool, found: list[str]
) -> None:
    """For other members the rest of the schema decides, as if there were no pattern (REF005, REF006)."""
    output: Tool = {"type": "object", "properties": {"a": TEXT}, "patternProperties": {"^x": TEXT}, **more}
    assert found_of(output, reference, takes, needed=needed) == found


def test_the_items_of_a_loop_over_a_tuple_are_of_several_kinds() -> None:
    """The rules report nothing about them."""
    source = reading("a.give", closed({}), closed({"pair": PAIR}))
    loop: Tool = {"foreach": {"from": "$steps.s1.pair", "itemName": "item"}}
    steps = plan(step("s1", "a.give", {}), step("s2", "notes.read", {"path": "{item.path}"}, **loop))
    assert ids(catalogue(source, READ, plan=steps), "REF005", "REF006") == []


LOOP = {"foreach": {"from": "$steps.s1.items", "itemName": "item"}}


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("{item.path}", []),
        ("{item.title}", ["REF005"]),
        ("{item.nothing}", ["REF005"]),
        ("{item}", ["REF006"]),
        ("{index}", ["REF006"]),
        ("note {index}", []),
        ("{index[0]}", []),  # not a reference in the grammar
    ],
)
def test_an_item_is_an_element_of_its_source(reference: str, expected: list[str]) -> None:
    """The index is an integer."""
    assert judged(reference, **LOOP) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("$steps.s1.items", []),
        ("$steps.s1.first", ["REF006"]),
        ("$steps.s1.next", ["REF005", "REF006"]),  # optional, and a number
        ("$steps.s1.nothing", ["REF005"]),
        ("items", []),  # not a reference: the envelope has a requirement for that (REF-26)
    ],
)
def test_a_loop_runs_over_a_list(source: str, expected: list[str]) -> None:
    """The list must always be there."""
    assert judged("{item.path}", foreach={"from": source, "itemName": "item"})[: len(expected)] == expected


def test_what_a_reference_feeds_is_named_with_what_to_do() -> None:
    """REF005, REF006: the finding names the argument or the source of a loop, and says where to mend it."""
    first = step("s1", "tasks.list", {})
    fed = plan(first, step("s2", "notes.read", {"path": "$steps.s1.first.title"}))
    (found,) = faults("REF005", catalogue(*TOOLS, plan=fed))
    assert found.permitted == "a member that is always there, since the argument path is required"
    assert found.help == "make it required in the output of the tool, or refer to another member"
    looped = plan(
        first, step("s2", "notes.read", {"path": "a.md"}, foreach={"from": "$steps.s1.first", "itemName": "item"})
    )
    (found,) = faults("REF006", catalogue(*TOOLS, plan=looped))
    assert found.permitted == "what the source of a loop takes"


def test_a_loop_gives_a_list_of_its_outputs() -> None:
    """A reference to it must first select one of them."""
    looped = [
        step("s1", "tasks.list", {}),
        step("s2", "notes.read", {"path": "{item.path}"}, **LOOP),
    ]
    for reference, expected in (
        ("$steps.s2[0].content", []),
        ("$steps.s2.content", ["REF005"]),
        ("$steps.s2", ["REF006"]),
    ):
        last = step("s3", "notes.read", {"path": reference})
        assert ids(catalogue(*TOOLS, plan=plan(*looped, last)), "REF005", "REF006") == expected
    for reference, expected in (("{each.content}", []), ("{each.nothing}", ["REF005"]), ("{each}", ["REF006"])):
        over = step("s3", "notes.read", {"path": reference}, foreach={"from": "$steps.s2", "itemName": "each"})
        assert ids(catalogue(*TOOLS, plan=plan(*looped, over)), "REF005", "REF006") == expected


ARGUMENTS: list[tuple[Tool, Tool, bool]] = [
    (COUNT, {"type": "number"}, True),
    ({"type": "number"}, COUNT, False),
    ({"type": ["string", "null"]}, TEXT, False),
    (TEXT, {"type": ["string", "null"]}, True),
    ({"enum": ["a", "b"]}, {"enum": ["a", "b", "c"]}, True),
    ({"enum": ["a", "d"]}, {"enum": ["a", "b", "c"]}, False),
    (TEXT, {"enum": ["a"]}, True),  # a text may well be that one
    (TEXT, {"type": "string", "pattern": "^a"}, True),
    (listing(TEXT), listing(TEXT), True),
    (listing(COUNT), listing(TEXT), False),
    (listing(TEXT), {"type": "array"}, True),
    (ENTRY, closed({"path": TEXT, "title": TEXT, "due": COUNT}, ["path"]), True),
    (ENTRY, closed({"path": TEXT, "title": TEXT, "due": COUNT}, ["title"]), False),
    (ENTRY, closed({"path": TEXT}), False),
    (closed({"path": COUNT}), closed({"path": TEXT}), False),
    ({}, TEXT, True),
    (TEXT, {}, True),
    ({"$ref": "#/$defs/Note"}, TEXT, True),
    # The member is required in each form, or in one of two.
    (
        {**ENTRY, "oneOf": [{"required": ["title"]}, {"required": ["title", "due"]}]},
        {**ENTRY, "required": ["title"]},
        True,
    ),
    ({**ENTRY, "oneOf": [{"required": ["title"]}, {"required": ["due"]}]}, {**ENTRY, "required": ["title"]}, False),
    # A member that a pattern names, one that an alternative names, and one that neither does.
    (closed({"x1": TEXT}), {**closed({"a": TEXT}, []), "patternProperties": {"^x": TEXT}}, True),
    (
        closed({"b": TEXT}),
        {"properties": {"a": TEXT}, "anyOf": [{"properties": {"b": TEXT}}], "unevaluatedProperties": False},
        True,
    ),
    (
        closed({"c": TEXT}),
        {"properties": {"a": TEXT}, "anyOf": [{"properties": {"b": TEXT}}], "unevaluatedProperties": False},
        False,
    ),
]


@pytest.mark.parametrize(("given", "taken", "fits"), ARGUMENTS)
def test_types_lists_members_and_words_are_compared(given: Tool, taken: Tool, fits: bool) -> None:
    """Only what both schemas state counts; a value may still keep bounds and match patterns."""
    source = reading("a.give", closed({}), {**closed({"it": given}), "$defs": {"Note": TEXT}})
    target = reading("b.take", closed({"it": taken}), closed({}))
    steps = plan(step("s1", "a.give", {}), step("s2", "b.take", {"it": "$steps.s1.it"}))
    assert ids(catalogue(source, target, plan=steps), "REF006") == ([] if fits else ["REF006"])


def test_references_inside_arguments_are_placed_where_they_stand() -> None:
    """They stand in lists and objects of the arguments, and feed the types there."""
    target = reading("b.take", closed({"all": listing(closed({"to": TEXT}))}), closed({}))
    args = {"all": [{"to": "fine"}, {"to": "$steps.s1.items"}]}
    steps = plan(step("s1", "tasks.list", {}), step("s2", "b.take", args))
    (fault,) = faults("REF006", catalogue(LIST, target, plan=steps))
    assert fault.at == ("args", "all", 1, "to")


@pytest.mark.parametrize(
    "broken",
    [
        7,
        {},
        {"id": 3, "tool": 4, "args": 5, "foreach": 6, "preview": 7},
        {
            "id": "s1",
            "tool": "tasks.list",
            "args": {"a": "$steps.s1"},
            "foreach": {"from": "{item}", "itemName": "item"},
        },
    ],
)
def test_any_garbage_in_a_plan_is_survived(broken: Any) -> None:
    """A value that is not a step breaks the shape of the plan, but no rule."""
    ids(catalogue(*TOOLS, plan=plan(broken, step("s2", "notes.read", {"path": "{item}"}))), "REF", "PRE", "IN009")

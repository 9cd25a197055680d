"""What can be known from a plan before anything runs."""

from __future__ import annotations

import pytest
from callproof.trace.cycles import greatest, on_cycles
from callproof.trace.plan import Plan
from callproof.trace.plangraph import (
    Need,
    all_needs,
    ancestors,
    dangling_references,
    on_a_cycle,
    repeated_captures,
    repeated_ids,
    sources_that_are_no_references,
    unknown_dependencies,
    unknown_tools,
    unusable_tools,
)
from callproof.trace.registry import registry_of
from callproof.values.jsontext import Json
from hypothesis import given
from hypothesis import strategies as st

NAMES = st.sampled_from("abcdef")
CLOSED: Json = {
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {"type": "object", "properties": {"v": {}}}}, "open": {}},
    "additionalProperties": False,
}
REGISTRY = registry_of(
    [
        {"name": "make", "aliases": ["build"], "inputSchema": {}, "outputSchema": CLOSED},
        {"name": "loose", "inputSchema": {}, "outputSchema": {"type": "object"}},
        {"name": "broken", "inputSchema": {"type": "nonsense"}, "outputSchema": {}},
    ]
)


def plan(*steps: dict[str, Json]) -> Plan:
    """A plan of these steps, named a, b, c if they have no id of their own."""
    named = [{"id": chr(97 + n), "tool": "make", "args": {}} | step for n, step in enumerate(steps)]
    return Plan({"steps": named})


def dangling(*steps: dict[str, Json], own_variables: bool = False) -> list[str]:
    """What is reported about dangling references."""
    return [each.says for each in dangling_references(plan(*steps), REGISTRY, own_variables=own_variables)]


@pytest.mark.parametrize(
    ("template", "word"),
    [
        ("$steps.z", "a step that the plan does not have"),
        ("text {$steps.z.v} text", "a step that the plan does not have"),
        ("$vars.z", "a variable that no step captures"),
        ("$steps.a.none", "closed output"),
        ("$steps.a.rows.v", "not an object"),
        ("$steps.a[0]", "not an array"),
    ],
)
def test_what_does_not_exist_is_seen_in_the_plan(template: str, word: str) -> None:
    """REF-03: unknown steps and variables, and members that a closed output excludes (A3)."""
    (said,) = dangling({}, {"args": {"deep": [{"x": template}]}})
    assert word in said


@pytest.mark.parametrize(
    "template",
    ["$steps.a", "$steps.a.rows[3].v", "$steps.a.open.anything[2]", "$steps.a.rows[0].unlisted", "$$steps.z", "{word}"],
)
def test_what_may_exist_is_left_alone(template: str) -> None:
    """REF-04, A3: what an open or optional member holds is decided at run time; text is text."""
    assert dangling({}, {"args": {"x": template}}) == []


def test_items_beside_a_tuple_say_nothing_of_its_first_elements() -> None:
    """REF-03: what a closed schema of the later elements excludes is not excluded from the earlier ones."""
    named, other = ({"type": "object", "properties": {name: {}}, "additionalProperties": False} for name in "ab")
    pair: Json = {"type": "array", "prefixItems": [named], "items": other}
    output: Json = {"type": "object", "properties": {"pair": pair}, "additionalProperties": False}
    registry = registry_of([{"name": "make", "inputSchema": {}, "outputSchema": output}])
    steps = plan({}, {"args": {"x": "$steps.a.pair[0].a"}})
    assert [*dangling_references(steps, registry, own_variables=False)] == []


def test_variables_of_the_executors_own_are_no_mistake_in_a_log() -> None:
    """REF-05: a log does not list them."""
    assert dangling({"args": {"x": "$vars.today"}}, own_variables=True) == []


def test_a_loops_binding_outside_every_loop_is_a_mistake() -> None:
    """A60: inside another foreach the same characters are plain text."""
    loop: Json = {"from": "$steps.a.rows", "itemName": "row"}
    other: Json = {"from": "$steps.a.rows", "itemName": "line"}
    assert len(dangling({}, {"foreach": loop}, {"args": {"x": "{row.v} {index}"}})) == 2
    assert dangling({}, {"foreach": loop}, {"foreach": other, "args": {"x": "{row.v}"}}) == []


def test_a_loops_output_is_an_array() -> None:
    """A17: a reference indexes `$steps.<loop>` before it names a member."""
    loop: dict[str, Json] = {"foreach": {"from": "$steps.a.rows", "itemName": "row"}}
    assert dangling({}, loop, {"args": {"x": "$steps.b[0].rows"}}) == []
    assert len(dangling({}, loop, {"args": {"x": "$steps.b.rows"}})) == 1


LINES: Json = {
    "type": "object",
    "properties": {
        "rows": {"type": "array", "items": {"type": "object", "properties": {"v": {}}, "additionalProperties": False}},
        "pair": {"type": "array", "prefixItems": [{"type": "object"}], "items": {"additionalProperties": False}},
    },
}


@pytest.mark.parametrize(
    ("source", "template", "faults"),
    [
        ("$steps.a.rows", "{row.none} and {row.none[0]}", 2),
        ("{$vars.made.rows}", "{row.none}", 1),
        ("$steps.a.rows", "{row.v.none} {row} {index} {line.none}", 0),
        ("$steps.a.other", "{row.none}", 0),
        ("$steps.a.pair", "{row.none}", 0),
        ("$steps.z.rows", "{row.none}", 1),
        ("rows", "{row.none}", 0),
    ],
)
def test_the_item_of_a_loop_is_a_part_of_the_output_that_it_runs_over(source: str, template: str, faults: int) -> None:
    """REF-03: the schema of the output describes its elements before there are any (A3)."""
    registry = registry_of([{"name": "make", "inputSchema": {}, "outputSchema": LINES}])
    loop: dict[str, Json] = {"foreach": {"from": source, "itemName": "row"}, "args": {"x": template}}
    found = dangling_references(plan({"captureAs": "made"}, loop), registry, own_variables=False)
    assert len(list(found)) == faults


def test_declared_and_referenced_needs_make_one_graph() -> None:
    """REF-22: dependsOn, references, loops' sources and variables."""
    graph = all_needs(
        plan(
            {"captureAs": "v"},
            {"dependsOn": ["a"]},
            {"args": {"x": "$vars.v"}},
            {"foreach": {"from": "$steps.c.rows", "itemName": "i"}},
        )
    )
    assert ancestors(graph, "d") == {"c", "a"}
    assert ancestors(graph, "b") == {"a"}


def test_cycles_are_told_apart_by_what_makes_them() -> None:
    """DEP-09 and REF-23: a cycle of declarations, and one in which references take part."""
    declared = plan({"dependsOn": ["b"]}, {"dependsOn": ["a"]}, {"dependsOn": ["a"]})
    assert [each.step_id for each in on_a_cycle(declared, declared=True)] == ["a", "b"]
    assert list(on_a_cycle(declared, declared=False)) == []
    mixed = plan({"args": {"x": "$steps.b"}}, {"dependsOn": ["a"]})
    assert list(on_a_cycle(mixed, declared=True)) == []
    assert [each.step_id for each in on_a_cycle(mixed, declared=False)] == ["a", "b"]
    assert [each.step_id for each in on_a_cycle(plan({"args": {"x": "$steps.a"}}), declared=False)] == ["a"]


@pytest.mark.many
def test_cycles_are_found_in_a_plan_of_any_length() -> None:
    """The time grows with the number of steps; comparing each step with all before it would take hours."""
    steps: list[dict[str, Json]] = [{"id": f"s{n}", "dependsOn": [f"s{n - 1}"]} for n in range(1, 60_000)]
    open_chain, ring = plan({"id": "s0"}, *steps), plan({"id": "s0", "dependsOn": ["s59999"]}, *steps, {"id": "last"})
    for each in (True, False):
        assert list(on_a_cycle(open_chain, declared=each)) == []
    assert len(list(on_a_cycle(ring, declared=True))) == 60_000


@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=3), max_size=6))
def test_on_a_cycle_is_who_waits_for_itself(waits: dict[str, list[str]]) -> None:
    """This holds whichever steps wait for which others, with any number of cycles."""
    needs = {name: tuple(Need(each, None) for each in others) for name, others in waits.items()}
    assert on_cycles(waits) == {name for name in waits if name in ancestors(needs, name)}


@given(
    st.dictionaries(NAMES, st.lists(NAMES, max_size=3), max_size=6), st.dictionaries(NAMES, st.integers(), max_size=4)
)
def test_the_greatest_is_that_of_all_that_a_step_waits_for(waits: dict[str, list[str]], own: dict[str, int]) -> None:
    """Its own value counts too; steps on a cycle or behind one are not compared."""
    needs = {name: tuple(Need(each, None) for each in others) for name, others in waits.items()}
    found, circular = greatest(waits, own), on_cycles(waits)
    for name in waits:
        below = {name, *ancestors(needs, name)}
        if circular.isdisjoint(below):
            known = [own[each] for each in below if each in own]
            assert found.get(name) == max(known, default=None)


def test_nobody_waits_for_a_variable_of_the_executors_own_or_for_an_item() -> None:
    """REF-05, REF-22: also if the item of a loop has the name of a variable that a step captures."""
    loop: dict[str, Json] = {"from": "$steps.b", "itemName": "found"}
    steps = plan(
        {"id": "a", "captureAs": "found"},
        {"id": "b", "args": {"x": "$vars.own"}},
        {"id": "c", "args": {"x": "{found}"}, "foreach": loop},
    )
    assert {name: [need.step_id for need in needs] for name, needs in all_needs(steps).items()} == {
        "a": [],
        "b": [],
        "c": ["b"],
    }


def test_other_faults_are_named() -> None:
    """VAL-05, VAL-08, VAL-09, DEP-09, DEP-13, REF-26."""
    assert [each.says for each in repeated_ids(plan({"id": ""}, {"id": "s"}, {"id": "s"}))] == [
        "step 1 of the plan has no id",
        "two steps of the plan are called s",
    ]
    assert len(list(repeated_captures(plan({"captureAs": "v"}, {"captureAs": "v"}, {"captureAs": "w"})))) == 1
    assert len(list(unknown_dependencies(plan({"dependsOn": ["a", "z"]})))) == 1
    assert len(list(unknown_tools(plan({"tool": "build"}, {"tool": "Make"}), REGISTRY))) == 1
    assert len(list(unusable_tools(plan({"tool": "broken"}, {"tool": "loose"}), REGISTRY))) == 1
    loops: list[dict[str, Json]] = [
        {"foreach": {"from": "rows", "itemName": "i"}},
        {"foreach": {"from": 3, "itemName": "i"}},
        {"foreach": {"from": "$steps.a.rows", "itemName": "i"}},
        {"foreach": {"from": "$steps.a.rows!", "itemName": "i"}},
    ]
    assert len(list(sources_that_are_no_references(plan(*loops)))) == 3

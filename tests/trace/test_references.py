"""The suite's own resolver, against the grammar of ``spec/references.md``."""

from __future__ import annotations

import pytest
from callproof.trace.plan import Step
from callproof.trace.references import (
    Bindings,
    Reference,
    Scope,
    Unresolved,
    bindings_of,
    compact_text,
    integral_text,
    parse,
    resolve,
    sole_reference,
)
from callproof.values.jsontext import Json
from hypothesis import given
from hypothesis import strategies as st

LOOP = Bindings("item", "index")
DATA: Json = {
    "text": "hello",
    "text.md": "dotted",
    "items": [{"path": "a.md"}, {"path": "b.md"}],
    "none": None,
    "no": False,
    "zero": 0,
    "empty": "",
    "list": [],
    "half": 1.5,
    "one": 1.0,
    "0": "digit",
    'a"b': "quoted",
    "trap": "$steps.s1.text {item.path} $vars.v",
    "é": {"b": 1, "a": [True, None]},
}
SCOPE = Scope({"s1": DATA, "s-2": {"x": 1}}, {"v": "value", "_v1": [1, 2]}, LOOP, {"path": "N/1.md"}, 3)


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("$steps.s1.text", "hello"),
        ("$steps.s1", DATA),
        ("{$steps.s1.items}", [{"path": "a.md"}, {"path": "b.md"}]),
        ("$steps.s1.items[1].path", "b.md"),
        ('$steps.s1["text.md"]', "dotted"),
        ('$steps.s1["0"]', "digit"),
        (r'$steps.s1["a\"b"]', "quoted"),
        (r'$steps.s1["\u00e9"].a[0]', True),
        ("$steps.s-2.x", 1),
        ("$vars.v", "value"),
        ("$vars._v1[1]", 2),
        (f"$vars._v1[{'0' * 5_000}1]", 2),
        ("{item}", {"path": "N/1.md"}),
        ("{item.path}", "N/1.md"),
        ("{index}", 3),
        ("$steps.s1.none", None),
        ("$steps.s1.no", False),
        ("$steps.s1.zero", 0),
        ("$steps.s1.empty", ""),
        ("$steps.s1.list", []),
    ],
)
def test_a_whole_string_reference_keeps_its_value(template: str, value: Json) -> None:
    """REF-11, REF-18, REF-21: type and value arrive as they are."""
    assert resolve(template, SCOPE) == value


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("a $steps.s1.text b", "a hello b"),
        ("$steps.s1.text$steps.s1.text", "hellohello"),
        ("$steps.s1.text.", "hello."),
        ("{$steps.s1.text}.md", "hello.md"),
        ("{$vars.v}x{index}", "valuex3"),
        ("is $steps.s1.none/$steps.s1.no/$steps.s1.half", "is null/false/1.5"),
        (r'o=$steps.s1["é"]!', 'o={"b":1,"a":[true,null]}!'),
        ("$steps.s1.items[x]", '[{"path":"a.md"},{"path":"b.md"}][x]'),
        ('$steps.s1.text["\\q"]', 'hello["\\q"]'),
        ("{$steps.s1.text b}", "{hello b}"),
        ("{item.path}{index}", "N/1.md3"),
    ],
)
def test_an_embedded_reference_takes_the_text_form(template: str, text: str) -> None:
    """REF-11, A57, A62: greedy segments, strings as they are, all else compact JSON."""
    assert resolve(template, SCOPE) == text


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("$$steps.s1.text", "$steps.s1.text"),
        ("x $$vars.v y", "x $vars.v y"),
        ("{{item.path}", "{item.path}"),
        ("{{item.path}}", "{item.path}}"),
        ("{{$steps.s1.text}", "{$steps.s1.text}"),
        ("$$$steps.s1.text", "$$steps.s1.text"),
        ("{{index}", "{index}"),
        ("$$$$", "$$$$"),
        ("$$5.00", "$$5.00"),
        ("{{x}}", "{{x}}"),
        ("{{ item.path }}", "{{ item.path }}"),
    ],
)
def test_an_escape_takes_one_sign_and_only_before_a_reference(template: str, text: str) -> None:
    """A61: elsewhere a doubled sign is two signs."""
    assert resolve(template, SCOPE) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "$5.00",
        "{}",
        "{ json }",
        r"$\frac{a}{b}$",
        "$stepsize",
        "{items}",
        "{item-2}",
        "{ item }",
        "$steps",
        "$steps.",
        "$steps.1",
        "$vars",
        "$vars.[0]",
        "$Steps.s1",
        "$steps._s1",
        "{$steps._s1}",
        "{index.x}",
        "{item.}",
        "{item.path",
        "{other.path}",
        "$",
        "{",
        "${item}x"[:2],
        "{item[x]}",
    ],
)
def test_text_that_is_no_reference_stays_as_it_is(text: str) -> None:
    """REF-16: only exact matches of the grammar are references."""
    assert resolve(text, SCOPE) == text


def test_outside_a_foreach_braces_are_text() -> None:
    """A60: a step without foreach has no bindings."""
    assert resolve("{item.path} {index}", Scope({}, {})) == "{item.path} {index}"


def test_values_are_never_expanded_again() -> None:
    """REF-15: what arrives through a reference is data."""
    assert resolve("<$steps.s1.trap>", SCOPE) == "<$steps.s1.text {item.path} $vars.v>"


def test_references_are_resolved_at_any_depth_but_not_in_member_names() -> None:
    """REF-10, REF-25."""
    template: Json = {"$steps.s1.text": [[{"deep": ["$vars.v", 7, None]}], "{index}"]}
    assert resolve(template, SCOPE) == {"$steps.s1.text": [[{"deep": ["value", 7, None]}], 3]}


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("$steps.s9.text", "no output"),
        ("$vars.w", "no output"),
        ("$steps.s1.gone", "no member 'gone'"),
        ("$steps.s1.text.length", "not an object"),
        ("$steps.s1.text[0]", "not an array"),
        ("$steps.s1.items.length", "not an object"),
        ("$steps.s1.items[2]", "past the end of an array of 2"),
        ("$steps.s1.items[99999999999999999999999999]", "past the end"),
        ("$steps.s1[0]", "not an array"),
        ("$steps.s1.items.0", ""),
        ("{item.size}", "no member 'size'"),
    ],
)
def test_a_reference_to_nothing_is_unresolved(template: str, reason: str) -> None:
    """REF-04, REF-17, REF-21: only members and elements are reachable, and the reason names no value."""
    if not reason:
        assert resolve(template, SCOPE) == '[{"path":"a.md"},{"path":"b.md"}].0'
        return
    with pytest.raises(Unresolved, match=reason) as caught:
        resolve(template, SCOPE)
    assert "hello" not in str(caught.value)


def test_the_references_of_a_step_are_its_source_and_its_args() -> None:
    """REF-22: both make dependencies; escaped ones do not."""
    step: Json = {
        "foreach": {"from": "$steps.s1.items", "itemName": "item"},
        "args": {"a": ["{item.path} $vars.v", "$$steps.s9"], "preview": 1},
        "preview": "$steps.s7",
    }
    assert isinstance(step, dict)
    found = Step(0, step, {}).references
    assert [(each.root, each.name) for each in found] == [("steps", "s1"), ("item", "item"), ("vars", "v")]
    assert found[0] == Reference("$steps.s1.items", "steps", "s1", ("items",))


def test_only_a_string_of_one_reference_is_a_sole_reference() -> None:
    """REF-11, REF-26: the source of a foreach is one."""
    assert sole_reference("$steps.a.b") is not None
    assert [sole_reference(each) for each in ("$steps.a.b ", "$$steps.a", "", 7, None, ["$steps.a"])] == [None] * 6


@pytest.mark.parametrize(
    "loop",
    [None, 3, [], {}, {"itemName": ""}, {"itemName": 7}, {"itemName": "a b"}, {"itemName": "a", "indexName": None}],
)
def test_a_broken_foreach_binds_nothing(loop: Json) -> None:
    """A malformed foreach is read without an error."""
    assert bindings_of({"foreach": loop}) is None


def test_an_integral_double_has_two_spellings() -> None:
    """B-48: 1.0 and 1 are one value; languages spell it differently."""
    assert compact_text([1.0]) == "[1.0]"
    assert integral_text({"a": [1.0, 1.5, True, "1.0"]}) == '{"a":[1,1.5,true,"1.0"]}'
    assert integral_text("1.0") == "1.0"


@given(st.text(alphabet='${}.[]"\\01abitemndxsvrp_- é', max_size=40))
def test_parsing_never_fails_and_loses_no_text(template: str) -> None:
    """REF-16: the parts put together again are the template, except for its escapes."""
    parts = parse(template, LOOP)
    again = "".join(part if isinstance(part, str) else part.text for part in parts)
    assert len(again) <= len(template)
    assert again.replace("$", "").replace("{", "") == template.replace("$", "").replace("{", "")


@given(st.text(alphabet="abc $.{}é", max_size=30))
def test_text_without_a_reference_resolves_to_itself(text: str) -> None:
    """REF-14, REF-16."""
    assert resolve({"a": [text]}, SCOPE) == {"a": [text]}

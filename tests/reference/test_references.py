"""The grammar of references, tested with values written by hand from the specification."""

from __future__ import annotations

from typing import Any

import pytest
from callproof_reference.plan import Reference, references, resolve
from callproof_reference.values import Failure
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

NAMES = {"item": "item", "index": "index"}
DATA: dict[str, Any] = {
    "a": {
        "n": 1,
        "s": "text",
        "l": [{"x": None}, []],
        "a.b": "dotted",
        "0": "zero",
        "b-c": False,
        "é": 2.5,
        "$": "$steps.a",
    }
}
ITEM = {"name": "Ann", "l": [10, 20], "none": None}


def root(reference: Reference) -> Any:
    """The values to which the roots of the references in these tests lead."""
    if reference.root == "item":
        return ITEM
    if reference.root == "index":
        return 7
    if reference.name not in DATA:
        raise Failure("VALIDATION_ERROR", f"{reference.text}: unknown")
    return DATA[reference.name]


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("$steps.a.n", 1),
        ("{$steps.a.n}", 1),
        ("$vars.a.s", "text"),
        ("$steps.a.l[0].x", None),
        ("$steps.a.l[1]", []),
        (f"$steps.a.l[{'0' * 5_000}1]", []),
        ('$steps.a["a.b"]', "dotted"),
        ('$steps.a["0"]', "zero"),
        ('$steps.a["\\u00e9"]', 2.5),
        ("$steps.a.b-c", False),
        ("{item}", ITEM),
        ("{item.name}", "Ann"),
        ("{item.l[1]}", 20),
        ("{index}", 7),
    ],
)
def test_a_string_that_is_one_reference_takes_the_value_with_its_type(template: str, value: object) -> None:
    """REF-11, REF-18, REF-21, A19, A57."""
    assert resolve(template, NAMES, root) == value


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("n=$steps.a.n.", "n=1."),
        ("{$steps.a.s}.md", "text.md"),
        ("$steps.a.n$steps.a.n", "11"),
        ("$steps.a.n.0", "1.0"),
        ("{item.name}-{index}", "Ann-7"),
        ("x $steps.a.l y", 'x [{"x":null},[]] y'),
        ("b=$steps.a.b-c!", "b=false!"),
        ("{$steps.a.n", "{1"),
        ('$steps.a["é"]m', "2.5m"),
        ('v: $steps.a["$"]!', "v: $steps.a!"),
    ],
)
def test_inside_longer_text_a_reference_takes_the_text_form(template: str, text: str) -> None:
    """REF-11, REF-15, A57, A62: a value that comes through a reference is never expanded again."""
    assert resolve(template, NAMES, root) == text


@pytest.mark.parametrize(
    "template",
    [
        "$5.00",
        "$$5",
        "{}",
        "{ json }",
        "$steps",
        "$steps.",
        "$stepsize.a",
        "$steps._a",
        "{items}",
        "{other.x}",
        "{{x}}",
        "{index.x}",
        "$vars.1",
        "\\frac{a}{b}",
        "{ item }",
        "$STEPS.a",
        "{item",
        "{item.}",
        "item.name}",
        "$env.HOME",
    ],
)
def test_what_is_no_reference_stays_as_it_is(template: str) -> None:
    """REF-16, A60, A61."""
    assert resolve(template, NAMES, root) == template


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("$$steps.a", "$steps.a"),
        ("{{item.x}", "{item.x}"),
        ("{{item.x}}", "{item.x}}"),
        ("{{index}", "{index}"),
        ("{{$steps.a.n}", "{$steps.a.n}"),
        ("{$$steps.a}", "{$steps.a}"),
        ("$$$steps.a", "$$steps.a"),
        ("$$vars.a $steps.a.n", "$vars.a 1"),
    ],
)
def test_a_doubled_sign_escapes_only_where_a_reference_would_begin(template: str, text: str) -> None:
    """A61."""
    assert resolve(template, NAMES, root) == text


@pytest.mark.parametrize(
    "template",
    [
        "$steps.a.gone",
        "$steps.a.s.length",
        "$steps.a.l[2]",
        f"$steps.a.l[{'9' * 5_000}]",
        "$steps.a[0]",
        "$steps.a.s[0]",
        "{item.gone}",
        "$steps.b",
        "$steps.a.keys",
        "$steps.a.__class__",
    ],
)
def test_a_reference_to_nothing_names_itself_and_no_value(template: str) -> None:
    """REF-04, REF-17, REF-24."""
    with pytest.raises(Failure) as caught:
        resolve(f"-{template}", NAMES, root)
    assert caught.value.message.startswith(f"{template}: ")
    assert "Ann" not in str(caught.value)


def test_bindings_are_literal_text_outside_their_loop() -> None:
    """A60."""
    assert resolve("{item.name} {index}", {}, root) == "{item.name} {index}"


def test_references_are_resolved_at_any_depth_and_never_in_names() -> None:
    """REF-10, REF-25."""
    template: Any = {"$steps.a.n": [["$steps.a.n", {"x": "{index}"}]]}
    assert resolve(template, NAMES, root) == {"$steps.a.n": [[1, {"x": 7}]]}
    assert [pointer for pointer, _ in references(template, NAMES)] == ["/$steps.a.n/0/0", "/$steps.a.n/0/1/x"]


def test_resolved_values_share_nothing_with_their_source() -> None:
    """REF-12, REF-13."""
    value: Any = resolve({"x": "$steps.a.l", "y": "{item}"}, NAMES, root)
    value["x"].append("new")
    value["y"]["l"].clear()
    assert DATA["a"]["l"] == [{"x": None}, []]
    assert ITEM["l"] == [10, 20]


@UNTIMED
@given(st.text(alphabet="ab.$ {}[]\"'\\0é\n"))
def test_text_without_a_root_is_never_touched(text: str) -> None:
    """REF-16."""
    assert resolve(text, NAMES, root) == text


@UNTIMED
@given(st.text(alphabet="a.$ {}[]st1"), st.text(alphabet="a.$ {}[]st1"))
def test_an_escaped_reference_reads_back_as_it_was_written(before: str, after: str) -> None:
    """A61: the text around the reference does not matter."""
    resolved = resolve(f"{before} $$steps.a {after}", NAMES, root)
    assert resolved == f"{before} $steps.a {after}"


@UNTIMED
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_a_value_goes_through_a_reference_unchanged(value: Any) -> None:
    """REF-11, REF-15, REF-18."""
    assert resolve({"x": ["{$steps.s}"]}, {}, lambda _: value) == {"x": [value]}

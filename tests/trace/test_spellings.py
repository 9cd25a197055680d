"""Values inside longer text: what counts as their text form, and what is another text."""

from __future__ import annotations

import json
import random

import pytest
from callproof.trace.spellings import spells
from callproof.values.jsontext import Json
from hypothesis import given
from hypothesis import strategies as st

VALUE: Json = {"a": [{"c": 1, "d": "x"}], "b": "}", "e": {}}
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)


def _shuffled(value: Json, order: random.Random) -> Json:
    if isinstance(value, dict):
        return {name: _shuffled(value[name], order) for name in order.sample(sorted(value), len(value))}
    return [_shuffled(each, order) for each in value] if isinstance(value, list) else value


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@given(VALUES, st.randoms(use_true_random=False))
def test_members_in_another_order_are_the_same_value(value: Json, order: random.Random) -> None:
    """A writer of a log may sort the members; nothing else of the text may differ (B-01)."""
    text = f"<{_text(_shuffled(value, order))}>"
    assert spells(text, ["<", (value,), ">"], any_order=True)
    assert not spells(text + " ", ["<", (value,), ">"], any_order=True)


@pytest.mark.many
def test_many_members_are_looked_up_and_not_tried_one_after_the_other() -> None:
    """An object in a log may have as many members as fit on its line, and in the worst order."""
    value: Json = {f'"{number}\\': number for number in range(60_000)}
    turned = dict(reversed(value.items()))
    assert spells(_text(turned), [(value,)], any_order=True)
    assert not spells(_text(turned), [(value,)])
    assert spells(_text(value), [(value,)])


def test_their_own_order_counts_where_it_is_known() -> None:
    """The wire shows in which order the tool gave the members (A62)."""
    turned = '{"b":"}","a":[{"d":"x","c":1}],"e":{}}'
    assert not spells(turned, [(VALUE,)])
    assert spells(turned, [(VALUE,)], any_order=True)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":[{"c":1,"d":"x"}],"b":"}"}',
        '{"a":[{"c":1,"d":"x"}],"b":"}","e":{},"e":{}}',
        '{"a":[{"c":2,"d":"x"}],"b":"}","e":{}}',
        '{"a":[{"c":1,"d":"x"}], "b":"}","e":{}}',
        '{"a":[{"c":1,"d":"x"}],"b":"}","e":{}',
        '{"a":[{"c":1,"d":"x"}],"b":"}","e":[]}',
    ],
)
def test_what_is_missing_added_or_changed_is_another_text(text: str) -> None:
    """A spelling has the same members in any order, each once, with the same values and no blank."""
    assert not spells(text, [(VALUE,)], any_order=True)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("1234512345", [(12345,), (12345,)]),
        ("10.5", [(10,), ".5"]),
        ("1e31.5e3", [(1000,), (1500,)]),
        ("[1]2", [([1],), (2,)]),
        ("3e+200.1", [(3e20,), (0.1,)]),
        ("1.01", [(1,), (1,)]),
    ],
)
def test_a_number_may_stand_beside_digits_that_are_none_of_it(text: str, pieces: list[str | tuple[Json]]) -> None:
    """Two references with nothing between them give two numbers with nothing between them (A62)."""
    assert spells(text, pieces)
    assert not spells(f"{text}-", pieces)
    assert not spells(text[:-1], pieces)


def test_numbers_of_many_digits_take_no_time() -> None:
    """A line may be 16 MiB long and consist of digits only."""
    one = 10**3_000
    assert spells(f"{one}{one}", [(one,), (one,)])
    assert not spells(f"{one}1{one}", [(one,), (one,)])


@pytest.mark.parametrize(
    "text",
    [
        r'{"a\"":["\b\f\u001f\\"]}',
        r'{"a\"":["\u0008\u000c\u001F\\"]}',
        r'{"a\u0022":["\b\u000C\u001f\u005c"]}',
    ],
)
@pytest.mark.parametrize("any_order", [False, True])
def test_what_cannot_stand_as_itself_has_any_of_its_escapes(text: str, *, any_order: bool) -> None:
    """JSON has several escapes for a control character, and each language writes its own (A62, B-48)."""
    value: Json = {'a"': ["\b\f\x1f\\"]}
    assert spells(text, [(value,)], any_order=any_order)
    assert not spells(text.replace("1", "2"), [(value,)], any_order=any_order)


@pytest.mark.parametrize(
    "text",
    [
        r'["\u00e9/DEL\n"]',
        r'["é\/DEL\n"]',
        r'["é/\u007f\n"]',
        '["é/\x7f\n"]',
        r'["é/DEL\v"]',
        r'["é/DEL\n]',
        r'["é/DEL\ud800"]',
    ],
)
def test_what_can_stand_as_itself_does(text: str) -> None:
    """A character is not escaped if JSON allows that, and only then (A62)."""
    text = text.replace("DEL", "\x7f")
    assert not spells(text, [(["é/\x7f\n"],)])
    assert spells('["é/\x7f\\n"]', [(["é/\x7f\n"],)])

"""The canonical form: RFC 8785 at its edges, and exact where the standard is not."""

from __future__ import annotations

import hashlib
import json
import math

import pytest
import rfc8785
from callproof.values.canonical import canonical, sha256_of
from callproof.values.jsontext import Json, read_json
from callproof.values.jsonvalue import equal
from hypothesis import given
from hypothesis import strategies as st

SAFE = 2**53 - 1
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
NUMBERS = st.one_of(st.integers(-(10**40), 10**40), st.floats(allow_nan=False, allow_infinity=False))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4)),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('{"b":1,"a":2}', '{"a":2,"b":1}'),
        ('{"é":1,"e":2,"z":3}', '{"e":2,"z":3,"é":1}'),
        ('{"\ue000":1,"😀":2}', '{"😀":2,"\ue000":1}'),
        ("[1.0,1,1e0,10e-1]", "[1,1,1,1]"),
        ("[-0,-0.0,0e5]", "[0,0,0]"),
        ("9007199254740991", "9007199254740991"),
        ("9007199254740993", "9007199254740993"),
        ("-9007199254740993", "-9007199254740993"),
        ("[9007199254740992,-9007199254740993,0.5]", "[9007199254740992,-9007199254740993,0.5]"),
        ("1e21", "1000000000000000000000"),
        ("1000000000000000000000", "1000000000000000000000"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("[1e-7,0.000001,1.5,333333333.33333329]", "[1e-7,0.000001,1.5,333333333.3333333]"),
        (r'"\u00e9\/\u0000\u001f\b\"\\"', '"é/\\u0000\\u001f\\b\\"\\\\"'),
        ('"\u2028\u007f"', '"\u2028\u007f"'),
        ("[]", "[]"),
        ("{}", "{}"),
        ("[null,true,false]", "[null,true,false]"),
    ],
)
def test_each_edge_has_its_one_form(text: str, form: str) -> None:
    """HASH-05: names sorted by UTF-16 units, numbers written by value, the fewest escapes, integers exact."""
    assert canonical(read_json(text.encode())).decode() == form


@given(VALUES)
def test_canonical_text_reads_back_as_an_equal_value(value: Json) -> None:
    """A21: the form loses nothing, big integers included."""
    text = json.dumps(value)
    assert equal(json.loads(canonical(json.loads(text)), parse_float=_exact), json.loads(text, parse_float=_exact))


@given(VALUES, VALUES)
def test_forms_are_equal_exactly_when_values_are(left: Json, right: Json) -> None:
    """HASH-02 and HASH-03 rest on this."""
    assert (canonical(left) == canonical(right)) == equal(left, right)


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(-SAFE, SAFE), st.floats(-1e15, 1e15), TEXT),
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4)),
    )
)
def test_within_the_range_of_doubles_the_form_is_the_standard_one(value: Json) -> None:
    """A21: the extension changes nothing where RFC 8785 is exact."""
    assert canonical(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "\ud800", {"\udc00": 1}, [math.inf]])
def test_what_json_cannot_hold_is_refused(value: Json) -> None:
    """A28: a NaN, an infinity and a lone surrogate have no canonical bytes."""
    with pytest.raises(ValueError, match=r"."):
        canonical(value)


def test_the_hash_names_its_algorithm() -> None:
    """HASH-04: a reader of the hash knows how to compute it again."""
    assert sha256_of({"a": 1.0}) == "sha256:" + hashlib.sha256(b'{"a":1}').hexdigest()


def _exact(text: str) -> Json:
    number = float(text)
    return int(number) if number.is_integer() else number

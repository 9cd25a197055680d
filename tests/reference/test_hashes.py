"""Hashes and their canonical form: the edge cases of RFC 8785, and the rules of A64 beyond it."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

import pytest
from callproof_reference.values import canonical, digest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (1e21, "1000000000000000000000"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-9, "1.5e-9"),
        (-2.5e-7, "-2.5e-7"),
        (333333333.33333329, "333333333.3333333"),
        (4.35, "4.35"),
        (0.002, "0.002"),
        (5e-324, "5e-324"),
        (9007199254740993, "9007199254740993"),
        (12345678901234567890, "12345678901234567890"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_numbers_are_written_by_value(number: float, text: str) -> None:
    """HASH-05, A21, A64."""
    assert canonical(number) == text


def test_members_are_ordered_by_utf16_units() -> None:
    """HASH-05: an astral name sorts before a private one of the basic plane."""
    assert canonical({"\ufb33": 1, "\U0001f600": 2, "é": 3, "a": 4, "\r": 5}) == (
        '{"\\r":5,"a":4,"é":3,"\U0001f600":2,"\ufb33":1}'
    )


def test_strings_escape_only_what_they_must() -> None:
    """HASH-05."""
    assert canonical('\u20ac$\x0f\nA\'B"\\"/\x7f\u2028') == '"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/\x7f\u2028"'


def test_the_hash_names_its_algorithm_and_can_be_recomputed() -> None:
    """HASH-04: the hash is over the UTF-8 of the canonical text."""
    expected = hashlib.sha256(b'{"a":1,"b":[true,null]}').hexdigest()
    assert digest({"b": [True, None], "a": 1.0}) == f"sha256:{expected}"


@UNTIMED
@given(VALUES)
def test_the_canonical_text_reads_back_as_the_value(value: Any) -> None:
    """HASH-03: no information is lost."""
    assert _same(json.loads(canonical(value)), value)


@pytest.mark.many
@UNTIMED
@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_the_order_of_members_does_not_matter(value: dict[str, Any]) -> None:
    """HASH-02."""
    assert digest(dict(reversed(value.items()))) == digest(value)


@UNTIMED
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_reads_back_as_itself(number: float) -> None:
    """HASH-05."""
    assert math.isclose(float(canonical(number)), number, rel_tol=0, abs_tol=0)


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, list):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_same(left[name], right[name]) for name in left)
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right)

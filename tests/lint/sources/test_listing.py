"""Text of live sources, laid out in lines and otherwise unchanged."""

from __future__ import annotations

import json
import re

import pytest
from callproof.lint.sources.listing import laid_out, shown_command, shown_url
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, st.booleans())
def test_a_laid_out_value_is_the_same_value(value: object, escaped: bool) -> None:
    """Every token stays as it was written."""
    text = json.dumps(value, ensure_ascii=escaped, separators=(",", ":"))
    if "\n" in text:
        return
    laid = laid_out(text)
    assert json.loads(laid) == value
    strings = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
    assert strings.findall(laid) == strings.findall(text)


@given(VALUES)
def test_text_with_lines_stays_as_it_is(value: object) -> None:
    """Such text is laid out already."""
    text = json.dumps([value, "x"], indent=1)
    assert laid_out(text) == text


def test_nothing_is_lost_that_a_reader_would_drop() -> None:
    """Members named twice and numbers of any length are still there afterwards."""
    assert laid_out('{"a":1,"a":1e5,"b":[]}') == '{\n  "a": 1,\n  "a": 1e5,\n  "b": []\n}'


@given(st.text(max_size=40))
def test_text_that_is_no_json_does_no_harm(text: str) -> None:
    """The result is a text in any case."""
    assert isinstance(laid_out(text), str)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("npx -y server /a/b", "npx -y server /a/b"),
        ("server --api-key s3cret --fast", "server --api-key … --fast"),
        ("server --token=s3cret -v", "server --token=… -v"),
        ("env GITHUB_TOKEN=s3cret server", "env GITHUB_TOKEN=… server"),
        ("server 'two words'", "server 'two words'"),
    ],
)
def test_secrets_of_a_command_are_not_shown(command: str, shown: str) -> None:
    """Every finding and every report names the source."""
    assert shown_command(command) == shown


def test_the_query_of_an_address_is_not_shown() -> None:
    """It may contain keys."""
    assert shown_url("https://host/mcp?key=s3cret#x") == "https://host/mcp?…"
    assert shown_url("https://host/mcp") == "https://host/mcp"

"""What an item tells the recorder, on its way between two processes."""

from __future__ import annotations

from callproof.report.payload import received, sent
from hypothesis import given
from hypothesis import strategies as st

TEXT = st.text(st.characters())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
)


@given(st.dictionaries(TEXT, VALUES, max_size=4))
def test_a_payload_arrives_as_it_was_sent(payload: dict[str, object]) -> None:
    """Whatever is told, lone surrogates of an adapter included, goes as plain ASCII and comes back the same."""
    text = sent(payload)
    assert text.isascii()
    assert received(text) == payload


def test_a_payload_that_was_never_sent_is_taken_as_it_is() -> None:
    """Within one process nothing is written and read again."""
    payload = {"scenario": "SC-01"}
    assert received(payload) is payload

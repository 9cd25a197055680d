"""Server-sent events, read from pieces of a body."""

from __future__ import annotations

from callproof.lint.sources.events import data_of_events
from hypothesis import given
from hypothesis import strategies as st

ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
LINES = st.lists(st.binary(max_size=6).filter(lambda each: not {*b"\r\n"} & {*each}), min_size=1, max_size=3)


@given(st.lists(LINES, max_size=4), ENDS, st.integers(1, 7))
def test_events_are_the_same_however_the_body_is_cut(events: list[list[bytes]], end: bytes, size: int) -> None:
    """The body may even be cut in the middle of a line end."""
    body = b"".join(b"".join(b"data: " + line + end for line in event) + end for event in events)
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    assert [*data_of_events(pieces)] == [b"\n".join(event) for event in events]


def test_comments_and_other_fields_are_passed_over() -> None:
    """So are an event without data and one that is cut off."""
    body = b": hello\nevent: message\nid: 7\ndata:{}\n\nretry: 5\n\ndata: cut"
    assert [*data_of_events([body])] == [b"{}"]

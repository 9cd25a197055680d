"""Reports on items on their way from a worker: each is sent as one string of bytes and arrives unchanged."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.plugin.workers import Sending, Workers
from hypothesis import given
from hypothesis import strategies as st

TEXT = st.text(st.characters())
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(TEXT, inner, max_size=3),
)
NAMES = TEXT.filter(lambda name: not name.startswith(("$", "callproof")))


def sent(nodeid: str, data: dict[str, Any]) -> dict[str, Any]:
    """The data that leaves a worker when pytest would send ``data``."""
    report = pytest.TestReport(nodeid, (nodeid, None, ""), {}, "passed", None, "call")
    wrapping = Sending().pytest_report_to_serializable(report)
    next(wrapping)
    try:
        wrapping.send(data)
    except StopIteration as stop:
        told: dict[str, Any] = stop.value
        return told
    raise AssertionError("it waits for more than one answer")


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_a_report_arrives_as_it_was_sent(told: dict[str, Any]) -> None:
    """Tuples stay tuples, lone surrogates of an adapter arrive, and members that others add on the way are kept."""
    data = {**told, "$report_type": "TestReport"}
    letter = sent("callproof::SC-01::CALL-01", data)
    assert len(letter) == 2
    letter["worker_id"] = "gw0"
    assert Workers().pytest_report_from_serializable(letter) is None
    assert letter == {**data, "worker_id": "gw0"}


def test_the_report_on_a_test_of_a_user_goes_as_ever() -> None:
    """Reports that are not callproof's stay untouched."""
    data = {"$report_type": "TestReport", "nodeid": "test_it.py::test_it"}
    assert sent("test_it.py::test_it", data) is data
    assert Workers().pytest_report_from_serializable(data) is None
    assert data == {"$report_type": "TestReport", "nodeid": "test_it.py::test_it"}

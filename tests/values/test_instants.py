"""The reader of instants, against the calendar of the standard library and at the edges of ruling A20."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from callproof.values.instants import SECOND, Instant, parse_instant
from hypothesis import given
from hypothesis import strategies as st

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(timezones=OFFSETS)


def read(text: str) -> Instant:
    """The instant of a text, which has to name one."""
    instant = parse_instant(text)
    assert instant is not None, text
    return instant


@given(MOMENTS)
def test_an_instant_is_what_the_calendar_says(moment: datetime) -> None:
    """The nanoseconds are those since the epoch, whatever the offset (TIME-09)."""
    assert read(moment.isoformat()).nanoseconds == (moment - EPOCH) // timedelta(microseconds=1) * 1000


@given(MOMENTS, st.text("0123456789", min_size=1, max_size=40))
def test_a_fraction_of_any_length_is_read(moment: datetime, digits: str) -> None:
    """The first nine digits count; the resolution is the unit of the last of them (A20, B-06)."""
    whole = moment.replace(microsecond=0).isoformat()
    instant = read(f"{whole[:19]}.{digits}{whole[19:]}")
    assert instant.nanoseconds == read(whole).nanoseconds + int(digits[:9].ljust(9, "0"))
    assert instant.resolution == 10 ** max(0, 9 - len(digits))


@pytest.mark.parametrize(
    "text",
    [
        "2025-12-16T18:12:00Z",
        "2025-12-16t18:12:00z",
        "2025-12-16T18:12:00+00:00",
        "2025-12-16T18:12:00-00:00",
        "2025-12-16T23:42:00+05:30",
        "2025-12-16T02:27:00.000-15:45",
    ],
)
def test_one_instant_has_many_spellings(text: str) -> None:
    """Offsets, letter case and fractions change the spelling and not the instant (B-05, B-06)."""
    assert read(text) == read("2025-12-16T18:12:00Z")


def test_a_leap_second_is_read_and_keeps_its_order() -> None:
    """23:59:60 sorts between its neighbours, and its resolution is a second (A20, B-07)."""
    before, leap, after = map(read, ("2016-12-31T23:59:59.9Z", "2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.1Z"))
    assert before < leap < after
    assert leap.resolution == SECOND
    assert read("2017-01-01T01:29:60+01:30") == leap


@pytest.mark.parametrize(
    "text",
    [
        "2025-12-16T18:12:00",
        "2025-12-16 18:12:00Z",
        "2025-12-16",
        "2025-12-16T18:12Z",
        "2025-02-29T00:00:00Z",
        "2025-13-01T00:00:00Z",
        "2025-12-16T24:00:00Z",
        "2025-12-16T18:12:60Z",
        "2025-12-16T18:12:61Z",
        "2025-12-16T18:12:00.Z",
        "2025-12-16T18:12:00,5Z",
        "2025-12-16T18:12:00+0000",
        "2025-12-16T18:12:00+24:00",
        "2025-12-16T18:12:00Z\n",
        " 2025-12-16T18:12:00Z",
        "２０２５-12-16T18:12:00Z",
        "",
    ],
)
def test_what_is_no_instant_is_none(text: str) -> None:
    """Local times, dates alone, days that no calendar has and non-ASCII digits are not instants (TIME-09)."""
    assert parse_instant(text) is None


@pytest.mark.parametrize("value", [None, 0, 1734372720000, True, [], {}, b"2025-12-16T18:12:00Z"])
def test_what_is_no_text_is_no_instant(value: object) -> None:
    """Epoch milliseconds and other values are not read as instants (TIME-09)."""
    assert parse_instant(value) is None


def test_the_year_nought_has_instants() -> None:
    """RFC 3339 begins at year 0, a year before the standard library does."""
    assert read("0001-01-01T00:00:00Z").nanoseconds - read("0000-01-01T00:00:00Z").nanoseconds == 366 * 86_400 * SECOND
    assert parse_instant("0000-02-30T00:00:00Z") is None


@given(st.text())
def test_any_text_is_an_instant_or_none(text: str) -> None:
    """No text makes the reader raise."""
    assert isinstance(parse_instant(text), Instant | None)

"""Failures of logs are compared with a baseline one by one: however many there are, each is looked up."""

from __future__ import annotations

from dataclasses import replace

from callproof.judge.baseline import Baseline, Entry, Failure, names
from callproof.judge.held import Held
from hypothesis import given
from hypothesis import strategies as st

FAILURE = Failure("RETRY-03", "night-1", "… was attempted … times")
NIGHTS = Entry(replace(FAILURE, place="night-*"), "issue 12", "anna")
DATED = replace(NIGHTS, expires="2027-01-31")
LAWS = {"RETRY-03"}

FAILURES = st.builds(
    Failure, st.sampled_from(["A-01", "A-02"]), st.sampled_from(["night-1", "night-2", "day"]), st.sampled_from("xyz")
)
ENTRIES = st.builds(
    Entry,
    st.builds(
        Failure, st.sampled_from(["A-01", "A-02"]), st.sampled_from(["*", "night-*", "day"]), st.sampled_from("xyz")
    ),
    st.just("issue 12"),
    st.none(),
    st.sampled_from([None, "2020-01-01"]),
)


def held(*entries: Entry, day: str = "2026-11-22", runs: tuple[str, ...] = ("night-1",)) -> Held:
    """A baseline as of a day, and the names of the runs that were read."""
    found = Held(Baseline(entries, of_logs=True).on(day))
    for run in runs:
        found.met(run)
    return found


def test_an_entry_that_lists_nothing_is_told_with_its_owner() -> None:
    """An entry is not told if the selection left out its requirement."""
    (told,) = held(NIGHTS).stale(LAWS)
    assert "(owner: anna): it does not fail any more; remove the entry" in told
    assert held(NIGHTS).stale({"RETRY-04"}) == ()


def test_an_entry_that_means_no_run_is_told() -> None:
    """An entry with a typo in a name would otherwise stay in the file for ever."""
    (told,) = held(NIGHTS, runs=("day-1",)).stale(LAWS)
    assert "no run of these logs is called 'night-*'; remove the entry" in told


def test_an_entry_that_fails_otherwise_is_told_with_what_fails() -> None:
    """Only failures in the runs that the entry names are told."""
    found = held(NIGHTS, runs=("night-1", "day-1"))
    found.failed(replace(FAILURE, place="day-1", message="… was lost"))
    found.failed(replace(FAILURE, message="… was never attempted"))
    (told,) = found.stale(LAWS)
    assert "it fails in another way, with '… was never attempted'; look again" in told


def test_what_an_entry_lists_is_no_new_failure() -> None:
    """The same failure in a run that the entry does not name is new."""
    found = held(NIGHTS)
    found.failed(FAILURE)
    assert (found.unlisted, found.stale(LAWS)) == ({}, ())
    found.failed(replace(FAILURE, place="day-1"))
    assert found.unlisted == {"RETRY-03": 1}


def test_what_an_entry_listed_fails_when_its_day_is_over() -> None:
    """The entry stays in the file with its day, however often the file is updated."""
    found = held(DATED, day="2027-02-01")
    found.failed(FAILURE)
    assert (found.unlisted, found.overdue) == ({"RETRY-03": 1}, {"RETRY-03": 1})
    (told,) = found.stale(LAWS)
    assert "its last day was 2027-01-31" in told
    assert (found.updated(LAWS).entries, found.updated(LAWS).expired) == ((), (DATED,))


def test_no_entry_is_gone_where_something_was_not_read() -> None:
    """The unread run may hold the listed failure, so the entry stays. An expired entry stays too, and is told."""
    later = replace(DATED, failure=replace(DATED.failure, message="… was lost"))
    found = held(NIGHTS, later, day="2027-02-01", runs=("day-1",))
    found.unread()
    (told,) = found.stale(LAWS)
    assert "its last day was 2027-01-31" in told
    assert (found.updated(LAWS).entries, found.updated(LAWS).expired) == ((NIGHTS,), (later,))


def test_an_update_names_any_run_and_leaves_entries_that_hold_as_they_are() -> None:
    """A new entry names any run, one entry for many. An old one keeps its owner, its day and its narrowed pattern."""
    found = held(NIGHTS, runs=("night-1", "night-2", "day-1"))
    for place in ("night-1", "night-2"):
        found.failed(replace(FAILURE, place=place))
    for place in ("night-1", "day-1"):
        found.failed(replace(FAILURE, requirement="CALL-01", place=place))
    assert found.updated(LAWS).entries == (Entry(Failure("CALL-01", "*", FAILURE.message), ""), NIGHTS)


def test_an_update_does_not_let_off_what_is_overdue() -> None:
    """If an entry has expired, a new failure beside it is listed with the name of its run, not for any run."""
    found = held(DATED, day="2027-02-01", runs=("night-1", "day-1"))
    for place in ("night-1", "day-1"):
        found.failed(replace(FAILURE, place=place))
    assert found.updated(LAWS).entries == (Entry(replace(FAILURE, place="day-1"), ""),)


@given(st.lists(ENTRIES, max_size=4, unique_by=lambda each: each.failure), st.lists(FAILURES, max_size=6))
def test_an_updated_baseline_lists_all_failures_but_those_that_are_overdue(
    entries: list[Entry], failures: list[Failure]
) -> None:
    """Each entry lists a failure: for the same failures, the updated baseline tells of nothing but expired entries."""
    first = Held(Baseline(tuple(entries), of_logs=True).on("2026-11-22"))
    written = _updated(first, failures)
    second = Held(written)
    _updated(second, failures)
    assert second.unlisted == second.overdue == first.overdue
    assert len(second.stale({"A-01", "A-02"})) == len(written.expired)
    for failure in failures:
        assert any(
            names(each.failure.place, failure.place) and each.failure.message == failure.message
            for each in (*written.entries, *written.expired)
        )


def _updated(held: Held, failures: list[Failure]) -> Baseline:
    for failure in failures:
        held.met(failure.place)
        held.failed(failure)
    return held.updated(LAWS)

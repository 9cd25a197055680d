"""Two calls with one name: which results and events belong to which call."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.trace.namesakes import namesakes
from callproof.trace.records import Kind, Record, Source
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from hypothesis import given
from hypothesis import strategies as st

FILES = {Kind.CALL: "calls.jsonl", Kind.RESULT: "results.jsonl", Kind.EVENT: "events.jsonl"}


def record(kind: Kind, line: int, **members: Json) -> Record:
    """One record on its line."""
    return Record(kind, members, Source(FILES[kind], line))


def run_of(calls: list[Record], results: list[Record], events: list[Record] | None = None) -> Run:
    """A run of these records."""
    return Run("run", None, tuple(calls), tuple(results), None if events is None else tuple(events))


def call(line: int, name: str, step: str, attempt: int = 1) -> Record:
    """A call record."""
    return record(Kind.CALL, line, callId=name, stepId=step, attempt=attempt)


def result(line: int, name: str, step: str, attempt: int = 1) -> Record:
    """A result record."""
    return record(Kind.RESULT, line, callId=name, stepId=step, attempt=attempt)


def event(line: int, name: str, step: str, kind: str = "step.started") -> Record:
    """An event of a call."""
    return record(Kind.EVENT, line, callId=name, stepId=step, type=kind)


def test_calls_of_two_steps_are_told_apart_by_the_step() -> None:
    """Each has its own result and its own events."""
    one, other = result(1, "c", "s2"), result(2, "c", "s1")
    start, end = event(1, "c", "s1"), event(2, "c", "s2")
    first, second = run_of([call(1, "c", "s1"), call(2, "c", "s2")], [one, other], [start, end]).attempts
    assert (first.results, first.events) == ((other,), (start,))
    assert (second.results, second.events) == ((one,), (end,))


def test_attempts_are_told_apart_by_their_number() -> None:
    """A result names the attempt that it answers."""
    one, other = result(1, "c", "s1", 2), result(2, "c", "s1", 1)
    first, second = run_of([call(1, "c", "s1", 1), call(2, "c", "s1", 2)], [one, other]).attempts
    assert (first.results, second.results) == ((other,), (one,))


def test_what_nothing_tells_apart_is_taken_in_order_where_there_is_one_each() -> None:
    """Two iterations with one name have two results: the first result belongs to the first iteration."""
    one, other = result(1, "c", "s1"), result(2, "c", "s1")
    first, second = run_of([call(1, "c", "s1"), call(2, "c", "s1")], [one, other]).attempts
    assert (first.results, second.results) == ((one,), (other,))


def test_what_nothing_tells_apart_is_of_both_where_it_is_one() -> None:
    """A call that was written down twice has one result, which belongs to both of its records."""
    only = result(1, "c", "s1")
    first, second = run_of([call(1, "c", "s1"), call(2, "c", "s1")], [only]).attempts
    assert first.results == second.results == (only,)


def test_of_very_many_calls_each_has_its_own_records_by_what_they_name_or_by_their_order() -> None:
    """A system may give all its calls one name; its records then name their step, or not even that."""
    calls = [call(line, "c", f"s{line}", line) for line in range(1, 202)]
    numbers = range(201, 0, -1)
    by_step = [record(Kind.RESULT, 300 - line, callId="c", stepId=f"s{line}") for line in numbers]
    by_both = [event(300 - line, "c", f"s{line}") for line in numbers]
    by_none = [record(Kind.EVENT, 300 + line, callId="c", type="step.finished") for line in range(1, 202)]
    run = run_of(calls, by_step, [*by_both, *by_none])
    for attempt in run.attempts:
        line = attempt.call.source.line
        assert [each.source.line for each in attempt.results] == [300 - line]
        assert [each.source.line for each in attempt.events or ()] == [300 - line, 300 + line]


names = st.sampled_from(["a", "b", "c"])
steps = st.sampled_from(["s1", "s2"])


@given(st.lists(st.tuples(names, steps, st.integers(1, 2)), max_size=6))
def test_without_shared_names_every_record_stays_with_its_name(rows: list[tuple[str, str, int]]) -> None:
    """If no two calls share a name, a result belongs to the call that it names, whatever else it says."""
    calls = [call(line, name, "s1") for line, name in enumerate(dict.fromkeys(name for name, _, _ in rows), 1)]
    results = [result(line, name, step, attempt) for line, (name, step, attempt) in enumerate(rows, 1)]
    assert namesakes(calls) == {}
    for attempt in run_of(calls, results).attempts:
        assert attempt.results == tuple(each for each in results if each.call_id == attempt.call.call_id)


@given(
    st.lists(st.tuples(names, steps, st.integers(1, 2)), max_size=6),
    st.lists(st.tuples(names, steps, st.integers(1, 2)), max_size=6),
)
def test_nobody_gets_a_record_of_another_name(
    made: list[tuple[str, str, int]], told: list[tuple[str, str, int]]
) -> None:
    """Telling calls apart only takes records away from a call; it keeps their order and never adds one."""
    run = run_of(
        [call(line, *each) for line, each in enumerate(made, 1)],
        [result(line, *each) for line, each in enumerate(told, 1)],
    )
    by_name: Mapping[str | None, list[Record]] = {
        each.call_id: [other for other in run.results if other.call_id == each.call_id] for each in run.calls
    }
    for attempt in run.attempts:
        known = by_name[attempt.call.call_id]
        assert list(attempt.results) == [each for each in known if each in attempt.results]

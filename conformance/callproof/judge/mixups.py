"""Records that name a step or call that is not theirs: every law that asks about one of the two goes wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run

# What a record may say about its call: step, tool, attempt and iteration index, each possibly None; then step,
# iteration and attempt of a call; then the callId and the step of a call.
_Mark: TypeAlias = "tuple[str | None, str | None, int | None, int | None]"
_Place: TypeAlias = "tuple[str | None, int | None, int | None]"
_Owner: TypeAlias = "tuple[str | None, str | None]"
_ENDS = ("step.finished", "step.failed")


@dataclass(frozen=True, slots=True)
class Mixup:
    """The calls, by callId, one of which a record names instead of the other, and their steps."""

    calls: frozenset[str]
    steps: frozenset[str]


def misnamed_calls(run: Run) -> Mapping[str, frozenset[str]]:
    """
    By callId, each call that names another step than its result and its events do, and both of these steps.

    A single result or event may itself be wrong.  The call is wrong if all of them name the same other step of the
    plan, and that step has no call of its own in this place.  A step that the plan does not have is another fault.
    """
    places = Counter(map(_place, run.attempts))
    return {call_id: _two_steps(run, attempt, places) for call_id, attempt in run.attempt_by_call_id.items()}


def _two_steps(run: Run, attempt: Attempt, places: Mapping[_Place, int]) -> frozenset[str]:
    named, told = attempt.call.step_id, set(_told(attempt))
    if named is None or run.step(named) is None or len(told) != 1:
        return frozenset()
    (own,) = told
    # If that step is the one that the call names, the call itself is counted here.
    taken = places.get((own, *_place(attempt)[1:]), 0)
    return frozenset() if taken or run.step(own) is None else frozenset({named, own})


def _told(attempt: Attempt) -> Iterator[str]:
    """The steps that the result and the events of a call name."""
    for record in (*attempt.results, *(attempt.events or ())):
        if record.step_id is not None:
            yield record.step_id


def _place(attempt: Attempt) -> _Place:
    """The step, the iteration and the attempt that a call names."""
    return attempt.call.step_id, attempt.call.iteration_index, attempt.number


def misfiled_records(run: Run) -> Mapping[str, Mixup]:
    """
    By callId, pairs of calls of which the one has a result, a beginning or an end too many, and the other has none.

    By its step, tool, attempt and iteration, the surplus record must fit exactly one call; or it must be a result of
    a step that was never called.
    """
    found: dict[str, Mixup] = {}
    steps = {each.call_id: each.step_id for each in run.calls}
    uncalled = _Uncalled(run)
    for named, record, without in (*_results(run), *_events(run)):
        owners = without.owners(record) or uncalled.owners(record)
        if len(owners) == 1:
            own, step = owners[0]
            mixup = Mixup(_without_none(named, own), _without_none(step, steps.get(named)))
            for call_id in mixup.calls:
                found.setdefault(call_id, mixup)
    return found


def _without_none(*names: str | None) -> frozenset[str]:
    return frozenset(each for each in names if each is not None)


class _Unserved:
    """Calls that lack a record, by what a record may say about its call; an event names no attempt and no loop."""

    def __init__(self, attempts: Iterable[Attempt]) -> None:
        self._known: dict[_Mark, list[_Owner]] = {}
        for attempt in attempts:
            call = attempt.call
            said = product((call.text("tool"), None), (attempt.number, None), (call.iteration_index, None))
            for tool, number, index in dict.fromkeys(said):
                owners = self._known.setdefault((call.step_id, tool, number, index), [])
                if len(owners) < 2:  # two are enough to be ambiguous
                    owners.append((call.call_id, call.step_id))

    def owners(self, record: Record) -> list[_Owner]:
        """The calls to which a record may belong, two of them at most."""
        number, tool = record.integer("attempt"), record.text("tool")
        return self._known.get((record.step_id, tool, number, record.iteration_index), [])


class _Uncalled:
    """Steps that were never called, and the callIds that events give them nevertheless."""

    def __init__(self, run: Run) -> None:
        self._called = {each.step_id for each in run.calls}
        self._iterations = {(each.step_id, each.iteration_index) for each in run.calls}
        known = {each.call_id for each in (*run.calls, *run.results)}
        self._named: dict[str | None, dict[str | None, None]] = {}
        for event in run.events or ():
            if event.call_id not in known:
                self._named.setdefault(event.step_id, {})[event.call_id] = None

    def owners(self, record: Record) -> list[_Owner]:
        """The callIds that a result without a call may have; none if its step, or its iteration, was called."""
        index, step = record.iteration_index, record.step_id
        called = step in self._called if index is None else (step, index) in self._iterations
        return [] if called else [(each, step) for each in self._named.get(step, {None: None})]


def _results(run: Run) -> Iterator[tuple[str, Record, _Unserved]]:
    """Results that share a callId, or name a call of another step, each with the calls that have none."""
    without = _Unserved(each for each in run.attempts if not each.results)
    by_call: dict[str, list[Record]] = {}
    for result in run.results:
        if result.call_id is not None:
            by_call.setdefault(result.call_id, []).append(result)
    for named, results in by_call.items():
        attempt = run.attempt_by_call_id.get(named)
        for result in results:
            if len(results) > 1 or (attempt is not None and result.step_id != attempt.call.step_id):
                yield named, result, without


def _events(run: Run) -> Iterator[tuple[str, Record, _Unserved]]:
    """Beginnings and ends of which a call has several, or that name another step, with the calls that have none."""
    for kinds in (("step.started",), _ENDS) if run.events is not None else ():
        having = [(each, each.events_of(*kinds)) for each in run.attempts]
        without = _Unserved(each for each, events in having if not events)
        for attempt, events in having:
            named, step = attempt.call.call_id, attempt.call.step_id
            for event in events:
                if named is not None and (len(events) > 1 or event.step_id not in (None, step)):
                    yield named, event, without

"""Checks for ``spec/execution-events.md`` about the events of one call: which there are, in which order, and when."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from callproof.checks.belonging import missing_of, named_attempts, shared_names
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import place_of_end, took_place
from callproof.checks.members import owner, told
from callproof.checks.policy_paths import is_of_a_denied_tool
from callproof.checks.subjects import attempts, deeds
from callproof.trace.once import once_a_run
from callproof.trace.records import Kind, Record, order, order_of_instants
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Deed

_CLOSING = ("step.finished", "step.failed")
_CLOSED_BY = {
    "ok": "step.finished",
    "skipped": "step.finished",
    "error": "step.failed",
    "timeout": "step.failed",
    "cancelled": "step.failed",
}


def _started_and_answered(run: Run) -> Iterator[tuple[Record, Record]]:
    for attempt in named_attempts(run):
        starts = attempt.events_of("step.started")
        if starts and attempt.result is not None:
            yield starts[0], attempt.result


@check("EVT-06", each=_started_and_answered, needs=("events",))
def the_start_is_told_before_it_happens(_run: Run, subject: tuple[Record, Record]) -> Iterator[Finding]:
    """step.started is not later than the result's startedAt, beyond the tolerance."""
    event, result = subject
    if order_of_instants(event.moment, result.began) == 1:
        yield Finding(
            f"{owner(event)} {told(event, 'timestamp')}",
            f"not after its dispatch, which was at {result.text('startedAt')}",
            (witness("E", event), witness("R", result)),
        )


@check("EVT-06", each=deeds, needs=("events", "deeds"))
def the_start_precedes_the_invocation(run: Run, deed: Deed) -> Iterator[Finding]:
    """step.started arrives before the invocation."""
    attempt = run.attempt_by_call_id.get(deed.call_id)
    for event in attempt.events_of("step.started")[:1] if attempt else ():
        if event.arrival is not None and event.arrival > deed.arrival:
            yield Finding(
                f"{deed.tool} was entered for call {deed.call_id} before its step.started",
                "step.started precedes the dispatch",
                (witness("D", deed), witness("E", event)),
            )


def _never_dispatched(run: Run) -> Iterator[tuple[str, Record]]:
    """Results of calls that were evidently not dispatched, each with the reason that the log gives."""
    for result in run.results:
        attempt = run.attempt_by_call_id.get(result.call_id or "")
        if result.text("status") == "skipped":
            yield "it was skipped", result
        elif attempt is not None and attempt.code == "POLICY_DENIED" and is_of_a_denied_tool(run, attempt):
            yield "the policy denies its tool", result
        elif attempt is not None and attempt.code == "VALIDATION_ERROR" and _is_invalid(run, attempt):
            yield "its args break the tool's schema", result


def _is_invalid(run: Run, attempt: Attempt) -> bool:
    tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry else None
    validator = tool.input_validator if tool else None
    return validator is not None and not validator.accepts(attempt.call.get("args"))


@once_a_run
def _events_by_call(run: Run) -> dict[str, tuple[Record, ...]]:
    groups: dict[str, list[Record]] = {}
    for event in run.events or ():
        if event.call_id is not None:
            groups.setdefault(event.call_id, []).append(event)
    return {call_id: tuple(group) for call_id, group in groups.items()}


@check("EVT-07", each=_never_dispatched, needs=("events",))
def what_never_began_has_no_start(run: Run, subject: tuple[str, Record]) -> Iterator[Finding]:
    """A call that was evidently not dispatched has no step.started."""
    reason, result = subject
    for event in _events_by_call(run).get(result.call_id or "", ()):
        if event.text("type") == "step.started":
            yield Finding(
                f"{owner(event)} was recorded for a call that was not dispatched",
                "only a dispatched call has a step.started",
                (witness("R", result), witness("E", event)),
                (reason,),
            )


@check("EVT-07", each=attempts, needs=("events", "deeds"))
def a_start_stands_for_an_invocation(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A step.started of a tool that the suite hosts goes with an invocation."""
    tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry else None
    if tool is None or not tool.hosted_by_suite or attempt.deeds or run.cut_short:
        return
    for event in attempt.events_of("step.started")[:1]:
        yield Finding(
            f"{owner(event)} was recorded, and {tool.name} was never entered for it",
            "only a dispatched call has a step.started",
            (witness("C", attempt.call), witness("E", event)),
        )


def _started(run: Run) -> Iterator[Attempt]:
    return (attempt for attempt in named_attempts(run) if attempt.events_of("step.started"))


@check("EVT-08", each=_started, needs=("events",))
def a_dispatched_call_is_closed_once(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call with step.started has one closing event; in an unfinished run it may have none yet."""
    closing = attempt.events_of(*_CLOSING)
    if len(closing) > 1 or (not closing and run.finished):
        told = closing or attempt.events_of("step.started")
        yield Finding(
            f"{owner(attempt.call)} was started and had {len(closing) or 'no'} closing event{'s' * (len(closing) > 1)}",
            "exactly one step.finished or step.failed",
            (witness("C", attempt.call), *(witness(f"E{n}", each) for n, each in enumerate(told[:2], 1))),
            misses=() if closing else missing_of(run, Kind.EVENT, _left_open(run)),
        )


@once_a_run
def _left_open(run: Run) -> int:
    """How many calls were started and have no closing event."""
    return sum(not attempt.events_of(*_CLOSING) for attempt in _started(run))


def _closed(run: Run) -> Iterator[tuple[Record, Record]]:
    """Each call's first result, which is the one that counts, with its first closing event."""
    for result in _first_results(run):
        for event in _events_by_call(run).get(result.call_id or "", ()):
            if event.text("type") in _CLOSING:
                yield result, event
                break


@check("EVT-09", each=_closed, needs=("events",))
def the_closing_event_tells_how_it_ended(_run: Run, subject: tuple[Record, Record]) -> Iterator[Finding]:
    """step.finished closes ok and skipped, step.failed the rest, with the status in the payload."""
    result, event = subject
    status = result.text("status") or ""
    payload = event.object("payload") or {}
    right = _CLOSED_BY.get(status)
    if right is not None and event.text("type") != right:
        observed = f"{owner(event)} closed a result with status {status}"
        yield Finding(observed, f"{right} closes it", (witness("R", result), witness("E", event)))
    elif right is not None and payload.get("status") not in (None, status):
        observed = f"{owner(event)} had the payload status {excerpt(payload.get('status'))}"
        yield Finding(observed, f"the status is {status}", (witness("R", result), witness("E", event)))


@check("EVT-10", each=_closed, needs=("events",))
def the_result_precedes_the_closing_event(_run: Run, subject: tuple[Record, Record]) -> Iterator[Finding]:
    """A closing event is not earlier than the result; in a log, beyond the tolerance."""
    result, event = subject
    if order(event, result) != -1:
        return
    proof = (witness("R", result), witness("E", event))
    if event.arrival is not None and result.arrival is not None:
        observed = f"{owner(event)} was message {event.arrival} on the wire, and the result message {result.arrival}"
        yield Finding(observed, "the result first, and then the event that closes the call", proof)
    else:
        observed = f"{owner(event)} came before the result: it {told(event, 'timestamp')}"
        yield Finding(observed, f"not before the result, which {told(result, 'endedAt')}", proof)


def _with_events(run: Run) -> Iterator[tuple[str, tuple[Record, ...]]]:
    shared = shared_names(run)
    return ((call_id, group) for call_id, group in _events_by_call(run).items() if call_id not in shared)


_STAGES = {"step.scheduled": 0, "step.started": 1, "step.finished": 2, "step.failed": 2}


@check("EVT-11", each=_with_events, needs=("events",))
def scheduled_started_closed(_run: Run, subject: tuple[str, tuple[Record, ...]]) -> Iterator[Finding]:
    """Within one call scheduled precedes started, and started the closing event."""
    staged = [(event, _STAGES[event.text("type") or ""]) for event in subject[1] if event.text("type") in _STAGES]
    for (before, earlier), (after, later) in pairwise(staged):
        if earlier > later:
            yield Finding(
                f"{owner(after)} was recorded after {before.text('type')}",
                "step.scheduled, step.started, then the closing event",
                (witness("E1", before), witness("E2", after)),
            )


@check("EVT-12", each=_with_events, needs=("events",))
def progress_is_of_what_is_open(_run: Run, subject: tuple[str, tuple[Record, ...]]) -> Iterator[Finding]:
    """step.progress stands between step.started and the closing event of its call."""
    is_open, last = False, ""
    for event in subject[1]:
        kind = event.text("type") or ""
        if kind == "step.progress" and not is_open:
            observed = f"{owner(event)} was recorded {f'after {last}' if last else 'before step.started'} of the call"
            permitted = "progress only between step.started and the closing event"
            misses = () if last else (Kind.EVENT,)
            yield Finding(observed, permitted, (witness("E", event),), misses=misses, before=event.source)
        elif kind in ("step.started", *_CLOSING):
            is_open, last = kind == "step.started", kind


def _evidently_dispatched(run: Run) -> Iterator[Attempt]:
    return (attempt for attempt in named_attempts(run) if attempt.deeds or took_place(attempt))


@check("EVT-14", each=_evidently_dispatched, needs=("events",))
def each_attempt_has_its_own_start(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call that was evidently dispatched has one step.started."""
    starts = attempt.events_of("step.started")
    if len(starts) != 1:
        yield Finding(
            f"{owner(attempt.call)} was dispatched and had {len(starts) or 'no'} step.started",
            "exactly one step.started for every dispatched call",
            (witness("C", attempt.call), *(witness(f"E{n}", each) for n, each in enumerate(starts[:2], 1))),
            misses=() if starts else missing_of(run, Kind.EVENT, _without_start(run)),
            before=place_of_end(attempt),
        )


@once_a_run
def _without_start(run: Run) -> int:
    """How many calls were evidently dispatched and have no step.started."""
    return sum(not attempt.events_of("step.started") for attempt in _evidently_dispatched(run))


def _loops_over_nothing(run: Run) -> frozenset[str | None]:
    """The steps whose end is told without a call (A81)."""
    return frozenset(event.step_id for event in run.events_of("step.finished") if event.call_id is None)


def _never_begun(run: Run) -> Iterator[tuple[Record, tuple[Record, ...]]]:
    """Results of calls without a start, each with the events of its call; EVT-21 checks calls without events."""
    untied = _loops_over_nothing(run)
    for result in _first_results(run):
        events = _events_by_call(run).get(result.call_id or "", ())
        empty = result.text("status") == "skipped" and result.step_id in untied
        if events and not empty and all(each.text("type") != "step.started" for each in events):
            yield result, events


@check("EVT-08", each=_never_begun, needs=("events",))
def what_never_began_is_closed_once(run: Run, subject: tuple[Record, tuple[Record, ...]]) -> Iterator[Finding]:
    """A result of a call that never began has one closing event; in an unfinished run it may have none yet."""
    result, events = subject
    closing = [each for each in events if each.text("type") in _CLOSING]
    if len(closing) > 1 or (not closing and run.finished):
        yield Finding(
            f"{owner(result)} had {len(closing) or 'no'} closing event{'s' * (len(closing) > 1)}",
            "exactly one step.finished or step.failed",
            (witness("R", result), *(witness(f"E{n}", each) for n, each in enumerate((closing or events)[:2], 1))),
            misses=() if closing else (Kind.EVENT,),
        )


def _first_results(run: Run) -> Iterator[Record]:
    """Each call's first result, which is the one that counts; without those whose callId several calls share."""
    first: dict[str | None, Record] = {}
    for result in run.results:
        first.setdefault(result.call_id, result)
    return (each for each in first.values() if each.call_id not in shared_names(run))


def _judged_results(run: Run) -> Iterator[Record]:
    """The results that have to show in the events; those of a run that was cut off may not yet (A35)."""
    untied = _loops_over_nothing(run)
    for result in run.results:
        empty = result.text("status") == "skipped" and result.step_id in untied
        if run.finished and result.call_id is not None and not empty:
            yield result


@check("EVT-21", each=_judged_results, needs=("events",))
def no_call_loses_all_its_events(run: Run, result: Record) -> Iterator[Finding]:
    """A result has at least one event of its call."""
    if result.call_id not in _events_by_call(run):
        yield Finding(
            f"{owner(result)} was recorded, and no event of its call",
            "every call has events, at least its closing event",
            (witness("R", result),),
            misses=missing_of(run, Kind.EVENT, _lost_to_the_events(run)),
        )


@once_a_run
def _lost_to_the_events(run: Run) -> int:
    """How many results have no event of their call."""
    return sum(result.call_id not in _events_by_call(run) for result in _judged_results(run))

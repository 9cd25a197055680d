"""Checks for the requirements in ``spec/execution-events.md`` about single events and about the run as a whole.

``execution_events_of_calls`` checks the events of one call, in their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from callproof.checks.belonging import (
    in_their_places,
    missing_calls,
    own_records,
    shared_names,
    torn_lines,
    uncalled,
    unread_lines,
)
from callproof.checks.check import ANYTHING, Finding, check, excerpt, witness
from callproof.checks.failures import untold_cancellation
from callproof.checks.matters import Matter
from callproof.checks.members import member_finding, owner, present, told
from callproof.checks.subjects import events
from callproof.checks.unbuilt import lost_calls
from callproof.schema.validator import permitted
from callproof.trace.once import once_a_run
from callproof.trace.outputs import Fate, recorded_outputs
from callproof.trace.records import CROSS_FILE_TOLERANCE_NS, Kind, Record, order_of_instants
from callproof.trace.run import Attempt, LogicalCall, Run
from callproof.values.counts import counted, was
from callproof.values.instants import Instant
from callproof.values.jsonvalue import as_integer, equal, is_object

_TYPES = permitted("execution-event", "type")
_BEFORE_THE_START = ("run.confirmationRequested", "run.confirmed")
_LEVELS = permitted("execution-event", "level")
_ABOUT_ONE_CALL = ("step.started", "step.progress", "step.failed")
_OUTCOMES = ("ok", "error", "cancelled")
# The members that an event repeats from its call.
_OF_ITS_CALL = tuple((each.value, each) for each in (Matter.STEP_ID, Matter.TOOL))
# Codes after which a retry is due only where the tool asks for it (A46), and those after which none ever is (A5).
_ONLY_IF_ASKED = ("NOT_FOUND", "CONFLICT")
_NEVER_RETRIED = ("VALIDATION_ERROR", "POLICY_DENIED", "CANCELLED")


@check("EVT-01", each=events, needs=("events",))
def a_type_is_one_of_ten(_run: Run, event: Record) -> Iterator[Finding]:
    """The type of an event is one that the specification lists."""
    if event.text("type") not in _TYPES:
        yield member_finding(event, "type", f"a type is one of {', '.join(_TYPES)}")


@check("EVT-02", each=events, needs=("events",))
def an_event_says_whose_when_how_much_and_what(_run: Run, event: Record) -> Iterator[Finding]:
    """runId, timestamp and message are strings, level is info, warn or error."""
    for name in ("runId", "timestamp"):
        if not event.text(name):
            yield member_finding(event, name, f"{name} is a non-empty string")
    if event.text("level") not in _LEVELS:
        yield member_finding(event, "level", f"a level is one of {', '.join(_LEVELS)}")
    if event.text("message") is None:
        yield member_finding(event, "message", "message is a string")


def _captured(run: Run) -> tuple[Run, ...]:
    return (run,) if run.events else ()


@check("EVT-03", each=_captured, needs=("events",))
def a_run_starts_once_and_first(run: Run, _same: Run) -> Iterator[Finding]:
    """There is one run.started, and only confirmation events precede it."""
    starts = run.events_of("run.started")
    others = [event for event in run.events or () if event.text("type") not in _BEFORE_THE_START]
    if len(starts) > 1:
        seen = tuple(witness(f"E{n}", each) for n, each in enumerate(starts[:2], 1))
        yield Finding(f"run.started was recorded {len(starts)} times", "one run.started in a run", seen)
    elif others and not starts:
        yield Finding(
            "run.started was not recorded",
            "run.started opens the events",
            (witness("E", others[0]),),
            misses=(Kind.EVENT,),
            before=others[0].source,
        )
    elif starts and others[0] is not starts[0]:
        yield Finding(
            f"{owner(others[0])} was recorded before run.started",
            "only run.confirmationRequested and run.confirmed may precede it",
            (witness("E1", others[0]), witness("E2", starts[0])),
        )


def _ended_by_themselves(run: Run) -> tuple[Run, ...]:
    arrived = run.witnessed is not None and run.witnessed.finished_arrival is not None
    return (run,) if run.events and (arrived or run.events_of("run.finished")) else ()


@check("EVT-04", each=_ended_by_themselves, needs=("events",))
def a_run_ends_once(run: Run, _same: Run) -> Iterator[Finding]:
    """A run that ended has one run.finished."""
    ends = run.events_of("run.finished")
    if not ends:
        last = tuple(witness("E", each) for each in (run.events or ())[-1:])
        observed = "the run ended without run.finished"
        yield Finding(observed, "one run.finished in a run", last, misses=(Kind.EVENT,))
    elif len(ends) > 1:
        seen = tuple(witness(f"E{n}", each) for n, each in enumerate(ends[:2], 1))
        yield Finding(f"run.finished was recorded {len(ends)} times", "one run.finished in a run", seen)


@check("EVT-05", each=_ended_by_themselves, needs=("events",))
def nothing_follows_the_end(run: Run, _same: Run) -> Iterator[Finding]:
    """No other event stands after run.finished."""
    all_events = run.events or ()
    types = [event.text("type") for event in all_events]
    at = types.index("run.finished") if "run.finished" in types else len(types)
    for event in (each for each in all_events[at + 1 :] if each.text("type") != "run.finished"):
        yield Finding(
            f"{owner(event)} was recorded after run.finished",
            "run.finished is the last event",
            (witness("E1", all_events[at]), witness("E2", event)),
        )


@once_a_run
def _results_by_call_id(run: Run) -> Mapping[str, Record]:
    return {each.call_id: each for each in reversed(run.results) if each.call_id is not None}


def _of_calls(run: Run) -> Iterator[Record]:
    """The events of steps, and those of the run that name a call although they need none."""
    for event in run.events or ():
        if (event.text("type") or "").startswith("step.") or present(event, "callId"):
            yield event


@check("EVT-13", each=_of_calls, needs=("events",))
def an_event_agrees_with_its_call(run: Run, event: Record) -> Iterator[Finding]:
    """callId, stepId and tool of an event are those of a call or a result."""
    if event.call_id is None:
        if event.text("type") in _ABOUT_ONE_CALL or present(event, "callId"):
            yield _without_its_call(event, f"{event.text('type')} names its call")
        return
    if event.call_id in shared_names(run):
        return
    attempt = run.attempt_by_call_id.get(event.call_id)
    whose = attempt.call if attempt is not None else _results_by_call_id(run).get(event.call_id)
    if whose is None:
        # A log that was cut off may lack the records that belong to its last events (A35).
        if run.finished and event.call_id in uncalled(run):
            found = _without_its_call(event, "an event names a recorded call or result")
            yield replace(found, misses=(Kind.RESULT, *missing_calls(run)))
        return
    for name, matter in _OF_ITS_CALL:
        if present(event, name) and not equal(event.get(name), whose.get(name)):
            yield Finding(
                f"{owner(event)} {told(event, name)}",
                f"{owner(whose)} {told(whose, name)}",
                (witness("E", event), witness("R", whose)),
                matter=matter,
            )


@once_a_run
def _told_call_by_call(run: Run) -> frozenset[str]:
    """The steps whose end is told for each call: those without a loop, and those with calls on record."""
    plain = (step.id for step in run.plan.steps if step.foreach is None) if run.plan is not None else ()
    return frozenset(plain) | {each.step_id for each in run.calls if each.step_id is not None}


@check("EVT-13", each=lambda run: run.events_of("step.finished"), needs=("events", "plan"))
def only_a_loop_without_a_call_ends_without_one(run: Run, event: Record) -> Iterator[Finding]:
    """A step.finished without callId is of a loop over nothing (A81), and not of a step that was called."""
    if event.call_id is None and not present(event, "callId") and event.step_id in _told_call_by_call(run):
        yield Finding(
            f"{owner(event)} named no call, but step {event.step_id} is not a loop without calls",
            "a callId, except at the end of a loop over nothing",
            (witness("E", event),),
            matter=Matter.CALL_ID,
        )


def _without_call(run: Run) -> Iterator[Record]:
    """The events of steps that name no call."""
    for event in run.events_of("step.scheduled", "step.finished"):
        if event.call_id is None and not present(event, "callId"):
            yield event


@check("EVT-13", each=_without_call, needs=("events", "plan"))
def an_event_without_a_call_agrees_with_its_step(run: Run, event: Record) -> Iterator[Finding]:
    """Where no call is named, stepId is that of a step of the plan, and tool the one that this step uses."""
    step = run.plan.by_id.get(event.step_id or "") if run.plan is not None else None
    tool = run.registry.resolve(step.tool) if step is not None and run.registry is not None else None
    if step is None and present(event, "stepId"):
        found = member_finding(event, "stepId", "the id of a step of the plan")
        yield replace(found, matter=Matter.STEP_ID)
    elif step and tool and present(event, "tool") and event.get("tool") not in (tool.name, step.tool):
        found = member_finding(event, "tool", f"step {event.step_id} uses the tool {tool.name}")
        yield replace(found, matter=Matter.TOOL)


def _without_its_call(event: Record, permitted: str) -> Finding:
    return replace(member_finding(event, "callId", permitted), matter=Matter.CALL_ID)


def _after_the_latest(run: Run) -> Iterator[tuple[Record, Record]]:
    """Each event with the one before it that has the latest timestamp."""
    latest: tuple[Record, Instant] | None = None
    for event in run.events or ():
        moment = event.moment
        if moment is None:
            continue
        if latest is not None:
            yield latest[0], event
        if latest is None or latest[1].nanoseconds < moment.nanoseconds:
            latest = event, moment


@check("EVT-15", each=_after_the_latest, needs=("events",))
def time_does_not_run_backwards(_run: Run, pair: tuple[Record, Record]) -> Iterator[Finding]:
    """Timestamps do not decrease along the file beyond the tolerance."""
    before, event = pair
    if order_of_instants(before.moment, event.moment, CROSS_FILE_TOLERANCE_NS) == 1:
        yield Finding(
            f"{owner(event)} {told(event, 'timestamp')} and stands after {owner(before)} of {before.text('timestamp')}",
            "timestamps that do not decrease by more than a second",
            (witness("E1", before), witness("E2", event)),
            matter=Matter.TIMESTAMP,
        )


def _numbered(run: Run) -> Iterator[tuple[tuple[Record, int], tuple[Record, int]]]:
    """The events that have a seq and are no strays, each with the one before it, however many lie between them."""
    events = (each for each in own_records(run) if each.kind is Kind.EVENT)
    return pairwise((event, number) for event in events if (number := event.integer("seq")) is not None)


@check("EVT-15", each=_numbered, needs=("events",))
def numbers_grow(_run: Run, pair: tuple[tuple[Record, int], tuple[Record, int]]) -> Iterator[Finding]:
    """Along the file seq grows, which settles an order that clocks leave open."""
    (before, earlier), (event, later) = pair
    if later <= earlier:
        yield Finding(
            f"{owner(event)} {told(event, 'seq')} after one of {earlier}",
            "a number that is greater than that of the event before it",
            (witness("E1", before), witness("E2", event)),
            matter=Matter.SEQ,
        )


def _failures(run: Run) -> Iterator[tuple[Record, Attempt | None]]:
    for event in run.events_of("step.failed"):
        attempt = run.attempt_by_call_id.get(event.call_id or "")
        if attempt is None or attempt.status not in ("ok", "skipped"):  # EVT-09 checks those
            yield event, attempt


@check("EVT-16", each=_failures, needs=("events",))
def the_final_failure_is_an_error(run: Run, subject: tuple[Record, Attempt | None]) -> Iterator[Finding]:
    """A step.failed after which no retry is due has level error, or warn where the call was cancelled."""
    event, attempt = subject
    permitted = ("error", "warn") if attempt is not None and attempt.status == "cancelled" else ("error",)
    if event.text("level") not in _LEVELS or event.text("level") in permitted:
        return
    if event.step_id in lost_calls(run):
        return  # the attempt that followed may be one of the lost calls
    if attempt is None or not _retry_was_due(run, attempt):
        found = member_finding(event, "level", f"a final failure has the level {' or '.join(permitted)}")
        # Without both it is unknown whether another attempt was due, and whether the call was cancelled.
        whole = attempt is not None and attempt.result is not None
        yield found if whole else replace(found, misses=(Kind.CALL, Kind.RESULT))


@once_a_run
def _logical_by_call_id(run: Run) -> Mapping[str | None, LogicalCall]:
    return {attempt.call.call_id: logical for logical in run.logical_calls for attempt in logical.attempts}


def _retry_was_due(run: Run, attempt: Attempt) -> bool:
    """Whether another attempt followed, or would have been right (A85)."""
    logical = _logical_by_call_id(run).get(attempt.call.call_id)
    if logical is None or logical.last is not attempt:
        return logical is not None
    number, retryable = attempt.number, attempt.error.get("retryable")
    if logical.step is None or logical.step.retry is None or number is None or attempt.code in _NEVER_RETRIED:
        return False
    limit = run.policy.attempt_limit(logical.step) if run.policy else logical.step.max_attempts
    wanted = retryable is True or (retryable is not False and attempt.code not in _ONLY_IF_ASKED)
    return wanted and number < limit


def _with_payload(run: Run) -> Iterator[Record]:
    return (event for event in run.events or () if present(event, "payload"))


@check("EVT-17", each=_with_payload, needs=("events",))
def a_payload_is_an_object(_run: Run, event: Record) -> Iterator[Finding]:
    """The payload of an event is an object."""
    if event.object("payload") is None:
        yield member_finding(event, "payload", "payload is an object, or absent")


def _ends(run: Run) -> tuple[Record, ...]:
    return run.events_of("run.finished")[:1]


@check("EVT-18", each=_ends, needs=("events",))
def the_end_tells_the_outcome(run: Run, event: Record) -> Iterator[Finding]:
    """The status in the payload of run.finished is the one that the results come to."""
    payload = event.object("payload") or {}
    claimed, come_to = payload.get("status"), _outcomes(run)
    if claimed not in _OUTCOMES:
        said = f"the status {excerpt(claimed)}" if "status" in payload else "no status"
        yield Finding(
            f"run.finished had {said}",
            f"one of {', '.join(_OUTCOMES)}",
            (witness("E", event),),
            matter=Matter.UNKNOWN_STATUS if "status" in payload else Matter.NO_STATUS,
        )
    elif come_to and claimed not in come_to:
        yield Finding(
            f"run.finished had the status {excerpt(claimed)}",
            f"the results give the status {' or '.join(come_to)}",
            (witness("E", event),),
            untold_cancellation(run),
            matter=Matter.CANCELLATION if claimed == "cancelled" else Matter.OUTCOME,
            misses=(Kind.EVENT,) if claimed == "cancelled" else ANYTHING,
        )


def _outcomes(run: Run) -> tuple[str, ...]:
    """What may be said of a run (A82); empty if the log does not tell the fate of every step."""
    fates = {recorded_outputs(run).of(step.id).fate for step in run.plan.steps} if run.plan else {Fate.UNKNOWN}
    by_steps = "error" if Fate.FAILED in fates else "ok" if fates == {Fate.OK} else None
    if (run.flaws or lost_calls(run)) and not _has_failed(run):
        by_steps = None  # what looks like a failure may be a lost or unreadable line
    if run.events_of("run.cancelled"):
        return ("cancelled", "ok") if by_steps == "ok" else ("cancelled",)  # a cancel that came too late (B-34)
    return (by_steps,) if by_steps else ()


def _has_failed(run: Run) -> bool:
    return any(logical.last.status not in (None, "ok") for logical in run.logical_calls)


@check("EVT-18", each=_ends, needs=("events",))
def the_end_counts_the_results(run: Run, event: Record) -> Iterator[Finding]:
    """The results that run.finished counts are those on record."""
    payload = event.object("payload") or {}
    counts = payload.get("results")
    if not is_object(counts) and payload.get("status") in _OUTCOMES:
        permitted = "results: how many there are of each status"
        yield Finding("run.finished counted no results", permitted, (witness("E", event),), matter=Matter.NO_COUNT)
    if not is_object(counts) or not _is_whole(run):
        return
    told_of = {name: as_integer(count) for name, count in counts.items() if count != 0}
    on_record = Counter(each.text("status") or "" for each in run.results)
    if told_of != on_record:
        yield Finding(
            f"run.finished counted {excerpt(counts)}",
            f"the recorded results are {excerpt(dict(on_record))}",
            (witness("E", event),),
            matter=Matter.COUNT,
            misses=(Kind.RESULT,),
        )


def _is_whole(run: Run) -> bool:
    """Whether every call has its one result, or may have it on an unread line, so that counting makes sense."""
    return sum(len(attempt.results) != 1 for attempt in run.attempts) <= unread_lines(run, Kind.RESULT)


def _logged_too(run: Run) -> Iterator[tuple[Record | None, ...]]:
    """The lines of the file, None for each unreadable one, which LOG-02 reports."""
    log = run.audit
    if log is not None and log.events is not None and not log.is_unread(Kind.EVENT):
        lines = in_their_places(log, Kind.EVENT, log.events)
        if lines is not None:
            yield lines


@check("EVT-20", each=_logged_too, needs=("events", "audit log"))
def what_is_shown_is_what_is_logged(run: Run, written: tuple[Record | None, ...]) -> Iterator[Finding]:
    """The events on the wire and the events in the file are the same sequence."""
    shown = run.events or ()
    for one, other in zip(shown, written):
        if other is not None and not equal(one.value, other.value):
            seen = (witness("E1", one), witness("E2", other))
            yield Finding(f"the log has {owner(other)} where {owner(one)} was shown", "the same events", seen)
            return
    if len(shown) != len(written) and not run.cut_short:
        more = (shown if len(shown) > len(written) else written)[min(len(shown), len(written))]
        yield Finding(
            f"{counted(len(shown), 'event')} {was(len(shown))} shown and {len(written)} {was(len(written))} logged",
            "the same events, in the same order",
            () if more is None else (witness("E", more),),
            because=torn_lines(run.audit, Kind.EVENT) if run.audit is not None else (),
        )

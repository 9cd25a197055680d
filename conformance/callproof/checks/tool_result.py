"""Checks for the requirements in ``spec/tool-result.md``: what a result says, alone and compared with its call.

What only an invocation can show (RES-16, RES-19, RES-20 to RES-23) is in ``tool_result_deeds``.
If a member is ``null``, RES-25 reports it and the other laws pass it over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from callproof.checks.belonging import missing_calls, missing_of, named_attempts, strays, unanswered, uncalled
from callproof.checks.check import ANYTHING, Finding, check, excerpt, witness
from callproof.checks.code_names import BASELINE
from callproof.checks.dispatching import place_of_end, was_called_off
from callproof.checks.failures import final_failures
from callproof.checks.matters import Matter
from callproof.checks.members import member_finding, owner, present, told
from callproof.checks.references_of_steps import needs_failed
from callproof.checks.subjects import results, with_status
from callproof.checks.unbuilt import misnamed, unlike_never_built
from callproof.schema.validator import SchemaFault, SchemaValidator
from callproof.spec.registry import specification
from callproof.trace.outputs import skipped_without_its_tool
from callproof.trace.records import Kind, Record, order_of_instants
from callproof.trace.run import Attempt, Run
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_object

_STATUSES = ("ok", "error", "timeout", "cancelled", "skipped")
_OWN_CODE = {"timeout": "TIMEOUT", "cancelled": "CANCELLED"}
_LOOKALIKES = {code.replace("_", ""): code for code in BASELINE} | {"CANCELED": "CANCELLED"}
_CODE_STYLE = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9_-]*[.:/])*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")


def _dispatched(run: Run) -> Iterator[Attempt]:
    return (attempt for attempt in named_attempts(run) if attempt.dispatched)


@check("RES-01", each=_dispatched)
def a_dispatched_call_gets_one_result(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A dispatched call has one result; in an unfinished run it may still have none."""
    if len(attempt.results) > 1:
        yield Finding(
            f"{owner(attempt.call)} got {len(attempt.results)} results",
            "every dispatched call gets exactly one result",
            tuple(witness(f"R{n}", each) for n, each in enumerate(attempt.results[:2], 1)),
            matter=Matter.SEVERAL_RESULTS,
        )
    elif run.finished and attempt.call.call_id in unanswered(run):
        yield Finding(
            f"{owner(attempt.call)} was dispatched and got no result in a run that finished",
            "every dispatched call gets exactly one result",
            (witness("C", attempt.call),),
            matter=Matter.NO_RESULT,
            misses=missing_of(run, Kind.RESULT, len(unanswered(run))),
        )


def _results_beside_calls(run: Run) -> Iterator[Record]:
    """The run's own results; LOG-23 checks those of a run without any call (A80)."""
    away = set(map(id, strays(run)))
    return (each for each in run.results if run.calls and id(each) not in away)


@check("RES-02", each=_results_beside_calls)
def a_result_has_a_call(run: Run, result: Record) -> Iterator[Finding]:
    """A result belongs to a recorded call, or has the shape of one that was never built."""
    if result.call_id in run.attempt_by_call_id or (result.call_id and result.call_id not in uncalled(run)):
        return
    unlike, misses = unlike_never_built(run, result), missing_calls(run)
    for matter, permitted in () if unlike else misnamed(run, result):
        observed = f"{owner(result)} had no call on record, and {told(result, matter.value)}"
        yield Finding(observed, permitted, (witness("R", result),), matter=matter, misses=misses)
    if unlike:
        yield Finding(
            f"{owner(result)} had no call on record, and {unlike}",
            "a result without a call is skipped or a VALIDATION_ERROR, without data, effects or duration",
            (witness("R", result),),
            matter=Matter.NO_CALL,
            misses=misses,
        )


def _paired(run: Run) -> Iterator[tuple[Attempt, Record]]:
    return ((attempt, result) for attempt in named_attempts(run) for result in attempt.results)


# The members that a result repeats from its call.
_OF_ITS_CALL = tuple((each.value, each) for each in (Matter.RUN_ID, Matter.STEP_ID, Matter.TOOL, Matter.ATTEMPT))


def _index(record: Record) -> str:
    told = (record.object("iteration") or {}).get("index")
    return "no index" if told is None else f"the index {excerpt(told)}"


@check("RES-03", each=_paired)
def a_result_repeats_whose_it_is(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """runId, stepId, tool and attempt of a result are those of its call, and the index of the item if it names one."""
    attempt, result = subject
    if result.get("iteration") is not None and result.iteration_index != attempt.call.iteration_index:
        yield Finding(
            f"{owner(result)} had {_index(result)} in its iteration",
            f"its call had {_index(attempt.call)}",
            (witness("C", attempt.call), witness("R", result)),
            matter=Matter.ITERATION,
        )
    for name, matter in _OF_ITS_CALL:
        if not equal(result.get(name), attempt.call.get(name)):
            yield Finding(
                f"{owner(result)} {told(result, name)}",
                f"its call {told(attempt.call, name)}",
                (witness("C", attempt.call), witness("R", result)),
                matter=matter,
            )


@check("RES-04", each=results)
def a_status_is_one_of_five(_run: Run, result: Record) -> Iterator[Finding]:
    """The status of a result is ok, error, timeout, cancelled or skipped."""
    if result.text("status") not in _STATUSES:
        yield member_finding(result, "status", f"a status is one of {', '.join(_STATUSES)}")


@check("RES-05", each=results)
def ok_says_what_status_says(_run: Run, result: Record) -> Iterator[Finding]:
    """ok is a boolean, and true exactly where status is ok."""
    ok, status = result.flag("ok"), result.text("status")
    if ok is None:
        yield member_finding(result, "ok", "ok is true or false")
    elif status in _STATUSES and ok is not (status == "ok"):
        yield member_finding(result, "ok", f"ok is {excerpt(status == 'ok')} where status is {status}")


@check("RES-06", each=with_status("ok"))
def success_has_data(_run: Run, result: Record) -> Iterator[Finding]:
    """A result with status ok has an object as its data."""
    if result.object("data") is None and (present(result, "data") or not result.has("data")):
        yield member_finding(result, "data", "data is an object; a tool without output has {}")


def _data_by_tool(run: Run) -> Iterator[Record]:
    """Ok results with data that holds no placeholder for a secret: the schema does not apply to one (A42)."""
    for each in run.results:
        if each.text("status") == "ok" and each.object("data") is not None and not each.is_redacted_in("data"):
            yield each


@check("RES-07", each=_data_by_tool, needs=("registry",))
def data_is_what_the_schema_says(run: Run, result: Record) -> Iterator[Finding]:
    """The data of a result is valid against the tool's outputSchema."""
    tool = run.registry.resolve(result.text("tool") or "") if run.registry else None
    validator = tool.output_validator if tool else None
    if validator is None or validator.accepts(result.get("data")):
        return
    faults = validator.errors(result.get("data"))
    yield Finding(
        f"{owner(result)} had data that the outputSchema of {result.text('tool')} refuses",
        "data is valid against the tool's outputSchema",
        (witness("R", result),),
        tuple(str(fault) for fault in faults[:5]),
        "output that breaks the schema becomes an INTERNAL_ERROR with details.reason output_schema",
    )


@check("RES-08", each=with_status(*_STATUSES[1:]))
def only_success_has_data(_run: Run, result: Record) -> Iterator[Finding]:
    """A result with another status than ok has no data."""
    if present(result, "data"):
        yield member_finding(result, "data", f"a result with status {result.text('status')} has no data")


@check("RES-09", each=with_status("error", "timeout", "cancelled"))
def failure_has_an_error(_run: Run, result: Record) -> Iterator[Finding]:
    """error, timeout and cancelled have an error with a non-empty code and message."""
    error = result.object("error")
    if error is None:
        if present(result, "error") or not result.has("error"):
            yield member_finding(result, "error", f"a result with status {result.text('status')} has an error")
        return
    for name in ("code", "message"):
        if not _is_filled(error.get(name)):
            yield _error_finding(result, error, name, f"an error's {name} is a non-empty string")


def _is_filled(value: Json) -> bool:
    return isinstance(value, str) and value != ""


def _error_finding(result: Record, error: Mapping[str, Json], name: str, permitted: str) -> Finding:
    said = f"{name} {excerpt(error.get(name))}" if name in error else f"no {name}"
    return Finding(f"{owner(result)} had an error with {said}", permitted, (witness("R", result),))


@check("RES-10", each=with_status("ok"))
def success_has_no_error(_run: Run, result: Record) -> Iterator[Finding]:
    """A result with status ok has no error."""
    if present(result, "error"):
        yield member_finding(result, "error", "a result with status ok has no error")


@check("RES-11", each=with_status("skipped"))
def skipping_has_a_reason(_run: Run, result: Record) -> Iterator[Finding]:
    """A skipped result has an error, or a reason in its userMessage."""
    if result.object("error") is None and not (result.text("userMessage") or "").strip():
        yield member_finding(result, "userMessage", "a skipped result has an error or a reason in userMessage")


def _with_error(run: Run) -> Iterator[tuple[Record, Mapping[str, Json]]]:
    for result in run.results:
        error = result.object("error")
        if error is not None:
            yield result, error


@check("RES-12", each=with_status(*_OWN_CODE))
def timeout_and_cancelled_have_their_codes(_run: Run, result: Record) -> Iterator[Finding]:
    """Status timeout has the code TIMEOUT, status cancelled the code CANCELLED."""
    error, code = result.object("error"), _OWN_CODE[result.text("status") or ""]
    if error is not None and _is_filled(error.get("code")) and error.get("code") != code:
        yield _error_finding(result, error, "code", f"a result with status {result.text('status')} has the code {code}")


@check("RES-13", each=with_status("error"))
def an_error_is_no_timeout_or_cancellation(_run: Run, result: Record) -> Iterator[Finding]:
    """Status error never has the code TIMEOUT or CANCELLED."""
    error = result.object("error") or {}
    if error.get("code") in _OWN_CODE.values():
        yield _error_finding(result, error, "code", "TIMEOUT and CANCELLED belong to the statuses of those names")


@check("RES-14", each=_with_error)
def codes_are_in_the_house_style(_run: Run, subject: tuple[Record, Mapping[str, Json]]) -> Iterator[Finding]:
    """A code is a baseline code or an extension in the same style."""
    result, error = subject
    code = error.get("code")
    if not isinstance(code, str) or not code or code in BASELINE:
        return
    meant = _LOOKALIKES.get(re.sub(r"[^A-Z0-9]", "", code.upper()))
    if meant is not None:
        yield _error_finding(result, error, "code", f"this code is spelt {meant}")
    elif _CODE_STYLE.fullmatch(code) is None:
        yield _error_finding(result, error, "code", "codes are capitals, digits and single underscores")


@check("RES-15", each=_with_error)
def details_are_an_object(_run: Run, subject: tuple[Record, Mapping[str, Json]]) -> Iterator[Finding]:
    """The details of an error are an object."""
    result, error = subject
    if error.get("details") is not None and not is_object(error.get("details")):
        yield _error_finding(result, error, "details", "details is an object, or absent")


@check("RES-16", each=_with_error)
def retryable_is_a_boolean(_run: Run, subject: tuple[Record, Mapping[str, Json]]) -> Iterator[Finding]:
    """The retryable of an error is a boolean."""
    result, error = subject
    if error.get("retryable") is not None and not isinstance(error.get("retryable"), bool):
        yield _error_finding(result, error, "retryable", "retryable is true or false, or absent")


@check("RES-17", each=results)
def a_result_has_its_times(_run: Run, result: Record) -> Iterator[Finding]:
    """startedAt, endedAt and a duration of at least 0 are there."""
    for name in ("startedAt", "endedAt"):
        if not result.text(name):
            yield member_finding(result, name, f"a result has {name}, an RFC 3339 date and time with an offset")
    duration = result.number("durationMs")
    if duration is None or duration < 0:
        missing = member_finding(result, "durationMs", "durationMs is a number of at least 0")
        yield replace(missing, matter=Matter.DURATION_MS)


def _refused_unseen(run: Run) -> Iterator[tuple[Attempt, Record]]:
    """Results of calls of which the events show that they were refused before any tool was entered."""
    for attempt in named_attempts(run):
        if attempt.was_called_refused and attempt.result is not None and not (attempt.dispatched or attempt.deeds):
            yield attempt, attempt.result


@check("RES-17", each=_refused_unseen, needs=("events",))
def a_refusal_takes_no_time(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A result of a call that was never dispatched has a duration of 0."""
    attempt, result = subject
    if result.number("durationMs"):
        yield Finding(
            f"{owner(result)} says that the call was refused, and {told(result, 'durationMs')}",
            "a duration of 0, since no step.started says that anything was dispatched (A56)",
            (witness("R", result),),
            matter=Matter.DURATION_MS,
            misses=(Kind.EVENT,),
            before=place_of_end(attempt),
        )


_GIVEN_UP = frozenset({"cancelled", "skipped"})


def _given_up(run: Run) -> Iterator[tuple[Record, list[Record]]]:
    """Results of calls given up for another one before dispatch, in finished runs, with all possible reasons."""
    if run.events is None or not run.finished or run.cut_short:
        return
    unbuilt = (each for each in run.unbuilt if each.text("status") == "error")
    reasons = [*(result for _, result in final_failures(run)), *unbuilt, *run.events_of("run.cancelled")]
    given_up = [each for each in run.results if reasons and each.text("status") in _GIVEN_UP]
    # A call that was given up for a reason of its own may be the reason for others that waited for it.
    reasons += (each for each in given_up if not _is_for_another(run, each))
    yield from ((each, reasons) for each in given_up if _is_for_another(run, each))


def _is_for_another(run: Run, result: Record) -> bool:
    """Whether a call was given up because of others: not for a wish, its deadline, a limit, or lack of its tool."""
    attempt, step = run.attempt_by_call_id.get(result.call_id or ""), run.step(result.step_id)
    if attempt is not None and (attempt.dispatched or attempt.deeds or attempt.call.get("deadlineAt") is not None):
        return False
    if attempt is not None and was_called_off(run, attempt):
        return False
    if result.text("status") == "cancelled":
        return True
    for_itself = step is None or (step.foreach is not None and not needs_failed(run, step))
    return not (for_itself or skipped_without_its_tool(result, run))


@check("RES-17", each=_given_up, needs=("plan", "events"))
def nothing_is_given_up_beforehand(_run: Run, subject: tuple[Record, list[Record]]) -> Iterator[Finding]:
    """A call that was given up because of another one did not end before that one had ended."""
    result, reasons = subject
    if all(order_of_instants(result.ended, each.moment) == -1 for each in reasons):
        yield Finding(
            f"{owner(result)} ended {result.text('status')} at {result.text('endedAt')}, "
            "before anything had failed or been cancelled",
            "the moment of the decision, which is not before its reason (A56)",
            (witness("R", result), *(witness(f"W{n}", each) for n, each in enumerate(reasons[:2], 1))),
            matter=Matter.DECIDED,
            misses=ANYTHING,
        )


@check("RES-18", each=results)
def messages_are_strings(_run: Run, result: Record) -> Iterator[Finding]:
    """userMessage and debugMessage are strings where they are present."""
    for name in ("userMessage", "debugMessage"):
        if present(result, name) and result.text(name) is None:
            yield member_finding(result, name, f"{name} is a string, or absent")


@cache
def _envelope() -> frozenset[str]:
    properties = specification().shapes["tool-result"].schema.get("properties")
    return frozenset(properties) if is_object(properties) else frozenset()


_CLOSING = frozenset({"additionalProperties", "unevaluatedProperties"})


def _shut_out(validator: SchemaValidator, data: Mapping[str, Json]) -> tuple[SchemaFault, ...]:
    """The faults that a schema finds in members that it does not know, at the top of the data."""
    return tuple(each for each in validator.errors(data) if not each.pointer and each.keyword in _CLOSING)


@check("RES-24", each=_data_by_tool, needs=("registry",))
def the_envelope_stays_outside_the_data(run: Run, result: Record) -> Iterator[Finding]:
    """Members of the envelope are no data, unless the schema has them or is open (B-60)."""
    tool = run.registry.resolve(result.text("tool") or "") if run.registry else None
    validator, data = tool.output_validator if tool else None, result.object("data") or {}
    named = sorted(set(data) & _envelope())
    if validator is None or not named or validator.accepts(data):
        return
    faults = _shut_out(validator, data)
    inside = [
        each
        for each in named
        if faults and faults != _shut_out(validator, {name: value for name, value in data.items() if name != each})
    ]
    if inside:
        yield Finding(
            f"{owner(result)} had {' and '.join(inside)} inside its data",
            f"the outputSchema of {result.text('tool')} declares no such member",
            (witness("R", result),),
        )


@check("RES-25", each=results)
def absent_means_absent(_run: Run, result: Record) -> Iterator[Finding]:
    """Neither data nor error is null."""
    if result.has("error") and not present(result, "error"):
        yield member_finding(result, "error", "error is absent where there is none", help="leave the member out")
    if result.has("data") and not present(result, "data"):
        permitted, step = "data is absent where there is none", "leave the member out"
        if result.text("status") == "ok":
            permitted, step = (
                "data is an object, {} where the tool gave nothing (RES-06)",
                "write {} where it gave nothing",
            )
        yield replace(member_finding(result, "data", permitted, help=step), matter=Matter.DATA)

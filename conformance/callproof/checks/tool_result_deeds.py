"""Checks for ``spec/tool-result.md`` that look beyond the result: at other records and at what the tool answered."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from callproof.checks.alterations import Alteration, alterations
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.matters import Matter
from callproof.checks.members import owner, places, told, under_any
from callproof.checks.subjects import attempts, with_status
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run, finer_kind
from callproof.trace.witnesses import Answer, AnswerKind, Deed
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import differences, equal, is_array, is_object

_CLOSED = ("timeout", "cancelled")


def _answered_deeds(run: Run) -> Iterator[tuple[Attempt, Record, Deed, Answer]]:
    """Each invocation that was answered in time, with the result that it led to."""
    for attempt in run.attempts:
        for deed in attempt.deeds or ():
            result, answer = attempt.result, deed.answer
            if result is not None and answer is not None and result.text("status") not in _CLOSED:
                yield attempt, result, deed, answer


def _outputs(run: Run) -> Iterator[tuple[Record, Deed, Answer]]:
    for _, result, deed, answer in _answered_deeds(run):
        if answer.kind is AnswerKind.OUTPUT:
            yield result, deed, answer


@check("RES-07", each=_outputs, needs=("deeds", "registry"))
def output_against_the_schema_is_an_error(run: Run, subject: tuple[Record, Deed, Answer]) -> Iterator[Finding]:
    """Output that the outputSchema refuses becomes an error result (A16)."""
    result, deed, answer = subject
    tool = run.registry.resolve(deed.tool) if run.registry else None
    validator = tool.output_validator if tool else None
    if validator is None or not _is_json(answer.output) or (is_object(answer.data) and validator.accepts(answer.data)):
        return
    error = result.object("error") or {}
    told_so = error.get("code") == "INTERNAL_ERROR" and finer_kind(error) == "output_schema"
    if result.text("status") == "error" and told_so:
        return
    yield Finding(
        f"{deed.tool} returned {excerpt(answer.output)}, and {owner(result)} {told(result, 'status')}",
        "an INTERNAL_ERROR with details.reason output_schema",
        (witness("D", deed), witness("R", result)),
        tuple(str(fault) for fault in validator.errors(answer.data)[:5]),
    )


def _failures(run: Run) -> Iterator[tuple[Record, Deed, Mapping[str, Json]]]:
    """Failures that a tool reported and that the result passes on under the tool's own code."""
    for _, result, deed, answer in _answered_deeds(run):
        error = result.object("error")
        if answer.kind is not AnswerKind.FAILURE or answer.error is None or error is None:
            continue
        if error.get("code") == answer.error.get("code"):
            yield result, deed, answer.error


@check("RES-16", each=_failures, needs=("deeds",))
def retryable_is_the_word_of_the_tool(_run: Run, subject: tuple[Record, Deed, Mapping[str, Json]]) -> Iterator[Finding]:
    """The result says about retryable what the tool said, and nothing if the tool said nothing."""
    result, deed, said = subject
    claimed = (result.object("error") or {}).get("retryable")
    if claimed is not said.get("retryable"):
        yield Finding(
            f"{owner(result)} had retryable {excerpt(claimed)}",
            f"the tool said {excerpt(said.get('retryable'))}"
            if "retryable" in said
            else "the tool said nothing about it",
            (witness("D", deed), witness("R", result)),
        )


@check("RES-19", each=with_status("skipped"))
def what_was_skipped_left_no_trace(_run: Run, result: Record) -> Iterator[Finding]:
    """A skipped result took no time and had no effects."""
    effects = sorted(name for name, value in (result.object("effects") or {}).items() if value)
    if effects:
        yield Finding(
            f"{owner(result)} was skipped and had effects: {', '.join(effects)}",
            "what was skipped has no effects",
            (witness("R", result),),
        )
    if result.number("durationMs"):
        yield Finding(
            f"{owner(result)} was skipped and {told(result, 'durationMs')}",
            "what was skipped took no time",
            (witness("R", result),),
            matter=Matter.DURATION_MS,
        )


@check("RES-19", each=with_status("skipped"), needs=("deeds",))
def what_was_skipped_was_not_dispatched(run: Run, result: Record) -> Iterator[Finding]:
    """No invocation reached a tool for a skipped call."""
    for deed in (deed for deed in run.deeds or () if deed.call_id == result.call_id):
        yield Finding(
            f"{deed.tool} was entered for call {deed.call_id}, which was recorded as skipped",
            "what was skipped was never dispatched",
            (witness("D", deed), witness("R", result)),
        )


def _closed_early(run: Run) -> Iterator[Attempt]:
    return (each for each in run.attempts if each.status in _CLOSED)


@check("RES-20", each=_closed_early)
def what_comes_late_changes_nothing(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """After a timeout or a cancellation no other result of the call is recorded."""
    first, *later = attempt.results
    for other in (each for each in later if not equal(each.value, first.value)):
        yield Finding(
            f"{owner(other)} {told(other, 'status')} after the call was closed with status {first.text('status')}",
            "the first result of a call stands",
            (witness("R1", first), witness("R2", other)),
        )


def _shown_twice(run: Run) -> Iterator[tuple[Record, Record, Json]]:
    for attempt in run.attempts:
        for event in attempt.events_of("step.finished"):
            payload = event.object("payload") or {}
            if "data" in payload and attempt.result is not None and attempt.status == "ok":
                yield attempt.result, event, payload["data"]


def _is_redacted(record: Record, place: str) -> bool:
    return under_any(place, record.redacted)


@check("RES-21", each=_shown_twice, needs=("events",))
def events_repeat_the_same_data(_run: Run, subject: tuple[Record, Record, Json]) -> Iterator[Finding]:
    """The data in a closing event's payload is the data of the result, except what either has redacted (A42)."""
    result, event, shown = subject
    places_apart = differences(shown, result.get("data"))
    if not all(_is_redacted(result, f"/data{at}") or _is_redacted(event, f"/payload/data{at}") for at in places_apart):
        yield Finding(
            f"{owner(event)} showed the data {excerpt(shown)}",
            f"its result has the data {excerpt(result.get('data'))}",
            (witness("R", result), witness("E", event)),
        )


def _mapped(run: Run) -> Iterator[tuple[Record, Deed, Answer]]:
    for result, deed, answer in _outputs(run):
        if result.text("status") == "ok" and is_object(answer.data) and _is_json(answer.output):
            yield result, deed, answer


@check("RES-21", each=_mapped, needs=("deeds",))
def data_is_what_the_tool_returned(run: Run, subject: tuple[Record, Deed, Answer]) -> Iterator[Finding]:
    """The data of a result is the output of its tool; LOG-11 and LOG-12 report altered numbers and texts."""
    result, deed, answer = subject
    other = tuple(
        pointer
        for pointer, kind in alterations(answer.data, result.get("data"))
        if kind is Alteration.OTHER and not _is_redacted(result, f"/data{pointer}")
    )
    if other and _whose(run, deed, result.get("data")) is None:
        yield Finding(
            f"{owner(result)} had data that differs from the tool's output at {places(other)}",
            f"the tool returned {excerpt(answer.output)}"
            + ("" if answer.output is not None else ", so the data is {}"),
            (witness("D", deed), witness("R", result)),
        )


def _ok_after_a_failure(run: Run) -> Iterator[tuple[Record, Deed]]:
    for attempt in run.attempts:
        deeds = attempt.deeds or ()
        failed = all(deed.answer is not None and deed.answer.kind is AnswerKind.FAILURE for deed in deeds)
        if attempt.result is not None and attempt.status == "ok" and deeds and failed:
            yield attempt.result, deeds[-1]


@check("RES-21", each=_ok_after_a_failure, needs=("deeds",))
def a_failure_has_no_data(_run: Run, subject: tuple[Record, Deed]) -> Iterator[Finding]:
    """Where the tool reported a failure there is no output that could be data."""
    result, deed = subject
    yield Finding(
        f"{owner(result)} had status ok, and its tool reported a failure",
        "a result with the outcome that the tool reported",
        (witness("D", deed), witness("R", result)),
    )


@check("RES-23", each=_mapped, needs=("deeds",))
def a_result_carries_its_own_data(run: Run, subject: tuple[Record, Deed, Answer]) -> Iterator[Finding]:
    """The data of a result is not what another call's tool returned."""
    result, deed, answer = subject
    if equal(answer.data, result.get("data")):
        return
    other = _whose(run, deed, result.get("data"))
    if other is not None:
        yield Finding(
            f"{owner(result)} carried the output of call {other.call_id}",
            f"its own tool returned {excerpt(answer.output)}",
            (witness("D1", deed), witness("D2", other), witness("R", result)),
        )


def _whose(run: Run, own: Deed, data: Json) -> Deed | None:
    """Another invocation that returned exactly this data."""
    others = (deed for deed in run.deeds or () if deed.call_id != own.call_id)
    return next((deed for deed in others if deed.answer is not None and _returned(deed.answer, data)), None)


def _returned(answer: Answer, data: Json) -> bool:
    return answer.kind is AnswerKind.OUTPUT and equal(answer.data, data)


def _unserialisable(run: Run) -> Iterator[Record]:
    for result in run.results:
        if finer_kind(result.object("error") or {}) == "unserialisable":
            yield result


@check("RES-22", each=_unserialisable)
def unserialisable_is_an_internal_error(_run: Run, result: Record) -> Iterator[Finding]:
    """A result that speaks of unserialisable output is an INTERNAL_ERROR."""
    code = (result.object("error") or {}).get("code")
    if result.text("status") != "error" or code != "INTERNAL_ERROR":
        yield Finding(
            f"{owner(result)} {told(result, 'status')} and the code {excerpt(code)} for output that JSON cannot hold",
            "status error with the code INTERNAL_ERROR",
            (witness("R", result),),
        )


def _beyond_json(run: Run) -> Iterator[tuple[Record, Deed]]:
    return ((result, deed) for result, deed, answer in _outputs(run) if not _is_json(answer.output))


@check("RES-22", each=_beyond_json, needs=("deeds",))
def output_beyond_json_is_an_error(_run: Run, subject: tuple[Record, Deed]) -> Iterator[Finding]:
    """Output that JSON cannot hold gives an INTERNAL_ERROR, and nothing instead of the output."""
    result, deed = subject
    if result.text("status") != "error" or (result.object("error") or {}).get("code") != "INTERNAL_ERROR":
        yield Finding(
            f"{deed.tool} returned what JSON cannot hold, and {owner(result)} {told(result, 'status')}",
            "status error with the code INTERNAL_ERROR",
            (witness("D", deed), witness("R", result)),
        )


def _is_json(value: Json) -> bool:
    """Whether JSON can hold the value: no lone surrogates, no NaN, no infinities."""
    if isinstance(value, str):
        return _is_utf8(value)
    if isinstance(value, float):
        return math.isfinite(value)
    if is_object(value):
        return all(_is_json(name) and _is_json(inner) for name, inner in value.items())
    return all(map(_is_json, value)) if is_array(value) else True


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@check("RES-20", each=attempts, needs=("deeds",))
def a_late_answer_is_not_recorded(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """An answer that came after the result leads to no second result."""
    for deed in attempt.deeds or ():
        late, result = deed.answer, attempt.result
        if late is None or result is None or result.arrival is None or late.arrival < result.arrival:
            continue
        if len(attempt.results) > 1:
            yield Finding(
                f"{owner(attempt.call)} got a second result after its tool answered late",
                "an answer after the result changes nothing",
                (witness("D", deed), *(witness(f"R{n}", each) for n, each in enumerate(attempt.results, 1))),
            )

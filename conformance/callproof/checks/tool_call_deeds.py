"""Checks for ``spec/tool-call.md`` that compare a call record with the invocation that reached the tool."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.belonging import missing_calls, uncalled
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.members import owner, places, under_any
from callproof.checks.subjects import calls, deeds
from callproof.trace.records import Kind, Record
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Deed
from callproof.values.jsonvalue import differences, equal


@check("CALL-17", each=calls, needs=("deeds",))
def the_policy_is_the_given_one(run: Run, call: Record) -> Iterator[Finding]:
    """The policy on a call is the policy that the run was given."""
    if run.given is not None and not equal(call.get("policy"), run.given.policy):
        yield Finding(
            f"{owner(call)} carried the policy {excerpt(call.get('policy'))}",
            f"the run was given {excerpt(run.given.policy)}",
            (witness("C", call),),
        )


def _recorded(run: Run) -> Iterator[tuple[Deed, Record]]:
    for deed in run.deeds or ():
        attempt = run.attempt_by_call_id.get(deed.call_id)
        if attempt is not None:
            yield deed, attempt.call


@check("CALL-20", each=_recorded, needs=("deeds",))
def the_logged_call_is_the_dispatched_call(_run: Run, subject: tuple[Deed, Record]) -> Iterator[Finding]:
    """The tool received the tool name and the args that the call record holds."""
    deed, call = subject
    marks = tuple(mark.removeprefix("/args") for mark in call.redacted if mark.startswith("/args"))
    wrong = tuple(each for each in differences(call.get("args"), deed.args) if not under_any(each, marks))
    if call.text("tool") == deed.tool and not wrong:
        return
    differ = f", which differ at {places(wrong)}" if wrong else ""
    yield Finding(
        f"{deed.tool} was entered for call {deed.call_id} with {excerpt(deed.args)}{differ}",
        f"the record says {call.text('tool')} with {excerpt(call.get('args'))}",
        (witness("C", call), witness("D", deed)),
    )


def _not_cancellable(run: Run) -> Iterator[tuple[Deed, Record]]:
    for deed, call in _recorded(run):
        tool = run.registry.resolve(deed.tool) if run.registry is not None else None
        if tool is not None and not tool.cancellable:
            yield deed, call


@check("CALL-09", each=_not_cancellable, needs=("deeds", "registry"))
def what_is_not_cancellable_is_not_aborted(_run: Run, subject: tuple[Deed, Record]) -> Iterator[Finding]:
    """A tool that the registry calls not cancellable is not aborted at its limit; CANC-03 checks cancellations."""
    deed, call = subject
    if any(abort.reason == "timeout" for abort in deed.aborts):
        yield Finding(
            f"{deed.tool} is not cancellable, and was aborted when it ran out of time",
            "no tool/abort",
            (witness("C", call), witness("D", deed)),
        )


def _said_to_be_made(run: Run) -> Iterator[tuple[Attempt, Record]]:
    """
    Results that only an invocation of a hosted tool can have produced: it answered, or it ran out of time.

    The executor itself may produce an error or a cancellation without any invocation (A2).
    """
    for attempt in run.attempts:
        tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry else None
        if tool is not None and tool.hosted_by_suite:
            yield from ((attempt, each) for each in attempt.results if each.text("status") in ("ok", "timeout"))


@check("CALL-20", each=_said_to_be_made, needs=("deeds", "registry"))
def the_logged_call_was_made(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A call of a hosted tool with an answer or a timeout on record reached the tool."""
    attempt, result = subject
    call = attempt.call
    if not attempt.deeds:
        yield Finding(
            f"{owner(call)} of {call.text('tool')} was recorded {result.text('status')}, "
            "but no invocation of it reached the tool",
            "a recorded call was made as recorded",
            (witness("C", call), witness("R", result)),
        )


@check("CALL-21", each=deeds, needs=("deeds",))
def the_record_precedes_the_invocation(run: Run, deed: Deed) -> Iterator[Finding]:
    """A call record arrives before the invocation that it describes."""
    attempt = run.attempt_by_call_id.get(deed.call_id)
    if attempt is None:
        yield Finding(
            f"{deed.tool} was entered for call {deed.call_id}, which has no record",
            "every call is recorded before its tool is entered",
            (witness("D", deed),),
        )
    elif attempt.call.arrival is not None and attempt.call.arrival > deed.arrival:
        yield Finding(
            f"{deed.tool} was entered before call {deed.call_id} was recorded",
            "the record of a call comes before its invocation",
            (witness("C", attempt.call), witness("D", deed)),
        )


def _signs_of_entry(run: Run) -> Iterator[tuple[str, Record]]:
    """For each call whose tool was evidently entered, the first record that shows it."""
    seen: set[str] = set()
    for record in (*run.results, *(run.events or ())):
        call_id = record.call_id
        if call_id is not None and call_id not in seen and _shows_entry(record):
            seen.add(call_id)
            yield call_id, record


def _shows_entry(record: Record) -> bool:
    if record.kind is Kind.EVENT:
        return record.text("type") == "step.progress"
    if record.text("status") == "skipped":
        return False  # RES-19 checks what a skipped result must not show
    took = record.number("durationMs")
    if record.text("status") == "ok" or (took is not None and took > 0):
        return True
    return any((record.object("effects") or {}).values())


@check("CALL-21", each=_signs_of_entry)
def whatever_answered_was_called(run: Run, subject: tuple[str, Record]) -> Iterator[Finding]:
    """A tool that gave an answer, progress or effects has a call record."""
    call_id, sign = subject
    if call_id in uncalled(run):
        yield Finding(
            f"{owner(sign)} shows that a tool was entered, and no call record has the callId {excerpt(call_id)}",
            "every call is recorded before its tool is entered",
            (witness("R", sign),),
            misses=missing_calls(run),
        )

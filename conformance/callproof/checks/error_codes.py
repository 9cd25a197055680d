"""Checks for the requirements in ``spec/error-codes.md``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from callproof.checks.changes import may_be_dry
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.code_names import (
    BASELINE,
    COLLISIONS,
    MAPPED,
    MISSING,
    UNCODED,
    UNEXPECTED,
    UNPREPARED,
    baseline_of,
)
from callproof.checks.matters import Matter
from callproof.checks.members import strings_in, under_any
from callproof.checks.policy_paths import canonical_tool, is_of_a_denied_tool
from callproof.checks.validation import schema_faults
from callproof.trace.records import Record
from callproof.trace.registry import Tool
from callproof.trace.run import Attempt, LogicalCall, Run, finer_kind
from callproof.trace.witnesses import AnswerKind, Deed
from callproof.values.canonical import canonical
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_object

# Members of an ok result's data that say, if they are false, that the job was not done (A44).
_UNDONE = ("executed", "opened", "deleted")
# Codes that only the status of the same name has (RES-13).
_OF_A_STATUS = ("TIMEOUT", "CANCELLED")


def _code(result: Record) -> Json:
    return (result.object("error") or {}).get("code")


def _reason(result: Record) -> str | None:
    details = (result.object("error") or {}).get("details")
    reason = details.get("reason") if is_object(details) else None
    return reason if isinstance(reason, str) else None


def _kind(result: Record) -> str | None:
    return finer_kind(result.object("error") or {})


def _because_of(reasons: frozenset[str]) -> Callable[[Run], Iterator[Record]]:
    def chosen(run: Run) -> Iterator[Record]:
        return (each for each in run.results if _kind(each) in reasons)

    return chosen


def _coded(result: Record, code: str) -> Iterator[Finding]:
    if _code(result) != code:
        yield Finding(
            f"the result of {result.call_id} had the reason {_reason(result)} and the code {excerpt(_code(result))}",
            f"such a failure has the code {code}",
            (witness("R", result),),
        )


def _answered(run: Run, code: str) -> Iterator[tuple[Attempt, Deed]]:
    """Calls whose hosted tool reported this code, and whose result is an error."""
    for attempt in run.attempts:
        for deed in attempt.deeds or ():
            told = deed.answer.error if deed.answer is not None else None
            if told is not None and told.get("code") == code and attempt.status == "error":
                yield attempt, deed


def _passed_on(subject: tuple[Attempt, Deed], code: str) -> Iterator[Finding]:
    attempt, deed = subject
    if attempt.code != code and attempt.result is not None:
        yield Finding(
            f"{deed.tool} reported {code}, and {attempt.call.call_id} ended with the code {excerpt(attempt.code)}",
            "the code that the tool reported",
            (witness("D", deed), witness("R", attempt.result)),
        )


@check("ERR-01", each=_because_of(MISSING))
def what_is_missing_is_not_found(_run: Run, result: Record) -> Iterator[Finding]:
    """A missing file, folder or command is NOT_FOUND."""
    yield from _coded(result, "NOT_FOUND")


@check("ERR-01", each=lambda run: _answered(run, "NOT_FOUND"), needs=("deeds",))
def a_tools_not_found_is_passed_on(_run: Run, subject: tuple[Attempt, Deed]) -> Iterator[Finding]:
    """NOT_FOUND of a tool is NOT_FOUND of its result."""
    yield from _passed_on(subject, "NOT_FOUND")


@check("ERR-02", each=_because_of(COLLISIONS))
def a_collision_is_a_conflict(_run: Run, result: Record) -> Iterator[Finding]:
    """An etag that does not match, or a target that exists, is CONFLICT."""
    yield from _coded(result, "CONFLICT")


@check("ERR-02", each=lambda run: _answered(run, "CONFLICT"), needs=("deeds",))
def a_tools_conflict_is_passed_on(_run: Run, subject: tuple[Attempt, Deed]) -> Iterator[Finding]:
    """CONFLICT of a tool is CONFLICT of its result."""
    yield from _passed_on(subject, "CONFLICT")


@check("ERR-03", each=_because_of(UNPREPARED))
def a_missing_situation_is_a_failed_precondition(_run: Run, result: Record) -> Iterator[Finding]:
    """No selection or no active file is PRECONDITION_FAILED."""
    yield from _coded(result, "PRECONDITION_FAILED")


@check("ERR-03", each=lambda run: _answered(run, "PRECONDITION_FAILED"), needs=("deeds",))
def a_tools_failed_precondition_is_passed_on(_run: Run, subject: tuple[Attempt, Deed]) -> Iterator[Finding]:
    """PRECONDITION_FAILED of a tool is PRECONDITION_FAILED of its result."""
    yield from _passed_on(subject, "PRECONDITION_FAILED")


def _calls_of_denied_tools(run: Run) -> Iterator[Attempt]:
    return (each for each in run.attempts if is_of_a_denied_tool(run, each) and _is_blocked(run, each))


def _is_blocked(run: Run, attempt: Attempt) -> bool:
    """Whether the call of a denied tool failed, and not for what is judged first: its schema, or a hook (A76)."""
    tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry is not None else None
    validator = tool.input_validator if tool is not None else None
    valid = validator is not None and validator.accepts(attempt.call.get("args"))
    valid = valid and not attempt.call.is_redacted_in("args")
    return attempt.status == "error" and not attempt.hook_failed and (valid or attempt.code != "VALIDATION_ERROR")


@check("ERR-04", each=_calls_of_denied_tools, needs=("policy",))
def what_is_blocked_is_denied_by_policy(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A blocked tool is POLICY_DENIED."""
    if attempt.result is not None and attempt.code != "POLICY_DENIED":
        yield Finding(
            f"call {attempt.call.call_id} of the denied tool {canonical_tool(run, attempt)} "
            f"ended with the code {excerpt(attempt.code)}",
            "POLICY_DENIED",
            (witness("R", attempt.result),),
        )


@check("ERR-05", each=_because_of(UNEXPECTED))
def what_nobody_expected_is_an_internal_error(_run: Run, result: Record) -> Iterator[Finding]:
    """Output that its schema refuses, or that JSON cannot hold, is INTERNAL_ERROR; the first is not retryable."""
    yield from _coded(result, "INTERNAL_ERROR")
    if _kind(result) == "output_schema" and (result.object("error") or {}).get("retryable") is True:
        yield Finding(
            f"the result of {result.call_id} had the reason output_schema and retryable true",
            "retryable false: a retry would ask the same tool again (A16)",
            (witness("R", result),),
        )


def _broken(run: Run) -> Iterator[tuple[Attempt, Deed]]:
    for attempt in run.attempts:
        for deed in attempt.deeds or ():
            if deed.answer is not None and deed.answer.kind is AnswerKind.BROKE:
                yield attempt, deed


@check("ERR-05", each=_broken, needs=("deeds",))
def a_broken_tool_is_an_internal_error(_run: Run, subject: tuple[Attempt, Deed]) -> Iterator[Finding]:
    """A tool that broke without a code of its own gives INTERNAL_ERROR."""
    attempt, deed = subject
    if attempt.result is not None and attempt.status == "error" and attempt.code != "INTERNAL_ERROR":
        yield Finding(
            f"{deed.tool} broke, and the result of {attempt.call.call_id} had the code {excerpt(attempt.code)}",
            "INTERNAL_ERROR",
            (witness("D", deed), witness("R", attempt.result)),
        )


@check("ERR-06", each=_broken, needs=("deeds",))
def whatever_a_tool_throws_becomes_a_result(run: Run, subject: tuple[Attempt, Deed]) -> Iterator[Finding]:
    """Whatever a tool throws becomes a result that is no success; a system that was killed before needs no result."""
    attempt, deed = subject
    if attempt.status == "ok" or (attempt.result is None and not run.killed):
        ended = "has no result" if attempt.result is None else "ended ok"
        yield Finding(
            f"{deed.tool} broke, and call {attempt.call.call_id} {ended}",
            "every call whose tool broke has a result that says so",
            (witness("D", deed), witness("C", attempt.call)),
            matter=Matter.NO_RESULT if attempt.result is None else None,
        )


def _refused_args(run: Run) -> Iterator[tuple[Attempt, Tool]]:
    for attempt in run.attempts:
        tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry is not None else None
        if tool is not None and not attempt.dispatched and attempt.status == "error" and schema_faults(attempt, tool):
            yield attempt, tool


@check("ERR-07", each=_refused_args, needs=("registry",))
def args_that_fail_the_schema_are_a_validation_error(_run: Run, subject: tuple[Attempt, Tool]) -> Iterator[Finding]:
    """Args that fail the schema give VALIDATION_ERROR."""
    attempt, tool = subject
    # A denied tool may be denied before its args are looked at.
    if attempt.result is not None and attempt.code not in {"VALIDATION_ERROR", "POLICY_DENIED"}:
        yield Finding(
            f"call {attempt.call.call_id} was not dispatched and ended with the code {excerpt(attempt.code)}",
            "VALIDATION_ERROR",
            (witness("C", attempt.call), witness("R", attempt.result)),
            because=(f"its args break the schema of {tool.name} {schema_faults(attempt, tool)[0]}",),
        )


def _failed_more_than_once(run: Run) -> Iterator[tuple[LogicalCall, tuple[tuple[Attempt, Record], ...]]]:
    for logical in run.logical_calls:
        ended = ((each, each.result) for each in logical.attempts if each.status == "error")
        failed = tuple((attempt, result) for attempt, result in ended if result is not None)
        if len(failed) > 1:
            yield logical, failed


@check("ERR-08", each=_failed_more_than_once)
def the_same_failure_has_the_same_code(
    _run: Run, subject: tuple[LogicalCall, tuple[tuple[Attempt, Record], ...]]
) -> Iterator[Finding]:
    """The same failure gives the same code on each attempt."""
    logical, failed = subject
    known: dict[tuple[bytes, str], Record] = {}
    for attempt, result in failed:
        failure, reported = _failure(result), _reported(attempt)
        first = known.setdefault((failure, reported), result) if failure is not None else result
        if not equal(_code(result), _code(first)):
            yield Finding(
                f"{logical.name} failed twice with the same message, but with the codes "
                f"{excerpt(_code(first))} and {excerpt(_code(result))}",
                "one code for one failure",
                (witness("R1", first), witness("R2", result)),
                help=None if reported else "if these were two failures, give each code its own message",
            )
            return


def _reported(attempt: Attempt) -> str:
    """What the tool reported in the end, as far as the suite saw it: failures of which it differs are not the same."""
    answers = [each.answer for each in attempt.deeds or () if each.answer is not None]
    return f"{answers[-1].kind.value} {(answers[-1].error or {}).get('code')}" if answers else ""


def _failure(result: Record) -> bytes | None:
    """What a result says about its failure besides the code; None if it cannot be compared."""
    error = result.object("error") or {}
    try:
        told = canonical([error.get("message"), error.get("details")])
    except ValueError:  # JSON cannot hold it
        return None
    return told if not result.is_redacted_in("error") else None


def _unknown_codes(run: Run) -> Iterator[tuple[Attempt, Deed, str]]:
    for attempt in run.attempts:
        for deed in attempt.deeds or ():
            told = deed.answer.error if deed.answer is not None else None
            code = told.get("code") if told is not None else None
            if isinstance(code, str) and code not in BASELINE and attempt.status == "error":
                yield attempt, deed, code


@check("ERR-09", each=_unknown_codes, needs=("deeds",))
def an_unknown_code_is_kept(_run: Run, subject: tuple[Attempt, Deed, str]) -> Iterator[Finding]:
    """A tool's own code that is not known is passed on, or kept in details and mapped."""
    attempt, deed, code = subject
    result = attempt.result
    if result is None or attempt.code == code or result.is_redacted_in("error"):
        return
    # A search for the code does not find it within a message, or by chance in a hash.
    kept = any(text == code for _, text in strings_in((result.object("error") or {}).get("details")))
    if not kept or attempt.code not in BASELINE:
        yield Finding(
            f"{deed.tool} reported the code {excerpt(code)}, and the result of {attempt.call.call_id} "
            f"has the code {excerpt(attempt.code)} and {'' if kept else 'not '}the reported one in details",
            f"{_codes_for(code)}, with the tool's own in details",
            (witness("D", deed), witness("R", result)),
        )


def _codes_for(code: str) -> str:
    """The codes that a failed tool's own code may be mapped to, and that code itself if it is an extension."""
    named = baseline_of(code)
    if named is None:
        return "the tool's own code, or a baseline code"
    return "INTERNAL_ERROR" if named in _OF_A_STATUS else f"{named} or INTERNAL_ERROR"


def _of_other_layers(run: Run) -> Iterator[tuple[Record, str, str]]:
    """Results that name a failure in the words of another layer: the word, and the code that it maps to."""
    for result in run.results:
        code = _code(result)
        named = baseline_of(code) if isinstance(code, str) and code not in BASELINE else None
        kind = _kind(result)
        if named is not None:
            yield result, str(code), named
        elif kind in MAPPED:
            yield result, _reason(result) or "", MAPPED[kind or ""]


@check("ERR-10", each=_of_other_layers)
def failure_names_of_other_layers_are_mapped(_run: Run, subject: tuple[Record, str, str]) -> Iterator[Finding]:
    """Every terminal failure name of another layer, and every other spelling of a baseline code, maps to one code."""
    result, name, wanted = subject
    if _code(result) != wanted:
        # Such a code needs a status of its own, so an error of a tool's own cannot have it (RES-13, ERR-09).
        excluded = result.text("status") == "error" and wanted in _OF_A_STATUS
        yield Finding(
            f"the result of {result.call_id} reported {name} with the code {excerpt(_code(result))}",
            f"status {wanted.lower()}, or INTERNAL_ERROR with {name} in details, and not as the reason"
            if excluded
            else f"{name} maps to {wanted}",
            (witness("R", result),),
            (f"{name} maps to {wanted}, which no result with status error has (RES-13)",) if excluded else (),
        )


def _of_no_code(run: Run) -> Iterator[tuple[Record, str, str]]:
    """Failures whose code is a name of another layer that maps to none: the name, and what is told instead."""
    for result in run.results:
        code = _code(result)
        instead = UNCODED.get(code.lower()) if isinstance(code, str) else None
        if instead is not None and result.text("status") != "skipped":
            yield result, str(code), instead


@check("ERR-10", each=_of_no_code)
def names_that_stand_for_no_code_are_none(_run: Run, subject: tuple[Record, str, str]) -> Iterator[Finding]:
    """A name of another layer that the table gives no baseline code is no code either."""
    result, name, instead = subject
    yield Finding(f"the result of {result.call_id} had the code {excerpt(name)}", instead, (witness("R", result),))


def _done(run: Run) -> Iterator[tuple[Attempt, Record, Mapping[str, Json]]]:
    for attempt in run.attempts:
        data = attempt.result.object("data") if attempt.result is not None and attempt.status == "ok" else None
        if attempt.result is not None and data is not None and any(name in data for name in _UNDONE):
            yield attempt, attempt.result, data


def _is_conditional(call: Record, word: str) -> bool:
    """Whether the call asked for an act on a condition, or may have: the member that says so is redacted (A42, A44)."""
    asked = (call.object("args") or {}).get("requireExists") is False or under_any("/args/requireExists", call.redacted)
    return word == "deleted" and asked


@check("ERR-11", each=_done)
def a_job_not_done_is_an_error(_run: Run, subject: tuple[Attempt, Record, Mapping[str, Json]]) -> Iterator[Finding]:
    """A tool that did not do its job returns an error, and not ok with a flag."""
    attempt, result, data = subject
    undone = [name for name in _UNDONE if data.get(name) is False and not _is_conditional(attempt.call, name)]
    if undone and not may_be_dry(attempt):
        yield Finding(
            f"the result of {result.call_id} was ok and its data held {undone[0]} {excerpt(data.get(undone[0]))}",
            "an error result, unless the call asked for an act on a condition",
            (witness("R", result),),
        )

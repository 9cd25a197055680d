"""Laws of what came of an invocation: its reason, who is believed, and what may go on without the tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.checks.check import Finding, Witness
from callproof.protocols.invocation.codes import CODES, DEFAULTS, OF_AVAILABILITY, REROUTED, V1
from callproof.protocols.invocation.trace import LAWS, Invocation, Invocations
from callproof.protocols.parts import excerpt, text_of
from callproof.values.jsontext import Json


def _told(log: Invocations) -> Iterator[Invocation]:
    """Invocations of which an outcome is told."""
    yield from (each for each in log.invocations if each.outcome)


def _not_executed(log: Invocations) -> Iterator[Invocation]:
    """Outcomes that are skipped or failed."""
    yield from (each for each in _told(log) if text_of(each.outcome, "status") in DEFAULTS)


@LAWS.check("INT-03", each=_not_executed, needs=("outcome",))
def what_was_not_executed_says_why(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """The outcome has a reason code of its contract."""
    status, code = str(one.outcome["status"]), text_of(one.outcome, "reasonCode")
    if code in CODES[one.contract]:
        return
    told = one.outcome.get("reasonCode")
    yield Finding(
        f"{one.named} {'was skipped' if status == 'skipped' else 'failed'},"
        f" and its outcome has {'no reasonCode' if told is None else f'the reasonCode {excerpt(told)}'}",
        f"a reason code of the contract {one.contract}",
        (one.witness("O", "outcome"),),
        help=f"without a code of its own it has {DEFAULTS[status]}" if told is None else "the chapter lists the codes",
    )


@LAWS.check("INT-03", each=_not_executed, needs=("outcome", "reported"))
def a_failure_without_a_code_has_the_usual_one(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """What was reported without a code has the code that its status has by default."""
    source, report = _believed(one)
    status, code = str(one.outcome["status"]), text_of(one.outcome, "reasonCode")
    if report is None or report.get("status") != status or report.get("reasonCode") is not None:
        return
    if code in CODES[one.contract] and code != DEFAULTS[status]:
        yield Finding(
            f"the {source} reported {one.named} as {status} without a code, and the outcome has {excerpt(code)}",
            f"{DEFAULTS[status]}, since nobody knows more",
            (one.witness("O", "outcome"), Witness("R", f"the report of the {source}", one.entry.source)),
        )


def _unavailable(log: Invocations) -> Iterator[Invocation]:
    """Optional tools that could not be used for want of availability."""
    yield from (each for each in _told(log) if each.optional and text_of(each.outcome, "reasonCode") in OF_AVAILABILITY)


@LAWS.check("INT-04", each=_unavailable, needs=("outcome",))
def what_is_not_there_is_skipped(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """A tool that could not be used was skipped, and did not fail."""
    if one.outcome.get("status") == "failed":
        yield Finding(
            f"{one.named} failed with {one.outcome['reasonCode']}",
            "the status skipped: what is not there was not used",
            (one.witness("O", "outcome"),),
        )


@LAWS.check("INT-04", each=_unavailable, needs=("outcome", "execution"))
def the_answer_is_given_without_it(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """The response was generated, or its generation failed for a reason of its own."""
    if one.execution is None or any(each.get("status") != "skipped" for each in one.of_kind("generation")):
        return
    yield Finding(
        f"{one.named} was not available, and the metadata tell of no generation that was tried",
        "the response goes on without an optional tool",
        (one.witness("O", "outcome"), Witness("E", "execution", one.entry.source)),
    )


def _reported(log: Invocations) -> Iterator[Invocation]:
    """Outcomes of which some source reported."""
    yield from (each for each in _told(log) if each.reported)


@LAWS.check("INT-05", each=_reported, needs=("outcome", "reported"))
def who_was_there_is_believed(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """The outcome is what the first of orchestrator, runtime and inference told."""
    source, report = _believed(one)
    if report is None:
        return
    outcome = one.outcome
    differs = outcome.get("status") != report.get("status") or _other_code(one, report)
    if differs:
        yield Finding(
            f"the {source} reported {one.named} as {_in_words(report)}, and the outcome is {_in_words(outcome)}",
            f"what the {source} reported",
            (one.witness("O", "outcome"), Witness("R", f"the report of the {source}", one.entry.source)),
            because=("orchestrator is believed before runtime, and both before what was inferred",),
        )


def _other_code(one: Invocation, report: Mapping[str, Json]) -> bool:
    told = report.get("reasonCode")
    left_out = report.get("status") == "executed" and one.contract == V1
    return told is not None and not left_out and one.outcome.get("reasonCode") != told


@LAWS.check("INT-06", each=_told, needs=("outcome",))
def what_was_executed_was_eligible_and_needs_no_excuse(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """An executed outcome has no reason code, and its request is eligible."""
    if one.outcome.get("status") != "executed":
        return
    code = one.outcome.get("reasonCode")
    rerouted = one.contract != V1 and code == REROUTED
    if code is not None and not rerouted:
        yield Finding(
            f"{one.named} was executed, and its outcome has the reasonCode {excerpt(code)}",
            "no reasonCode" if one.contract == V1 else f"no reasonCode, or {REROUTED}",
            (one.witness("O", "outcome"),),
        )
    if one.request.get("eligible") is False and not rerouted:
        yield Finding(
            f"{one.named} was executed, and its request was not eligible",
            "a request that is not eligible is never executed",
            (one.witness("Q", "request"), one.witness("O", "outcome")),
        )


def _needed(log: Invocations) -> Iterator[Invocation]:
    """Tools that the response cannot do without, that were asked for, and that were not executed."""
    for each in _not_executed(log):
        if not each.optional and each.intent.get("requested") is True:
            yield each


@LAWS.check("INT-08", each=_needed, needs=("outcome", "execution"))
def nothing_is_answered_without_what_it_needs(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """No response was generated."""
    if any(each.get("status") == "executed" for each in one.of_kind("generation")):
        yield Finding(
            f"{one.named} was needed and {one.outcome['status']}, and the response was generated",
            "no generation: only an optional tool may be gone without",
            (one.witness("O", "outcome"), Witness("E", "execution", one.entry.source)),
        )


def _believed(one: Invocation) -> tuple[str, Mapping[str, Json] | None]:
    """The source that is believed, and its report."""
    return next(iter(one.reported.items()), ("", None))


def _in_words(part: Mapping[str, Json]) -> str:
    code = part.get("reasonCode")
    return excerpt(part.get("status")) + (f" with {excerpt(code)}" if code is not None else "")

"""Laws of what came of an invocation: its reason, which source is believed, and what may go on without the tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.checks.check import Finding, Witness
from callproof.protocols.invocation.codes import CODES, DEFAULTS, OF_AVAILABILITY, REROUTED, V1, says_why
from callproof.protocols.invocation.log import LAWS, Invocations, every
from callproof.protocols.invocation.trace import Invocation
from callproof.protocols.parts import excerpt, text_of
from callproof.values.jsontext import Json

_NOT_EXECUTED = ("skipped", "failed")


def _told(log: Invocations) -> Iterator[Invocation]:
    """Invocations with a known outcome, told by an outcome or by an event."""
    yield from (each for each in log.invocations if each.told)


def _not_executed(log: Invocations) -> Iterator[Invocation]:
    """Invocations that were skipped or failed."""
    yield from (each for each in _told(log) if text_of(each.told, "status") in DEFAULTS)


@LAWS.check("INT-03", each=_not_executed, needs=("outcome",))
def what_was_not_executed_says_why(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """The outcome has a reason code of its contract, and one that fits its status."""
    status, code = str(one.told["status"]), text_of(one.told, "reasonCode")
    known = code is not None and code in CODES[one.contract]
    # INT-04 checks that an optional tool that was not available was skipped.
    elsewhere = one.optional and code in OF_AVAILABILITY
    if code is not None and known and (elsewhere or says_why(code, status, one.contract)):
        return
    told = one.told.get("reasonCode")
    yield Finding(
        f"{one.named} {'was skipped' if status == 'skipped' else 'failed'},"
        f" but its outcome has {'no reasonCode' if told is None else f'the reasonCode {excerpt(told)}'}",
        f"a reason code of the contract {one.contract}" + (f" for the status {status}" if known else ""),
        (one.what_came_of_it,),
        help=f"if no other code fits, use {DEFAULTS[status]}" if told is None else "choose one of the chapter's codes",
    )


@LAWS.check("INT-03", each=every)
def every_code_is_one_of_the_contract(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """A request, or a report of what was not executed, has no code that the contract does not define."""
    reports = {f"report of the {name}": each for name, each in one.reported.items() if each.get("status") != "executed"}
    parts = {"request": one.request} | reports
    for part, value in parts.items():
        code = text_of(value, "reasonCode")
        if code and code not in CODES[one.contract]:
            yield Finding(
                f"the {part} of {one.named} has the reasonCode {excerpt(code)}",
                f"a reason code of the contract {one.contract}",
                (Witness("R", f"the {part}", one.entry.source),),
                help="choose one of the chapter's codes",
            )


@LAWS.check("INT-03", each=_not_executed, needs=("outcome", "reported"))
def a_failure_without_a_code_has_the_usual_one(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """An outcome that was reported without a code has the default code of its status."""
    source, report = _believed(one)
    status, code = str(one.told["status"]), text_of(one.told, "reasonCode")
    if report is None or report.get("status") != status or report.get("reasonCode") is not None:
        return
    if code is not None and code in CODES[one.contract] and code != DEFAULTS[status] and not _rerouted(one):
        yield Finding(
            f"the {source} reported {one.named} as {status} without a code, but the outcome has {excerpt(code)}",
            f"{DEFAULTS[status]}, since no other reason is known",
            (one.what_came_of_it, Witness("R", f"the report of the {source}", one.entry.source)),
        )


def _unavailable(log: Invocations) -> Iterator[Invocation]:
    """Optional tools that could not be used because they were unavailable, by the outcome or else by the request."""
    for each in log.invocations:
        part = each.told or (each.request if each.request.get("eligible") is False else each.told)
        if each.optional and text_of(part, "reasonCode") in OF_AVAILABILITY:
            yield each


@LAWS.check("INT-04", each=_unavailable, needs=("outcome",))
def what_is_not_there_is_skipped(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """A tool that could not be used was skipped, and did not fail."""
    if one.told.get("status") == "failed":
        yield Finding(
            f"{one.named} failed with {one.told['reasonCode']}",
            "the status skipped, since a tool that is not available was not used",
            (one.what_came_of_it,),
        )


def _gone_without(log: Invocations) -> Iterator[Invocation]:
    """
    Optional tools that were not there, or were requested and not executed, and that asked for no clarification.

    If a response lacks another tool that it cannot do without, it need not go on, so its tools are left out.
    """
    closed = {each.response for each in _needed(log)} - {None}
    absent = {id(each) for each in _unavailable(log)}
    for each in log.invocations:
        missed = each.optional and each.intent.get("requested") is True and each.told.get("status") in _NOT_EXECUTED
        if each.response in closed:
            continue
        if (missed or id(each) in absent) and not _asks_back(each):
            yield each


def _asks_back(one: Invocation) -> bool:
    """Whether the user is asked instead, beside the outcome or in it."""
    return bool(one.entry.value.get("clarification") or one.told.get("clarification"))


@LAWS.check("INT-04", each=_gone_without, needs=("execution",))
def the_answer_is_given_without_it(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """The response was generated, or its generation failed for a reason of its own."""
    if one.execution is None or any(each.get("status") != "skipped" for each in one.of_kind("generation")):
        return
    yield Finding(
        f"{one.named} was not {'executed' if one.told else 'eligible'},"
        " but according to the metadata no generation was tried",
        "the response goes on without an optional tool",
        (one.what_came_of_it, Witness("E", "execution", one.entry.source)),
    )


def _reported(log: Invocations) -> Iterator[Invocation]:
    """Invocations for which some source made a report."""
    yield from (each for each in log.invocations if each.reported)


@LAWS.check("INT-05", each=_reported, needs=("reported",))
def who_was_there_is_believed(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """The outcome is what the first of orchestrator, runtime and inference told."""
    source, report = _believed(one)
    if report is None or (not one.told and not _is_left_out(one)):
        return
    if one.told.get("status") != report.get("status") or _other_code(one, report):
        yield Finding(
            f"the {source} reported {one.named} as {_in_words(report)}, but "
            + (f"the outcome is {_in_words(one.told)}" if one.told else "the metadata have no outcome"),
            f"what the {source} reported",
            (one.what_came_of_it, Witness("R", f"the report of the {source}", one.entry.source)),
            because=("a report of the orchestrator outranks one of the runtime, and both outrank what was inferred",),
        )


def _is_left_out(one: Invocation) -> bool:
    """Whether the metadata were captured and do not tell what came of a tool that was requested."""
    return one.execution is not None and one.intent.get("requested") is True


def _other_code(one: Invocation, report: Mapping[str, Json]) -> bool:
    """Whether the outcome has another code than the report, if the code of the report means something."""
    told, code = report.get("reasonCode"), one.told.get("reasonCode")
    if report.get("status") == "executed":
        return one.contract != V1 and (REROUTED if _rerouted(one) else told) not in (None, code)
    return (
        isinstance(told, str)
        and told in CODES[one.contract]
        and code != told
        and not (_rerouted(one) and code == REROUTED)
    )


@LAWS.check("INT-06", each=_told, needs=("outcome",))
def what_was_executed_was_eligible_and_needs_no_excuse(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """An executed outcome has no reason code, and what was executed or failed was eligible."""
    status, code = one.told.get("status"), one.told.get("reasonCode")
    rerouted = one.contract != V1 and code == REROUTED
    if status == "executed" and code is not None and not rerouted:
        yield Finding(
            f"{one.named} was executed, but its outcome has the reasonCode {excerpt(code)}",
            "no reasonCode" if one.contract == V1 else f"no reasonCode, or {REROUTED}",
            (one.what_came_of_it,),
        )
    used = status == "executed" or (status == "failed" and text_of(one.told, "reasonCode") not in OF_AVAILABILITY)
    # If a call was sent to another profile and failed, the code of the failure replaces the code of the rerouting.
    elsewhere = rerouted or (status == "failed" and _may_be_rerouted(one))
    if used and one.request.get("eligible") is False and one.intent.get("requested") is True and not elsewhere:
        yield Finding(
            f"{one.named} {'was executed' if status == 'executed' else 'failed'}, but its request was not eligible",
            "a request that is not eligible is never executed",
            (one.witness("Q", "request"), one.what_came_of_it),
        )


def _may_be_rerouted(one: Invocation) -> bool:
    """Whether the request was refused only for the first profile."""
    return one.contract != V1 and one.request.get("reasonCode") == "search_not_supported_by_selected_profile"


def _needed(log: Invocations) -> Iterator[Invocation]:
    """Tools that the response cannot do without, that were requested, and that were not executed."""
    for each in log.invocations:
        refused = not each.told and each.request.get("eligible") is False
        missed = refused or text_of(each.told, "status") in DEFAULTS
        if not each.optional and each.intent.get("requested") is True and missed:
            yield each


@LAWS.check("INT-08", each=_needed, needs=("execution",))
def nothing_is_answered_without_what_it_needs(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """No response was generated."""
    if any(each.get("status") == "executed" for each in one.of_kind("generation")):
        yield Finding(
            f"{one.named} was needed but {one.told.get('status') or 'not eligible'}, yet the response was generated",
            "no generation, since only optional tools may be missing",
            (one.what_came_of_it, Witness("E", "execution", one.entry.source)),
        )


def _believed(one: Invocation) -> tuple[str, Mapping[str, Json] | None]:
    """
    The source that is believed, and its report.

    An orchestrator that sends a call to another profile has not seen it end; another source that reports has seen it.
    """
    others = [(name, each) for name, each in one.reported.items() if name != "orchestrator"]
    if _rerouted(one) and others:
        return others[0]
    return next(iter(one.reported.items()), ("", None))


def _rerouted(one: Invocation) -> bool:
    """Whether the orchestrator reports that the call was sent to another profile."""
    return one.contract != V1 and one.reported.get("orchestrator", {}).get("reasonCode") == REROUTED


def _in_words(part: Mapping[str, Json]) -> str:
    code = part.get("reasonCode")
    return excerpt(part.get("status")) + (f" with {excerpt(code)}" if code is not None else "")

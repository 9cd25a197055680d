"""PIPE-01 and PIPE-06: every invocation has exactly one end, and what was turned away is told as an error."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding, Witness
from callproof.protocols.parts import first_listed
from callproof.protocols.pipeline.phases import ENDS, FAILED_STATUSES, LATE, OTHER_ENDS, OUTCOMES, PRE_HOOKS
from callproof.protocols.pipeline.trace import LAWS, Invocation, Line, Pipeline, every, with_result
from callproof.values.doubles import differences
from callproof.values.jsontext import Json

_CREATED = "tool.result.created"
# The members that a repeated result has to repeat.
_SAID = (
    "status",
    "is_error",
    "content",
    "structured_content",
    "model_facing_content",
    "persistence_refs",
    "redaction_state",
    "error",
    "context_modifier",
)


def _denied(one: Invocation) -> Line | None:
    """The decision that denied it, if no phase is told to have failed."""
    if one.failed is not None:
        return None
    return next((line for line in one.of("decision") if line.text("behavior") == "deny"), None)


def _turned_away(one: Invocation) -> bool:
    """Whether it failed before its output was mapped, and not by a hook, as the phases and the decisions tell it."""
    if one.failed is not None:
        return one.failed.phase not in LATE and one.failed.phase != PRE_HOOKS
    return _denied(one) is not None


def _reason(one: Invocation) -> tuple[Witness, ...]:
    """The witness that it was turned away."""
    shown = one.failed.line if one.failed is not None else _denied(one)
    return (shown.witness("F"),) if shown is not None else ()


def _of_no_use(log: Pipeline) -> Iterator[Invocation]:
    """Invocations that failed before their output was mapped."""
    yield from (each for each in log.invocations if _turned_away(each))


@LAWS.check("PIPE-01", each=_of_no_use)
def what_was_turned_away_has_a_result(log: Pipeline, one: Invocation) -> Iterator[Finding]:
    """An invocation that was denied, rejected, cancelled or failed has a terminal result."""
    if one.result is None and not log.torn:
        how = f"failed in {one.failed.phase}" if one.failed is not None else "was denied"
        yield Finding(f"{one.named} {how}, but has no result", "a terminal result that is an error", _reason(one))


@LAWS.check("PIPE-01", each=with_result)
def a_failure_is_called_an_error(_log: Pipeline, found: tuple[Invocation, Line]) -> Iterator[Finding]:
    """What failed before its output was mapped has is_error true, and what succeeded has not."""
    one, result = found
    status, phase = result.text("status"), one.failed_phase
    is_error = result.get("is_error") is True
    early = phase is not None and phase not in LATE
    if not is_error and (status in FAILED_STATUSES or early or _denied(one) is not None):
        how = status if status in FAILED_STATUSES else f"a failure of {phase}" if early else "a denial"
        yield Finding(
            f"the result of {one.named} reports {how}, but is_error is not true",
            "is_error true",
            (*_reason(one), result.witness("R")),
        )
    if is_error and status == "succeeded" and phase not in LATE:
        yield Finding(
            f"the result of {one.named} is an error with the status succeeded",
            "another status, or no error",
            (result.witness("R"),),
        )


@LAWS.check("PIPE-06", each=every)
def every_invocation_has_a_result(log: Pipeline, one: Invocation) -> Iterator[Finding]:
    """No invocation is left without a terminal result, whatever failed; PIPE-01 checks what was turned away."""
    if one.result is not None or log.torn or _turned_away(one):
        return
    asked = one.of("decision")[-1:]
    if one.failed is not None:
        how, shown = f"failed in {one.failed.phase}", one.failed.line.witness("F")
    elif asked and asked[0].text("behavior") == "ask":
        how, shown = "stopped at an ask without an answer", asked[0].witness("A")
    else:
        how, shown = "began", one.first
    yield Finding(f"{one.named} {how}, but has no terminal result", "a terminal result, whatever failed", (shown,))


@LAWS.check("PIPE-06", each=with_result)
def an_invocation_has_one_result(_log: Pipeline, found: tuple[Invocation, Line]) -> Iterator[Finding]:
    """Another result repeats the first one, under its id and with the same words."""
    one, first = found
    for other in one.of("result")[1:]:
        witness = (first.witness("R1"), other.witness("R2"))
        if other.get("result_id") != first.get("result_id"):
            yield Finding(f"{one.named} has a second result, under another id", "one terminal result", witness)
        elif differing := first_listed(differences(_said(first), _said(other))):
            yield Finding(
                f"the result of {one.named} was reported again and differs at {differing}",
                "the same content each time a result is reported",
                witness,
            )


def _said(result: Line) -> dict[str, Json]:
    said = {name: result.entry.value[name] for name in _SAID if name in result.entry.value}
    return said | {"is_error": said.get("is_error", False)}


@LAWS.check("PIPE-06", each=with_result, needs=("events",))
def a_result_has_its_event(log: Pipeline, found: tuple[Invocation, Line]) -> Iterator[Finding]:
    """A terminal event of the invocation is told, and no class of terminal events twice."""
    one, result = found
    events = [(line, line.text("event_type")) for line in one.of("event")]
    created = [line for line, name in events if name == _CREATED]
    outcomes = [line for line, name in events if name in OUTCOMES]
    if not created and not outcomes and not log.torn:
        yield Finding(
            f"{one.named} has a terminal result, but no terminal event",
            f"{_CREATED}, or one of {', '.join(OUTCOMES)}",
            (result.witness("R"),),
        )
    for same in (created, outcomes):
        if len(same) > 1:
            yield Finding(
                f"{one.named} has {len(same)} terminal events of one class",
                "at most one that reports its outcome, and one that reports its result",
                tuple(line.witness(f"E{number}") for number, line in enumerate(same[:2], 1)),
            )


@LAWS.check("PIPE-06", each=with_result)
def event_and_result_agree(_log: Pipeline, found: tuple[Invocation, Line]) -> Iterator[Finding]:
    """An event that tells of success comes with no error, and one that tells of failure comes with an error."""
    one, result = found
    is_error = result.get("is_error") is True
    for line in one.of("event"):
        name = line.text("event_type") or ""
        if OTHER_ENDS.get(result.text("status") or "") == name:
            yield Finding(
                f"the event {name} of {one.named} contradicts its result, which is {result.text('status')}",
                "an event that agrees with the status",
                (line.witness("E"), result.witness("R")),
            )
        elif name in OUTCOMES and OUTCOMES[name] is not is_error:
            yield Finding(
                f"the event {name} of {one.named} contradicts its result, which is {'an' if is_error else 'no'} error",
                "an event that agrees with is_error",
                (line.witness("E"), result.witness("R")),
            )


def _told_of_their_end(log: Pipeline) -> Iterator[tuple[Invocation, Line, Line]]:
    """Invocations whose own status is final, the record that has it last, and their result."""
    for one, result in with_result(log):
        told = [line for line in one.of("invocation") if line.text("status") is not None]
        if told and told[-1].text("status") in ENDS:
            yield one, told[-1], result


@LAWS.check("PIPE-06", each=_told_of_their_end)
def status_and_result_agree(_log: Pipeline, found: tuple[Invocation, Line, Line]) -> Iterator[Finding]:
    """If an invocation succeeded, its result is no error, and otherwise it is one; after late failures both may be."""
    one, told, result = found
    status, is_error = told.text("status") or "", result.get("is_error") is True
    if one.failed_phase not in LATE and ENDS[status] is not is_error:
        yield Finding(
            f"{one.named} is reported as {status}, but its result is {'an' if is_error else 'no'} error",
            "a status of the invocation that agrees with is_error",
            (told.witness("I"), result.witness("R")),
        )

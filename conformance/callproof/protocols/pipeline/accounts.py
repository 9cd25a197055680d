"""PIPE-14 and PIPE-19: the result tells what happened to a call, and the records tell what the suite saw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.checks.check import Finding
from callproof.protocols.parts import first_listed
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.driving import Call, calls, last_before
from callproof.protocols.pipeline.inputs import differing, marked_of
from callproof.protocols.pipeline.obstacles import Between, Obstacle, between, failures, obstacles
from callproof.protocols.pipeline.phases import (
    ENDED_BY,
    EXECUTE,
    FAILED_STATUSES,
    KNOWN,
    MAP,
    PERSIST,
    POST_HOOKS,
    in_words,
)
from callproof.protocols.pipeline.trace import COMPLETED, LAWS, Invocation, Line, Pipeline
from callproof.values.doubles import differences
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array

# The statuses that name a cause, and the classes that a tool may throw for that cause: a dependency that does not
# answer in time is unavailable, too.
_CAUSES: Final = {
    "canceled": frozenset({"canceled"}),
    "timed_out": frozenset({"timeout", "dependency_unavailable"}),
}


def _failed(log: Pipeline) -> Iterator[tuple[Call, Invocation, Line, tuple[Obstacle, ...], bool]]:
    """Calls with a result that went wrong, everything that did, and whether the user or a sibling interfered."""
    hindered = between(log)
    for call in calls(log):
        wrong = (*obstacles(call), *failures(call))
        if wrong and call.told is not None and call.told.result is not None:
            yield call, call.told, call.told.result, wrong, hindered.of(call)


@LAWS.check("PIPE-14", each=_failed, needs=("driver",))
def what_went_wrong_is_told(
    _log: Pipeline, found: tuple[Call, Invocation, Line, tuple[Obstacle, ...], bool]
) -> Iterator[Finding]:
    """The result of a call that went wrong is an error, and names what went wrong and in which phase."""
    call, told, result, wrong, hindered = found
    witness = (wrong[0].line.witness("O"), result.witness("R"))
    if result.get("is_error") is not True:
        yield Finding(f"the result of {call.named} is not an error, although {wrong[0].says}", "is_error true", witness)
        return
    name, phase = told.error_class, told.error_phase
    if name is None or hindered or not any(each.is_known_at(result.at) for each in wrong):
        return
    classes = frozenset[str]().union(*(each.classes for each in wrong))
    phases = frozenset[str]().union(*(each.phases for each in wrong))
    if (name in KNOWN and name not in classes) or (phase is not None and phase not in phases):
        yield Finding(
            f"the result of {call.named} reports {name}" + (f" in {phase}" if phase else "") + f", but {wrong[0].says}",
            f"{' or '.join(sorted(classes))}, in {in_words(phases)}",
            witness,
        )


def _went_well(log: Pipeline) -> Iterator[tuple[Call, Invocation, Line, Between]]:
    """Calls with a result whose tool returned, and whose output could be mapped."""
    hindered = between(log)
    for call in calls(log):
        is_well = call.returned is not None and not obstacles(call) and not failures(call)
        if is_well and call.told is not None and call.told.result is not None:
            yield call, call.told, call.told.result, hindered


@LAWS.check("PIPE-14", each=_went_well, needs=("driver",))
def nothing_else_is_told(_log: Pipeline, found: tuple[Call, Invocation, Line, Between]) -> Iterator[Finding]:
    """The result of a call that went well is no error, unless the hook after it or the store makes it one."""
    call, told, result, hindered = found
    if hindered.of(call):
        return
    is_error = result.get("is_error") is True or result.text("status") in FAILED_STATUSES
    hooks = call.seen(probes.POST_HOOK)
    blocked = next((line for line in hooks if line.get("block") is True), None)
    late = {POST_HOOKS} if any(line.get("failed") is True for line in hooks) or blocked is not None else set[str]()
    late |= {PERSIST} if call.case.get("result_bytes") is not None else set()
    returned = (call.returned.witness("T"),) if call.returned is not None else ()
    if blocked is not None and not is_error:
        yield Finding(
            f"the hook stopped {call.named}, but its result is not an error",
            "is_error true, and hook_blocked in post_hooks",
            (blocked.witness("H"), result.witness("R")),
        )
    elif is_error and told.error_phase not in late and (told.error_class is not None or not late):
        yield Finding(
            f"{call.named} went well, but its result reports {told.error_class or 'an error'}"
            + (f" in {told.error_phase}" if told.error_phase else ""),
            f"a failure of {in_words(late)}" if late else "a success",
            (*returned, result.witness("R")),
        )


def _thrown(log: Pipeline) -> Iterator[tuple[Call, Line, Obstacle, frozenset[str]]]:
    """Calls that were not interfered with and that failed after their execution, with what their tools threw."""
    hindered = between(log)
    for call in calls(log):
        wrong, result = failures(call), call.result
        if result is None or obstacles(call) or hindered.of(call):
            continue
        if wrong and wrong[0].line.at < result.at:
            thrown = frozenset(line.text("error_class") or "" for line in call.seen(probes.TOOL_THREW))
            yield call, result, wrong[0], thrown


@LAWS.check("PIPE-14", each=_thrown, needs=("driver",))
def a_status_tells_of_no_other_cause(
    _log: Pipeline, found: tuple[Call, Line, Obstacle, frozenset[str]]
) -> Iterator[Finding]:
    """A call that failed once it was executed is canceled or timed_out only if its tool says something like that."""
    call, result, wrong, thrown = found
    status = result.text("status") or ""
    if status in _CAUSES and thrown.isdisjoint(_CAUSES[status]):
        yield Finding(
            f"the status of the result of {call.named} is {status}, but {wrong.says}",
            "a status that names no other cause, such as failed",
            (wrong.line.witness("O"), result.witness("R")),
        )


def _not_executed(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls with a result that nothing stood against, but that were not executed."""
    for call in calls(log):
        if call.result is not None and not call.executed and not obstacles(call):
            yield call, call.result


@LAWS.check("PIPE-14", each=_not_executed, needs=("driver",))
def what_was_not_executed_is_an_error(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """A call that was stopped before its execution is told as an error, and not as an error of its tool."""
    call, result = found
    if call.told is None:
        return
    phase, name = call.told.error_phase, call.told.error_class
    of_the_tool = phase in (EXECUTE, MAP) and name not in ENDED_BY["schedule"]
    if result.get("is_error") is not True and result.text("status") not in ("succeeded", "partial_succeeded"):
        yield Finding(
            f"{call.named} was never executed, but its result is not an error", "is_error true", (result.witness("R"),)
        )
    elif of_the_tool or phase in (POST_HOOKS, PERSIST):
        yield Finding(
            f"{call.named} was never executed, but its result reports {name} in {phase}",
            "a failure before the execution",
            (result.witness("R"),),
        )


def _inputs(log: Pipeline) -> Iterator[tuple[Call, Invocation, str, Json, Line | None]]:
    """Inputs that are told, each with the input that the suite gave or saw, and the line where it saw it."""
    for call in calls(log):
        told = call.told
        if told is None:
            continue
        yield call, told, "model_input", call.input, None
        for name, probe in (("permission_input", probes.PERMISSION_ASKED), ("call_input", probes.TOOL_EXECUTED)):
            if seen := call.seen(probe):
                yield call, told, name, seen[-1].get("input"), seen[-1]


@LAWS.check("PIPE-19", each=_inputs, needs=("driver",))
def inputs_are_told_as_they_were(
    _log: Pipeline, found: tuple[Call, Invocation, str, Json, Line | None]
) -> Iterator[Finding]:
    """Each input that is told is the one that was seen, except for what is marked as redacted."""
    call, told, name, seen, line = found
    lines = [each for each in told.of("invocation") if each.get(name) is not None]
    if not lines:
        return
    other = first_listed(differing(marked_of(told), (name, seen), (name, lines[-1].get(name))))
    if other:
        yield Finding(
            f"the {name} of {call.named} is reported with another value than was seen, at {other}",
            "what was seen, or a mark that it is redacted",
            (call.case.witness("C") if line is None else line.witness("S"), lines[-1].witness("I")),
        )


def _told_as_executed(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls that a record tells to have been executed, whatever became of them."""
    for call in calls(log):
        if call.told is not None:
            marks = (mark.line for mark in call.told.marks_of(EXECUTE) if mark.status == COMPLETED)
            yield from ((call, line) for line in marks)


@LAWS.check("PIPE-19", each=_told_as_executed, needs=("driver",))
def what_is_told_as_executed_was(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """If an execution is told as completed, the suite saw its tool come back."""
    call, line = found
    if not any(end.at < line.at for end in call.ends):
        yield Finding(
            f"execute of {call.named} is reported as completed, but its tool had not come back",
            "a phase that is reported as it was",
            (call.case.witness("C"), line.witness("P")),
        )


def _told_as_completed(log: Pipeline) -> Iterator[tuple[Call, Line, Line]]:
    """Executions and mappings that are told as completed, each with the last end that the suite saw before."""
    for call in calls(log):
        ends = {EXECUTE: call.ends, MAP: call.seen(probes.OUTPUT_MAPPED)}
        for mark in () if call.told is None else call.told.marks:
            end = last_before(ends.get(mark.phase, ()), mark.at)
            if mark.status == COMPLETED and end is not None:
                yield call, mark.line, end


@LAWS.check("PIPE-19", each=_told_as_completed, needs=("driver",))
def what_failed_is_not_told_as_completed(_log: Pipeline, found: tuple[Call, Line, Line]) -> Iterator[Finding]:
    """No execution is told as completed if its tool threw, and no mapping if it failed."""
    call, line, end = found
    # A tool that was asked to stop has ended, in whatever way it says so.
    threw = end.text("probe") == probes.TOOL_THREW and end.text("error_class") != "canceled"
    if threw or end.get("failed") is True:
        yield Finding(
            f"{line.text('phase')} of {call.named} is reported as completed, but it "
            + ("failed" if not threw else f"ended with {end.text('error_class')}"),
            "a phase that is reported as it was",
            (end.witness("T"), line.witness("P")),
        )


def _mappings(log: Pipeline) -> Iterator[tuple[Call, Line, tuple[Line, ...]]]:
    """Mappings that tell what they gave, with those that were seen before."""
    for call in calls(log):
        if call.told is None or not call.asks(MAP):
            continue
        for mark in call.told.marks_of(MAP):
            if mark.status == COMPLETED and is_array(mark.line.get("model_facing_content")):
                seen = tuple(line for line in call.seen(probes.OUTPUT_MAPPED) if line.at < mark.at)
                yield call, mark.line, seen


@LAWS.check("PIPE-19", each=_mappings, needs=("driver",))
def what_a_mapping_gave_is_told(_log: Pipeline, found: tuple[Call, Line, tuple[Line, ...]]) -> Iterator[Finding]:
    """A mapping is told to have given what the suite saw it give."""
    call, line, seen = found
    told = line.get("model_facing_content")
    if not seen or any(differences(seen[-1].get("content"), told)):
        yield Finding(
            f"map_result of {call.named} is reported with other content than the mapping gave",
            "what the mapping gave",
            (*(each.witness("M") for each in seen[-1:]), line.witness("P")),
        )

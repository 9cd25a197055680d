"""PIPE-13, PIPE-18, PIPE-22 and PIPE-23: who is asked and when, what runs beside what, and how a case ends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from callproof.checks.check import Finding
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.driving import Call, calls, count_before, finished, policy
from callproof.protocols.pipeline.obstacles import Obstacle, between, failures, obstacles
from callproof.protocols.pipeline.phases import PERMISSION, POST_HOOKS, PRE_HOOKS, VALIDATE
from callproof.protocols.pipeline.trace import LAWS, Line, Pipeline

# The questions that come before a tool is entered, in the order of the phases.
_BEFORE = ((VALIDATE, probes.TOOL_VALIDATED), (PRE_HOOKS, probes.PRE_HOOK), (PERMISSION, probes.PERMISSION_ASKED))


def _entered(log: Pipeline) -> Iterator[tuple[Call, str, str]]:
    """Calls that were executed, with each phase in which somebody had to be asked about them."""
    for call in calls(log):
        if call.executed:
            yield from ((call, phase, probe) for phase, probe in _BEFORE if call.asks(phase))


@LAWS.check("PIPE-13", each=_entered, needs=("driver",))
def whoever_is_set_is_asked(_log: Pipeline, found: tuple[Call, str, str]) -> Iterator[Finding]:
    """No tool is entered before the tool itself, the hook and permission were asked, as far as each is set."""
    call, phase, probe = found
    if phase == PERMISSION and any(line.text("behavior") == "allow" for line in call.seen(probes.PRE_HOOK)):
        return
    if not any(line.at < call.executed[0].at for line in call.seen(probe)):
        yield Finding(
            f"{call.named} was executed before anything was asked in {phase}",
            f"a question in {phase} before the execution",
            (call.case.witness("C"), call.executed[0].witness("X")),
        )


def _asked(log: Pipeline) -> Iterator[tuple[Call, Line, Line]]:
    """First questions about a call, each with the first question of the phase before it."""
    for call in calls(log):
        first = [seen[0] for _, probe in _BEFORE if (seen := call.seen(probe))]
        yield from ((call, one, other) for one, other in pairwise(first))


@LAWS.check("PIPE-13", each=_asked, needs=("driver",))
def questions_come_in_their_order(_log: Pipeline, found: tuple[Call, Line, Line]) -> Iterator[Finding]:
    """The tool itself is asked first, then the hook, and then permission."""
    call, one, other = found
    if other.at < one.at:
        yield Finding(
            f"the first {other.text('probe')} of {call.named} came before the first {one.text('probe')}",
            "questions in the order of the phases",
            (other.witness("Q2"), one.witness("Q1")),
        )


def _turned_away(log: Pipeline) -> Iterator[tuple[Call, Obstacle]]:
    """Calls that something stood against, with the first such thing."""
    for call in calls(log):
        yield from ((call, each) for each in obstacles(call)[:1])


@LAWS.check("PIPE-13", each=_turned_away, needs=("driver",))
def nobody_is_asked_about_what_is_over(_log: Pipeline, found: tuple[Call, Obstacle]) -> Iterator[Finding]:
    """If a call was turned away in one phase, nobody is asked about it in a later one."""
    call, obstacle = found
    later = [line for _, probe in _BEFORE for line in call.seen(probe) if line.at > obstacle.line.at]
    if later:
        yield Finding(
            f"{later[0].text('probe')} came for {call.named}, although {obstacle.says}",
            "no question about a call that was turned away",
            (obstacle.line.witness("O"), later[0].witness("Q")),
        )


def _shown(log: Pipeline) -> Iterator[tuple[Call, Line, Line]]:
    """Calls whose tool returned and with which nothing went wrong, with return and result, if a hook is set."""
    hindered = between(log)
    for call in calls(log):
        wrong = bool(failures(call) or obstacles(call)) or hindered.of(call)
        if call.returned is not None and call.result is not None and call.asks(POST_HOOKS) and not wrong:
            yield call, call.returned, call.result


@LAWS.check("PIPE-13", each=_shown, needs=("driver",))
def the_hook_after_a_call_is_asked(_log: Pipeline, found: tuple[Call, Line, Line]) -> Iterator[Finding]:
    """If a hook after calls is set, it is asked after a tool has returned and before the result."""
    call, returned, result = found
    if not any(returned.at < line.at < result.at for line in call.seen(probes.POST_HOOK)):
        yield Finding(
            f"the tool of {call.named} returned, but the hook was not asked before its result",
            "hook/post before the result",
            (returned.witness("T"), result.witness("R")),
        )


def _over(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Every call of a case that the pipeline said was over, with the line where it said so."""
    end = finished(log)
    if end is not None:
        yield from ((call, end) for call in calls(log))


@LAWS.check("PIPE-18", each=_over, needs=("driver",))
def every_call_has_its_result_in_time(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """When the pipeline says that all is over, every call has its result."""
    call, end = found
    if call.told is None:
        yield Finding(f"{call.named} was asked for, but no record mentions it", "a result", (end.witness("E"),))
    elif call.result is not None and call.result.at > end.at:
        yield Finding(
            f"{call.named} had its result only after pipeline/finished",
            "a result before pipeline/finished",
            (end.witness("E"), call.result.witness("R")),
        )


@LAWS.check("PIPE-18", each=_over, needs=("driver",))
def nothing_is_done_when_all_is_over(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """When the pipeline says that all is over, no tool is entered, or at work without having been asked to stop."""
    call, end = found
    entered = next((line for line in call.executed if line.at > end.at), None)
    if entered is not None or (call.is_at_work(end.at) and not count_before(call.seen(probes.TOOL_ABORTED), end.at)):
        yield Finding(
            f"after pipeline/finished, {call.named} was " + ("at work" if entered is None else "executed"),
            "pipeline/finished when everything is over",
            (end.witness("E"), *((entered.witness("X"),) if entered is not None else ())),
        )


def _driven(log: Pipeline) -> Iterator[Line]:
    """The note of a log of a driven pipeline."""
    yield from (log.case,) if log.case is not None else ()


@LAWS.check("PIPE-18", each=_driven, needs=("driver",))
def a_case_comes_to_its_end(log: Pipeline, case: Line) -> Iterator[Finding]:
    """The pipeline says that all is over, so that the suite does not give up waiting for it."""
    for line in log.seen(probes.GAVE_UP)[:1]:
        yield Finding(
            "nothing happened any more, but pipeline/finished did not come",
            "pipeline/finished when every call has its result",
            (case.witness("C"), line.witness("G")),
        )


def _one_by_one(log: Pipeline) -> Iterator[tuple[Line, Call | None]]:
    """Executions that must come one by one, each with another call whose tool is at work, if there is one."""
    if policy(log, "ordering_policy") != "serial":
        return
    asked = {call.id: call for call in calls(log)}
    # The executions of the two calls that end last so far.
    latest: dict[str, tuple[int, Call]] = {}
    for line in log.seen(probes.TOOL_EXECUTED):
        name = line.text("invocation_id") or ""
        ends = [(end, call) for other, (end, call) in latest.items() if other != name and end > line.at]
        yield line, ends[0][1] if ends else None
        if name in asked:
            latest[name] = _end_of(asked[name], line, log.lines[-1].at + 1), asked[name]
            latest = dict(sorted(latest.items(), key=lambda told: told[1][0])[-2:])


def _end_of(call: Call, entered: Line, last: int) -> int:
    """Where an execution ends: with its tool, or with the result of its call."""
    place = count_before(call.executed, entered.at)
    end = call.ends[place].at if place < len(call.ends) else last
    return min(end, call.result.at) if call.result is not None and call.result.at > entered.at else end


@LAWS.check("PIPE-22", each=_one_by_one, needs=("driver",))
def one_by_one_is_seen_to_be_one_by_one(_log: Pipeline, found: tuple[Line, Call | None]) -> Iterator[Finding]:
    """Under the policy serial no tool is entered while another is at work."""
    line, other = found
    if other is not None:
        yield Finding(
            f"a tool was entered while {other.named} was at work, under the ordering_policy serial",
            "one execution after the other",
            (other.executed[0].witness("X1"), line.witness("X2")),
        )


def _waiting(log: Pipeline) -> Iterator[Call]:
    """Calls whose tools wait for their siblings, if these may run beside them."""
    if policy(log, "ordering_policy") != "serial":
        yield from (call for call in calls(log) if any(line.text("waits") == "siblings" for line in call.executed))


@LAWS.check("PIPE-23", each=_waiting, needs=("driver",))
def side_by_side_is_at_once(_log: Pipeline, call: Call) -> Iterator[Finding]:
    """A tool that waits for its siblings does not wait in vain."""
    for line in call.seen(probes.TOOL_WAITED)[:1]:
        yield Finding(
            f"the tool of {call.named} waited for its siblings, but they were not executed beside it",
            "calls of a batch that are executed side by side",
            (call.executed[0].witness("X"), line.witness("W")),
        )

"""Every logical call compared with its course: whether all that must happen happened, and nothing that must not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from callproof.generated.oracle.chains import Chain, Place, final_failure, owes_another
from callproof.generated.oracle.courses import Course, Way
from callproof.generated.oracle.looks import Look, Looks, broken, of_deed, of_record, of_step
from callproof.generated.oracle.sight import Leave, Sight
from callproof.trace.records import Record
from callproof.trace.registry import WRITING_RISKS
from callproof.values.counts import counted

# The law that is broken if a tool is entered in a run without leave to begin.
_LAW_OF_LEAVE = {Leave.REJECTED: "CONF-06", Leave.EXPIRED: "CONF-07", Leave.CANCELLED: "CANC-06"}


def was_stopped(sight: Sight, courses: Iterable[Course], chains: Mapping[Place, Chain]) -> bool:
    """Whether anything may have stopped the run before its end: then calls may be missing."""
    if sight.cancel is not None or sight.leave is not Leave.GIVEN:
        return True
    if any(
        chain.step.on_error != "skip" and (chain.last.ended is None or final_failure(sight, chain))
        for chain in chains.values()
    ):
        return True
    late = {step.id for step in sight.plan.steps if step.on_error != "skip"}
    if any(step_id in late for step_id, _ in sight.ran_out):
        return True  # the law does not say whether a step whose deadline came before it began has failed
    return any(
        course.step.on_error != "skip" and course.way in {Way.REFUSED, Way.UNSETTLED} and _refusal(sight, course)
        for course in courses
    )


def without_leave(sight: Sight, chains: Mapping[Place, Chain]) -> Looks:
    """Look whether a run that was rejected, expired, or cancelled while it was waiting entered no tool."""
    law = _LAW_OF_LEAVE.get(sight.leave)
    if law is None:
        return
    if not chains:
        yield Look(law)
    for chain in chains.values():
        tool = sight.tool(chain.step)
        if tool is not None and tool.risk_level not in WRITING_RISKS:
            continue  # it may begin before the decision (CONF-02); the checks judge that
        entered, leave = f"the tool of {chain.name} was entered", sight.leave.value
        yield broken(law, f"{entered}, and the run was {leave}", "no call at all", of_deed(chain.links[0].deed))


def held_to(sight: Sight, course: Course, chains: Mapping[Place, Chain], *, stopped: bool) -> Looks:
    """Compare one logical call with its course."""
    finished = sight.run.finished
    if course.way is Way.DUE:
        chain = chains.get((course.step.id, course.index))
        if (course.step.id, course.index) in sight.ran_out:
            return
        if chain is not None:
            yield from _used_its_attempts(sight, chain, excused=stopped or not finished)
        elif finished and not stopped:
            yield _left_out(sight, course, chains)
        return
    entered = [
        chain
        for (step_id, index), chain in chains.items()
        if step_id == course.step.id and course.index in (None, index)
    ]
    if course.way is Way.EMPTY:
        yield from _not_entered(course, "LOOP-06", "the source of its loop is empty", entered)
    elif course.way in {Way.REFUSED, Way.SKIPPED}:
        yield from _not_entered(course, course.law, course.because, entered)
        if finished and not stopped and not entered:
            yield from _told_as_it_is(sight, course)


def beyond_the_source(courses: Iterable[Course], chains: Mapping[Place, Chain]) -> Looks:
    """Look whether any iteration has an index that the source does not have."""
    counts: dict[str, int] = {}
    for course in courses:
        if course.index is not None:
            counts[course.step.id] = max(counts.get(course.step.id, 0), course.index + 1)
    for (step_id, index), chain in chains.items():
        if step_id in counts and (index is None or index >= counts[step_id]):
            yield broken(
                "LOOP-01",
                f"the tool of {chain.name} was entered",
                f"one iteration for each of {counted(counts[step_id], 'item')}",
                of_deed(chain.links[0].deed),
            )


def _used_its_attempts(sight: Sight, chain: Chain, *, excused: bool) -> Looks:
    law = "RETRY-11" if chain.index is None else "RETRY-12"
    why = owes_another(sight, chain)
    if why is None:
        yield Look("DEP-07")
    elif not excused:
        code = chain.last.ended.code if chain.last.ended is not None else ""
        yield broken(
            law,
            f"{chain.name} failed with {code} and was given up after {counted(len(chain.links), 'attempt')}",
            f"another attempt, up to {sight.policy.attempt_limit(chain.step)}",
            of_deed(chain.last.deed),
            why=why,
        )


def _left_out(sight: Sight, course: Course, chains: Mapping[Place, Chain]) -> Look:
    failures = [chain for chain in chains.values() if chain.last.failed]
    law = "DEP-05" if failures else "DEP-07"
    if course.index is not None:
        beside = any(chain.step.id == course.step.id for chain in failures)
        law = "LOOP-08" if beside else "LOOP-01"
    result = _result(sight, course)
    told = "was recorded as nothing" if result is None else f"was recorded as {result.text('status')}"
    return broken(
        law,
        f"{course.name} {told}, and its tool was never entered",
        "a call, since everything that it needs had ended ok and nothing stopped the run",
        of_step(course.step),
        *of_record(result),
    )


def _not_entered(course: Course, law: str, because: str, entered: list[Chain]) -> Looks:
    if not entered:
        yield Look(law)
    for chain in entered[:1]:
        seen = of_deed(chain.links[0].deed)
        yield broken(
            law, f"the tool of {chain.name} was entered", "no dispatch", seen, of_step(course.step), why=because
        )


def _told_as_it_is(sight: Sight, course: Course) -> Looks:
    """Look whether a call that was refused or skipped is recorded as such."""
    result = _result(sight, course)
    status = result.text("status") if result is not None else None
    skipped, refused = course.way is Way.SKIPPED, status == "error" and _code(result) in course.codes
    law = "DEP-02" if skipped else course.law
    permitted = "status skipped" if skipped else f"status error with the code {' or '.join(course.codes)}"
    if refused or (skipped and status == "skipped"):
        yield Look(law)
        return
    told = "nothing" if result is None else f"status {status}, code {_code(result) or 'none'}"
    yield broken(
        law,
        f"{course.name} was recorded with {told}",
        permitted,
        of_step(course.step),
        *of_record(result),
        why=course.because,
    )


def _refusal(sight: Sight, course: Course) -> bool:
    result = _result(sight, course)
    return result is not None and result.text("status") == "error"


def _result(sight: Sight, course: Course) -> Record | None:
    """The last result of a logical call; that of the whole step if no result names the iteration."""
    own = [each for each in sight.run.results if each.step_id == course.step.id]
    its = [each for each in own if _index(sight, each) == course.index]
    # The result of a call that was never built may name its iteration, but need not (A73).
    return next(reversed(its or [each for each in own if _index(sight, each) is None]), None)


def _index(sight: Sight, result: Record) -> int | None:
    """The iteration of a result, taken from its call if the result does not name it (A73)."""
    if result.iteration_index is not None:
        return result.iteration_index
    attempt = sight.run.attempt_by_call_id.get(result.call_id or "")
    return attempt.call.iteration_index if attempt is not None else None


def _code(result: Record | None) -> str | None:
    code = ((result.object("error") or {}) if result is not None else {}).get("code")
    return code if isinstance(code, str) else None

"""DEP: steps that run out of turn, too often, or not at all."""

from __future__ import annotations

from typing import Any

from callproof_reference.values import error

from miniatures.miniature import miniature
from miniatures.points import (
    DISPATCHED,
    ON_ERROR,
    PERFORMED,
    PLAN_FAULTS,
    RECORD_CALL,
    REFUSED,
    SKIP,
    START,
    STEP,
    Due,
    Patch,
    Record,
    changed,
)


@miniature("declared-dependencies-ignored", breaks="DEP-01", also=("DEP-02",))
def _(patch: Patch) -> None:
    """A step waits only for the steps that it refers to, not for those in its dependsOn."""

    def step(original: Any, source: Record, links: Any) -> Any:
        found = original(source, links)
        read = links.needs({name: value for name, value in source.items() if name != "dependsOn"})
        return changed(found, needs=tuple(read))

    patch.around(STEP, step)


@miniature("skipped-without-a-record", breaks="DEP-08")
def _(patch: Patch) -> None:
    """A step whose dependency failed leaves no result."""
    from callproof_reference.run import Ending

    def skip(original: Any, run: Any, subject: Any, message: str, reason: str) -> Any:
        if reason != "dependency":
            return original(run, subject, message, reason)
        return Ending("skipped", run.clock.now(), run.clock.now(), message)

    patch.around(SKIP, skip)


@miniature("one-slot-too-many", breaks="DEP-03")
def _(patch: Patch) -> None:
    """More calls are open at once than the policy allows."""
    from callproof_reference.turns import Slots

    def start(original: Any, run: Any, *given: Any) -> None:
        original(run, *given)
        run.slots = Slots(run.plan.slots + 1)

    patch.around(START, start)


@miniature("stop-means-nothing", breaks="DEP-04")
def _(patch: Patch) -> None:
    """After a failure whose step says stop, the others go on."""
    patch.around(ON_ERROR, lambda original, run, step: None)


@miniature("skip-means-stop", breaks="DEP-05", also=("LOOP-08", "TIME-11"))
def _(patch: Patch) -> None:
    """A failure stops the run although its step says skip."""
    patch.around(ON_ERROR, lambda original, run, step: original(run, changed(step, on_error="stop")))


@miniature("first-failure-skips-the-rest", breaks="DEP-06", also=("DEP-05", "TIME-11"))
def _(patch: Patch) -> None:
    """What depends on a step is skipped at its first failed attempt, although more attempts are allowed."""
    from callproof_reference.run import Subject

    given_up: dict[tuple[str, str], Any] = {}

    def law(again: bool, due: Due) -> bool:
        for step in due.run.plan.steps:
            if again and due.step.id in step.needs and (due.run.id, step.id) not in given_up:
                given_up[due.run.id, step.id] = SKIP.now(
                    due.run, Subject(step), f"skipped, since {due.step.id} failed", "dependency"
                )
        return again

    async def performed(original: Any, run: Any, step: Any) -> Any:
        for name in step.needs:
            await run.outcomes[name]
        return given_up.get((run.id, step.id)) or await original(run, step)

    patch.retry(law)
    patch.around(PERFORMED, performed)


@miniature("steps-never-reached-forgotten", breaks="DEP-08", also=("LOOP-10",))
def _(patch: Patch) -> None:
    """Steps that a stop or a cancellation kept from running leave no record."""
    from callproof_reference.run import Ending

    def skip(original: Any, run: Any, subject: Any, message: str, reason: str) -> Any:
        if reason in ("dependency", "empty"):
            return original(run, subject, message, reason)
        return Ending("skipped", run.clock.now(), run.clock.now(), message)

    patch.around(SKIP, skip)


@miniature("cycles-found-out-late", breaks="DEP-09")
def _(patch: Patch) -> None:
    """A plan with a step that depends on a missing step is started."""

    def plan_faults(original: Any, *given: Any) -> Any:
        return [fault for fault in original(*given) if "/dependsOn/" not in fault.pointer]

    patch.around(PLAN_FAULTS, plan_faults)


@miniature("a-step-of-its-own", breaks="DEP-14", also=("CALL-05", "EFF-02"))
def _(patch: Patch) -> None:
    """The executor adds a step that the plan does not have."""

    async def performed(original: Any, run: Any, step: Any) -> Any:
        outcome = await original(run, step)
        reads = step.tool.risk_level == "read-only"
        if reads and outcome.ok and step.loop is None and not step.needs and step is run.plan.steps[0]:
            await original(run, changed(step, id=f"{step.id}-check"))
        return outcome

    patch.around(PERFORMED, performed)


@miniature("the-third-in-the-queue-is-called-off", breaks="DEP-05", seen_in="SC-31/limits")
def _(patch: Patch) -> None:
    """The last step is cancelled once it has waited for longer than a tenth of a second, though nobody asked for it."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        calm = not run.records.counts.keys() & {"error", "timeout"} and subject.step is run.plan.steps[-1]
        if calm and run.clock.now() - asked[subject.call_id] > 100:
            return REFUSED.now(run, subject, error("CANCELLED", "the queue was too long", "queue"))
        return await original(run, subject, args)

    def call(original: Any, records: Any, subject: Any, *rest: Any) -> None:
        original(records, subject, *rest)
        asked[subject.call_id] = records._run.clock.now()

    asked: dict[str, int] = {}
    patch.around(RECORD_CALL, call)
    patch.around(DISPATCHED, dispatched)


@miniature("what-a-loop-waits-for-need-not-be-there", breaks="DEP-09", seen_in="SC-02/unknown-dependency-of-a-loop")
def _(patch: Patch) -> None:
    """A plan is started although a loop in it depends on a step that the plan does not have."""

    def plan_faults(original: Any, plan: Any, *given: Any) -> Any:
        return [each for each in original(plan, *given) if not _is_of_a_loop(plan, each)]

    patch.around(PLAN_FAULTS, plan_faults)


def _is_of_a_loop(plan: Any, fault: Any) -> bool:
    step, found, _ = fault.pointer.partition("/dependsOn/")
    return bool(found) and fault.reason == "unknown_step" and "foreach" in plan._steps[step]


@miniature("what-was-skipped-is-out-of-the-way", breaks="DEP-02", seen_in="SC-20/declared-chain")
def _(patch: Patch) -> None:
    """A step is skipped if its dependency failed, but run if its dependency was itself skipped."""

    async def performed(original: Any, run: Any, step: Any) -> Any:
        endings = {name: await run.outcomes[name] for name in step.needs}
        left = tuple(name for name, ending in endings.items() if ending.status != "skipped")
        return await original(run, step if step.args else changed(step, needs=left))

    patch.around(PERFORMED, performed)

"""VAL and DEP: plans that are started although they must be refused, and steps that run although they must not."""

from __future__ import annotations

from typing import Any

from callproof_reference.turns import Slots
from callproof_reference.values import Failure, Fault, Refused

from miniatures.miniature import miniature
from miniatures.points import (
    FINISH,
    INVOKED,
    PERFORMED,
    PLAN_FAULTS,
    SHAPE_FAULTS,
    START,
    STEP,
    Patch,
    Record,
    changed,
)


@miniature("unknown-tools-are-found-out-late", breaks="VAL-05")
def _(patch: Patch) -> None:
    """A plan that needs no confirmation is started although it has an unknown tool, and fails at that step."""
    missing: list[str] = []

    def step(original: Any, source: Record, links: Any) -> Any:
        if source["tool"] in links.registry:
            return original(source, links)
        missing.append(source["tool"])
        found = original({**source, "tool": next(iter(links.registry))}, links)
        return changed(found, tool=changed(found.tool, name=source["tool"]))

    def start(original: Any, run: Any, plan: Any, *rest: Any) -> None:
        unknown = [Fault("", "unknown_tool", step.tool.name) for step in plan.steps if step.tool.name in missing]
        if unknown and plan.policy["confirmationsRequired"]:
            raise Refused("plan", unknown)
        original(run, plan, *rest)

    async def performed(original: Any, run: Any, step: Any) -> Any:
        if step.tool.name in missing:
            raise Failure("VALIDATION_ERROR", f"no tool is called {step.tool.name}", "unknown_tool")
        return await original(run, step)

    _overlook(patch, "unknown_tool")
    patch.around(START, start)
    patch.around(STEP, step)
    patch.around(PERFORMED, performed)


@miniature("an-alias-is-no-name", breaks="VAL-06", seen_in="SC-01/alias")
def _(patch: Patch) -> None:
    """A plan that calls a tool by one of its aliases is refused."""

    def plan_faults(original: Any, read: Any, *rest: Any) -> Any:
        found, registry = list(original(read, *rest)), read.registry
        for index, step in enumerate(read.source.get("steps", [])):
            if registry.get(step.get("tool"), {}).get("name") not in (None, step.get("tool")):
                found.append(Fault(f"/steps/{index}/tool", "unknown_tool", f"no tool is called {step['tool']!r}"))
        return found

    patch.around(PLAN_FAULTS, plan_faults)


@miniature("twins-run-once", breaks="VAL-08")
def _(patch: Patch) -> None:
    """Of two steps with the same id, only the first is run."""

    def start(original: Any, run: Any, plan: Any, *rest: Any) -> None:
        by_id = {step.id: step for step in reversed(plan.steps)}
        plan.steps = tuple(step for step in plan.steps if by_id[step.id] is step)
        original(run, plan, *rest)

    _overlook(patch, "duplicate_step")
    patch.around(START, start)


@miniature("last-capture-wins", breaks="DEP-13")
def _(patch: Patch) -> None:
    """A plan in which two steps capture the same variable is started."""
    _overlook(patch, "duplicate_capture")


@miniature("no-slots-means-one", breaks="DEP-10")
def _(patch: Patch) -> None:
    """A policy with no slot, or with half a slot, is taken for one that has a slot."""

    def shape_faults(original: Any, shape: str, document: Any) -> Any:
        return [fault for fault in original(shape, document) if fault.pointer != "/limits/maxConcurrency"]

    def start(original: Any, run: Any, plan: Any, *rest: Any) -> None:
        original(run, plan, *rest)
        run.slots = Slots(max(1, plan.slots))

    patch.around(SHAPE_FAULTS, shape_faults)
    patch.around(START, start)


@miniature("failed-dependencies-count-as-done", breaks="DEP-02")
def _(patch: Patch) -> None:
    """A step that depends on a failed step, without reading from it, is run."""

    async def performed(original: Any, run: Any, step: Any) -> Any:
        for name in step.needs:
            await run.outcomes[name]
        return await original(run, changed(step, needs=()))

    patch.around(PERFORMED, performed)


@miniature("knocks-twice", breaks="DEP-07", also=("CANC-01", "CONF-11", "RETRY-03"))
def _(patch: Patch) -> None:
    """The last call of a plan, if it has one attempt, is sent to its tool once more when it is done."""

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        answer = original(run, subject, args, started)
        step = subject.step
        if step is run.plan.steps[-1] and step.attempts == 1 and not step.loop and not run.cancelled.kept:
            answer.when_kept(lambda: original(run, subject, args, started))
        return answer

    patch.around(INVOKED, invoked)


@miniature("an-end-that-nobody-is-told", breaks="DEP-12")
def _(patch: Patch) -> None:
    """A run with a failure in it writes its last record, but its end is never announced."""

    def finish(original: Any, run: Any, ok: bool) -> None:
        host = run.host
        run.host = host if ok else _Mute(host)
        original(run, ok)
        run.host = host

    patch.around(FINISH, finish)


class _Mute:
    """A host that is told everything but the end of a run."""

    def __init__(self, host: Any) -> None:
        self._host = host

    def tell(self, method: str, params: Record) -> None:
        """Pass on everything else."""
        if method != "run/finished":
            self._host.tell(method, params)


def _overlook(patch: Patch, *reasons: str) -> None:
    def plan_faults(original: Any, *given: Any) -> Any:
        return [fault for fault in original(*given) if fault.reason not in reasons]

    patch.around(PLAN_FAULTS, plan_faults)

"""REF and LOOP: references that give a wrong value, or give it at the wrong time."""

from __future__ import annotations

from typing import Any

from callproof_reference.values import Failure, Fault, Refused

from miniatures.miniature import miniature
from miniatures.points import (
    EACH,
    INVOKED,
    LOGICAL_CALL,
    PERFORMED,
    PLAN_FAULTS,
    RECORD_CALL,
    RESOLVE,
    ROOT_VALUE,
    START,
    STEP,
    Patch,
    Record,
    changed,
)


@miniature("variables-are-marked", breaks="REF-05", also=("LOG-06", "REF-21"), seen_in="SC-01/captured")
def _(patch: Patch) -> None:
    """What comes out of a variable has one member more than what went in."""

    def root_value(original: Any, run: Any, reference: Any, iteration: Any) -> Any:
        found = original(run, reference, iteration)
        return {**found, "captured": True} if reference.root == "vars" and isinstance(found, dict) else found

    patch.around(ROOT_VALUE, root_value)


@miniature("items-in-capitals", breaks="REF-07", also=("LOG-06", "REF-21"))
def _(patch: Patch) -> None:
    """A reference to an item that is a text gives it in capitals."""

    def root_value(original: Any, run: Any, reference: Any, iteration: Any) -> Any:
        found = original(run, reference, iteration)
        return found.upper() if reference.root == "item" and isinstance(found, str) else found

    patch.around(ROOT_VALUE, root_value)


@miniature("usual-names-always-bound", breaks="REF-09", also=("LOG-06",), seen_in="SC-05/names")
def _(patch: Patch) -> None:
    """The name index is a binding in every loop, even if the plan gives the index another name."""

    def step(original: Any, *given: Any) -> Any:
        found = original(*given)
        return changed(found, bindings={"index": "index", **found.bindings}) if found.loop else found

    patch.around(STEP, step)


def _array_of(run: Any, loop: Any) -> Any:
    """The array that a loop runs over, as it stands in the data of its source step."""
    value = run.root_value(loop, None)
    for segment in loop.path:
        value = value[segment]
    return value


@miniature(
    "a-loop-uses-up-its-source",
    breaks="REF-12",
    also=("LOG-06", "REF-01", "REF-13", "REF-21"),
    seen_in="SC-05/mutator",
)
def _(patch: Patch) -> None:
    """When a loop is done, the array that it ran over is empty for every later reader."""

    async def each(original: Any, run: Any, step: Any, loop: Any) -> Any:
        outcome = await original(run, step, loop)
        _array_of(run, loop).clear()
        return outcome

    patch.around(EACH, each)


@miniature(
    "tools-write-into-the-data",
    breaks="REF-13",
    also=("LOG-06", "REF-01", "REF-12", "REF-21"),
    seen_in="SC-05/mutator",
)
def _(patch: Patch) -> None:
    """A tool that alters an item of a loop also alters it in the data of the step that it came from."""

    async def each(original: Any, run: Any, step: Any, loop: Any) -> Any:
        outcome = await original(run, step, loop)
        value = _array_of(run, loop)
        for index, data in enumerate(outcome.data or []):
            if isinstance(value[index], dict) and isinstance(data, dict) and isinstance(data.get("value"), dict):
                value[index] = data["value"].get("item", value[index])
        return outcome

    patch.around(EACH, each)


@miniature(
    "known-by-its-first-attempt",
    breaks="REF-19",
    also=("LOG-06", "REF-01", "REF-05", "REF-11", "REF-21"),
    seen_in="SC-01/after-retry",
)
def _(patch: Patch) -> None:
    """Of a step that was retried, other steps see what its first attempt gave: null under every name."""

    async def performed(original: Any, run: Any, step: Any) -> Any:
        outcome = await original(run, step)
        if outcome.ok and step.attempts > 1 and isinstance(outcome.data, dict):
            return outcome._replace(data=dict.fromkeys(outcome.data))
        return outcome

    patch.around(PERFORMED, performed)


@miniature("outputs-of-a-loop-backwards", breaks="REF-20", also=("LOG-06", "REF-05", "REF-19", "REF-21"))
def _(patch: Patch) -> None:
    """A reference to a loop gives its outputs in reverse order."""

    async def each(original: Any, *given: Any) -> Any:
        outcome = await original(*given)
        return outcome._replace(data=outcome.data[::-1])

    patch.around(EACH, each)


@miniature("references-make-nobody-wait", breaks="REF-22", also=("LOG-06", "REF-01", "REF-02", "REF-19", "REF-21"))
def _(patch: Patch) -> None:
    """If calls run side by side, a step waits only for what it declares; what it reads too early is empty."""

    def step(original: Any, source: Record, links: Any) -> Any:
        found = original(source, links)
        slots = links.policy["limits"].get("maxConcurrency", 1)
        return changed(found, needs=tuple(source.get("dependsOn", ()))) if slots > 1 else found

    def root_value(original: Any, run: Any, reference: Any, iteration: Any) -> Any:
        try:
            return original(run, reference, iteration)
        except Failure:
            if run.plan.slots == 1:
                raise
            return Nothing()

    patch.around(STEP, step)
    patch.around(ROOT_VALUE, root_value)


@miniature("circles-are-cut-open", breaks="REF-23")
def _(patch: Patch) -> None:
    """In a plan without confirmation, steps that refer to each other in a circle are begun, and wait for nothing."""
    circular: list[Record] = []

    def plan_faults(original: Any, read: Any, *rest: Any) -> Any:
        found, plan = list(original(read, *rest)), read.source
        declared = any("dependsOn" in step for step in plan.get("steps", []))
        if declared or not any(fault.reason == "cycle" for fault in found):
            return found
        circular.append(plan)
        return [fault for fault in found if fault.reason != "cycle"]

    def start(original: Any, run: Any, plan: Any, *rest: Any) -> None:
        if plan.source in circular and plan.policy["confirmationsRequired"]:
            raise Refused("plan", [Fault("/steps", "cycle", "the steps wait in a circle")])
        original(run, plan, *rest)

    async def performed(original: Any, run: Any, step: Any) -> Any:
        return await original(run, changed(step, needs=()) if run.plan.source in circular else step)

    patch.around(START, start)
    patch.around(PLAN_FAULTS, plan_faults)
    patch.around(PERFORMED, performed)


@miniature("the-array-turns-while-the-loop-runs", breaks="LOOP-07", also=("LOG-06", "LOOP-03", "LOOP-13", "REF-11"))
def _(patch: Patch) -> None:
    """After its first iteration a loop goes over the rest of its array backwards."""
    arrays: list[list[Any]] = []

    def resolve(original: Any, template: Any, bindings: Any, root: Any) -> Any:
        found = original(template, bindings, root)
        if isinstance(template, str) and isinstance(found, list):
            arrays[:] = [found]
        return found

    async def logical_call(original: Any, run: Any, subject: Any) -> Any:
        array = arrays[-1] if arrays else []
        ending = await original(run, subject)
        if subject.iteration is not None and subject.iteration["index"] == 0 and subject.step.concurrency == 1:
            array[1:] = array[:0:-1]
        return ending

    patch.around(RESOLVE, resolve)
    patch.around(LOGICAL_CALL, logical_call)


@miniature("a-note-on-every-call", breaks="REF-27", also=("RETRY-16", "VAL-01"))
def _(patch: Patch) -> None:
    """Calls of read-only tools go out with an argument that neither the plan nor the tool knows."""

    def noted(subject: Any, args: Record) -> Record:
        return {**args, "calledBy": "the executor"} if subject.step.tool.risk_level == "read-only" else args

    def call(original: Any, records: Any, subject: Any, args: Record, *rest: Any) -> None:
        original(records, subject, noted(subject, args), *rest)

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        return original(run, subject, noted(subject, args), started)

    patch.around(RECORD_CALL, call)
    patch.around(INVOKED, invoked)


class Nothing(dict[str, Any]):
    """An empty object that gives another one under every name."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Nothing:
        return Nothing()

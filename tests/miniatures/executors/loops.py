"""LOOP: loops that lose, repeat or confuse their items."""

from __future__ import annotations

import json
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import (
    ARGS,
    EACH,
    LOGICAL_CALL,
    RECORD_RESULT,
    RESOLVE,
    START,
    Patch,
    Record,
)


@miniature("second-item-passed-over", breaks="LOOP-01", also=("LOOP-10", "LOOP-12"))
def _(patch: Patch) -> None:
    """The second item of a loop is counted as done and never called."""
    from callproof_reference.run import Ending

    async def logical_call(original: Any, run: Any, subject: Any) -> Any:
        if subject.iteration is not None and subject.iteration["index"] == 1:
            return Ending("ok", run.clock.now(), run.clock.now(), "Nothing to do.", {})
        return await original(run, subject)

    patch.around(LOGICAL_CALL, logical_call)


@miniature("iteration-on-everything", breaks="LOOP-02")
def _(patch: Patch) -> None:
    """In a run without loops, calls still carry an iteration."""
    looped: set[str] = set()

    def change(record: Record) -> None:
        if record["runId"] not in looped:
            record["iteration"] = {"index": 0, "itemName": "item", "itemValue": None}

    def start(original: Any, run: Any, *given: Any) -> None:
        original(run, *given)
        if any(step.loop for step in run.plan.steps):
            looped.add(run.id)

    patch.around(START, start)
    patch.record("call", change)


@miniature("item-value-of-the-neighbour", breaks="LOOP-03", also=("CALL-14", "LOOP-07"))
def _(patch: Patch) -> None:
    """The iteration of a call shows the item before its own."""
    items: dict[tuple[str, str, int], Any] = {}

    def change(record: Record) -> None:
        if "iteration" in record:
            index, value = record["iteration"]["index"], record["iteration"]["itemValue"]
            items[record["runId"], record["stepId"], index] = value
            record["iteration"]["itemValue"] = items.get((record["runId"], record["stepId"], index - 1), value)

    patch.record("call", change)


@miniature("every-item-is-called-item", breaks="LOOP-04")
def _(patch: Patch) -> None:
    """The iteration does not use the plan's name for the item."""

    def change(record: Record) -> None:
        if "iteration" in record:
            record["iteration"]["itemName"] = "element"

    patch.record("call", change)


@miniature("a-loop-id-for-each-call", breaks="LOOP-05")
def _(patch: Patch) -> None:
    """Every call of a loop carries a loop id of its own."""

    def change(record: Record) -> None:
        if "loopId" in record:
            record["loopId"] += f" {record['iteration']['index']}"

    patch.record("call", change)


@miniature("nothing-to-do-is-a-failure", breaks="LOOP-06")
def _(patch: Patch) -> None:
    """A loop over no items fails."""
    from callproof_reference.values import error

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if how.get("reason") == "empty":
            why = error("VALIDATION_ERROR", "the source has no items", "foreach_source")
            ending = ending._replace(status="error", error=why)
        original(records, subject, ending, **how)

    async def each(original: Any, run: Any, step: Any, loop: Any) -> Any:
        outcome = await original(run, step, loop)
        return outcome._replace(status="error") if outcome.data == [] else outcome

    patch.around(RECORD_RESULT, result)
    patch.around(EACH, each)


@miniature("one-bad-item-ends-the-loop", breaks="LOOP-08", also=("DEP-05",))
def _(patch: Patch) -> None:
    """The failure of one iteration stops the run although the step says skip."""

    async def logical_call(original: Any, run: Any, subject: Any) -> Any:
        ending = await original(run, subject)
        if subject.iteration is not None and ending.status == "error":
            run.halted.keep("an iteration failed")
        return ending

    patch.around(LOGICAL_CALL, logical_call)


@miniature("at-most-ten-items", breaks="LOOP-10")
def _(patch: Patch) -> None:
    """A loop ends silently after its tenth item."""
    _items(patch, lambda items: items[:10])


@miniature("equal-items-done-once", breaks="LOOP-12")
def _(patch: Patch) -> None:
    """An item that equals an earlier one is left out."""

    def unique(items: list[Any]) -> list[Any]:
        return list({json.dumps(item): item for item in items}.values())

    _items(patch, unique)


@miniature("side-by-side-they-share-their-item", breaks="LOOP-13", also=("LOG-06", "REF-21"))
def _(patch: Patch) -> None:
    """Iterations of a concurrent loop take their arguments from its first item."""
    first: dict[str, Any] = {}

    def args(original: Any, run: Any, subject: Any) -> Any:
        if subject.iteration is None or subject.step.concurrency == 1:
            return original(run, subject)
        value = first.setdefault(subject.loop_id, subject.iteration["itemValue"])
        return original(run, subject._replace(iteration={**subject.iteration, "itemValue": value}))

    patch.around(ARGS, args)


@miniature(
    "each-iteration-has-the-item-before-its-own",
    breaks="LOOP-13",
    also=("LOG-06", "REF-21"),
    seen_in="SC-12/empty-items",
)
def _(patch: Patch) -> None:
    """The arguments of an iteration are made from the item of the iteration before it."""
    before: dict[str, Any] = {}

    def args(original: Any, run: Any, subject: Any) -> Any:
        if subject.iteration is None:
            return original(run, subject)
        value = subject.iteration["itemValue"]
        earlier = before.get(subject.loop_id, value)
        before[subject.loop_id] = value
        return original(run, subject._replace(iteration={**subject.iteration, "itemValue": earlier}))

    patch.around(ARGS, args)


def _items(patch: Patch, change: Any) -> None:
    """Let every loop run over other items than its source has."""
    inside: list[bool] = []

    async def each(original: Any, run: Any, step: Any, loop: Any) -> Any:
        inside.append(True)
        return await original(run, step, loop)

    def resolve(original: Any, template: Any, bindings: Any, root: Any) -> Any:
        found = original(template, bindings, root)
        if inside:
            inside.pop()
            return change(found) if isinstance(found, list) else found
        return found

    patch.around(EACH, each)
    patch.around(RESOLVE, resolve)

"""LOOP: loops that lose, repeat or confuse their items."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

from miniatures.miniature import miniature
from miniatures.points import ARGS, EACH, LOGICAL_CALL, RESOLVE, Patch, Record


@miniature("last-item-forgotten", breaks="LOOP-01")
def _(patch: Patch) -> None:
    """A loop over three or more items leaves out the last one."""
    _items(patch, lambda items: items[:-1] if len(items) > 2 else items)


@miniature("iteration-on-everything", breaks="LOOP-02")
def _(patch: Patch) -> None:
    """Calls outside of loops carry an iteration as well."""
    patch.record(
        "call", lambda record: record.setdefault("iteration", {"index": 0, "itemName": "item", "itemValue": None})
    )


@miniature("item-value-of-the-neighbour", breaks="LOOP-03")
def _(patch: Patch) -> None:
    """The iteration of a call shows the item of the call before it."""
    before: dict[str, Any] = {}

    def change(record: Record) -> None:
        if "iteration" in record:
            value = record["iteration"]["itemValue"]
            key = f"{record['runId']} {record['stepId']}"
            record["iteration"]["itemValue"] = before.get(key, value)
            before[key] = value

    patch.record("call", change)


@miniature("every-item-is-called-item", breaks="LOOP-04")
def _(patch: Patch) -> None:
    """The iteration does not use the plan's name of the item."""

    def change(record: Record) -> None:
        if "iteration" in record:
            record["iteration"]["itemName"] = "element"

    patch.record("call", change)


@miniature("a-loop-id-for-each-call", breaks="LOOP-05")
def _(patch: Patch) -> None:
    """Every call of a loop carries a loop id of its own."""

    def change(record: Record) -> None:
        if "loopId" in record:
            record["loopId"] = str(uuid4())

    patch.record("call", change)


@miniature("nothing-to-do-is-a-failure", breaks="LOOP-06")
def _(patch: Patch) -> None:
    """A loop over no items counts as failed."""
    from callproof_reference.steps import Outcome

    async def each(original: Any, run: Any, step: Any, loop: Any) -> Any:
        outcome = await original(run, step, loop)
        return Outcome(ok=False) if outcome.data == [] else outcome

    patch.around(EACH, each)


@miniature("one-bad-item-ends-the-loop", breaks="LOOP-08")
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


@miniature("index-as-text", breaks="LOOP-11")
def _(patch: Patch) -> None:
    """The index of an iteration is written as text."""

    def change(record: Record) -> None:
        if "iteration" in record:
            record["iteration"]["index"] = str(record["iteration"]["index"])

    patch.record("call", change)


@miniature("equal-items-done-once", breaks="LOOP-12")
def _(patch: Patch) -> None:
    """An item that equals an earlier one is left out."""

    def unique(items: list[Any]) -> list[Any]:
        return [item for index, item in enumerate(items) if item not in items[:index]]

    _items(patch, unique)


@miniature("side-by-side-they-share-their-item", breaks="LOOP-13")
def _(patch: Patch) -> None:
    """Iterations of a concurrent loop take their arguments from its first item."""
    first: dict[str, Any] = {}

    def args(original: Any, run: Any, subject: Any) -> Any:
        if subject.iteration is None or subject.step.loop.concurrency == 1:
            return original(run, subject)
        value = first.setdefault(subject.loop_id, subject.iteration["itemValue"])
        return original(run, replace(subject, iteration={**subject.iteration, "itemValue": value}))

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

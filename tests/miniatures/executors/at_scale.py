"""DEP, LOOP, VAL: faults that show only with large numbers or sizes."""

from __future__ import annotations

import os
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import (
    ARGS,
    ATTEMPT,
    DISPATCHED,
    EACH,
    LOGICAL_CALL,
    RECORD_RESULT,
    RESOLVE,
    STEP,
    Patch,
    Record,
    changed,
)


@miniature("the-third-timeout-keeps-its-slot", breaks="DEP-12")
def _(patch: Patch) -> None:
    """When a third step of a run has run out of time, its slot is not given back."""
    late: dict[int, set[str]] = {}

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        if ending.status == "timeout":
            steps = late.setdefault(id(run), set())
            if subject.step.id not in steps and len(steps) == 2:
                run.slots.ask()  # a slot that nobody gives back
            steps.add(subject.step.id)
        return ending

    patch.around(DISPATCHED, dispatched)


@miniature("every-step-has-slots-of-its-own", breaks="DEP-03")
def _(patch: Patch) -> None:
    """Each loop applies the limit on calls at once to itself alone."""
    from callproof_reference.turns import Slots

    own: dict[tuple[str, str], Any] = {}

    async def attempt(original: Any, run: Any, subject: Any, args: Record) -> Any:
        if subject.iteration is None:
            return await original(run, subject, args)
        slots = own.setdefault((run.id, subject.step.id), Slots(run.plan.slots))
        return await original(_With(run, slots), subject, args)

    patch.around(ATTEMPT, attempt)


@miniature("wide-loops-are-as-wide-as-the-policy", breaks="LOOP-14")
def _(patch: Patch) -> None:
    """A loop that asks for a few iterations at once has as many open as the policy permits."""

    def step(original: Any, *given: Any) -> Any:
        found = original(*given)
        return changed(found, concurrency=1_000) if found.concurrency > 1 else found

    patch.around(STEP, step)


class _With:
    """A run with other slots."""

    def __init__(self, run: Any, slots: Any) -> None:
        self._run, self.slots = run, slots

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)


@miniature("dies-of-deep-arguments", breaks="VAL-12", also=("DEP-12",))
def _(patch: Patch) -> None:
    """Arguments that are nested more than a hundred levels deep end the process."""

    def args(original: Any, run: Any, subject: Any) -> Any:
        from callproof_reference.values import Failure

        try:
            return original(run, subject)
        except Failure as flaw:
            if "nested" in str(flaw):
                os._exit(1)
            raise

    patch.around(ARGS, args)


@miniature("too-much-is-passed-over", breaks="VAL-12", also=("DEP-12",))
def _(patch: Patch) -> None:
    """A step whose arguments are too big is skipped, as if it had nothing to do."""
    too_big: set[int] = set()

    def args(original: Any, run: Any, subject: Any) -> Any:
        from callproof_reference.values import Failure

        try:
            return original(run, subject)
        except Failure as flaw:
            if flaw.reason == "too_big":
                too_big.add(id(run.records))
            raise

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if id(records) in too_big and ending.status == "error":
            too_big.discard(id(records))
            ending = ending._replace(status="skipped", error=None, message="Nothing to do.")
        original(records, subject, ending, **how)

    patch.around(ARGS, args)
    patch.around(RECORD_RESULT, result)


@miniature("loops-follow-their-list", breaks="LOOP-07", also=("LOOP-01",))
def _(patch: Patch) -> None:
    """A loop also runs over items that are added to its list while it runs."""
    follow_lists(patch)


def follow_lists(patch: Patch) -> None:
    """Let every loop also run over items that its own tool adds to its list."""
    lists: dict[tuple[str, str], list[Any]] = {}
    asking: list[tuple[str, str]] = []

    async def each(original: Any, run: Any, step: Any, loop: Any) -> Any:
        asking.append((run.id, run.plan.by_id[loop.name]["tool"]))
        return await original(run, step, loop)

    def resolve(original: Any, template: Any, bindings: Any, root: Any) -> Any:
        found = original(template, bindings, root)
        if asking and isinstance(found, list):
            lists[asking.pop()] = found
        return found

    async def logical_call(original: Any, run: Any, subject: Any) -> Any:
        ending = await original(run, subject)
        known = lists.get((run.id, subject.step.tool.name), [])
        items = (ending.data or {}).get("items")
        if known and isinstance(items, list) and len(items) > len(known):
            known.extend(items[len(known) :])
        return ending

    patch.around(EACH, each)
    patch.around(RESOLVE, resolve)
    patch.around(LOGICAL_CALL, logical_call)

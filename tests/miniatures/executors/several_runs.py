"""Several runs: what one run wrongly takes over from another, before it or beside it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from miniatures.miniature import miniature
from miniatures.points import (
    ARGS,
    ARGS_HASH,
    ASK,
    BREACH,
    CANCEL,
    ROOT_VALUE,
    START,
    Patch,
    Point,
)

# The function that makes the ids that a run gives away.
_NEW_ID = Point(sys.modules[START.owner.__module__], "uuid4")


def _named(patch: Patch, name: Any) -> None:
    """Give every run the id that ``name`` makes of it."""

    def start(original: Any, run: Any, *given: Any) -> None:
        original(run, *given)
        run.id = name(run)

    patch.around(START, start)


@miniature("run-ids-counted-from-one", breaks="CALL-04", seen_in="SC-24")
def _(patch: Patch) -> None:
    """Runs are numbered, and every process begins again with the first number."""
    count: list[None] = []

    def name(_run: Any) -> str:
        count.append(None)
        return f"run-{len(count)}"

    _named(patch, name)


@miniature("registry-with-one-name-for-ever", breaks="CALL-12", seen_in="SC-24")
def _(patch: Patch) -> None:
    """The registry has the same version whatever its tools are."""
    patch.record("call", lambda record: record.update(toolRegistryVersion="1.0"))


@miniature("hash-salted-by-process", breaks="HASH-02", seen_in="SC-24")
def _(patch: Patch) -> None:
    """Hashes are made by an algorithm of the system's own, and salted for each process."""
    patch.around(ARGS_HASH, lambda original, value: f"own:{hash((os.getpid(), original(value)))}")


@miniature("args-of-their-day", breaks="REF-14", also=("LOG-06", "REF-01", "REF-21"), seen_in="SC-24")
def _(patch: Patch) -> None:
    """A title in the arguments gets the id of the process added to it."""

    def args(original: Any, run: Any, subject: Any) -> Any:
        found = original(run, subject)
        value = found.get("value")
        if isinstance(value, dict) and "title" in value:
            found["value"] = {**value, "title": f"{value['title']} ({os.getpid()})"}
        return found

    patch.around(ARGS, args)


@miniature(
    "variables-of-everybody",
    breaks="REF-05",
    also=("LOG-06", "LOOP-03", "LOOP-07", "REF-07", "REF-21"),
    seen_in="SC-30",
)
def _(patch: Patch) -> None:
    """While several runs are at work, a variable has the value that the first of them captured."""
    at_work = _at_work(patch)
    shared: dict[str, Any] = {}

    def value(original: Any, run: Any, reference: Any, iteration: Any) -> Any:
        found = original(run, reference, iteration)
        if len(at_work()) < 2:
            shared.clear()
        return shared.setdefault(reference.name, found) if reference.root == "vars" else found

    patch.around(ROOT_VALUE, value)


@miniature("policy-of-the-last-run", breaks="POL-01", also=("POL-12",), seen_in="SC-30")
def _(patch: Patch) -> None:
    """All runs of the process obey one policy: that of the run that was started last."""
    at_work = _at_work(patch)

    def breach(original: Any, tool: Any, args: Any, policy: Any, root: Any) -> Any:
        return original(tool, args, at_work()[-1].plan.policy, root)

    patch.around(BREACH, breach)


@miniature("confirmation-named-after-its-plan", breaks="CONF-05", seen_in="SC-11")
def _(patch: Patch) -> None:
    """Runs of the same plan request their confirmation under the same id."""
    asking: list[Any] = []

    async def ask(original: Any, run: Any) -> None:
        asking.append(run.plan.source)
        await original(run)

    def new_id(original: Any) -> Any:
        return uuid5(NAMESPACE_OID, json.dumps(asking.pop(), sort_keys=True)) if asking else original()

    patch.around(ASK, ask)
    patch.around(_NEW_ID, new_id)


@miniature(
    "approved-once-and-for-all",
    breaks="CONF-01",
    also=("CANC-06", "CONF-02", "CONF-05", "CONF-06", "CONF-07", "CONF-12"),
    seen_in="SC-11",
)
def _(patch: Patch) -> None:
    """A plan that was approved before needs no approval any more."""
    approved: list[Any] = []

    async def ask(original: Any, run: Any) -> None:
        if run.plan.source in approved:
            run.clock.after(0).when_kept(lambda: run.confirm(run.asking, "approved"))
        await original(run)
        if run.confirmed:
            approved.append(run.plan.source)

    patch.around(ASK, ask)


@miniature("cancels-everybody", breaks="CANC-05", seen_in="SC-30")
def _(patch: Patch) -> None:
    """A cancellation ends every run in the process."""
    at_work = _at_work(patch)

    def cancel(original: Any, _run: Any, comment: str | None = None) -> None:
        for each in at_work():
            original(each, comment)

    patch.around(CANCEL, cancel)


def _at_work(patch: Patch) -> Callable[[], list[Any]]:
    """The runs that have been started and have not ended."""
    runs: list[Any] = []

    def start(original: Any, run: Any, *given: Any) -> None:
        original(run, *given)
        runs.append(run)

    patch.around(START, start)
    return lambda: [each for each in runs if each.status == "running"]

"""RETRY, TIME, CANC, POL, CONF, EFF: faults that show only in certain circumstances, as those of real executors do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from callproof_reference.values import error

from miniatures.miniature import miniature
from miniatures.points import ASK, GIVEN_UP, HOOKED, OWN_EFFECTS, START, STEP, Due, Patch, Record, changed

_EMPTY = "sha256:" + hashlib.sha256(b"").hexdigest()


@miniature("conflicts-are-tried-again-unless-told", breaks="RETRY-04", seen_in="SC-07/every-code")
def _(patch: Patch) -> None:
    """A call that ends with CONFLICT is attempted again if the tool does not say whether to retry it."""

    def again(due: bool, case: Due) -> bool:
        error: Record = case.ending.error or {}
        unsaid = error.get("code") == "CONFLICT" and error.get("retryable") is None
        return due or (unsaid and case.number < case.step.attempts and not case.run.halted.kept)

    patch.retry(again)


@miniature("five-attempts-are-enough", breaks="RETRY-11", seen_in="SC-07/ten-attempts")
def _(patch: Patch) -> None:
    """No more than five attempts are made, whatever the plan permits."""
    patch.retry(lambda due, case: due and case.number < 5)


@miniature("limits-of-loops-are-not-lowered", breaks="TIME-10", seen_in="SC-08/third-hangs")
def _(patch: Patch) -> None:
    """The policy lowers the time limit of plain steps, but not of steps with a loop."""

    def step(original: Any, source: Record, plan: Any) -> Any:
        found = original(source, plan)
        return (
            changed(found, timeout_ms=int(source["timeoutMs"])) if {"foreach", "timeoutMs"} <= source.keys() else found
        )

    patch.around(STEP, step)


@miniature("durations-lose-their-seconds", breaks="TIME-07", seen_in="SC-09/long")
def _(patch: Patch) -> None:
    """durationMs is the millisecond part of how long a call took."""
    patch.record("result", lambda record: record.update(durationMs=record["durationMs"] % 1000))


@miniature("later-attempts-are-not-aborted", breaks="CANC-02", seen_in="SC-10/second-attempt")
def _(patch: Patch) -> None:
    """Cancelling the run aborts open calls only if they are first attempts."""

    async def given_up(original: Any, run: Any, subject: Any, answer: Any, reason: str) -> Any:
        if reason == "cancelled" and subject.attempt > 1:
            return None
        return await original(run, subject, answer, reason)

    patch.around(GIVEN_UP, given_up)


@miniature("hook-hears-of-the-first-item-only", breaks="POL-16", seen_in="SC-15/blocks-every-item")
def _(patch: Patch) -> None:
    """The hook is asked only about the first iteration of a loop, and the others go out unasked."""
    asked: set[tuple[str, str]] = set()

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        if subject.iteration is not None and (run.id, subject.step.id) in asked:
            return None, args, {}
        asked.add((run.id, subject.step.id))
        return await original(run, subject, args)

    patch.around(HOOKED, hooked)


@miniature("later-attempts-go-as-planned", breaks="POL-17", seen_in="SC-15/rewrites-every-attempt")
def _(patch: Patch) -> None:
    """The arguments that the hook gave are sent with the first attempt, and those of the plan with the others."""

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        refused, given, marks = await original(run, subject, args)
        return (refused, args, {}) if marks and subject.attempt > 1 else (refused, given, marks)

    patch.around(HOOKED, hooked)


@miniature("a-change-once-made-stays", breaks="POL-17", seen_in="SC-15/rewrites-the-first-attempt")
def _(patch: Patch) -> None:
    """What a hook changed in one attempt is kept for the next, although the hook lets that one pass unchanged."""
    kept: dict[tuple[int, str, int | None], Any] = {}

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        refused, given, marks = await original(run, subject, args)
        key = (id(run), subject.step.id, subject.iteration and subject.iteration["index"])
        if marks:
            kept[key] = (given, marks)
        elif refused is None and key in kept:
            given, marks = kept[key]
        return refused, given, marks

    patch.around(HOOKED, hooked)


@miniature(
    "nobody-is-asked-for-commands-alone",
    breaks="CONF-08",
    also=("CONF-01", "CONF-03", "CONF-04", "LOG-18", "RETRY-16"),
    seen_in="SC-11/commands",
)
def _(patch: Patch) -> None:
    """A run that only runs commands begins without a confirmation."""

    async def ask(original: Any, run: Any) -> None:
        if any(each.tool.risk_level != "commands" for each in run.plan.steps):
            await original(run)

    patch.around(ASK, ask)


@miniature("plan-hash-of-what-python-writes", breaks="CONF-10", seen_in="SC-11/commands")
def _(patch: Patch) -> None:
    """The hash of the plan is taken over Python's own JSON, which spells numbers differently."""

    def start(original: Any, run: Any, plan: Any, *given: Any) -> None:
        original(run, plan, *given)
        text = json.dumps(plan.source, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        plan.hashes["planHash"] = "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    patch.around(START, start)


def _untold(patch: Patch, drop: Callable[[str, Record, Record, Record], bool]) -> None:
    """Leave entries out of own effects; ``drop`` gets the kind of entry, the entry, and the folder before and after."""

    def effects(original: Any, before: Any, after: Any) -> Record:
        told: Record = original(before, after)
        lists = ("created", "modified", "deleted", "renamed")
        return {
            name: [each for each in value if not drop(name, each, before, after)] if name in lists else value
            for name, value in told.items()
        }

    patch.around(OWN_EFFECTS, effects)


@miniature("emptied-files-are-untold", breaks="EFF-08", seen_in="SC-16/contents")
def _(patch: Patch) -> None:
    """A file that was emptied is not listed as modified."""
    _untold(patch, lambda name, entry, _, after: name == "modified" and after[entry["path"]].etag == _EMPTY)


@miniature("hidden-files-go-untold", breaks="EFF-08", also=("EFF-14",), seen_in="SC-17/odd")
def _(patch: Patch) -> None:
    """The deletion of a file whose name begins with a dot is not listed."""
    _untold(patch, lambda name, entry, *_: name == "deleted" and entry["path"].rpartition("/")[2].startswith("."))


@miniature("empty-files-move-untold", breaks="EFF-08", also=("EFF-14",), seen_in="SC-17/odd")
def _(patch: Patch) -> None:
    """A rename of an empty file is not listed."""
    _untold(patch, lambda name, entry, before, _: name == "renamed" and before[entry["from"]].etag == _EMPTY)


@miniature("what-was-replaced-counts-as-trashed", breaks="EFF-05", seen_in="SC-17/odd")
def _(patch: Patch) -> None:
    """A file that a move replaced is reported to be in the trash, although nobody put it there."""

    def effects(original: Any, before: Any, after: Any) -> Record:
        told: Record = original(before, after)
        trashed = [{**each, "trashed": True} for each in told["deleted"]]
        return {**told, "deleted": trashed} if told["renamed"] else told

    patch.around(OWN_EFFECTS, effects)


@miniature(
    "what-a-hook-changed-is-named-as-it-is-spelt",
    breaks="VAL-04",
    also=("LOG-06",),
    seen_in="SC-15/rewrites-odd-members",
)
def _(patch: Patch) -> None:
    """The mark of a hook names the members that it changed without the escapes of a JSON Pointer."""

    def change(record: Record) -> None:
        mark = record.get("argsModifiedBy", {})
        mark["members"] = [each.replace("~1", "/").replace("~0", "~") for each in mark.get("members", ())]

    patch.record("call", change)


@miniature(
    "what-a-hook-changed-is-not-marked",
    breaks="POL-17",
    also=("LOG-06", "RETRY-09", "VAL-04"),
    seen_in="SC-15/rewrites",
)
def _(patch: Patch) -> None:
    """A call whose arguments a hook changed does not say that they were changed."""
    patch.record("call", lambda record: record.pop("argsModifiedBy", None))


@miniature("a-hook-that-changes-counts-as-one-that-fails", breaks="POL-17", seen_in="SC-15")
def _(patch: Patch) -> None:
    """A hook that gives other arguments counts as one that has failed, and the call is refused."""

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        refusal, given, mark = await original(run, subject, args)
        failed = error("INTERNAL_ERROR", "the hook failed", "hook_failed")
        return (failed, args, {}) if mark else (refusal, given, mark)

    patch.around(HOOKED, hooked)


@miniature("writes-are-not-repeated-by-default", breaks="RETRY-11", seen_in="SC-18/failed-by-default")
def _(patch: Patch) -> None:
    """A failed write without a guard is given up if only the defaults of the plan ask for retries."""

    def again(due: bool, case: Due) -> bool:
        writes = case.step.tool.risk_level != "read-only"
        guarded = {"expectedEtag", "ifNotExists", "collisionStrategy"} & case.args.keys()
        return due and not (writes and not guarded and "retry" not in case.run.plan.by_id[case.step.id])

    patch.retry(again)


@miniature("silence-is-final-for-writes", breaks="RETRY-11", seen_in="SC-18/failed-by-default")
def _(patch: Patch) -> None:
    """A write without a guard that timed out with unknown effects is given up, though its own step asks for retries."""

    def again(due: bool, case: Due) -> bool:
        unheard = case.ending.status == "timeout" and case.ending.effects is None
        guarded = {"expectedEtag", "ifNotExists", "collisionStrategy"} & case.args.keys()
        return due and not (unheard and not guarded and case.step.tool.risk_level != "read-only")

    patch.retry(again)

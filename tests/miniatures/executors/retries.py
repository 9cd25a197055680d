"""RETRY: attempts that are too many, too few, too early, or wrongly recorded."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import (
    ATTEMPT,
    FRESH,
    LOGICAL_CALL,
    STEP,
    Due,
    Patch,
    Record,
    changed,
)


@miniature("attempts-not-counted", breaks="RETRY-01", also=("DEP-07",))
def _(patch: Patch) -> None:
    """Every attempt says that it is the first."""
    patch.around(FRESH, lambda original, subject, attempt=1: original(subject, 1))


@miniature("one-attempt-more", breaks="RETRY-03")
def _(patch: Patch) -> None:
    """A call is attempted once more than it may be."""
    patch.around(STEP, _with(lambda step: changed(step, attempts=step.attempts + (step.attempts > 1))))


@miniature("no-means-not-yet", breaks="RETRY-04")
def _(patch: Patch) -> None:
    """A failure is retried although the tool said that a retry is useless."""

    def law(again: bool, due: Due) -> bool:
        return again or (due.left and due.ending.error is not None and due.ending.error.get("retryable") is False)

    patch.retry(law)


@miniature("better-safe-than-sorry", breaks="RETRY-05")
def _(patch: Patch) -> None:
    """A call that succeeded at a second attempt is made once more, if there is an attempt left."""
    patch.retry(lambda again, due: again or (due.left and due.ending.ok and due.number > 1))


@miniature("wrong-arguments-tried-again", breaks="RETRY-06", also=("RETRY-04",))
def _(patch: Patch) -> None:
    """A call with invalid arguments is repeated."""

    def law(again: bool, due: Due) -> bool:
        return again or (due.left and due.ending.error is not None and due.ending.error["code"] == "VALIDATION_ERROR")

    patch.retry(law)


@miniature(
    "retries-turn-their-arguments",
    breaks="RETRY-09",
    also=("LOG-06", "REF-07", "REF-14", "VAL-04"),
    seen_in="SC-05/own-budgets",
)
def _(patch: Patch) -> None:
    """A second attempt goes out with altered arguments."""

    async def attempt(original: Any, run: Any, subject: Any, args: Record) -> Any:
        if subject.attempt > 1:
            args = {n: f"{v}!" if isinstance(v, str) and n not in ("path",) else v for n, v in args.items()}
        return await original(run, subject, args)

    patch.around(ATTEMPT, attempt)


@miniature("first-word-is-the-last", breaks="RETRY-10", also=("DEP-05", "EVT-18", "TIME-11"))
def _(patch: Patch) -> None:
    """A step that succeeded at its second attempt counts as failed."""

    async def logical_call(original: Any, run: Any, subject: Any) -> Any:
        ending = await original(run, subject)
        if ending.ok and (run.id, subject.step.id) in retried:
            return ending._replace(status="error", data=None)
        return ending

    async def attempt(original: Any, run: Any, subject: Any, args: Record) -> Any:
        if subject.attempt > 1:
            retried.add((run.id, subject.step.id))
        return await original(run, subject, args)

    retried: set[tuple[str, str]] = set()
    patch.around(LOGICAL_CALL, logical_call)
    patch.around(ATTEMPT, attempt)


@miniature("never-tries-again", breaks="RETRY-11", also=("RETRY-12",))
def _(patch: Patch) -> None:
    """A failure that may be retried is not retried."""
    patch.around(STEP, _with(lambda step: changed(step, attempts=1)))


@miniature("iterations-share-their-attempts", breaks="RETRY-12", also=("RETRY-11",))
def _(patch: Patch) -> None:
    """The retries of one iteration are taken from those of the next."""
    used: dict[tuple[str, str], int] = defaultdict(int)

    def law(again: bool, due: Due) -> bool:
        return again and (due.step.loop is None or used[due.run.id, due.step.id] < due.step.attempts - 1)

    async def attempt(original: Any, run: Any, subject: Any, args: Record) -> Any:
        used[run.id, subject.step.id] += subject.attempt > 1
        return await original(run, subject, args)

    patch.retry(law)
    patch.around(ATTEMPT, attempt)


@miniature("no-time-to-wait", breaks="RETRY-18")
def _(patch: Patch) -> None:
    """Attempts follow each other at once, whatever backoff was asked for."""
    patch.around(STEP, _with(lambda step: changed(step, backoff_ms=0)))


@miniature("three-attempts-by-default", breaks="RETRY-19", also=("RETRY-03",))
def _(patch: Patch) -> None:
    """A read-only step that says nothing about retries gets three attempts."""

    def step(original: Any, source: Record, links: Any) -> Any:
        reads = links.registry[source["tool"]].get("riskLevel") == "read-only"
        return original({"retry": {"maxAttempts": 3, "backoffMs": 0}, **source} if reads else source, links)

    patch.around(STEP, step)


@miniature("lowered-without-a-word", breaks="RETRY-17")
def _(patch: Patch) -> None:
    """The policy lowers the attempts of a step, and no record says so."""

    def change(record: Record) -> None:
        if record["type"] == "run.started":
            record.pop("payload", None)

    patch.record("event", change)


def _with(change: Any) -> Any:
    return lambda original, *given: change(original(*given))

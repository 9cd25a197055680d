"""Executors that misread an absent member, and one that does not look for paths in every part of a schema."""

from __future__ import annotations

from typing import Any

from miniatures.miniature import miniature
from miniatures.points import LOAD, OUTSIDE, SCHEMAS, START, STEP, Due, Patch, Record, changed


@miniature("no-switch-is-off", breaks="POL-02", also=("POL-03", "POL-09", "POL-15"), seen_in="SC-31")
def _(patch: Patch) -> None:
    """A sandbox that does not say whether it is on counts as off."""

    def outside(original: Any, path: str, sandbox: Record, root: Any) -> Any:
        return original(path, sandbox, root) if "enabled" in sandbox else None

    patch.around(OUTSIDE, outside)


@miniature("no-roots-allow-nothing", breaks="POL-10", seen_in="SC-31")
def _(patch: Patch) -> None:
    """A sandbox that names no roots allows no path at all."""
    patch.around(OUTSIDE, lambda original, path, sandbox, root: original(path, {"allowedRoots": [], **sandbox}, root))


@miniature("paths-declared-elsewhere-unseen", breaks="POL-04", also=("POL-02",), seen_in="SC-14")
def _(patch: Patch) -> None:
    """Paths that a schema declares by reference or in branches are not judged."""
    patch.around(SCHEMAS, lambda _original, schemas, _root: (each for each in schemas if isinstance(each, dict)))


@miniature("no-limit-means-any-number", breaks="DEP-03", seen_in="SC-31")
def _(patch: Patch) -> None:
    """If the policy says nothing about concurrency, four calls are open at once."""

    def start(original: Any, run: Any, plan: Any, *rest: Any) -> None:
        if "maxConcurrency" not in plan.policy["limits"]:
            plan.slots = 4
        original(run, plan, *rest)

    patch.around(START, start)


@miniature("no-wait-unless-told", breaks="RETRY-18", seen_in="SC-31")
def _(patch: Patch) -> None:
    """Attempts follow each other at once if the plan does not say how long to wait."""

    def step(original: Any, source: Record, plan: Any) -> Any:
        made = original(source, plan)
        return made if "backoffMs" in source.get("retry", {}) else changed(made, backoff_ms=0)

    patch.around(STEP, step)


@miniature("aborted-only-where-declared", breaks="CANC-02", also=("CALL-09",), seen_in="SC-31")
def _(patch: Patch) -> None:
    """A tool whose descriptor does not say that it can be cancelled is taken for one that cannot."""
    patch.around(
        LOAD,
        lambda original, descriptor: changed(original(descriptor), cancellable=descriptor.get("cancellable") is True),
    )


@miniature("defaults-outrank-the-step", breaks="RETRY-03", also=("DEP-04", "RETRY-18", "RETRY-19"), seen_in="SC-31")
def _(patch: Patch) -> None:
    """The defaults of the plan replace what a step says itself."""
    patch.around(STEP, lambda original, source, plan: original(source | plan.source.get("defaults", {}), plan))


@miniature("blind-retries-by-default", breaks="RETRY-15", seen_in="SC-18")
def _(patch: Patch) -> None:
    """A write that timed out with unknown effects is repeated, guarded or not, whenever retries are left."""
    patch.retry(lambda again, due: again or (due.left and _timed_out(due)))


def _timed_out(due: Due) -> bool:
    return due.ending.error is not None and due.ending.error["code"] == "TIMEOUT"


@miniature("blind-writes-are-never-repeated", breaks="RETRY-11", seen_in="SC-18/unheard-and-asked-for")
def _(patch: Patch) -> None:
    """A write without a guard that timed out with unknown effects is not repeated, even if its own step asks for it."""
    guards = {"expectedEtag", "ifNotExists", "collisionStrategy"}

    def again(due: bool, case: Due) -> bool:
        blind = (
            case.step.tool.risk_level != "read-only" and case.ending.effects is None and not guards & case.args.keys()
        )
        return due and not (blind and _timed_out(case))

    patch.retry(again)


@miniature("two-point-nought-is-no-number", breaks="RETRY-11", seen_in="SC-31")
def _(patch: Patch) -> None:
    """A number of attempts that is spelt with a point is ignored, and only one attempt is made."""

    def step(original: Any, source: Record, plan: Any) -> Any:
        made = original(source, plan)
        return changed(made, attempts=1) if isinstance(source.get("retry", {}).get("maxAttempts"), float) else made

    patch.around(STEP, step)

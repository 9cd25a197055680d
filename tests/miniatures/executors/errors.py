"""ERR: failures under the wrong name."""

from __future__ import annotations

import re
from typing import Any

from callproof.checks.code_names import UNCODED, baseline_of
from callproof_reference.steps import BROKEN

from miniatures.miniature import miniature
from miniatures.points import (
    BREACH,
    DISPATCHED,
    INVALID,
    REPORTED,
    SUITE_ANSWER,
    Patch,
    Record,
)


def _renamed(patch: Patch, code: str, name: str) -> None:
    def reported(original: Any, told: Record) -> Any:
        error = original(told)
        return {**error, "code": name} if error["code"] == code else error

    patch.around(REPORTED, reported)


@miniature("not-found-is-internal", breaks="ERR-01")
def _(patch: Patch) -> None:
    """A missing file is reported as INTERNAL_ERROR."""
    _renamed(patch, "NOT_FOUND", "INTERNAL_ERROR")


@miniature("conflict-is-not-found", breaks="ERR-02")
def _(patch: Patch) -> None:
    """A file that has changed, or is already there, is reported as NOT_FOUND."""
    _renamed(patch, "CONFLICT", "NOT_FOUND")


@miniature("nothing-selected-is-not-found", breaks="ERR-03")
def _(patch: Patch) -> None:
    """A missing selection is reported as NOT_FOUND."""
    _renamed(patch, "PRECONDITION_FAILED", "NOT_FOUND")


@miniature("denials-look-like-mistakes", breaks="ERR-04")
def _(patch: Patch) -> None:
    """A call of a denied tool is reported as VALIDATION_ERROR."""

    def breach(original: Any, *given: Any) -> Any:
        error = original(*given)
        denied = error is not None and error["details"]["reason"] == "denied_tool"
        return {**error, "code": "VALIDATION_ERROR"} if denied else error

    patch.around(BREACH, breach)


@miniature("a-broken-tool-was-not-found", breaks="ERR-05", also=("ERR-10",))
def _(patch: Patch) -> None:
    """A tool that breaks without an error of its own is reported as NOT_FOUND."""
    from callproof_reference import steps

    steps.BROKEN = {**steps.BROKEN, "code": "NOT_FOUND"}


@miniature("what-a-tool-throws-is-swallowed", breaks="ERR-06")
def _(patch: Patch) -> None:
    """A tool that breaks counts as done."""
    from callproof_reference.steps import Answer

    def suite_answer(original: Any, message: Record) -> Any:
        return original(message) if "result" in message or "data" in message["error"] else Answer({})

    patch.around(SUITE_ANSWER, suite_answer)


@miniature("wrong-arguments-are-internal", breaks="ERR-07")
def _(patch: Patch) -> None:
    """Arguments that break the schema are reported as INTERNAL_ERROR."""

    def invalid(original: Any, *given: Any) -> Any:
        error = original(*given)
        return {**error, "code": "INTERNAL_ERROR", "retryable": False} if error else None

    patch.around(INVALID, invalid)


@miniature("words-of-other-layers-kept", breaks="RES-14", seen_in="SC-22")
def _(patch: Patch) -> None:
    """A code that is not of the baseline is passed on as it came."""

    def reported(original: Any, told: Record) -> Any:
        error = original(told)
        own = error.get("details", {}).get("toolCode")
        of_others = own is None or baseline_of(own) is not None or own.lower() in UNCODED  # which break ERR-10 too
        return error if of_others else {**error, "code": own}

    patch.around(REPORTED, reported)


@miniature("capitals-make-a-code", breaks="ERR-10", also=("RES-13", "RES-14"), seen_in="SC-22/names-of-other-layers")
def _(patch: Patch) -> None:
    """Whatever a tool reports in capitals is passed on as a code of its own."""

    def reported(original: Any, told: Record) -> Any:
        error, own = original(told), str(told.get("code"))
        return {**error, "code": own} if re.fullmatch("[A-Z_]+", own) else error

    patch.around(REPORTED, reported)


@miniature("what-breaks-in-a-loop-is-done", breaks="ERR-06", seen_in="SC-22/in-a-loop")
def _(patch: Patch) -> None:
    """A tool that breaks for an item of a loop counts as done, with empty data."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        if subject.iteration is not None and ending.error == BROKEN:
            return ending._replace(status="ok", error=None, data={})
        return ending

    patch.around(DISPATCHED, dispatched)


@miniature("in-a-loop-nothing-is-missing", breaks="ERR-01", seen_in="SC-16/fails-in-a-loop")
def _(patch: Patch) -> None:
    """What the system's own tools do not find in a loop is reported as INTERNAL_ERROR."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        own = subject.step.tool.own and subject.iteration is not None
        if own and ending.error and ending.error["code"] == "NOT_FOUND":
            return ending._replace(error={**ending.error, "code": "INTERNAL_ERROR", "details": {}})
        return ending

    patch.around(DISPATCHED, dispatched)

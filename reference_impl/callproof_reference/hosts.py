"""Who runs a tool: whoever started the run, or this executor on its folder.

Both give the same answer: what the tool returned or how it failed, and what was seen to change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, cast

from callproof_reference.errors import error, is_plain_object, reported
from callproof_reference.failure import ToolFailure
from callproof_reference.jsontext import Json, Object, copied
from callproof_reference.observe import effects, snapshot
from callproof_reference.records import Subject
from callproof_reference.registry import Tool
from callproof_reference.schemapaths import declared
from callproof_reference.tools import REGISTRY
from callproof_reference.turns import Promise, kept
from callproof_reference.vault import Vault


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from a tool; `output` counts where `error` is None."""

    output: object = None
    error: Object | None = None
    effects: Object | None = None
    stopped: bool = False  # one of our own tools gave up, as it was told to


class Host(Protocol):
    """Whoever started the run, as the engine sees it."""

    def invoke(self, subject: Subject, args: Object) -> Promise[Answer]:
        """Enter a tool of theirs."""
        ...

    def abort(self, subject: Subject, reason: str) -> None:
        """Tell a tool of theirs to stop; `timeout` or `cancelled` (TIME-04, CANC-02)."""
        ...

    def hook(self, subject: Subject, args: Object) -> Promise[Json]:
        """Ask their hook; anything but a decision means that it failed (A76)."""
        ...

    def told(self, kind: str, record: Object) -> None:
        """A record was written."""
        ...

    def finished(self) -> None:
        """Nothing more will be written or dispatched."""
        ...


@dataclass(frozen=True, slots=True)
class NobodyElse:
    """The host of a run that has only our own tools; `tell` hears of every record."""

    tell: Callable[[str, Object], None]

    def invoke(self, subject: Subject, args: Object) -> Promise[Answer]:
        """There is no such tool."""
        return kept(Answer(error=broken()))

    def abort(self, subject: Subject, reason: str) -> None:
        """There is nobody to tell."""

    def hook(self, subject: Subject, args: Object) -> Promise[Json]:
        """There is no hook, which is a failing one."""
        return kept(None)

    def told(self, kind: str, record: Object) -> None:
        """Pass the record on."""
        self.tell(kind, record)

    def finished(self) -> None:
        """There is nobody to tell."""


def broken() -> Object:
    """The error of a tool that broke. What it threw is not repeated: it may hold anything (MSG-07, ERR-05, ERR-06)."""
    return error("INTERNAL_ERROR", "the tool broke without saying why", "execution_failed")


def observed(value: object) -> Object | None:
    """The effects that a tool's host saw, if they are any."""
    return cast("Object", copied(cast("Json", value))) if is_plain_object(value) else None


def run_own(tool: Tool, args: Object, root: Path, aborted: Callable[[], bool]) -> Answer:
    """
    Run one of our own tools to its end, and see what it changed (EFF-01, EFF-10).

    Nothing else of ours runs meanwhile, so no sibling's changes are taken for its own (EFF-16).
    """
    before = snapshot(root)
    answer = _answer(tool, args, Vault(root, aborted))
    return replace(answer, effects=cast("Object", effects(before, snapshot(root))))


def _answer(tool: Tool, args: Object, vault: Vault) -> Answer:
    try:
        output = REGISTRY[tool.name].run(vault, args)
        return Answer(declared(cast("Json", output), tool.output_schema))  # A69
    except ToolFailure as failure:
        if failure.code == "CANCELLED":
            return Answer(stopped=True)
        told = {"code": failure.code, "message": failure.message, "details": failure.details}
        return Answer(error=reported(cast("Json", {**told, "retryable": failure.retryable})))
    except BaseException:  # noqa: BLE001 - whatever a tool throws becomes a result (ERR-06)
        return Answer(error=broken())

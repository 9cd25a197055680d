"""EFF: the system's own tools do what they were told not to do, and report it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import OWN_TOOL, Patch, Record


def _takes(patch: Patch, tool: str, change: Callable[[Record], Record]) -> None:
    """Give one of the system's own tools other arguments than were validated and logged."""

    def own(original: Any, of: Any, args: Record, *more: Any) -> Any:
        return original(of, change(args) if of.name == tool else args, *more)

    patch.around(OWN_TOOL, own)


def _without(args: Record, name: str) -> Record:
    return {member: value for member, value in args.items() if member != name}


@miniature("what-is-added-takes-the-place", breaks="EFF-26", seen_in="SC-16/append")
def _(patch: Patch) -> None:
    """A text that should be appended replaces what the file held."""
    _takes(patch, "vault.writeFile", lambda args: _without(args, "mode"))


@miniature("no-other-name-is-sought", breaks="EFF-26", seen_in="SC-16/exists-unique")
def _(patch: Patch) -> None:
    """Under create-unique the file that has the name is overwritten."""

    def change(args: Record) -> Record:
        unique = args.get("collisionStrategy") == "create-unique"
        return {**args, "collisionStrategy": "overwrite"} if unique else args

    _takes(patch, "vault.createFile", change)


@miniature("a-move-takes-the-name-it-likes", breaks="EFF-26", seen_in="SC-17/odd")
def _(patch: Patch) -> None:
    """A move that is to take the next free name replaces the file that has the name."""

    def change(args: Record) -> Record:
        unique = args.get("collisionStrategy") == "create-unique"
        return {**args, "collisionStrategy": "overwrite"} if unique else args

    _takes(patch, "vault.rename", change)


@miniature("the-strategy-outranks-if-not-exists", breaks="EFF-26", seen_in="SC-16/exists-left")
def _(patch: Patch) -> None:
    """A file is overwritten despite ifNotExists if the strategy says overwrite."""
    _takes(patch, "vault.createFile", lambda args: _without(args, "ifNotExists"))


@miniature("etags-are-not-compared", breaks="EFF-26", also=("ERR-02",), seen_in="SC-16/guarded")
def _(patch: Patch) -> None:
    """A write is done whatever etag it expects."""
    _takes(patch, "vault.writeFile", lambda args: _without(args, "expectedEtag"))


@miniature("for-good-unless-asked", breaks="EFF-26", seen_in="SC-17/trash")
def _(patch: Patch) -> None:
    """What is deleted is gone for good if the call does not mention the trash."""
    _takes(patch, "vault.delete", lambda args: {"trash": False, **args})

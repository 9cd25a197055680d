"""A broken pipeline: the reference with one fault, in what it reports or in how it carries calls through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from altered_wire import Message, Tells
from callproof_reference.pipelines.batch import Batch
from callproof_reference.pipelines.invocation import Invocation


@dataclass(frozen=True, slots=True)
class Kind:
    """
    A pipeline that differs from the reference in one way.

    ``breaks`` is the requirement that must catch it, and ``also`` those that the same fault breaks inevitably.
    ``tells`` makes, for one conversation, the function that changes each message that the pipeline sends.  ``without``
    are the features that it does not claim.
    """

    name: str
    says: str
    breaks: str = ""
    also: tuple[str, ...] = ()
    tells: Callable[[], Tells] | None = None
    batch: type[Batch] = Batch
    without: tuple[str, ...] = ()


def carrying(how: type[Invocation]) -> type[Batch]:
    """The batch that carries its calls through in this way."""
    return type("Altered", (Batch,), {"how": how})


def record_of(message: Message, kind: str | None = None) -> Message:
    """The record in a message, if it is of this kind; an empty one otherwise."""
    told: Message = message["params"]["record"] if message.get("method") == "record" else {}
    return told if kind in (None, told.get("record")) else {}


def with_record(message: Message, /, **members: Any) -> Message:
    """The same message with other members in its record; those that are None are left out."""
    told = {**record_of(message), **members}
    return {**message, "params": {"record": {name: each for name, each in told.items() if each is not None}}}

"""A broken system: the reference with one fault, in what it does or in what it records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from callproof_reference.invocations.orchestrator import Requested
from callproof_reference.invocations.runtime import Response
from callproof_reference.invocations.service import _FEATURES as ALL

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """
    A system that differs from the reference in one way.

    ``breaks`` is the requirement that must catch it, and ``also`` those that the same fault breaks inevitably.
    """

    name: str
    says: str
    gives: type[Response]
    breaks: str = ""
    also: tuple[str, ...] = ()
    features: str = ALL


def telling(change: Callable[[Record], Record | None]) -> type[Response]:
    """A system whose records are changed on their way out; None leaves one out."""

    class Altered(Response):
        def _record(self, one: Requested, tools: list[Requested]) -> Record:
            return change(super()._record(one, tools)) or {}

    return Altered


def with_outcome(record: Record, **members: Any) -> Record:
    """
    A record with other members in its outcome, in every place that states the outcome; None removes a member.

    The events of other tools stay as they are.
    """

    def changed(part: Record) -> Record:
        return {name: each for name, each in {**part, **members}.items() if each is not None}

    tool = record["intent"]["toolName"]
    return {
        **record,
        "outcome": changed(record["outcome"]),
        "reported": {source: changed(each) for source, each in record["reported"].items()},
        "execution": [changed(each) if each.get("toolName") == tool else each for each in record["execution"]],
    }


def with_generation(record: Record, status: str | None) -> Record:
    """A record whose metadata give the generation another status, or no status if it is None."""
    events = [each for each in record["execution"] if each["kind"] != "generation"]
    return {**record, "execution": [*events, *([{"kind": "generation", "status": status}] if status else [])]}

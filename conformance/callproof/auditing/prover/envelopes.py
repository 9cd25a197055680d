"""The records of a run as structures: their shapes, closed, with instants left as texts.

A record that decodes as one of these has the members and types that the specification demands,
and no others.  A record that does not decode is not wrong: it is handed over, and the checks decide.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, defstruct
from msgspec.structs import fields

from callproof.auditing.prover.schema_types import EXACT

Filled = Annotated[str, Meta(min_length=1)]
Positive = Annotated[int, Meta(ge=1, le=EXACT)]
Natural = Annotated[int, Meta(ge=0, le=EXACT)]
Risk = Literal["read-only", "writes", "commands"]
Status = Literal["ok", "error", "timeout", "cancelled", "skipped"]


class Iteration(Struct, forbid_unknown_fields=True, gc=False, rename="camel"):
    """The item of an iteration."""

    index: Natural
    item_name: str
    item_value: Raw


class Entry(Struct, forbid_unknown_fields=True, gc=False, rename="camel"):
    """One path that effects list as created, modified or deleted; ``effects`` says which members fit where."""

    path: Filled
    kind: Literal["file", "folder"]
    trashed: bool | UnsetType = UNSET
    before_etag: str | UnsetType = UNSET
    after_etag: str | UnsetType = UNSET


class Rename(Struct, forbid_unknown_fields=True, gc=False, rename={"old": "from", "new": "to"}):
    """One rename that effects list."""

    old: Filled
    new: Filled


class Effects(Struct, forbid_unknown_fields=True, gc=False, rename="camel"):
    """What a call did, as its result reports it."""

    side_effects_observed: list[str] | UnsetType = UNSET
    created: list[Entry] | UnsetType = UNSET
    modified: list[Entry] | UnsetType = UNSET
    deleted: list[Entry] | UnsetType = UNSET
    renamed: list[Rename] | UnsetType = UNSET


class AnyCall(Struct, forbid_unknown_fields=True, gc=False, kw_only=True, rename="camel"):
    """A call whose args are left as text."""

    call_id: Filled
    run_id: str
    step_id: str
    attempt: Positive
    args: Raw
    args_hash: str | UnsetType = UNSET
    timeout_ms: Positive | UnsetType = UNSET
    cancellable: bool
    deadline_at: str | UnsetType = UNSET
    iteration: Iteration | UnsetType = UNSET
    loop_id: str | UnsetType = UNSET
    created_at: str
    planner_version: str | UnsetType = UNSET
    executor_version: Filled
    tool_registry_version: Filled
    preview: str | UnsetType = UNSET
    risk_level: Risk
    category: str | UnsetType = UNSET
    policy: Raw
    confirmation_id: str | UnsetType = UNSET
    # The last member, so that the others have the same places as in the structures of tools, which lack it.
    tool: str


class AnyResult(Struct, forbid_unknown_fields=True, gc=False, kw_only=True, rename="camel"):
    """A result whose data are left as text."""

    call_id: Filled
    run_id: str
    step_id: str
    attempt: Natural
    status: Status
    ok: bool
    data: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET
    started_at: str
    ended_at: str
    duration_ms: Natural | Annotated[float, Meta(ge=0)]
    effects: Effects | UnsetType = UNSET
    data_hash: str | UnsetType = UNSET
    user_message: str | UnsetType = UNSET
    debug_message: str | UnsetType = UNSET
    iteration: Iteration | UnsetType = UNSET
    # The last member, so that the others have the same places as in the structures of tools, which lack it.
    tool: str


EventType = Literal[
    "run.started",
    "run.confirmationRequested",
    "run.confirmed",
    "run.cancelled",
    "run.finished",
    "step.scheduled",
    "step.started",
    "step.progress",
    "step.finished",
    "step.failed",
]


class Event(Struct, forbid_unknown_fields=True, gc=False, rename="camel"):
    """An event."""

    type: EventType
    run_id: str
    timestamp: str
    level: Literal["info", "warn", "error"]
    message: str
    call_id: Filled | UnsetType = UNSET
    step_id: str | UnsetType = UNSET
    tool: str | UnsetType = UNSET
    payload: dict[str, Any] | UnsetType = UNSET
    # In a file the line gives the order, and no other record has a number to compare this one with.
    seq: Annotated[int, Meta(ge=-EXACT, le=EXACT)] | UnsetType = UNSET


# A name for which no tool is proved.
NO_TOOL: Final = "\x00"


class Nothing(Struct, forbid_unknown_fields=True, gc=False, tag_field="tool", tag=NO_TOOL):
    """Matches no record.  Beside it each record has to name its tool, even if the run has only one tool."""

    never: Annotated[int, Meta(gt=0, lt=1)]


class Confirmation(Struct, forbid_unknown_fields=True, gc=False, rename="camel"):
    """The decision in a run record."""

    confirmation_id: Filled
    decision: str
    decided_at: str
    plan_hash: Filled | UnsetType = UNSET
    policy_hash: Filled | UnsetType = UNSET
    expires_at: str | UnsetType = UNSET


class RunRecord(Struct, gc=False, rename="camel"):
    """A run record; its larger members are left as text.  No law is about members of other names."""

    spec_version: Filled
    run_id: Filled
    plan: Raw
    policy: Raw
    tools: Raw | UnsetType = UNSET
    confirmation: Confirmation | UnsetType = UNSET
    created_at: str | UnsetType = UNSET
    # What a redacted plan would have said is unknown (A42).
    redacted: Annotated[int, Meta(gt=0, lt=1)] | UnsetType = UNSET


_TOOL: Final = "tool"


def typed(shape: type[Struct], member: str, kind: Any, tool: str | None = None) -> type[Struct]:
    """A shape with another type for one member; if ``tool`` is given, for the records of that tool only."""
    made: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for each in fields(shape):
        if each.name == member:
            made.append((member, kind) if each.required else (member, kind | UnsetType, UNSET))
        elif each.name != _TOOL or tool is None:
            made.append((each.name, each.type) if each.required else (each.name, each.type, UNSET))
    return defstruct(
        shape.__name__,
        made,
        namespace={"__module__": __name__},
        kw_only=True,
        forbid_unknown_fields=True,
        gc=False,
        rename="camel",
        tag_field=_TOOL if tool is not None else None,
        tag=tool,
    )

"""The model of ``spec/execution-events.md``."""

from __future__ import annotations

from typing import Literal, TypeAlias

from callproof.models.members import Array, Document, Integer, JsonObject, Text

EventType: TypeAlias = Literal[
    "run.started",
    "run.confirmationRequested",
    "run.confirmed",
    "run.cancelled",
    "step.scheduled",
    "step.started",
    "step.progress",
    "step.finished",
    "step.failed",
    "run.finished",
]


class ExecutionEvent(Document):
    """Something that happened in a run."""

    type: EventType
    run_id: Text
    timestamp: str
    level: Literal["info", "warn", "error"]
    message: str
    call_id: str | None = None
    step_id: str | None = None
    tool: str | None = None
    payload: JsonObject | None = None
    seq: Integer | None = None
    redacted: Array[str] | None = None

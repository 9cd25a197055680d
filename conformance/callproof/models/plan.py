"""The models of ``spec/plan.md``."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field, StringConstraints

from callproof.models.members import (
    Array,
    ClosedDocument,
    DistinctTexts,
    Given,
    Integer,
    JsonObject,
    Name,
    Positive,
    Text,
)

StepId: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]
OnError: TypeAlias = Literal["stop", "skip", "retry"]
RiskLevel: TypeAlias = Literal["read-only", "writes", "commands"]


class RetryPolicy(ClosedDocument):
    """How often a failing step may be attempted, and the pause between attempts."""

    max_attempts: Given[Annotated[Integer, Field(ge=1, le=10)]] = None
    max_retries: Given[Annotated[Integer, Field(ge=0, le=9)]] = None
    backoff_ms: Given[Annotated[Integer, Field(ge=0, le=600_000)]] = None


class Foreach(ClosedDocument):
    """A step that runs once for each item of an array."""

    from_: Text = Field(alias="from")
    item_name: Name
    index_name: Given[Name] = None
    concurrency: Given[Positive] = None


class PlanStep(ClosedDocument):
    """One thing that a plan wants done."""

    id: StepId
    tool: Text
    args: JsonObject
    preview: Given[str] = None
    depends_on: Given[DistinctTexts[StepId]] = None
    foreach: Given[Foreach] = None
    capture_as: Given[Name] = None
    on_error: Given[OnError] = None
    retry: Given[RetryPolicy] = None
    timeout_ms: Given[Positive] = None
    tags: Given[Array[str]] = None


class PlanDefaults(ClosedDocument):
    """The values for a step that gives none of its own."""

    on_error: Given[OnError] = None
    retry: Given[RetryPolicy] = None


def _at_least_one(steps: tuple[PlanStep, ...]) -> tuple[PlanStep, ...]:
    if not steps:
        raise ValueError("a plan has at least one step")
    return steps


class Plan(ClosedDocument):
    """Steps towards a goal, as a planner wrote them."""

    version: Annotated[str, StringConstraints(pattern=r"^1\.[0-9]+(\.[0-9]+)?$")]
    goal: str
    risk_level: RiskLevel
    steps: Annotated[Array[PlanStep], AfterValidator(_at_least_one)]
    assumptions: Given[Array[str]] = None
    context_requests: Given[Array[JsonObject]] = None
    defaults: Given[PlanDefaults] = None
    outputs: Given[JsonObject] = None
    ui_hints: Given[JsonObject] = None

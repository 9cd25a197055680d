"""The models of ``spec/confirmation.md`` and ``spec/audit-log.md``: what run.json holds."""

from __future__ import annotations

from typing import Literal

from callproof.models.members import Array, Document, Given, JsonObject, Text
from callproof.models.policy import Policy
from callproof.models.tool_descriptor import ToolDescriptor


class Confirmation(Document):
    """The decision about one run, and what it was about."""

    confirmation_id: Text
    decision: Literal["approved", "rejected"]
    decided_at: Text
    plan_hash: Given[Text] = None
    policy_hash: Given[Text] = None
    expires_at: Given[Text] = None


class RunRecord(Document):
    """One run: its plan, its policy, its decision."""

    spec_version: str | None = None
    run_id: Text
    plan: JsonObject
    policy: Policy
    tools: Array[ToolDescriptor] | None = None
    confirmation: Confirmation | None = None
    created_at: str | None = None
    replay_of: str | None = None
    redacted: Array[str] | None = None

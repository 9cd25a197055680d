"""The models of ``spec/policy.md``."""

from __future__ import annotations

from callproof.models.members import Array, Document, Given, Positive, Text


class Sandbox(Document):
    """Where tools may reach."""

    enabled: Given[bool] = None
    allowed_roots: Given[Array[Text]] = None
    deny_patterns: Given[Array[Text]] = None


class Limits(Document):
    """How much a run may do at once, how often, and for how long."""

    max_concurrency: Given[Positive] = None
    max_attempts: Given[Positive] = None
    max_timeout_ms: Given[Positive] = None


class Policy(Document):
    """What one run is permitted to do."""

    confirmations_required: bool
    sandbox: Sandbox
    limits: Limits
    denied_tools: Given[Array[Text]] = None

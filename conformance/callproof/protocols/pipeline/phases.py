"""The phases, the failures that end each of them, and the words of a result (``spec/protocols/pipeline.md``)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

RESOLVE: Final = "resolve_tool"
VALIDATE: Final = "validate_values"
PRE_HOOKS: Final = "pre_hooks"
PERMISSION: Final = "permission"
SCHEDULE: Final = "schedule"
EXECUTE: Final = "execute"
MAP: Final = "map_result"
POST_HOOKS: Final = "post_hooks"
PERSIST: Final = "persist_result"
EMIT: Final = "emit_terminal"

# The phases in their order, each with the classes that end it.
ENDED_BY: Final = {
    RESOLVE: frozenset({"unknown_tool", "blocked_tool", "schema_not_loaded"}),
    "parse_schema": frozenset({"schema_validation_failed", "schema_not_loaded"}),
    VALIDATE: frozenset({"invalid_arguments", "setup_required", "sandbox_violation"}),
    "prepare_observable_input": frozenset({"input_mutation_failed"}),
    PRE_HOOKS: frozenset({"hook_blocked", "hook_failed"}),
    PERMISSION: frozenset({"permission_denied", "approval_rejected", "policy_blocked"}),
    SCHEDULE: frozenset({"canceled", "sibling_canceled"}),
    EXECUTE: frozenset({"execution_failed", "timeout", "dependency_unavailable", "canceled", "sibling_canceled"}),
    MAP: frozenset({"result_mapping_failed"}),
    POST_HOOKS: frozenset({"post_hook_failed", "hook_blocked"}),
    PERSIST: frozenset({"result_too_large", "result_redacted"}),
    EMIT: frozenset[str](),
}
RANK: Final = {phase: rank for rank, phase in enumerate(ENDED_BY)}
OF_NO_PHASE: Final = frozenset(
    {"capability_gap", "credential_missing", "rate_limited", "partial_failure", "streaming_fallback_discarded"}
)
KNOWN: Final = OF_NO_PHASE.union(*ENDED_BY.values())
# Classes that are no failures as long as something of the output is left.
OF_OUTPUT: Final = frozenset({"result_too_large", "result_redacted"})

# The phases that may come after the phase that failed.
AFTER_FAILURE: Final = frozenset({POST_HOOKS, PERSIST, EMIT})
# The phases that may come again for an input that was changed.
AGAIN: Final = frozenset(phase for phase, rank in RANK.items() if RANK[RESOLVE] < rank <= RANK[PERMISSION])
# Phases whose failures say nothing about the execution, which is over by then.
LATE: Final = AFTER_FAILURE

# Statuses of a result that are failures in any case, and those that say that nothing was executed.
FAILED_STATUSES: Final = frozenset(
    {"denied", "rejected", "failed", "canceled", "timed_out", "synthetic_error", "discarded"}
)
UNTRIED_STATUSES: Final = frozenset({"denied", "rejected"})
# The terminal events by the outcome that they tell, and whether that is a failure.
OUTCOMES: Final = {
    "tool.invocation.succeeded": False,
    "tool.invocation.failed": True,
    "tool.invocation.canceled": True,
    "tool.invocation.timed_out": True,
}
# The final statuses of an invocation, and whether each is a failure.
ENDS: Final = {
    "succeeded": False,
    "schema_parse_failed": True,
    "validation_failed": True,
    "denied": True,
    "failed": True,
    "canceled": True,
    "timed_out": True,
    "blocked": True,
}
# For each status of a result, the one of those events that contradicts it.
OTHER_ENDS: Final = {"canceled": "tool.invocation.timed_out", "timed_out": "tool.invocation.canceled"}

_OWN: Final = re.compile(r"[^\s./:]+[./:]\S+")
_ANY_BUT_THE_LAST: Final = frozenset(ENDED_BY) - {EMIT}


def is_class(name: str) -> bool:
    """Whether a class is one of the tables, or a system's own class under a namespace."""
    return name in KNOWN or _OWN.fullmatch(name) is not None


def phases_of(error_class: str) -> frozenset[str]:
    """The phases that a class can end; for a class in no row of the table, all but the last."""
    found = frozenset(phase for phase, classes in ENDED_BY.items() if error_class in classes)
    return found or _ANY_BUT_THE_LAST


def in_words(phases: Iterable[str]) -> str:
    """Some phases in their order, for a finding."""
    found = sorted(phases, key=RANK.__getitem__)
    return " or ".join(found) if len(found) < len(RANK) - 1 else f"every phase but {EMIT}"

"""The codes and the reasons that ``spec/error-codes.md`` names."""

from __future__ import annotations

from collections.abc import Mapping

BASELINE = frozenset(
    {
        "VALIDATION_ERROR",
        "POLICY_DENIED",
        "NOT_FOUND",
        "CONFLICT",
        "PRECONDITION_FAILED",
        "TIMEOUT",
        "CANCELLED",
        "INTERNAL_ERROR",
    }
)

# Reasons that say in plain words what happened; one error code goes with each set of them.
MISSING = frozenset({"file_not_found", "folder_not_found", "command_not_found"})
COLLISIONS = frozenset({"etag_mismatch", "target_exists"})
UNPREPARED = frozenset({"no_selection", "no_active_file"})
UNEXPECTED = frozenset({"output_schema", "unserialisable"})

# The failure names of other layers and the codes that they map to (A51).
MAPPED: Mapping[str, str] = {
    **dict.fromkeys(("unknown_tool", "schema_validation_failed", "invalid_arguments"), "VALIDATION_ERROR"),
    **dict.fromkeys(
        (
            "blocked_tool",
            "sandbox_violation",
            "hook_blocked",
            "permission_denied",
            "policy_blocked",
            "approval_rejected",
            "blocked",
        ),
        "POLICY_DENIED",
    ),
    **dict.fromkeys(("setup_required", "dependency_unavailable"), "PRECONDITION_FAILED"),
    **dict.fromkeys(("canceled", "sibling_canceled"), "CANCELLED"),
    "timeout": "TIMEOUT",
    **dict.fromkeys(
        (
            "schema_not_loaded",
            "input_mutation_failed",
            "hook_failed",
            "execution_failed",
            "result_mapping_failed",
            "post_hook_failed",
            "result_too_large",
        ),
        "INTERNAL_ERROR",
    ),
}

# Names of other layers that correspond to no code, and what the records say instead (A51).
UNCODED: Mapping[str, str] = {
    "tool_execution_error": "the tool's own code",
    "result_redacted": "no failure: ok, with a mark of the redaction",
    "pending": "no result while the call is pending",
    **dict.fromkeys(("tool_not_requested", "tool_unavailable"), "status skipped, with the reason"),
}

_BY_LETTERS: Mapping[str, str] = {name.replace("_", "").casefold(): name for name in BASELINE}


def baseline_of(code: str) -> str | None:
    """The baseline code of which a code is another name or another spelling (A51, A52); None for an extension."""
    letters = "".join(sign for sign in code if sign not in "_- ").casefold()
    return MAPPED.get(code.lower()) or _BY_LETTERS.get(letters)

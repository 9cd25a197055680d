"""The reason codes of each version of the contract, and what they say (``spec/protocols/invocation.md``)."""

from __future__ import annotations

from typing import Final

V1: Final = "v1"
REROUTED: Final = "search_rerouted_to_fallback_profile"
NOT_PERMITTED: Final = "search_reroute_not_permitted_by_selection_source"
NO_FALLBACK: Final = "search_reroute_no_tool_capable_fallback_available"
NOT_USED: Final = "tool_not_used"
NOT_REQUESTED: Final = "tool_not_requested"
UNSPECIFIED: Final = "unspecified_tool_outcome"
# The code of the outcome if a report has none, by its status.
DEFAULTS: Final = {"failed": "tool_execution_error", "skipped": UNSPECIFIED}

_V1: Final = frozenset(
    {
        NOT_REQUESTED,
        NOT_USED,
        "tool_unavailable",
        "tool_execution_error",
        "search_not_supported_by_selected_profile",
        UNSPECIFIED,
    }
)
_LATER: Final = frozenset(
    {
        REROUTED,
        NOT_PERMITTED,
        NO_FALLBACK,
        "tool_timeout",
        "tool_http_error",
        "tool_network_error",
        "tool_invalid_response",
    }
)
CODES: Final = {V1: _V1, "2026-05": _V1 | _LATER}
OF_AVAILABILITY: Final = frozenset(
    {
        "tool_unavailable",
        "search_not_supported_by_selected_profile",
        NOT_PERMITTED,
        NO_FALLBACK,
    }
)
# The code for each kind of failure; the keys are the kinds that a probe names.
OF_FAILURES: Final = {
    "execution_error": "tool_execution_error",
    "timeout": "tool_timeout",
    "http_error": "tool_http_error",
    "network_error": "tool_network_error",
    "invalid_response": "tool_invalid_response",
}
# The codes that say that a tool was used and failed.
_OF_USE: Final = frozenset(OF_FAILURES.values())


def says_why(code: str, status: str, contract: str) -> bool:
    """Whether a code can be the reason for a status; after v1, the reason of a failure may be unspecified."""
    if status == "skipped":
        return code not in _OF_USE
    return code in _OF_USE or (contract != V1 and code == UNSPECIFIED)

"""What the driver of a pipeline wrote down beside its records: a note of the case, and what was seen and done."""

from __future__ import annotations

from typing import Final

CASE: Final = "case"
PROBE: Final = "probe"

TOOL_VALIDATED: Final = "tool_validated"
PRE_HOOK: Final = "pre_hook"
PERMISSION_ASKED: Final = "permission_asked"
PERMISSION_ANSWERED: Final = "permission_answered"
TOOL_EXECUTED: Final = "tool_executed"
TOOL_RETURNED: Final = "tool_returned"
TOOL_THREW: Final = "tool_threw"
TOOL_ABORTED: Final = "tool_aborted"
TOOL_WAITED: Final = "tool_waited"
OUTPUT_MAPPED: Final = "output_mapped"
POST_HOOK: Final = "post_hook"
OUTPUT_STORED: Final = "output_stored"
ABORT_CALLED: Final = "abort_called"
ABORT_TAKEN: Final = "abort_taken"
FINISHED: Final = "finished"
GAVE_UP: Final = "gave_up"
PROBES: Final = frozenset(
    {
        TOOL_VALIDATED,
        PRE_HOOK,
        PERMISSION_ASKED,
        PERMISSION_ANSWERED,
        TOOL_EXECUTED,
        TOOL_RETURNED,
        TOOL_THREW,
        TOOL_ABORTED,
        TOOL_WAITED,
        OUTPUT_MAPPED,
        POST_HOOK,
        OUTPUT_STORED,
        ABORT_CALLED,
        ABORT_TAKEN,
        FINISHED,
        GAVE_UP,
    }
)

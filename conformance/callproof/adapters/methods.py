"""Which messages there are, in which direction, and the shapes of what goes with them.

The one table behind the checks of both directions; the shapes stand in ``spec/adapter-protocol.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

RUN_REFUSED = -32001
TOOL_FAILED = -32010
TOOL_BROKE = -32011
METHOD_UNKNOWN = -32601


@dataclass(frozen=True, slots=True)
class Method:
    """
    One message: the shape of its params, and of its answer if it is a request.

    ``refusals`` are the error codes that may answer it, each with the shape of its data or None
    for no data; None permits any error at all.
    """

    params: str
    answer: str | None = None
    refusals: Mapping[int, str | None] | None = field(default_factory=dict[int, "str | None"])


_TAKEN = "adapter/acknowledgement"

TO_SYSTEM: Mapping[str, Method] = {
    "initialize": Method("adapter/initialize", "adapter/initialize-answer"),
    "run/start": Method("adapter/run-start", "adapter/run-start-answer", {RUN_REFUSED: "adapter/run-refusal"}),
    "run/confirm": Method("adapter/run-confirm", _TAKEN),
    "run/cancel": Method("adapter/run-cancel", _TAKEN),
    "clock/advance": Method("adapter/clock-advance", "adapter/clock-advance-answer"),
    "shutdown": Method("adapter/shutdown", _TAKEN),
    "tool/progress": Method("adapter/tool-progress"),
}

TO_SUITE: Mapping[str, Method] = {
    "record": Method("adapter/record"),
    "tool/invoke": Method(
        "adapter/tool-invoke",
        "adapter/tool-invoke-answer",
        {TOOL_FAILED: "adapter/tool-failure", TOOL_BROKE: None},
    ),
    "tool/abort": Method("adapter/tool-abort"),
    "hook/before": Method("adapter/hook-before", "adapter/hook-before-answer", None),
    "run/finished": Method("adapter/run-finished"),
}

"""Reading what a loop said from the lines that the suite writes about it."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.driven.suite import Heard
from callproof.protocols.agent_loop import forms
from callproof.values.jsontext import Json

# The members of a probe that the loop gave, by their names in its message; the suite's answer may stand beside them.
_TOLD: Mapping[str, tuple[str, Mapping[str, str]]] = {
    forms.MODEL_CONTEXT: ("model/call", {"messages": "messages"}),
    forms.TOOL_CALLED: ("tool/call", {"toolCallId": "toolCallId", "toolName": "tool", "params": "params"}),
    forms.TOOL_ABORTED: ("tool/abort", {"toolCallId": "toolCallId"}),
    forms.BEFORE_HOOK: ("hook/before", {"toolCallId": "toolCallId", "toolName": "tool", "params": "args"}),
    forms.AFTER_HOOK: (
        "hook/after",
        {"toolCallId": "toolCallId", "toolName": "tool", "result": "result", "isError": "isError"},
    ),
    forms.PERSIST_HOOK: ("hook/persist", {"message": "shown"}),
    forms.LOOP_FINISHED: ("loop/finished", {}),
}


def heard(line: Mapping[str, Json]) -> Heard | None:
    """What the loop said, if a line tells that; None if it tells what the suite did."""
    if line.get("kind") == "event":
        return Heard("event", {name: line[name] for name in ("event",) if name in line})
    probe = line.get("probe")
    if line.get("kind") != forms.PROBE or not isinstance(probe, str) or probe not in _TOLD:
        return None
    method, members = _TOLD[probe]
    return Heard(method, {name: line[told] for name, told in members.items() if told in line})

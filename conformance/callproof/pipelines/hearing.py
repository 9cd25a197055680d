"""Reading what a pipeline said from the lines that the suite writes about it."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.driven.suite import Heard
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.trace import KINDS
from callproof.values.jsontext import Json

_ASKED: Mapping[str, str] = {
    probes.TOOL_VALIDATED: "tool/validate",
    probes.PRE_HOOK: "hook/pre",
    probes.PERMISSION_ASKED: "permission/ask",
    probes.TOOL_EXECUTED: "tool/execute",
    probes.TOOL_ABORTED: "tool/abort",
    probes.OUTPUT_MAPPED: "tool/map",
    probes.POST_HOOK: "hook/post",
    probes.OUTPUT_STORED: "store/put",
    probes.FINISHED: "pipeline/finished",
}
# The members of a question that the pipeline gives; the suite's answer stands beside them under other names.
_MEMBERS = ("invocation_id", "tool_id", "input", "output", "data")


def heard(line: Mapping[str, Json]) -> Heard | None:
    """What the pipeline said, if a line tells that; None if it tells what the suite did."""
    if line.get("record") in KINDS:
        return Heard("record", {"record": line})
    probe = line.get("probe")
    if line.get("record") != probes.PROBE or not isinstance(probe, str):
        return None
    if probe == probes.ABORT_TAKEN:
        return Heard(None)
    told = {name: line[name] for name in _MEMBERS if name in line}
    return Heard(_ASKED[probe], told) if probe in _ASKED else None

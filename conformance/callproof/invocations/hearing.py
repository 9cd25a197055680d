"""Reading what a system said from the lines that the suite writes about it."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.driven.suite import Heard
from callproof.invocations.case import QUESTION
from callproof.protocols.invocation import driven
from callproof.values.jsontext import Json

_SAID: Mapping[str, tuple[str, tuple[str, ...]]] = {
    driven.PLANNED: ("planner/plan", ()),
    driven.TOOL_USED: ("tool/call", ("profile", "toolName", "input")),
    driven.GENERATED: ("provider/generate", ("profile", "offered", "results")),
    driven.FINISHED: ("invocation/finished", ("text",)),
}


def heard(line: Mapping[str, Json]) -> Heard | None:
    """What the system said, if a line tells that; None if it tells what the suite did."""
    if line.get("kind") == driven.RECORD:
        return Heard("record", {name: line[name] for name in ("record",) if name in line})
    probe = line.get("probe")
    if line.get("kind") != driven.PROBE or not isinstance(probe, str) or probe not in _SAID:
        return None
    method, members = _SAID[probe]
    told = {name: line[name] for name in members if name in line}
    # The planner is asked the question of the user, which is the same in every case.
    return Heard(method, {**told, "question": QUESTION} if probe == driven.PLANNED else told)

"""What the suite sees a loop do, as lines of a log of its protocol."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.driven.log import Log
from callproof.loops.case import PROMPT, LoopCase, Tool
from callproof.protocols.agent_loop.forms import META, PROBE
from callproof.values.jsontext import Json


class LoopLog(Log):
    """A note of the case, events of the loop, and probes of the suite."""

    def __init__(self, case: LoopCase, mode: str) -> None:
        tools: list[Json] = [_told(tool) for tool in case.tools]
        hooks: list[Json] = list(case.hooks.names)
        told: dict[str, Json] = {"kind": META, "case": case.id, "driven": True, "mode": mode, "hooks": hooks}
        if case.excused:
            told["excused"] = list(case.excused)
        super().__init__(case.id, {**told, "tools": tools, "prompt": PROMPT})

    def event(self, event: Json) -> None:
        """Write down what the loop told."""
        self.line({"kind": "event", "event": event})

    def probe(self, name: str, members: Mapping[str, Json]) -> None:
        """Write down what the suite saw or did."""
        self.line({"kind": PROBE, "probe": name, **members})


def _told(tool: Tool) -> Mapping[str, Json]:
    host: Mapping[str, Json] = {"host": "client"} if tool.of_client else {}
    return {"name": tool.name, "parameters": tool.parameters, **host}

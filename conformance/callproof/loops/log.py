"""What a loop was seen to do, written down as a log of its protocol while it happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from callproof.loops.case import LoopCase, Tool
from callproof.protocols.agent_loop.forms import META, PROBE
from callproof.protocols.entries import Entries, Entry
from callproof.trace.records import Source
from callproof.values.jsontext import Json, write_json

# What the user says, to begin with.
PROMPT: Final = "go on"


class Log:
    """The lines of one case, in the order in which they came: a note of the case, events and probes."""

    def __init__(self, case: LoopCase, mode: str) -> None:
        self._case = case.id
        self._name = f"{case.id.replace('/', '-')}.jsonl"
        tools: list[Json] = [_told(tool) for tool in case.tools]
        hooks: list[Json] = list(case.hooks.names)
        told: dict[str, Json] = {"kind": META, "case": case.id, "driven": True, "mode": mode, "hooks": hooks}
        if case.excused:
            told["excused"] = list(case.excused)
        self._lines: list[Mapping[str, Json]] = [{**told, "tools": tools, "prompt": PROMPT}]

    def event(self, event: Json) -> None:
        """Write down what the loop told."""
        self._lines.append({"kind": "event", "event": event})

    def probe(self, name: str, members: Mapping[str, Json]) -> None:
        """Write down what the suite saw, or did."""
        self._lines.append({"kind": PROBE, "probe": name, **members})

    @property
    def entries(self) -> Entries:
        """The log as one that was read."""
        told = (Entry(line, Source(self._name, at)) for at, line in enumerate(self._lines, 1))
        return Entries(self._case, tuple(told))

    @property
    def file_name(self) -> str:
        """The name of the file that findings tell."""
        return self._name

    @property
    def written(self) -> bytes:
        """The log as JSON lines."""
        return "".join(f"{write_json(line)}\n" for line in self._lines).encode("utf-8", "surrogatepass")


def _told(tool: Tool) -> Mapping[str, Json]:
    host: Mapping[str, Json] = {"host": "client"} if tool.of_client else {}
    return {"name": tool.name, "parameters": tool.parameters, **host}

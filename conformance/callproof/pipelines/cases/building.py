"""The parts of the cases: a few tools, and short ways to write calls."""

from __future__ import annotations

from typing import Final

from callproof.pipelines.case import Asked, Tool
from callproof.values.jsontext import Json

READ: Final = Tool(
    "notes.read",
    {
        "type": "object",
        "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": False,
    },
    names=("read", "open_note"),
)
NOTE: Final = Tool("notes.add", {"type": "object", "properties": {"text": {}}, "required": ["text"]})
CLOCK: Final = Tool("clock", {"type": "object", "properties": {}})
FETCH: Final = Tool("web.fetch", {"type": "object", "properties": {"url": {"type": "string"}}}, state="deferred")
SHELL: Final = Tool("shell.run", {"type": "object", "properties": {"command": {}}}, state="blocked")
TOOLS: Final = (READ, NOTE, CLOCK)

# What every call of every case shows of a pipeline, in any event; what a call shows that is turned away; and what a
# call shows that is executed.
ANY: Final = ("PIPE-06", "PIPE-14", "PIPE-18")
AWAY: Final = (*ANY, "PIPE-01", "PIPE-08", "PIPE-10")
DONE: Final = (*ANY, "PIPE-11", "PIPE-12")
FAILED: Final = (*DONE, "PIPE-01", "PIPE-08")


def read(call: str, path: str = "Birds.md", **more: Json) -> Asked:
    """A call of ``notes.read``."""
    return Asked(call, "notes.read", {"path": path, **more})


def note(call: str, text: Json) -> Asked:
    """A call of ``notes.add``."""
    return Asked(call, "notes.add", {"text": text})


def clock(call: str) -> Asked:
    """A call of ``clock``, which takes nothing."""
    return Asked(call, "clock", {})

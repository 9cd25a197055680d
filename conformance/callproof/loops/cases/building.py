"""The parts of the cases: three tools, and short ways to write calls and replies."""

from __future__ import annotations

from typing import Final

from callproof.loops.case import Asked, Reply, Tool
from callproof.values.jsontext import Json

READ: Final = Tool(
    "read",
    {
        "type": "object",
        "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": False,
    },
)
NOTE: Final = Tool("note", {"type": "object", "properties": {"text": {}}, "required": ["text"]})
CLOCK: Final = Tool("clock", {"type": "object", "properties": {}})
ASK: Final = Tool("ask_user", {"type": "object", "properties": {"question": {"type": "string"}}}, of_client=True)
TOOLS: Final = (READ, NOTE, CLOCK)

# What every call of every case shows of a loop, in any event; what a call shows that is carried out; and what a call
# shows whose tool returns.
ANY: Final = ("HOST-01", "HOST-02", "HOST-05", "HOST-07", "HOST-21", "HOST-22", "HOST-23")
TRIED: Final = (*ANY, "HOST-13", "HOST-14", "HOST-15")
DONE: Final = (*TRIED, "HOST-24")


def read(call: str, path: str = "notes.md", **more: Json) -> Asked:
    """A call of ``read``."""
    return Asked(call, "read", {"path": path, **more})


def note(call: str, text: Json) -> Asked:
    """A call of ``note``."""
    return Asked(call, "note", {"text": text})


def asks(*calls: Asked, said: str | None = None, stop: str = "toolUse") -> Reply:
    """A reply with calls."""
    return Reply(calls, said, stop)

"""The invocation protocol of an agent loop: what becomes of every tool call that a model asks for."""

from __future__ import annotations

from callproof.protocols.agent_loop import (
    arguments,
    contexts,
    courses,
    deeds,
    executions,
    hooks,
    ids,
    outcomes,
    progress,
    replies,
    results,
    schemas,
)
from callproof.protocols.agent_loop.calls import EVIDENCE, LAWS, Loop
from callproof.protocols.agent_loop.reading import is_known
from callproof.protocols.agent_loop.trace import loop_of
from callproof.protocols.protocol import LoggedProtocol

__all__ = [
    "PROTOCOL",
    "arguments",
    "contexts",
    "courses",
    "deeds",
    "executions",
    "hooks",
    "ids",
    "outcomes",
    "progress",
    "replies",
    "results",
    "schemas",
]


def noted(loop: Loop) -> str | None:
    """What a report says of the form of a log that is not the loop's own: a verdict does not list what it lacked."""
    if loop.form is None:
        return None
    lacks = ", ".join(name for name in EVIDENCE if name in loop.lacking)
    return f"read as {loop.form}, without {lacks}"


PROTOCOL = LoggedProtocol(
    "agent-loop", "events, a session or messages of an agent loop", is_known, loop_of, LAWS, noted
)

"""The invocation protocol of an agent loop: what becomes of every tool call that a model asks for."""

from __future__ import annotations

from callproof.protocols.agent_loop import arguments, courses, deeds, executions, hooks, ids, results, schemas
from callproof.protocols.agent_loop.calls import LAWS
from callproof.protocols.agent_loop.forms import is_loop
from callproof.protocols.agent_loop.trace import loop_of
from callproof.protocols.protocol import LoggedProtocol

__all__ = ["PROTOCOL", "arguments", "courses", "deeds", "executions", "hooks", "ids", "results", "schemas"]

PROTOCOL = LoggedProtocol("agent-loop", "events or a session of an agent loop", is_loop, loop_of, LAWS)

"""The invocation contract: what planner, orchestrator and runtime have to say about one tool and one response."""

from __future__ import annotations

from callproof.protocols.invocation import outcomes, records
from callproof.protocols.invocation.trace import LAWS, invocations, is_invocation
from callproof.protocols.protocol import LoggedProtocol

__all__ = ["PROTOCOL", "outcomes", "records"]

PROTOCOL = LoggedProtocol(
    "invocation",
    "records of the invocation contract",
    lambda log: bool(log.entries) and is_invocation(log.entries[0]),
    invocations,
    LAWS,
)

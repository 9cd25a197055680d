"""The invocation contract: what planner, orchestrator and runtime have to say about one tool and one response."""

from __future__ import annotations

from callproof.protocols.invocation import answers, deeds, outcomes, records, tellings
from callproof.protocols.invocation.log import LAWS, invocations, is_invocation
from callproof.protocols.protocol import LoggedProtocol

__all__ = ["PROTOCOL", "answers", "deeds", "outcomes", "records", "tellings"]

PROTOCOL = LoggedProtocol(
    "invocation",
    "records of the invocation contract",
    lambda log: bool(log.entries) and is_invocation(log.entries[0]),
    invocations,
    LAWS,
)

"""Every protocol whose logs the suite judges, and the protocol of a log."""

from __future__ import annotations

import difflib
from typing import Final

from callproof.protocols.agent_loop import PROTOCOL as AGENT_LOOP
from callproof.protocols.agent_loop.forms import META, PROBE
from callproof.protocols.entries import Entries
from callproof.protocols.invocation import PROTOCOL as INVOCATION
from callproof.protocols.pipeline import PROTOCOL as PIPELINE
from callproof.protocols.protocol import LoggedProtocol

PROTOCOLS: Final = {each.name: each for each in (AGENT_LOOP, INVOCATION, PIPELINE)}


class UnknownProtocol(LookupError):
    """A name or a log belongs to no protocol; the message says what it was and what is permitted."""


def protocol_called(name: str) -> LoggedProtocol:
    """The protocol with this name.  Raises UnknownProtocol, with the nearest name."""
    if name in PROTOCOLS:
        return PROTOCOLS[name]
    nearest = difflib.get_close_matches(name, PROTOCOLS, n=1)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"permitted: {', '.join(PROTOCOLS)}"
    raise UnknownProtocol(f"{name!r} is not a protocol; {hint}")


def protocol_of(log: Entries) -> LoggedProtocol:
    """The protocol that a log belongs to.  Raises UnknownProtocol if there is none."""
    found = next((each for each in PROTOCOLS.values() if each.recognises(log)), None)
    if found is None:
        if log.entries and all(each.value.get("kind") in (META, PROBE) for each in log.entries):
            raise UnknownProtocol(f"{log.name} holds no records of a protocol: only notes of a capture, and no event")
        expected = "; ".join(f"{each.tells} ({each.name})" for each in PROTOCOLS.values())
        raise UnknownProtocol(
            f"{log.name} holds no records of a protocol; expected {expected}; for a log of runs, use `callproof audit`"
        )
    return found

"""A factory that takes every message and says nothing, so that only the transport of a conversation is tested."""

from __future__ import annotations

from typing import Any


def serve(wire: Any) -> None:
    """Take messages until the end of input."""
    while wire.receive() is not None:
        pass

"""The process that answers for a source of tools: the server that a command starts, or an interpreter for a module."""

from __future__ import annotations

from callproof.adapters.address import Launch
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import NotOnThisSystem
from callproof.adapters.process import AdapterProcess
from callproof.lint.sources.listing import NotListed


def start(launch: Launch, source: str, deadlines: Deadlines) -> AdapterProcess:
    """Start it.  Raises NotListed, which names ``source``, on a system that cannot end everything that it starts."""
    try:
        return AdapterProcess(launch, term_seconds=deadlines.term)
    except NotOnThisSystem as error:
        help_text = f"use {error.PERMITTED}, or lint a file with the answer to tools/list"
        raise NotListed(f"`{source}`", f"it is not started: {error.reason}", help_text=help_text) from None

"""From an address to a conversation, and to nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from callproof.adapters.conversation import Conversation, Deadlines

_DEFAULT = Deadlines()


@contextmanager
def connect(address: str, *, deadlines: Deadlines = _DEFAULT) -> Iterator[Conversation]:
    """
    A conversation with the system at an address, initialized; its process tree is gone at the end.

    Raises AdapterError, in one of its kinds, for everything that the adapter gets wrong, from here to the end.
    """
    raise NotImplementedError(address)
    yield Conversation()

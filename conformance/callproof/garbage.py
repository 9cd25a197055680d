"""When Python searches for garbage: not while much is read that stays or is freed at once, and not in what stays.

A search goes through all live objects, and hardly any object that we read or make is garbage that needs a search.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def unsearched() -> Generator[None]:
    """Turn the search off while the block lasts."""
    searches = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searches:
            gc.enable()


@contextmanager
def all_kept() -> Generator[None]:
    """Turn the search off while the block lasts, and leave the objects alive at its end out of every later search."""
    with unsearched():
        yield
        keep()


def keep() -> None:
    """Leave the objects alive now out of every later search, including the last one of the interpreter."""
    gc.freeze()

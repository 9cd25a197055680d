"""When Python looks for garbage: not while much is read that stays, or is gone at once, and never again in what stays.

A search goes through all that is alive, and next to nothing of what we read or make is garbage that has to be sought.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def unsearched() -> Generator[None]:
    """Have no search while the block lasts."""
    searches = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searches:
            gc.enable()


@contextmanager
def all_kept() -> Generator[None]:
    """Have no search while the block lasts, and leave what is alive at its end out of every later one."""
    with unsearched():
        yield
        keep()


def keep() -> None:
    """Leave what is alive now out of every later search, the last one of the interpreter included."""
    gc.freeze()

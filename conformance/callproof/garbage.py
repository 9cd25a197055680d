"""When Python looks for garbage: not while much is read that stays, and never again in what was read.

A search goes through all that is alive, and nothing of what is read at the start is garbage.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def all_kept() -> Generator[None]:
    """Have no search while the block lasts, and leave what is alive at its end out of every later one."""
    searches = gc.isenabled()
    gc.disable()
    try:
        yield
        keep()
    finally:
        if searches:
            gc.enable()


def keep() -> None:
    """Leave what is alive now out of every later search, the last one of the interpreter included."""
    gc.freeze()

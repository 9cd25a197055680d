"""Ctrl-C, pressed once or many times: the first one breaks off what runs, and no other disturbs how that is ended."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def heard_once() -> Generator[None]:
    """
    The first Ctrl-C in the block is a KeyboardInterrupt, and from then on the program hears none any more.

    It is going to end, with its processes sent home and its report printed, and a second one would leave that half
    done.  Where Ctrl-C means something else already, as where it is ignored, it goes on meaning that.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _break_off)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is _break_off:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _break_off(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt

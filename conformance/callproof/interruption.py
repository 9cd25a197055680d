"""
What asks a program from outside to end: Ctrl-C, SIGTERM, which CI systems and containers send, and SIGHUP, which comes
when a terminal is closed.  They are one thing here: what runs is broken off, and what was decided until then is told.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

# Not every system has all of them.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_BY_DEFAULT = (signal.SIG_DFL, signal.default_int_handler)
_asked = threading.Event()


@contextmanager
def heard_once() -> Generator[None]:
    """
    The first of the signals in the block is a KeyboardInterrupt, and from then on the program hears none of them.

    It is going to end, with its processes sent home and its report printed, and a second one would leave that half
    done.  A signal that means something else already, as where it is ignored, goes on meaning that.
    """

    heard = {each: signal.getsignal(each) for each in ENDING}
    heard = {each: meant for each, meant in heard.items() if meant in _BY_DEFAULT}

    def break_off(_number: int, _frame: FrameType | None) -> None:
        _asked.set()
        for each in heard:
            signal.signal(each, _unheard)
        raise KeyboardInterrupt

    for each in heard:
        signal.signal(each, break_off)
    try:
        yield
    finally:
        _asked.clear()
        for each, meant in heard.items():
            if signal.getsignal(each) in {break_off, _unheard}:
                signal.signal(each, meant)


def break_off_if_asked() -> None:
    """
    Raises KeyboardInterrupt where the program was asked to end and goes on.

    What is written in C may lose the first: msgspec does, while it makes a decoder, and the next ones are not heard.
    """
    if _asked.is_set():
        raise KeyboardInterrupt


def _unheard(_number: int, _frame: FrameType | None) -> None:
    """Nothing.  Python complains where a signal came just before it was to be ignored, and of this it does not."""


@contextmanager
def as_ctrl_c() -> Generator[None]:
    """In the block the other signals are a KeyboardInterrupt too, where they would end the process at once."""
    deadly = [each for each in ENDING if signal.getsignal(each) is signal.SIG_DFL]
    try:
        for each in deadly:
            signal.signal(each, signal.default_int_handler)
    except ValueError:  # another thread than the main one hears no signals, and cannot say what they mean
        deadly = []
    try:
        yield
    finally:
        for each in deadly:
            signal.signal(each, signal.SIG_DFL)


def ignore() -> None:
    """Hear none of them any more, to the very end of the process."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # so that none comes while they are being ignored
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)

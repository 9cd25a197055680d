"""
The signals that ask a program to end: Ctrl-C, SIGTERM, which CI systems and containers send, and SIGHUP, which comes
when a terminal is closed.  All have the same effect: the program breaks off its work and tells what it decided so far.
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
    The first of the signals in the block raises KeyboardInterrupt; the program ignores the later ones.

    After the first the program ends its processes and prints its report; a second one would leave that half done.
    A signal that already has another meaning, for example because it is ignored, keeps that meaning.
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
    Raises KeyboardInterrupt if the program was asked to end and still runs.

    C code may lose the first interruption: msgspec does while it makes a decoder.  The later ones are ignored.
    """
    if _asked.is_set():
        raise KeyboardInterrupt


def _unheard(_number: int, _frame: FrameType | None) -> None:
    """Do nothing.  Python complains if a signal comes just before SIG_IGN is set; with this handler it does not."""


@contextmanager
def as_ctrl_c() -> Generator[None]:
    """In the block the other signals raise KeyboardInterrupt too, if they would end the process at once."""
    deadly = [each for each in ENDING if signal.getsignal(each) is signal.SIG_DFL]
    try:
        for each in deadly:
            signal.signal(each, signal.default_int_handler)
    except ValueError:  # only the main thread receives signals, and only it may set their handlers
        deadly = []
    try:
        yield
    finally:
        for each in deadly:
            signal.signal(each, signal.SIG_DFL)


def ignore() -> None:
    """Ignore all of them until the process ends."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # so that none comes while the handlers change
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)

"""Standard output and standard error as they are met: of any encoding, left by their reader, or full.

A reader that leaves early (``callproof audit runs | head -1``) changes no verdict, and so no exit code.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO


class CannotPrint(Exception):
    """Standard output takes no more, and somebody may be reading it: why."""


class _Lasting(io.FileIO):
    """A stream that takes whatever is written once its reader is gone, and throws it away."""

    def __init__(self, number: int, *, told: bool) -> None:
        super().__init__(number, "wb", closefd=False)
        # Whether a failure is worth telling: there is nowhere to tell one of standard error, and a terminal that takes
        # no more was closed by its reader.
        self._told = told and not os.isatty(number)
        self._gone = False

    def write(self, data: Any, /) -> Any:
        """How many bytes were taken.  Raises CannotPrint, once."""
        if self._gone:
            return len(data)
        try:
            return super().write(data)
        except OSError as error:
            self._gone = True
            if self._told and not isinstance(error, BrokenPipeError):
                raise CannotPrint(error.strerror or str(error)) from None
            return len(data)


def make_lasting() -> None:
    """Let standard output and standard error outlast their readers, and print what their encodings do not have."""
    if os.name == "posix":
        _hold_what_was_closed()
        sys.stdout = _lasting(sys.stdout, told=True)
        sys.stderr = _lasting(sys.stderr, told=False)


def _hold_what_was_closed() -> None:
    """
    Have nothing where a standard stream was closed before we began.

    The next file or pipe would get its number, be taken for the stream by a child, and be closed there.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.__stderr__ is None and sys.stderr is None:
        # Pytest and others write to it unasked.
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8")


def _lasting(stream: TextIO, *, told: bool) -> TextIO:
    if stream not in (sys.__stdout__, sys.__stderr__) or not isinstance(stream, io.TextIOWrapper):
        return stream  # closed, or somebody else's
    return io.TextIOWrapper(
        io.BufferedWriter(_Lasting(stream.fileno(), told=told)),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def flush() -> None:
    """Print what waits to be printed.  Raises CannotPrint."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where it was closed before we began
            stream.flush()

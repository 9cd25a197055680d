"""Standard output and standard error in any condition: of any encoding, left by their reader, or full.

A reader that leaves early (``callproof audit runs | head -1``) changes no verdict, and so no exit code.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO


class CannotPrint(Exception):
    """Standard output takes no more data, though its reader may still be there; the message says why."""


class _Lasting(io.FileIO):
    """A stream that still takes data after its reader is gone, and throws it away."""

    def __init__(self, number: int, *, told: bool) -> None:
        super().__init__(number, "wb", closefd=False)
        # Whether to report a failure: there is nowhere to report one of standard error, and a terminal that takes no
        # more data was closed by its reader.
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
    """Let standard output and standard error outlast their readers, and print characters that their encodings lack."""
    if os.name == "posix":
        _hold_what_was_closed()
        sys.stdout = _lasting(sys.stdout, told=True)
        sys.stderr = _lasting(sys.stderr, told=False)


def _hold_what_was_closed() -> None:
    """
    Open the null device for each standard stream that was closed before the program began.

    Otherwise the next file or pipe would get its number, and a child would take it for the stream and close it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.__stderr__ is None and sys.stderr is None:
        # Pytest and others write to it without a check.
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8")


def _lasting(stream: TextIO, *, told: bool) -> TextIO:
    if stream not in (sys.__stdout__, sys.__stderr__) or not isinstance(stream, io.TextIOWrapper):
        return stream  # closed, or replaced by other code
    return io.TextIOWrapper(
        io.BufferedWriter(_Lasting(stream.fileno(), told=told)),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def flush() -> None:
    """Print what is still in the buffers.  Raises CannotPrint."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None if it was closed before the program began
            stream.flush()

"""Files opened and cut into lines without trusting them.

A name in a log folder may be a pipe, a device, a link or a file without end.
Nothing is followed, nothing blocks, and no line takes more memory than the limit.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from callproof import limits

# How a log's file is opened: no link is followed, and nothing is waited for.
_WAYS = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
PLAINLY = os.O_RDONLY | sum(getattr(os, name, 0) for name in _WAYS)
# What JSON has for white space: other blanks, such as a form feed, are no part of it.
_SPACE = b" \t\r\n"
_KINDS = (
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
)


class NotReadable(OSError):
    """A file is there and cannot be read as a log: which one, and why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its 1-based number, its bytes without the LF, whether it had one, and whether it was too long."""

    number: int
    raw: bytes
    ended: bool
    too_long: bool = False


def open_regular(path: Path) -> BinaryIO:
    """
    A regular file, opened for reading.

    Raises NotReadable for everything else, at once: a pipe is not waited for, a link not followed.
    """
    try:
        before = path.lstat()
        if not stat.S_ISREG(before.st_mode):
            raise NotReadable(path, f"is {_kind(before.st_mode)}, not a regular file")
        descriptor = os.open(path, PLAINLY)
    except NotReadable:
        raise
    except OSError as error:
        raise NotReadable(path, f"cannot be read: {error.strerror or error}") from None
    # Between the look and the opening the name may have been swapped: what is open is what counts.
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise NotReadable(path, f"is {_kind(mode)}, not a regular file")
    return os.fdopen(descriptor, "rb")


def lines(stream: BinaryIO) -> Iterator[Line]:
    """The lines of a binary stream, split on LF alone; a line over the limit is skipped in bounded memory."""
    number = 0
    while raw := stream.readline(limits.LINE_BYTES + 1):
        number += 1
        if len(raw) > limits.LINE_BYTES and not raw.endswith(b"\n"):
            yield Line(number, b"", _skipped_to_end(stream), too_long=True)
        else:
            yield Line(number, raw.removesuffix(b"\n"), raw.endswith(b"\n"))


def raw_lines(stream: BinaryIO) -> Iterator[bytes]:
    """
    The same lines with their LF, and as fast as can be.

    Of a line over the limit comes the beginning, which is longer than the limit and has no LF.
    """
    most = limits.LINE_BYTES + 1
    while raw := stream.readline(most):
        if len(raw) == most and not raw.endswith(b"\n"):
            _skipped_to_end(stream)
        yield raw


def is_cut(raw: bytes) -> bool:
    """Whether this is but the beginning of a line, which is over the limit."""
    return len(raw) > limits.LINE_BYTES and not raw.endswith(b"\n")


def is_blank(raw: bytes) -> bool:
    """Whether a line is nobody's, since nothing but JSON's white space is in all of it (B-47)."""
    return not raw.strip(_SPACE) and not is_cut(raw)


def _skipped_to_end(stream: BinaryIO) -> bool:
    while chunk := stream.readline(limits.MIB):
        if chunk.endswith(b"\n"):
            return True
    return False


def _kind(mode: int) -> str:
    return next((name for matches, name in _KINDS if matches(mode)), "something else")

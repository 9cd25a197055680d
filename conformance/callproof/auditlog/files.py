"""Opens files and cuts them into lines without trusting them.

A name in a log folder may belong to a pipe, a device, a link or an endless file.
No link is followed, nothing blocks, and no line takes more memory than the limit.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from callproof import limits

# How a file of a log is opened: without following links, and without waiting.
_WAYS = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
PLAINLY = os.O_RDONLY | sum(getattr(os, name, 0) for name in _WAYS)
# The white space of JSON.  Other blanks, such as a form feed, do not belong to it.
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
    """A file exists but cannot be read as a log: which file, and why."""

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

    Raises NotReadable for everything else, at once: it does not wait for a pipe, and does not follow a link.
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
    # Another file may have taken the name between the look and the opening: only the opened file counts.
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise NotReadable(path, f"is {_kind(mode)}, not a regular file")
    return os.fdopen(descriptor, "rb")


def lines(stream: BinaryIO) -> Iterator[Line]:
    """The lines of a binary stream, split only on LF; a line over the limit is skipped in bounded memory."""
    number = 0
    while raw := stream.readline(limits.LINE_BYTES + 1):
        number += 1
        if len(raw) > limits.LINE_BYTES and not raw.endswith(b"\n"):
            yield Line(number, b"", _skipped_to_end(stream), too_long=True)
        else:
            yield Line(number, raw.removesuffix(b"\n"), raw.endswith(b"\n"))


def raw_lines(stream: BinaryIO) -> Iterator[bytes]:
    """
    The same lines with their LF, as fast as possible.

    For a line over the limit it gives only the beginning, which is longer than the limit and has no LF.
    """
    most = limits.LINE_BYTES + 1
    while raw := stream.readline(most):
        if len(raw) == most and not raw.endswith(b"\n"):
            _skipped_to_end(stream)
        yield raw


def is_cut(raw: bytes) -> bool:
    """Whether this is only the beginning of a line, because the line is over the limit."""
    return len(raw) > limits.LINE_BYTES and not raw.endswith(b"\n")


def is_blank(raw: bytes) -> bool:
    """Whether a line belongs to no run, because it holds nothing but JSON's white space (B-47)."""
    return not raw.strip(_SPACE) and not is_cut(raw)


def _skipped_to_end(stream: BinaryIO) -> bool:
    while chunk := stream.readline(limits.MIB):
        if chunk.endswith(b"\n"):
            return True
    return False


def _kind(mode: int) -> str:
    return next((name for matches, name in _KINDS if matches(mode)), "something else")

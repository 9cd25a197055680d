"""The only module that reads compressed files: it unpacks gzip and Zstandard while it reads, within the limits.

A few kilobytes can unpack to gigabytes.  So the output is counted while it is made.  Over
a limit the file is not readable, and the log is then never called valid (LOG-21).
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from callproof import limits
from callproof.auditlog.files import NotReadable, open_regular
from callproof.auditlog.layout import COMPRESSED

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_GZIP = (b"\x1f\x8b", "gzip")
_ZSTD = (b"\x28\xb5\x2f\xfd", "Zstandard")
# The first bytes of every compressed file.
PACKED = (_GZIP[0], _ZSTD[0])
_BY_SUFFIX: Mapping[str, tuple[bytes, str]] = dict(zip(COMPRESSED, (_GZIP, _ZSTD)))
# The largest window that is unpacked is 2 to this power: 128 MiB.  It is the decoder's own default, written out.
_WINDOW: Mapping[int, int] = {zstd.DecompressionParameter.window_log_max: 27}
_BUFFER = 256 * 1024


def open_text(path: Path) -> BinaryIO:
    """
    A regular file, opened for reading its text: unchanged, or unpacked if it is compressed.

    The name and the first bytes decide: a file named .gz or .zst must have that format.  Raises NotReadable, here or
    during reading, if the file cannot be opened, is damaged, or unpacks to more than a limit.
    """
    packed = open_regular(path)
    try:
        return unpacked(path, packed)
    except BaseException:
        packed.close()
        raise


def text_size(path: Path) -> int:
    """How many bytes of text a file holds.  Raises NotReadable if it cannot be read to its end."""
    with open_text(path) as stream:
        return sum(map(len, iter(partial(stream.read, _BUFFER), b"")))


def unpacked(path: Path, packed: BinaryIO) -> BinaryIO:
    """The text of an open file; closing it closes the file.  ``path`` is for error messages."""
    head = packed.read(4)
    packed.seek(0)
    wanted = _BY_SUFFIX.get(path.suffix)
    found = next((each for each in (_GZIP, _ZSTD) if head.startswith(each[0])), None)
    if wanted is not None and found is not wanted:
        raise NotReadable(path, f"is not {wanted[1]}, although its name says so")
    if found is None:
        return packed
    inner: BinaryIO
    if found is _GZIP:
        inner = cast(BinaryIO, gzip.GzipFile(fileobj=packed))
    else:
        inner = cast(BinaryIO, zstd.ZstdFile(packed, options=_WINDOW))
    return io.BufferedReader(_Unpacking(path, found[1], packed, inner), _BUFFER)


class _Unpacking(io.RawIOBase):
    """The unpacked text of a compressed file, which counts its bytes."""

    def __init__(self, path: Path, form: str, packed: BinaryIO, inner: BinaryIO) -> None:
        super().__init__()
        self._path = path
        self._form = form
        self._packed = packed
        self._inner = inner
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        try:
            out = self._inner.read(len(view))
        except (EOFError, zlib.error, gzip.BadGzipFile, zstd.ZstdError) as error:
            raise NotReadable(self._path, f"is not a sound {self._form} file: {error}") from None
        view[: len(out)] = out
        self._size += len(out)
        self._refuse_bombs()
        return len(out)

    def _refuse_bombs(self) -> None:
        if self._size > limits.LOG_FILE_BYTES:
            raise NotReadable(self._path, f"unpacks to more than {limits.LOG_FILE_BYTES} bytes")
        if self._size > limits.UNPACKED_FREELY_BYTES + limits.UNPACKED_RATIO * self._packed.tell():
            told = f"unpacks to more than {limits.UNPACKED_RATIO} times its size plus {limits.UNPACKED_FREELY_BYTES}"
            raise NotReadable(self._path, f"{told} bytes")

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
            self._packed.close()
        super().close()

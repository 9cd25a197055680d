"""Strict reading of a log of JSON lines, or of one document: its entries with their places, and what was not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from callproof import limits
from callproof.auditlog.compressed import open_text
from callproof.auditlog.files import Line, is_blank, lines
from callproof.auditlog.lines import object_of
from callproof.garbage import unsearched
from callproof.protocols.documents import BreaksOff, Element, read_document
from callproof.trace.records import Source
from callproof.trace.run import Flaw, FlawKind
from callproof.values.jsontext import Json, NotStrictJson
from callproof.values.jsonvalue import is_object

_HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]")
# Matched from the left, so that an escaped backslash begins no escape. Two halves of one character are not a half.
_ESCAPE: Final = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One object of a log, and the line that contains it."""

    value: Mapping[str, Json]
    source: Source

    def text(self, name: str) -> str | None:
        """A member if it is a text; None for everything else."""
        found = self.value.get(name)
        return found if isinstance(found, str) else None


@dataclass(frozen=True, slots=True)
class Entries:
    """
    A log: its entries in the order of their lines, and its flaws.

    A line that is not an object may have said anything, so it counts as not read. A last line without a line end is
    torn. ``folder`` is the folder of the file; None for standard input.
    """

    name: str
    entries: tuple[Entry, ...]
    flaws: tuple[Flaw, ...] = ()
    folder: str | None = None


def read_entries(path: Path, name: str | None = None) -> Entries:
    """
    The entries of the file at a path, which may be compressed; reports call it ``name``, or by its path.

    Raises NotReadable if the path is no regular file, or if the file is not sound or unpacks to more than a limit.
    """
    with open_text(path) as stream:
        return entries_in(stream, path.name, str(path) if name is None else name, str(path.parent))


# All entries stay until the log is judged; garbage collection would make a long log take half as long again.
@unsearched()
def entries_in(stream: BinaryIO, file: str, name: str, folder: str | None = None) -> Entries:
    """The entries of an open text: their places name ``file``, and reports call the log ``name``."""
    told: list[Entry | Flaw]
    whole = (replace(each, raw=_in_whole_characters(each.raw)) for each in lines(stream))
    try:
        elements, rest = read_document(whole)
    except NotStrictJson as error:
        told = [Flaw(FlawKind.UNREADABLE, Source(file, 1), f"the document is not a log: {error.reason}")]
    except BreaksOff as error:
        # Torn, like a line that was cut off: a single brace may be the beginning of one.
        told = [Flaw(FlawKind.TORN, Source(file, error.line), str(error))]
    else:
        told = list(_entries_in(rest, file)) if elements is None else [_element(each, file) for each in elements]
    entries = tuple(each for each in told if isinstance(each, Entry))
    return Entries(name, entries, tuple(each for each in told if isinstance(each, Flaw)), folder)


def _entries_in(rest: Iterable[Line], file: str) -> Iterator[Entry | Flaw]:
    size = 0
    for line in rest:
        size += len(line.raw)
        if size > limits.RUN_FILE_BYTES:
            told = f"the rest was not read, since the file is longer than {limits.RUN_FILE_BYTES} bytes"
            yield Flaw(FlawKind.LIMIT, Source(file, line.number), told)
            return
        if not is_blank(line.raw) or line.too_long:
            yield _entry_of(line, Source(file, line.number))


def _element(element: Element, file: str) -> Entry | Flaw:
    source = Source(file, element.line)
    if is_object(element.value):
        return Entry(element.value, source)
    return Flaw(FlawKind.UNREADABLE, source, "the element of the document that begins here is not an object")


def _in_whole_characters(raw: bytes) -> bytes:
    """A line with U+FFFD for each half of a character; programs that cut texts in UTF-16 write such halves."""
    return _ESCAPE.sub(_whole, raw) if _HALF.search(raw) else raw


def _whole(escape: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if escape["half"] else escape[0]


def _entry_of(line: Line, source: Source) -> Entry | Flaw:
    if line.too_long:
        return Flaw(FlawKind.LIMIT, source, f"the line is longer than {limits.LINE_BYTES} bytes")
    value = object_of(line.raw, None, source, ended=line.ended)
    if not isinstance(value, Flaw):
        return Entry(value, source)
    if value.kind is FlawKind.TORN:
        return value
    return Flaw(FlawKind.UNREADABLE, source, f"the line is not a record: {value.says}")

"""The text of one run as it was captured, before it is parsed.

A captured run can be sent to a worker process or to another machine: it is plain bytes
and numbers, it pickles, and it records where every line stood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from callproof.trace.records import Kind
from callproof.trace.run import Flaw


@dataclass(frozen=True, slots=True)
class CapturedFile:
    """
    What one file holds of one run: ``text``, whose lines all end in LF, except perhaps the last.

    ``numbers`` are the 1-based numbers of the lines in the file; None means 1, 2, 3 and so on.  ``flaws`` report what
    is not in the text: lines over a limit, a file that could not be read.  ``opened`` is false if nothing of the
    file was read at all; that is not the same as an empty file.
    """

    name: str
    text: bytes
    numbers: Sequence[int] | None = None
    flaws: tuple[Flaw, ...] = ()
    opened: bool = True

    def lines(self) -> Iterator[tuple[int, bytes, bool]]:
        """Each line as its number, its bytes without the LF, and whether it had an LF."""
        *whole, rest = self.text.split(b"\n")
        numbers = self.numbers or range(1, len(whole) + 2)
        for place, raw in enumerate(whole):
            yield numbers[place], raw, True
        if rest:
            yield numbers[len(whole)], rest, False


@dataclass(frozen=True, slots=True)
class CapturedRun:
    """
    The text of one run.

    ``name`` is the run's name in reports.  ``record`` holds the run record, ``files`` the other records by kind,
    without the kinds of which nothing was captured.  ``folder`` is where the files lie; empty if they have no place.
    """

    name: str
    record: CapturedFile | None
    files: Mapping[Kind, CapturedFile] = field(default_factory=dict[Kind, CapturedFile])
    folder: str = ""

    def captured(self) -> CapturedRun:
        """The run itself, so that a captured run can be used like one that has yet to be read."""
        return self

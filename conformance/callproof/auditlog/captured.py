"""The text of one run as it was captured, before anybody parses it.

This is what travels: to a worker process, to another machine.  It is plain bytes
and numbers, it pickles, and it says where every line stood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from callproof.trace.records import Kind
from callproof.trace.run import Flaw


@dataclass(frozen=True, slots=True)
class CapturedFile:
    """
    What one file holds of one run: ``text``, lines that each end in LF but perhaps the last.

    ``numbers`` are the 1-based numbers of the lines in the file; None means 1, 2, 3 and so on.  ``flaws`` tell of what
    is not in the text: lines over a limit, a file that could not be read.  ``opened`` is false where nothing of the
    file was read at all, which is not the same as an empty file.
    """

    name: str
    text: bytes
    numbers: Sequence[int] | None = None
    flaws: tuple[Flaw, ...] = ()
    opened: bool = True

    def lines(self) -> Iterator[tuple[int, bytes, bool]]:
        """Each line as its number, its bytes without the LF, and whether it had one."""
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

    ``name`` is what reports call it.  ``record`` holds the run record, ``files`` the other records by kind; a kind of
    which nothing was captured is not there.  ``folder`` is where the files lie, and empty where they lie nowhere.
    """

    name: str
    record: CapturedFile | None
    files: Mapping[Kind, CapturedFile] = field(default_factory=dict[Kind, CapturedFile])
    folder: str = ""

    def captured(self) -> CapturedRun:
        """Itself: a run that is captured already stands wherever one is still to be read."""
        return self

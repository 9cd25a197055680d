"""What the suite sees a system do, written down as a log of its protocol while it happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from callproof.protocols.entries import Entries, Entry
from callproof.trace.records import Source
from callproof.values.jsontext import Json, write_json


def file_name(case: str) -> str:
    """The name of the file with the log of a case."""
    return f"{case.replace('/', '-')}.jsonl"


class Log:
    """The lines of one case in the order in which they came: first a note of the case, then what was told and seen."""

    def __init__(self, case: str, note: Mapping[str, Json]) -> None:
        self._case = case
        self._name = file_name(case)
        self._lines: list[Mapping[str, Json]] = [note]

    def line(self, record: Mapping[str, Json]) -> None:
        """Write down one line."""
        self._lines.append(record)

    @property
    def lines(self) -> Sequence[Mapping[str, Json]]:
        """The lines so far."""
        return self._lines

    @property
    def entries(self) -> Entries:
        """The log in the form of a log that was read."""
        told = (Entry(line, Source(self._name, at)) for at, line in enumerate(self._lines, 1))
        return Entries(self._case, tuple(told))

    @property
    def file_name(self) -> str:
        """The file name that findings give."""
        return self._name

    @property
    def written(self) -> bytes:
        """The log as JSON lines."""
        return "".join(f"{write_json(line)}\n" for line in self._lines).encode("utf-8", "surrogatepass")

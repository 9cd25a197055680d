"""Where the suppressions of a TOML file are: the line that opens the table of each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from callproof.values.positions import Member, Span

_TABLE = re.compile(r"^[ \t]*(\[\[[^\]\n]*\bsuppressions[ \t]*\]\])", re.MULTILINE)


class TomlPositions:
    """The first line of the file, and the tables of its suppressions."""

    def __init__(self, text: str) -> None:
        self._first = Span(0, max(text.find("\n"), 0))
        self._all = Span(0, len(text))
        self._tables = tuple(
            Member(number, None, Span(*match.span(1))) for number, match in enumerate(_TABLE.finditer(text))
        )

    def root(self) -> Span:
        """The first line, which stands for the file."""
        return self._first

    def members(self, container: Span) -> Sequence[Member]:
        """The suppressions of the file, one level below its root; nothing for any other span."""
        if container == self._all:
            return self._tables
        return (Member("suppressions", None, self._all),) if container == self._first and self._tables else ()

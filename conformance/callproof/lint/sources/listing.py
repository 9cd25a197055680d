"""What a live source gives: the list of tools as the source wrote it, or why there is none.

It knows nothing about rules and definitions.  The text stays what the source sent, member for
member and number for number; only the blanks between its tokens are added here, so that a
place in it can be shown.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s"{}\[\],:]+', re.DOTALL)
_OPENING, _CLOSING, _COMMA, _COLON = frozenset("[{"), frozenset("]}"), ",", ":"
_LINES_SHOWN = 12
_SECRET = re.compile(r"token|key|secret|passw|credential|auth", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Page:
    """One JSON text that holds tools; findings use ``name`` for it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """
    All pages of one source, in order; ``remarks`` are sentences about odd but harmless things.

    ``problems`` are sentences about tools that the source has and that are in no page.
    """

    pages: tuple[Page, ...]
    remarks: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class NotListed(Exception):
    """A source gave no list of tools; the text says what happened, the next step, and the last lines that it wrote."""

    def __init__(self, source: str, reason: str, *, help_text: str = "", noise: tuple[str, ...] = ()) -> None:
        super().__init__(source, reason)
        self.source = source
        self.reason = reason
        self.help = help_text
        self.noise = noise

    def __str__(self) -> str:
        shown = self.noise[-_LINES_SHOWN:]
        lines = (
            f"no list of tools from {self.source}: {self.reason}",
            *((f"help: {self.help}",) if self.help else ()),
            *(("last lines of standard error:",) if shown else ()),
            *(f"  | {line}" for line in shown),
        )
        return "\n".join(lines)


def shown_command(command: str) -> str:
    """A command line as findings and reports show it: without the values of options that are named like secrets."""
    words = shlex.split(command)
    shown: list[str] = []
    for before, word in zip(["", *words], words):
        name, equals, value = word.partition("=")
        if equals and value and _SECRET.search(name):
            shown.append(f"{name}=…")
        else:
            hidden = before.startswith("-") and "=" not in before and _SECRET.search(before)
            shown.append("…" if hidden else word)
    return " ".join(word if word in {"…"} or word.endswith("=…") else shlex.quote(word) for word in shown)


def shown_url(url: str) -> str:
    """An address as findings and reports show it: without the part after its question mark."""
    address, mark, _ = url.partition("?")
    return f"{address}?…" if mark else address


def laid_out(text: str) -> str:
    """
    JSON text with a line for each member, every token as it was written.

    Text that already has more than one line stays as it is.  Text that is not JSON comes out as
    something that is not JSON either.
    """
    return text if "\n" in text.strip() else "".join(_laid(_TOKENS.findall(text)))


def _laid(tokens: list[str]) -> Iterator[str]:
    depth = 0
    for before, token, following in zip(["", *tokens], tokens, [*tokens[1:], ""]):
        if token in _CLOSING:
            depth = max(depth - 1, 0)
            yield "" if before in _OPENING else _line(depth)
        yield token
        if token in _OPENING:
            depth += 1
            yield "" if following in _CLOSING else _line(depth)
        elif token == _COMMA:
            yield _line(depth)
        elif token == _COLON:
            yield " "


def _line(depth: int) -> str:
    return "\n" + "  " * depth

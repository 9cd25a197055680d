"""What must not stand in text for people: traces of programs, of machines, and of secrets (MSG-01).

Handles texts; does not know about records.  The patterns are few and certain: a note may
mention `/etc` in words, and that is no fault.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from callproof.values.keyshapes import KEYS

FOLDERS = "home|Users|root|etc|var|tmp|usr|opt|private|mnt|media|srv|proc|dev|Volumes|Library|Applications|bin|sbin|lib"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
# The most serious first: a stack trace without its line feeds is still reported as a stack trace.
_UNFIT = (
    ("a secret", KEYS),
    ("a secret", re.compile(r"://[^\s/:@]{0,99}:[^\s/@]{1,99}@")),
    ("a stack trace", re.compile(r"Traceback \(most recent call last\)|File \"[^\"]{1,300}\", line \d")),
    # The brackets must hold a file: `at noon (3:4)` is a time of day.
    (
        "a stack trace",
        re.compile(
            r"\bat (?:async |new )?[\w.$<>]{1,200}(?: \[as [\w.$<>]{1,200}\])? ?"
            r"\((?=(?:node:)?[^()\s:]{0,300}[./\\<])[^()\s]{1,300}:\d{1,9}\)|goroutine \d+ \["
        ),
    ),
    # The frames of the Java runtime's own modules, and frames whose line is unknown.
    (
        "a stack trace",
        re.compile(
            r"\bat (?:[\w.@-]{0,100}/){0,2}[\w.$<>]{1,200}"
            r"\((?:[\w$-]{1,100}\.(?:java|kt|scala|groovy):\d{1,9}|Native Method|Unknown Source)\)"
        ),
    ),
    # A function without a name has no brackets; the file is absolute, and a line and a column follow it.
    ("a stack trace", re.compile(r"\bat (?:async )?/[^\s():]{1,300}:\d{1,9}:\d{1,9}\b")),
    ("an absolute path", re.compile(rf"(?<![\w./~:-])/(?:{FOLDERS})/\S|\bfile:///")),
    ("an absolute path", re.compile(r"(?<![A-Za-z])[A-Za-z]:\\\w|(?<![A-Za-z])[A-Za-z]:/\w|\\\\[\w.-]+\\[\w$.-]")),
)


def unfit(text: str) -> str | None:
    """What a text holds that people must not read; None if the text is fit for them."""
    return _unfit_once(text) if len(text) <= _COMMON_LENGTH else _unfit(text)


def _unfit(text: str) -> str | None:
    named = next((name for name, pattern in _UNFIT if pattern.search(text)), None)
    control = _CONTROL.search(text) if named is None else None
    return named if control is None else f"the control character U+{ord(control[0]):04X}"


# An executor repeats the same texts for many steps; a hostile text of megabytes is not worth keeping.
_COMMON_LENGTH = 200
_unfit_once = lru_cache(maxsize=1_024)(_unfit)


def names_path(text: str, path: str) -> bool:
    """Whether a text names a path by its last segment, with or without the extension."""
    last = path.rstrip("/").rpartition("/")[2]
    stem = last.rpartition(".")[0] or last
    if len(stem) > 2:
        return _folded(stem) in _folded(text)
    # Most words contain so short a name, so it must stand alone: `each` does not name a.md.
    return re.search(rf"(?<!\w){re.escape(_folded(stem))}(?!\w)", _folded(text)) is not None


def names_command(text: str, command: str) -> bool:
    """Whether a text names a command by a word of its id."""
    words = [word for word in re.split(r"[^\w]+|_", command) if len(word) > 2]
    return not words or any(_folded(word) in _folded(text) for word in words)


def _folded(text: str) -> str:
    return text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()

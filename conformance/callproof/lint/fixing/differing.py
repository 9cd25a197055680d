"""What fixes change, as a unified diff that ``patch`` and ``git apply`` take."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from callproof.lint.document import Document
from callproof.report.escape import safe

_NO_END = "\\ No newline at end of file"
# For patch and git, only a line feed ends a line; str.splitlines splits at other characters too.
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# How many characters one character can become if it is shown as an escape.
_LONGEST_ESCAPE = 10


def diff(before: Document, after: Document) -> Iterator[str]:
    """
    The lines of the difference between two texts of one document, without line feeds.

    Tabs, and the carriage return at the end of a line, stay as they are: without them no line would be found
    again.  Other characters that a reader does not see are escaped, and a line that has one cannot be applied.
    """
    name = safe(before.name)
    old, new = _LINE.findall(before.text), _LINE.findall(after.text)
    for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"):
        yield _readable(line.removesuffix("\n"))
        if not line.endswith("\n") and not line.startswith(("---", "+++", "@@")):
            yield _NO_END


def _readable(line: str) -> str:
    text = line.removesuffix("\r")
    parts = (safe(each, most=_LONGEST_ESCAPE * len(each) + 1) for each in text.split("\t"))
    return "\t".join(parts) + line[len(text) :]

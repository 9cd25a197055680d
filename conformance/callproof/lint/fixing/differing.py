"""What fixes change, as a unified diff that ``patch`` and ``git apply`` take."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from callproof.lint.document import Document
from callproof.report.escape import safe

_NO_END = "\\ No newline at end of file"


def diff(before: Document, after: Document) -> Iterator[str]:
    """The lines of the difference between two texts of one document, without line ends."""
    name = safe(before.name)
    old, new = before.text.splitlines(keepends=True), after.text.splitlines(keepends=True)
    for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"):
        yield safe(line.rstrip("\r\n"), most=len(line) + 1)
        if not line.endswith("\n") and not line.startswith(("---", "+++", "@@")):
            yield _NO_END

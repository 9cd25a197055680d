"""The edit language of the specification's examples and of the benign variations.

An edit names one line of a base log (``calls 3``, or ``run``) and what becomes of
it: a merge patch, ``absent``, ``twice``, or ``{"text": …}`` for the raw bytes.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import merge_patch

BASES = Path(__file__).parents[1] / "spec" / "examples"


@dataclass(frozen=True)
class Edit:
    """One line, and what becomes of it."""

    line: str
    becomes: Json

    @property
    def file(self) -> str:
        """The file that the line is in."""
        name = self.line.split()[0]
        return "run.json" if name == "run" else f"{name}.jsonl"

    @property
    def number(self) -> int:
        """The 1-based number of the line."""
        words = self.line.split()
        return int(words[1]) if len(words) == 2 else 1


def copy_of(base: str, folder: Path) -> Path:
    """A copy of a base log that may be edited."""
    return Path(shutil.copytree(BASES / base, folder))


def apply(edit: Edit, folder: Path) -> None:
    """Change one line of a log folder in place."""
    path = folder / edit.file
    if edit.file == "run.json":
        path.write_text(_text_of(edit.becomes, path.read_text(encoding="utf-8")), encoding="utf-8")
        return
    lines = path.read_text(encoding="utf-8").split("\n")
    at = edit.number - 1
    if edit.becomes == "absent":
        del lines[at]
    elif edit.becomes == "twice":
        lines.insert(at, lines[at])
    else:
        lines[at] = _text_of(edit.becomes, lines[at])
    path.write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))


def _text_of(becomes: Json, line: str) -> str:
    if isinstance(becomes, Mapping) and becomes.keys() == {"text"} and isinstance(becomes["text"], str):
        return becomes["text"]
    return write_json(merge_patch(json.loads(line), becomes)).replace("\u2028", "\\u2028")

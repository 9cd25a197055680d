"""Where the records of a finding stand, for tools that show files: as paths, seen from the suite's working folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

_Report = Mapping[str, Any]
# What a live run has instead of a file.
WIRE = "wire"


class Places:
    """The files of the runs of one report, as relative paths if they lie below ``root``."""

    def __init__(self, report: _Report, root: Path) -> None:
        self._folders = {run["name"]: run["folder"] for run in report["runs"] if "folder" in run}
        self._root = root

    def path(self, run: str, file: str) -> str | None:
        """The path of a file of a run, with slashes; None for a message on a wire."""
        if file == WIRE:
            return None
        return seen_from(self._root, Path(self._folders.get(run, "")) / file)

    def uri(self, run: str, file: str) -> str | None:
        """The same as a reference: relative, or with the scheme ``file`` if the path is absolute."""
        path = self.path(run, file)
        return None if path is None else reference(path)


def seen_from(root: Path, path: Path) -> str:
    """A path with slashes, relative if it lies below the root."""
    whole = Path(os.path.normpath(path))
    below = whole.relative_to(root) if whole.is_relative_to(root) else whole
    return below.as_posix()


def reference(path: str) -> str:
    """A path as a URI reference: relative, or with the scheme ``file`` if it is absolute."""
    # The report has lone surrogates for the bytes of a name that are not UTF-8; they are quoted as they are.
    quoted = quote(path, errors="surrogatepass")
    if path.startswith("/"):
        return f"file://{quoted}"
    return f"./{quoted}" if ":" in path.partition("/")[0] else quoted

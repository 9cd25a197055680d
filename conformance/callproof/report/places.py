"""Where the records of a finding stand, for whoever shows files: a path, seen from the folder where the suite runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

_Report = Mapping[str, Any]
# What a live run has in the place of a file.
WIRE = "wire"


class Places:
    """The files of the runs of one report, as paths below ``root`` where they lie there."""

    def __init__(self, report: _Report, root: Path) -> None:
        self._folders = {run["name"]: run["folder"] for run in report["runs"] if "folder" in run}
        self._root = root

    def path(self, run: str, file: str) -> str | None:
        """The path of a file of a run, with slashes; None for a message on a wire."""
        if file == WIRE:
            return None
        return seen_from(self._root, Path(self._folders.get(run, "")) / file)

    def uri(self, run: str, file: str) -> str | None:
        """The same as a reference: relative, or with the scheme ``file`` where the path is absolute."""
        path = self.path(run, file)
        return None if path is None else reference(path)


def seen_from(root: Path, path: Path) -> str:
    """A path with slashes, relative where it lies below the root."""
    whole = Path(os.path.normpath(path))
    below = whole.relative_to(root) if whole.is_relative_to(root) else whole
    return below.as_posix()


def reference(path: str) -> str:
    """A path as a URI reference: relative, or with the scheme ``file`` where it is absolute."""
    # The bytes of a name that is no UTF-8 stand in the report as halves of characters; they go through as they are.
    quoted = quote(path, errors="surrogatepass")
    if path.startswith("/"):
        return f"file://{quoted}"
    return f"./{quoted}" if ":" in path.partition("/")[0] else quoted

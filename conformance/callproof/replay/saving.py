"""Where a case file is written: under a name that says what it is about, and never over other content."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from callproof.replay.casefile import BadCaseFile, CaseFile, read_case_file, text
from callproof.values.shell import quoted

_NAME_CHARACTERS = 100


class CannotBeKept(OSError):
    """A folder does not exist and cannot be made: which folder, and why."""

    def __init__(self, folder: Path, reason: str | None) -> None:
        super().__init__(f"cases cannot be kept in {folder}: {reason}")


def prepare(folder: Path | None) -> None:
    """Make the folder for case files, if one is wanted.  Raises CannotBeKept if that fails."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotBeKept(folder, error.strerror) from None


def save(folder: Path, file: CaseFile) -> Path:
    """
    Write a case file and return its path; the folder is made if it is missing.

    A file that holds the same case for the same requirement stays as it is, whatever finding it holds.  Raises OSError
    if writing fails, and then leaves no partial file.
    """
    about = f"{file.requirement} {file.case.id}"
    return keep(folder, about, text(file), _essence(file), lambda path: _essence(read_case_file(path)))


def keep(folder: Path, about: str, told: str, essence: str, essence_in: Callable[[Path], str]) -> Path:
    """
    Write a text under a name that says what it is about, and return its path.

    Two files count as the same if they have the same ``essence``; ``essence_in`` reads that of a file, or raises
    BadCaseFile.  If another file has the name, the name gets a digest of the essence.  Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = "-".join(re.findall(r"[A-Za-z0-9]+", about))[:_NAME_CHARACTERS].rstrip("-")
    path = folder / f"{name}.json"
    if not _is_free_for(path, essence, essence_in):
        path = folder / f"{name}-{hashlib.sha256(essence.encode('ascii')).hexdigest()[:12]}.json"
    if not path.exists():
        stream = path.open("x", encoding="ascii")
        try:
            with stream:
                stream.write(told)
        except OSError:
            path.unlink(missing_ok=True)
            raise
    return path


def command(path: Path, adapter: str) -> str:
    """The command that plays the case in a file again, with the path relative to the current folder if it is inside."""
    here = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"callproof replay {shlex.quote(str(here))} {quoted(adapter)}"


def _is_free_for(path: Path, essence: str, essence_in: Callable[[Path], str]) -> bool:
    if not path.exists() and not path.is_symlink():
        return True
    try:
        return essence_in(path) == essence
    except BadCaseFile:
        return False


def _essence(file: CaseFile) -> str:
    """What identifies a file: all but the version of the suite and the text of the finding, which may hold ids."""
    return text(replace(file, suite_version="-", found=None))

"""Where a case file is put: a name that says what it is about, and nothing of value ever overwritten."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from callproof.replay.casefile import BadCaseFile, CaseFile, read_case_file, text

_NAME_CHARACTERS = 100


class CannotBeKept(OSError):
    """There is no such folder and none can be made: which one, and what stands in the way."""

    def __init__(self, folder: Path, reason: str | None) -> None:
        super().__init__(f"cases cannot be kept in {folder}: {reason}")


def prepare(folder: Path | None) -> None:
    """Make the folder for case files, if one is wanted.  Raises CannotBeKept."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotBeKept(folder, error.strerror) from None


def save(folder: Path, file: CaseFile) -> Path:
    """
    Write a case file and give its path; the folder is made where it is missing.

    A file that holds the same case for the same requirement stays as it is, whatever was found then.  Where the
    name belongs to anything else, a name with a digest of the case is taken.  Raises OSError, and leaves no part of a
    file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    plain = folder / f"{_name(file)}.json"
    path = plain if _is_free_for(plain, file) else folder / f"{_name(file)}-{_digest(file)}.json"
    if not path.exists():
        stream = path.open("x", encoding="ascii")
        try:
            with stream:
                stream.write(text(file))
        except OSError:
            path.unlink(missing_ok=True)
            raise
    return path


def _name(file: CaseFile) -> str:
    words = re.findall(r"[A-Za-z0-9]+", f"{file.requirement} {file.case.id}")
    return "-".join(words)[:_NAME_CHARACTERS].rstrip("-")


def _is_free_for(path: Path, file: CaseFile) -> bool:
    if not path.exists() and not path.is_symlink():
        return True
    try:
        return _essence(read_case_file(path)) == _essence(file)
    except BadCaseFile:
        return False


def _essence(file: CaseFile) -> str:
    """What makes two files one: not the suite that wrote them, nor the words of a finding, which may hold ids."""
    return text(replace(file, suite_version="-", found=None))


def _digest(file: CaseFile) -> str:
    return hashlib.sha256(_essence(file).encode("ascii")).hexdigest()[:12]

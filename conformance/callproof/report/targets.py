"""Where reports go: what a user writes as ``report.html``, ``markdown=FILE`` or ``statement=FOLDER``."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from callproof.report.whole import in_one_file, is_printed
from callproof.values.neighbours import is_there


class Form(Enum):
    """The forms in which a report is written."""

    JSON = "json"
    JSON_LINES = "jsonl"
    HTML = "html"
    MARKDOWN = "markdown"
    BADGE = "badge"
    SARIF = "sarif"
    JUNIT = "junit"
    ANNOTATIONS = "github"
    STATEMENT = "statement"


_BY_SUFFIX: Mapping[str, Form] = {
    ".json": Form.JSON,
    ".jsonl": Form.JSON_LINES,
    ".html": Form.HTML,
    ".htm": Form.HTML,
    ".md": Form.MARKDOWN,
    ".svg": Form.BADGE,
    ".sarif": Form.SARIF,
    ".xml": Form.JUNIT,
    ".zip": Form.STATEMENT,
}
_FORMS = {form.value: form for form in Form}


class BadTarget(ValueError):
    """A report cannot be written as asked; the text says what was asked, and what is permitted."""


@dataclass(frozen=True, slots=True)
class Target:
    """One report to write: in which form, and where."""

    form: Form
    path: Path


def read_target(text: str, root: Path | None = None, *, without: Collection[Form] = ()) -> Target:
    """
    The target that a user wrote: ``FORM=PATH``, or a path whose suffix tells the form.

    A relative path is taken below ``root``; the forms in ``without`` are not available.  Raises BadTarget, also if the
    folder of the path cannot be written to: a run is long, and the report is written only at its end.
    """
    form, path = _parted(text)
    if form is None:
        raise BadTarget(_no_form(text, without))
    if form in without:
        permitted = ", ".join(each.value for each in Form if each not in without)
        raise BadTarget(f"--report {text!r}: this command writes no {form.value}; permitted: {permitted}")
    if not path:
        raise BadTarget(f"--report {text!r} names no path; permitted: {form.value}=PATH")
    found = Path(path) if root is None else root / path
    try:
        _refuse_unwritable(text, form, found)
    except OSError as error:
        raise BadTarget(f"--report {text!r}: {found} cannot be written: {error.strerror}") from None
    return Target(form, found)


def refuse_one_file_for_two(paths: Iterable[Path]) -> None:
    """Raises BadTarget if what is written to one of the paths would be lost to what is written to another."""
    both = in_one_file(paths)
    if both is not None:
        raise BadTarget(f"--report {str(both[1])!r}: it is the same file as {both[0]}; give each a file of its own")


def _parted(text: str) -> tuple[Form | None, str]:
    """The form that was asked for, and the path, which is empty if only a form is named."""
    word, equals, rest = text.partition("=")
    form = _FORMS.get(word)
    if form is not None:
        return form, rest
    # A path may have an equals sign too, if a folder comes before it.
    return _by_suffix(text) if not equals or os.sep in word else None, text


def _no_form(text: str, without: Collection[Form]) -> str:
    word, equals, rest = text.partition("=")
    nearest = difflib.get_close_matches(word, _FORMS, n=1) if equals else ()
    hint = f"; did you mean {nearest[0]}={rest}?" if nearest else ""
    words = ", ".join(name for name, each in _FORMS.items() if each not in without)
    suffixes = ", ".join(name for name, each in _BY_SUFFIX.items() if each not in without)
    return f"--report {text!r} names no form; permitted: {words} as FORM=PATH, or a path that ends in {suffixes}{hint}"


def _by_suffix(path: str) -> Form | None:
    return _BY_SUFFIX.get(Path(path).suffix.lower())


def _refuse_unwritable(text: str, form: Form, path: Path) -> None:
    stands = is_there(path)
    if is_printed(given := text.removeprefix(f"{form.value}=")):
        raise BadTarget(
            f"--report {text!r}: {given} is standard output; permitted: a file, or --format, which prints one"
        )
    if form is Form.STATEMENT and path.suffix.lower() != ".zip":
        if path.is_dir() and any(path.iterdir()):
            raise BadTarget(f"--report {text!r}: {path} is not empty; permitted: a new or empty folder, or a .zip file")
        if stands and not path.is_dir():
            raise BadTarget(f"--report {text!r}: {path} is a file; permitted: a new or empty folder, or a .zip file")
    elif path.is_dir():
        raise BadTarget(f"--report {text!r}: {path} is a folder; permitted: a file")
    if not os.access(path.absolute().parent, os.W_OK | os.X_OK):
        raise BadTarget(
            f"--report {text!r}: the folder {path.absolute().parent} does not exist, or cannot be written to"
        )

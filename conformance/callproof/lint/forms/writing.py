"""Reports in the forms that a user asks for, and where they go: ``lint.sarif`` or ``gitlab=FILE``."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from callproof.lint.forms.report import Report
from callproof.lint.wording import nearest
from callproof.report.whole import in_one_file, is_printed, write_whole

_FORMS = ("json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")
# For JSON Lines: the kind of line for each element of a list of the report, and what the last line says.
_KINDS = {"findings": "finding", "suppressed": "suppressed", "problems": "problem"}
_OF_THE_RUN = ("lintVersion", "suite", "profiles", "outcome", "exitCode", "tools", "failing")
_BY_SUFFIX = {".json": "json", ".jsonl": "jsonl", ".sarif": "sarif", ".xml": "junit", ".md": "markdown"}


class BadTarget(ValueError):
    """A report cannot be written as asked: says what was asked, and what is permitted."""


@dataclass(frozen=True, slots=True)
class Target:
    """One report to write: in which form, and where."""

    form: str
    path: Path


def json_text(told: Report) -> str:
    """The report as one document of JSON, every character outside ASCII escaped."""
    return json.dumps(told, indent=2, ensure_ascii=True) + "\n"


def json_lines(told: Report) -> str:
    """A line of JSON for each finding and each thing that could not be checked, and a last one for the run."""
    lines = [{"kind": kind, "record": each} for name, kind in _KINDS.items() for each in told[name]]
    lines.append({"kind": "run", "record": {name: told[name] for name in _OF_THE_RUN}})
    return "".join(json.dumps(each, ensure_ascii=True, separators=(",", ":")) + "\n" for each in lines)


def rendered(told: Report, form: str) -> str:
    """A report in one form, with paths seen from the working folder; the same report gives the same text."""
    if form == "json":
        return json_text(told)
    if form == "jsonl":
        return json_lines(told)
    # Each form is a module of its own, and most runs need none of them.
    module = importlib.import_module(f"callproof.lint.forms.{form}")
    text: str = module.rendered(told, Path.cwd())
    return text


def read_targets(texts: Iterable[str]) -> list[Target]:
    """What a user wrote, report by report.  Raises BadTarget, also if two reports would go to one file."""
    targets = [read_target(each) for each in texts]
    both = in_one_file(each.path for each in targets)
    if both is not None:
        raise BadTarget(f"--report {str(both[1])!r}: it is the same file as {both[0]}; give each a file of its own")
    return targets


def read_target(text: str) -> Target:
    """What a user wrote: ``FORM=PATH``, or a path whose suffix names the form.  Raises BadTarget."""
    word, equals, rest = text.partition("=")
    if equals and word in _FORMS:
        form, path = word, rest
    else:
        form, path = _BY_SUFFIX.get(Path(text).suffix.lower(), ""), text
    if not form or not path:
        near = nearest(word, _FORMS) if equals else ""
        hint = f"; did you mean {near}={rest}?" if near else ""
        permitted = f"{', '.join(_FORMS)}=PATH, or a path that ends in {', '.join(_BY_SUFFIX)}"
        raise BadTarget(f"--report {text!r}: permitted: {permitted}{hint}")
    if is_printed(path):
        raise BadTarget(
            f"--report {text!r}: {path} is standard output; permitted: a file, or --format, which prints one"
        )
    if not os.path.isdir(Path(path).absolute().parent) or os.path.isdir(path):
        raise BadTarget(f"--report {text!r}: {path} is not a file in an existing folder")
    return Target(form, Path(path))


def write(told: Report, target: Target) -> None:
    """Write a report where it was asked for.  Raises OSError; an existing file then stays as it was."""
    write_whole(target.path, rendered(told, target.form).encode("utf-8"))

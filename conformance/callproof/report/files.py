"""Reports as files; each file holds the document in one form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from callproof import limits
from callproof.report.badge import badge
from callproof.report.document import json_text
from callproof.report.github import workflow_commands
from callproof.report.junit import junit
from callproof.report.lines import json_lines, read_report_text
from callproof.report.markdown import summary
from callproof.report.sarif import sarif
from callproof.report.stored import NotStored, stored
from callproof.report.targets import Form, Target
from callproof.report.whole import write_whole
from callproof.spec.registry import whole_specification

_Report = Mapping[str, Any]


def _page(report: _Report) -> str:
    # Imported here, so that runs that write no page do not wait for the template engine.
    from callproof.report.html import page  # noqa: PLC0415

    return page(report, whole_specification())


_FORMS: Mapping[Form, Callable[[_Report], str]] = {
    Form.JSON: lambda report: json_text(dict(report)),
    Form.HTML: _page,
    Form.MARKDOWN: lambda report: summary(report, whole_specification()),
    Form.BADGE: badge,
    Form.JSON_LINES: json_lines,
    Form.SARIF: lambda report: sarif(report, whole_specification(), Path.cwd()),
    Form.JUNIT: lambda report: junit(report, whole_specification()),
    Form.ANNOTATIONS: lambda report: workflow_commands(report, whole_specification(), Path.cwd()),
}


class BadReport(ValueError):
    """A file holds no report; the text says which file, and why."""


def rendered(report: _Report, form: Form) -> str:
    """A report in one form; in the same working folder the same report gives the same text."""
    return _FORMS[form](report)


def write_report(report: _Report, target: Target) -> None:
    """
    Write a report to the given target.  A statement needs more than the report, and is written by other code.

    Raises OSError; then the old content of the file stays.
    """
    if target.form in _FORMS:
        write_whole(target.path, rendered(report, target.form).encode("utf-8"))


def read_report(path: Path) -> _Report:
    """The report in a file of JSON or of JSON Lines.  Raises BadReport."""
    try:
        return stored(path, "report", limits.REPORT_BYTES, read_report_text)
    except NotStored as error:
        expected = "" if error.missing else "; expected what `--report report.json` or `report.jsonl` writes"
        raise BadReport(f"{error}{expected}") from None

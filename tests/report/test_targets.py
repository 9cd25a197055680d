"""The targets of reports, as users write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from callproof.report.targets import BadTarget, Form, Target, read_target


@pytest.mark.parametrize(
    ("text", "form", "path"),
    [
        ("report.json", Form.JSON, "report.json"),
        ("report.HTML", Form.HTML, "report.HTML"),
        ("report.jsonl", Form.JSON_LINES, "report.jsonl"),
        ("report.sarif", Form.SARIF, "report.sarif"),
        ("report.xml", Form.JUNIT, "report.xml"),
        ("github=log", Form.ANNOTATIONS, "log"),
        ("summary.md", Form.MARKDOWN, "summary.md"),
        ("badge.svg", Form.BADGE, "badge.svg"),
        ("statement.zip", Form.STATEMENT, "statement.zip"),
        ("markdown=step_summary", Form.MARKDOWN, "step_summary"),
        ("statement=proof", Form.STATEMENT, "proof"),
        ("json=a=b", Form.JSON, "a=b"),
    ],
)
def test_a_suffix_or_a_word_tells_the_form(text: str, form: Form, path: str, tmp_path: Path) -> None:
    """The suffix gives the form, as in ``--report report.json``, or the word before ``=`` does."""
    assert read_target(text, tmp_path) == Target(form, tmp_path / path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("report", "permitted: json, jsonl, html"),
        ("htlm=x", "did you mean html=x"),
        ("html=", "names no path; permitted: html=PATH"),
        ("json", "names no path; permitted: json=PATH"),
        ("nowhere/report.html", "does not exist"),
        ("statement=full", "is not empty"),
        ("statement=full/file", "is a file"),
        ("html=full", "is a folder"),
        (f"{'x' * 300}.html", "cannot be written: File name too long"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_run(text: str, says: str, tmp_path: Path) -> None:
    """A run takes long, so a user must hear at once that its report cannot be written."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    with pytest.raises(BadTarget, match=says):
        read_target(text, tmp_path)


def test_a_form_that_there_is_not_here_is_refused(tmp_path: Path) -> None:
    """A statement is only made of a whole run of the suite, so other commands do not offer it."""
    with pytest.raises(BadTarget, match="this command writes no statement; permitted: json, jsonl"):
        read_target("statement.zip", tmp_path, without=(Form.STATEMENT,))
    with pytest.raises(BadTarget) as refused:
        read_target("report.pdf", tmp_path, without=(Form.STATEMENT,))
    assert "statement" not in str(refused.value)
    assert ".zip" not in str(refused.value)

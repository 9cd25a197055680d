"""The user chooses the weight of a finding, and every form of a report shows the same weight."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.report.files import rendered
from callproof.report.targets import Form
from callproof.report.text import lines
from callproof.report.weight import weight
from callproof.spec.registry import specification
from reports import finding, log_report

CASES = [
    ("MUST", None, "fail"),
    ("MUST", "should", "fail"),
    ("MUST", "never", "broken"),
    ("SHOULD", None, "advice"),
    ("SHOULD", "should", "fail"),
    ("SHOULD", "never", "advice"),
    ("MAY", "should", "advice"),
]


def chosen(fail_on: str | None, **more: Any) -> dict[str, Any]:
    """A report with one finding; ``fail_on`` decides whether it fails."""
    told = {} if fail_on is None else {"failOn": fail_on}
    return log_report(findings=[finding(run="night/one", **more)], **told)


@pytest.mark.parametrize(("level", "fail_on", "word"), CASES)
def test_every_form_says_the_same_of_a_finding(level: str, fail_on: str | None, word: str) -> None:
    """Advice fails only if the user chose that, and nothing fails if the user chose that."""
    made = chosen(fail_on, level=level)
    assert weight(made["findings"][0], made) == word
    assert any(line.plain.startswith(f"RETRY-03  {word}  ") for line in lines(made, specification()))
    assert f'<span class="tag v-{word}">{word}</span>' in rendered(made, Form.HTML)
    assert f"<b>RETRY-03</b> {word} ·" in rendered(made, Form.MARKDOWN)
    assert rendered(made, Form.ANNOTATIONS).startswith("::error " if word == "fail" else "::warning ")


@pytest.mark.parametrize("fail_on", [None, "should", "never"])
def test_what_is_known_is_known_whatever_was_chosen(fail_on: str | None) -> None:
    """The baseline lists the finding, and no choice changes that."""
    made = chosen(fail_on, known="is being mended")
    assert weight(made["findings"][0], made) == "known"


@pytest.mark.parametrize("root", [{"known": "issue 12"}, {"level": "SHOULD"}])
def test_what_fails_never_stands_behind_what_does_not(root: dict[str, Any]) -> None:
    """A consequence of a known failure, or of advice, is shown by itself, because it makes the whole fail."""
    cause = finding(run="night/one", **root)
    first = cause["witness"][0]
    place = {"file": first["file"], "line": first["line"], "because": "it is the same call"}
    follows = {"requirement": cause["requirement"], **place}
    made = log_report(findings=[cause, finding(run="night/one", requirement="RES-03", followsFrom=follows)])
    assert any(line.plain.startswith("RES-03  fail  ") for line in lines(made, specification()))
    assert "<b>RES-03</b> fail ·" in rendered(made, Form.MARKDOWN)
    assert "title=RES-03 " in rendered(made, Form.ANNOTATIONS).partition("\n")[0]
    fails = log_report(findings=[finding(run="night/one"), made["findings"][1]])
    assert "  hence  RES-03 at " in "\n".join(line.plain for line in lines(fails, specification()))
    assert "title=RES-03 " not in rendered(fails, Form.ANNOTATIONS)


def _after(cause: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A finding that follows from another one."""
    first = cause["witness"][0]
    place = {"file": first["file"], "line": first["line"], "because": "it is the same call"}
    return finding(run="night/one", followsFrom={"requirement": cause["requirement"], **place}, **more)


def test_what_stands_at_the_place_of_a_known_root_and_follows_itself_lends_it_no_weight() -> None:
    """Only a finding that follows from no other can be the root of others."""
    known, other = finding(run="night/one", known="issue 12"), finding(run="night/one", requirement="CALL-01")
    beside = _after(other, observed="s1 was late")
    made = log_report(findings=[known, other, beside, _after(known, requirement="RES-03")])
    assert any(line.plain.startswith("RES-03  fail  ") for line in lines(made, specification()))
    assert "title=RES-03 " in rendered(made, Form.ANNOTATIONS)


def test_what_follows_from_a_finding_that_is_not_listed_is_told_by_itself_in_text_alone() -> None:
    """The report lists others of its root's kind, so other forms leave it out; a reader of text has only the text."""
    made = log_report(findings=[_after(finding(), requirement="RES-03")])
    assert any(line.plain.startswith("RES-03  fail  ") for line in lines(made, specification()))
    assert "title=RES-03 " not in rendered(made, Form.ANNOTATIONS)
    assert "the same fix is likely to remove: RES-03 (1)" in rendered(made, Form.MARKDOWN)

"""Findings that the user lets pass, and what happens with suppressions that are over or have no effect."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
from callproof.commands.lint import lint, linter
from callproof.lint.configuring import configured
from callproof.lint.page import page
from callproof.lint.running import Linted
from callproof.lint.sources.files import from_files
from tool_catalogues import closed, reading

TODAY = date(2026, 11, 22)
TOOL = reading("text.countWords", closed({"text": {"type": "string"}}), closed({"words": {"type": "integer"}}))
SUPPRESSION = """\
[[lint.suppressions]]
rule = "{rule}"
{where}
reason = "The registry adds it."
owner = "tools-team"
expires = {expires}
"""


def judged(folder: Path, settings: str, chosen: str = 'select = ["TD", "SUP"]') -> Linted:
    """What the linter says about a tool without a risk level, under some settings."""
    tool = {name: value for name, value in TOOL.items() if name != "riskLevel"}
    (folder / "tools.json").write_text(json.dumps(tool))
    (folder / "callproof.toml").write_text(f"[lint]\n{chosen}\n\n{settings}")
    return lint(from_files([str(folder / "tools.json")]), linter(configured(folder), TODAY))


def suppression(rule: str = "TD003", where: str = "", expires: str = "2027-01-31") -> str:
    """One suppression as the settings have it."""
    return SUPPRESSION.format(rule=rule, where=where, expires=expires)


@pytest.mark.parametrize("where", ["", 'tools = ["text.*"]', 'files = ["*tools.json"]', 'pointers = ["*"]'])
@pytest.mark.parametrize("rule", ["TD003", "TD"])
def test_a_finding_that_is_let_pass_counts_no_more(tmp_path: Path, rule: str, where: str) -> None:
    """It is listed apart, with the reason."""
    linted = judged(tmp_path, suppression(rule, where))
    assert linted.outcome.findings == ()
    (passed,) = linted.outcome.suppressed
    assert passed.rule == "TD003"
    assert passed.suppressed is not None
    assert passed.suppressed.reason == "The registry adds it."
    assert linted.exit_code == 0


def test_a_bracket_in_a_pointer_stands_for_itself(tmp_path: Path) -> None:
    """A pointer that is copied from a report lets that finding pass; members of queries often have such names."""
    tool = {**TOOL, "inputSchema": closed({"filter[status]": {"type": "string"}})}
    (tmp_path / "tools.json").write_text(json.dumps(tool))
    settings = '[lint]\nselect = ["DOC004", "SUP"]\n\n'
    pointer = """pointers = ["/inputSchema/properties/filter[status]"]"""
    (tmp_path / "callproof.toml").write_text(settings + suppression("DOC004", pointer))
    outcome = lint(from_files([str(tmp_path / "tools.json")]), linter(configured(tmp_path), TODAY)).outcome
    assert [each.rule for each in outcome.suppressed] == ["DOC004"]
    assert [each.pointer_text for each in outcome.suppressed] == ["/inputSchema/properties/filter[status]"]
    assert outcome.findings == ()


def test_a_suppression_that_is_over_lets_nothing_pass(tmp_path: Path) -> None:
    """It becomes a finding itself, at its line of the settings."""
    linted = judged(tmp_path, suppression(expires="2026-11-21"))
    assert [each.rule for each in linted.outcome.findings] == ["TD003", "SUP002"]
    over = linted.outcome.findings[1]
    assert over.document.name.endswith("callproof.toml")
    assert over.place.line == 4
    assert linted.exit_code == 1


def test_the_last_day_is_a_day_of_it(tmp_path: Path) -> None:
    """It lasts until the end of that day."""
    assert judged(tmp_path, suppression(expires=TODAY.isoformat())).exit_code == 0


def test_a_suppression_that_matches_nothing_is_a_finding(tmp_path: Path) -> None:
    """The finding is about the second of the two, at its own line."""
    linted = judged(tmp_path, suppression() + "\n" + suppression("TD004"))
    (unused,) = linted.outcome.findings
    assert unused.rule == "SUP001"
    assert unused.place.line == 11
    assert "TD004" in unused.fault.observed


@pytest.mark.parametrize(("rule", "where"), [("IN002", ""), ("TD004", 'files = ["other.json"]')])
def test_what_this_run_could_not_find_is_not_held_against_a_suppression(tmp_path: Path, rule: str, where: str) -> None:
    """Its rule was not chosen, or its files were not read, so it is not called unused."""
    assert judged(tmp_path, suppression() + suppression(rule, where)).outcome.findings == ()


@pytest.mark.parametrize("narrowed", ['select = ["TD004", "SUP"]', 'select = ["TD", "SUP"]\nignore = ["TD003"]'])
@pytest.mark.parametrize("rule", ["TD", "ALL"])
def test_a_suppression_of_a_group_is_judged_where_all_of_the_group_is_held(
    tmp_path: Path, rule: str, narrowed: str
) -> None:
    """TD003 would find something, but did not run, so the suppression of the group is not called unused."""
    assert judged(tmp_path, suppression(rule), narrowed).outcome.findings == ()


def test_a_suppression_of_a_group_that_lets_nothing_pass_is_a_finding(tmp_path: Path) -> None:
    """All rules of the group ran and found nothing."""
    linted = judged(tmp_path, suppression("IN"), 'select = ["IN", "SUP"]')
    assert [each.rule for each in linted.outcome.findings] == ["SUP001"]


def test_whoever_ignores_the_group_hears_nothing_of_it(tmp_path: Path) -> None:
    """The group is chosen and ignored like any other."""
    linted = judged(tmp_path, 'ignore = ["SUP"]\n' + suppression("TD004"))
    assert [each.rule for each in linted.outcome.findings] == ["TD003"]


@pytest.mark.parametrize("rule", ["SUP001", "SUP002"])
def test_the_pages_of_suppressions_are_right_in_their_examples(tmp_path: Path, rule: str) -> None:
    """The bad example gives a finding of this rule, the good one gives nothing."""
    text = page(rule).text
    bad, good = (re.findall(rf"```toml {word}\n(.*?)```", text, re.DOTALL)[0] for word in ("bad", "good"))
    chosen = 'extend_select = ["IN002"]\n'
    assert {each.rule for each in judged(tmp_path, chosen + bad).outcome.findings} == {rule, "TD003"}
    assert judged(tmp_path, chosen + good).outcome.findings == ()

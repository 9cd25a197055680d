"""Canons of the user's own, named in the settings and read like any other definitions."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from callproof.commands.lint import lint, linter
from callproof.lint.configuring import Configured
from callproof.lint.running import Linted
from callproof.lint.settings import Settings
from callproof.lint.sources.files import from_files
from tool_catalogues import Tool, closed, reading


def exporting(path_type: str) -> Tool:
    """A tool that only this user's canon has."""
    path = {"type": path_type, "description": "The note."}
    return reading("vault.exportPdf", closed({"path": path}), closed({"path": path}), description="Export a note.")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A file with the tool, one type of which differs from the canon."""
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([exporting("integer")]), encoding="utf-8")
    return file


def judged(tools: Path, *canons: str) -> Linted:
    """What the rules of the canon find in a file, with these canons."""
    chosen = Configured(Settings(select=("CAN",), canons=canons))
    return lint(from_files([str(tools)]), linter(chosen, date(2026, 1, 1)))


def test_a_folder_of_definitions_is_a_canon(tools: Path, tmp_path: Path) -> None:
    """The tools of the sources are compared with it; its own tools are not judged."""
    canon = tmp_path / "canon"
    canon.mkdir()
    (canon / "vault.exportPdf.json").write_text(json.dumps(exporting("string")), encoding="utf-8")
    linted = judged(tools, str(canon))
    assert [each.rule for each in linted.outcome.findings] == ["CAN002", "CAN002"]
    assert {each.document.name for each in linted.outcome.findings} == {str(tools)}
    assert linted.exit_code == 1


def test_without_the_canon_the_tool_is_unknown(tools: Path) -> None:
    """It is like any tool in a canonical category that is not in the conventions."""
    linted = judged(tools)
    assert [each.rule for each in linted.outcome.findings] == ["CAN007"]


@pytest.mark.parametrize(("text", "says"), [("[]", "the canon holds no tool"), ("{", "not JSON")])
def test_a_canon_that_is_none_is_a_problem(tools: Path, tmp_path: Path, text: str, says: str) -> None:
    """If a canon could not be read, nothing is called clean."""
    canon = tmp_path / "canon.json"
    canon.write_text(text, encoding="utf-8")
    linted = judged(tools, str(canon))
    assert linted.exit_code == 2
    assert any(says in each for each in linted.problems)

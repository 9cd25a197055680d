"""The guide to the linter: its settings can be read, its Python runs, and it shows what the linter prints."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
from callproof.cli import cli
from callproof.lint.configuring import configured
from callproof.lint.profiles.loading import NAMES
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)


def test_the_settings_of_the_guide_are_settings(tmp_path: Path) -> None:
    """The linter accepts each of them."""
    (block,) = blocks("toml")
    (tmp_path / "pyproject.toml").write_text(block, encoding="utf-8")
    settings = configured(tmp_path).settings
    assert settings.profiles == ("seed", "mcp-2025-11-25")
    assert settings.fail_on == "warning"
    assert len(settings.suppressions) == len(settings.overrides) == 1


def test_the_python_of_the_guide_runs() -> None:
    """Its assertions hold."""
    for block in blocks("python"):
        exec(textwrap.dedent(block), {})


def test_the_findings_of_the_guide_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guide shows them character by character."""
    monkeypatch.chdir(ROOT)
    printed = CliRunner().invoke(cli, ["lint", "examples/tools/found.json", "--fail-on", "never"]).output
    shown = blocks("console")[0]
    assert shown.strip() in printed
    annotated = CliRunner().invoke(cli, ["lint", "examples/tools/found.json", "--format", "github"]).output
    (annotation,) = (each.strip() for each in blocks("console") if each.startswith("::"))
    assert annotation.replace("file=tools.json", "file=examples/tools/found.json") in annotated


def test_the_wrong_name_of_the_guide_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guide shows the message as it is printed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "callproof.toml").write_text('[lint]\nselct = ["TD"]\n', encoding="utf-8")
    told = CliRunner().invoke(cli, ["lint", str(ROOT / "examples/tools/notes.json")])
    assert told.exit_code == 2
    assert told.stderr.replace(f"{tmp_path}/", "") in blocks("console")


def test_every_profile_is_in_the_guide() -> None:
    """The guide mentions it by its name."""
    assert [name for name in NAMES if f"`{name}`" not in GUIDE] == []

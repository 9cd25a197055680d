"""Settings of the linter in files: what they mean, and what is reported about invalid ones."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from callproof.lint.configuring import WrongSetting, configured
from callproof.lint.page import Severity, page
from callproof.lint.settings import Settings

WHOLE = """\
[lint]
select = ["TD", "in002"]
extend_select = ["PATH006"]
ignore = ["TD011"]
profiles = ["seed", "openai"]
fail_on = "warning"
canons = ["canon"]
levels = { TD = "warning", IN002 = "note" }

[[lint.overrides]]
tools = ["vault.*"]
ignore = ["TD003"]

[[lint.suppressions]]
rule = "TD005"
tools = ["a"]
reason = "Later."
owner = "me"
expires = 2030-01-31
"""


def test_a_file_says_everything_that_can_be_chosen(tmp_path: Path) -> None:
    """Both files permit the same settings, under different table names."""
    (tmp_path / "callproof.toml").write_text(WHOLE)
    chosen = configured(tmp_path)
    assert chosen.document is not None
    settings = chosen.settings
    assert (settings.select, settings.extend_select, settings.ignore) == (("TD", "IN002"), ("PATH006",), ("TD011",))
    assert (settings.profiles, settings.fail_on, settings.canons) == (("seed", "openai"), "warning", ("canon",))
    assert settings.levels == {"TD": Severity.WARNING, "IN002": Severity.NOTE}
    assert settings.overrides[0].where.tools == ("vault.*",)
    assert settings.suppressions[0].expires == date(2030, 1, 31)
    (tmp_path / "callproof.toml").unlink()
    (tmp_path / "pyproject.toml").write_text(WHOLE.replace("[lint", "[tool.callproof.lint"))
    assert configured(tmp_path).settings == settings


def test_without_a_file_everything_is_as_it_comes(tmp_path: Path) -> None:
    """A file that does not mention the linter counts as no file."""
    (tmp_path / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    chosen = configured(tmp_path)
    assert chosen.settings == Settings()
    assert chosen.document is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[lint]\nselct = ["TD"]', "did you mean 'select'"),
        ('[lint]\nselect = ["TD03"]', "did you mean TD003"),
        ("[lint]\nselect = 7", "permitted: a list of strings"),
        ("[lint]\nselect = [7]", "permitted: a list of strings"),
        ("[lint]\nlevels = 7", "permitted: a table"),
        ('[lint.levels]\nTD003 = "fatal"', "permitted: error or warning or note"),
        ('[lint.levels]\nTDD = "error"', "did you mean TD"),
        ('[lint]\nfail_on = "must"', "permitted: error, warning, note, never"),
        ("[lint]\noverrides = 7", "permitted: tables"),
        ("[lint]\noverrides = [7]", "permitted: tables"),
        ('[[lint.overrides]]\nignore = ["TD"]', "number 1 of overrides applies nowhere"),
        ('[[lint.overrides]]\ntool = ["TD"]', "did you mean 'tools'"),
        ('[[lint.suppressions]]\nrule = "TD003"\nowner = "me"\nexpires = 2030-01-01', "suppressions has no reason;"),
        ('[[lint.suppressions]]\nrule = "TD003"\nreason = " "\nowner = "me"\nexpires = 2030-01-01', "not empty"),
        ('[[lint.suppressions]]\nrule = "TD003"\nreason = "x"\nexpires = 2030-01-01', "has no owner;"),
        ('[[lint.suppressions]]\nrule = "TD003"\nreason = "x"\nowner = "me"', "has no expires; permitted: a day"),
        ("[lint]\nselect = [true]", r"select is \[true\]; permitted"),
        ("\ufeff[lint]", "starts with a byte order mark; save it as UTF-8 without one"),
        ('[[lint.suppressions]]\nrule = "TD003"\nreason = "x"\nowner = "me"\nexpires = "soon"', "permitted: a day"),
        ("lint = 7", "permitted: a table"),
        ("[lint", "is not TOML"),
        (f"[lint]\nselect = {'9' * 5_000}", "is not TOML"),
        (f"[lint]\nselect = {'[' * 5_000}", "is not TOML"),
        ("[lnt]", "callproof.toml has no table 'lnt'; did you mean 'lint'?"),
    ],
)
def test_a_setting_that_means_nothing_is_refused(tmp_path: Path, text: str, says: str) -> None:
    """The message names the file and the place, and what is permitted or meant."""
    (tmp_path / "callproof.toml").write_text(text, encoding="utf-8")
    with pytest.raises(WrongSetting, match=says):
        configured(tmp_path)


@pytest.mark.parametrize("text", ["tool = 7", "[tool]\ncallproof = 7", "[tool.callproof]\nlint = 7"])
def test_a_table_that_is_none_is_refused_on_the_way_to_it(tmp_path: Path, text: str) -> None:
    """Settings for callproof are never silently ignored; tables of other programs are."""
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(WrongSetting, match=r"\] is 7; permitted: a table"):
        configured(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\n[project]\n")
    assert configured(tmp_path).settings == Settings()


@pytest.mark.parametrize("name", ["lnt", "Lint", "linter"])
def test_a_table_that_is_nearly_called_lint_is_not_passed_over(tmp_path: Path, name: str) -> None:
    """Otherwise a misspelt table would leave the linter with other rules than the user chose."""
    (tmp_path / "pyproject.toml").write_text(f'[tool.callproof.{name}]\nselect = ["TD"]\n')
    with pytest.raises(WrongSetting, match=rf"\[tool.callproof\] has no table '{name}'; did you mean 'lint'\?"):
        configured(tmp_path)


def test_settings_of_a_run_beside_those_of_the_linter_are_left_alone(tmp_path: Path) -> None:
    """The linter ignores the other names in the table of callproof."""
    (tmp_path / "pyproject.toml").write_text('[tool.callproof]\nadapter = "python:a"\nlevel = "must"\nlimit = 3\n')
    assert configured(tmp_path).settings == Settings()


def test_a_file_that_was_named_has_to_be_there(tmp_path: Path) -> None:
    """A file that the linter looks for by default may be missing."""
    with pytest.raises(WrongSetting, match="cannot be read"):
        configured(tmp_path, tmp_path / "lint.toml")


@pytest.mark.parametrize(
    ("settings", "rule", "chosen"),
    [
        (Settings(), "TD003", True),
        (Settings(), "PATH006", False),
        (Settings(extend_select=("PATH006",)), "PATH006", True),
        (Settings(select=("IN",)), "TD003", False),
        (Settings(select=("ALL",)), "PATH006", True),
        (Settings(ignore=("TD",)), "TD003", False),
        (Settings(ignore=("TD",), extend_select=("TD003",)), "TD003", True),
        (Settings(select=("TD",), ignore=("TD003",)), "TD003", False),
        (Settings(profiles=("openai",)), "TD003", False),
        (Settings(profiles=("openai",), select=("TD",)), "TD003", True),
    ],
)
def test_the_nearer_choice_counts(settings: Settings, rule: str, chosen: bool) -> None:
    """An id beats its group, ignoring beats selecting, and any setting beats the default."""
    assert settings.may_choose(page(rule)) == chosen

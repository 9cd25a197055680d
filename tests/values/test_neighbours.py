"""Paths that do not exist, and the suggestion of one that may be meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from callproof.auditlog.inputs import NothingToJudge, inputs_at
from callproof.commands.audit import read_tools
from callproof.commands.usage import WrongUsage
from callproof.lint.configuring import WrongSetting, configured
from callproof.lint.sources.files import from_files
from callproof.replay.casefile import BadCaseFile, read_case_file
from callproof.report.stored import NotStored, stored
from callproof.statement.store import Unreadable, read_files
from callproof.values.neighbours import nearest_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds a folder with one file."""
    (tmp_path / "night").mkdir()
    (tmp_path / "night" / "report.json").write_text("{}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("nihgt", "night"),
        ("night/reprot.json", "night/report.json"),
        ("nihgt/report.json", "night/report.json"),
        ("night", ""),
        ("night/report.json", ""),
        ("night/report.json/x", ""),
        ("nihgt/x", ""),
        ("elsewhere", ""),
        ("x" * 300, ""),
        ("x\0", ""),
    ],
)
def test_the_nearest_that_is_there_is_named(folder: Path, wanted: str, meant: str) -> None:
    """A path that exists gets no suggestion, and a path that does not exist is never suggested."""
    assert nearest_path(folder / wanted) == (f"; did you mean {folder / meant}?" if meant else "")


def test_whoever_mistypes_a_path_is_told_everywhere(folder: Path) -> None:
    """Logs, definitions, settings, case files, reports and statements have separate readers; each suggests a path."""
    wrong, right = folder / "nihgt", f"; did you mean {folder / 'night'}?"
    with pytest.raises(NothingToJudge) as log:
        inputs_at([wrong])
    with pytest.raises(BadCaseFile) as case:
        read_case_file(wrong)
    with pytest.raises(NotStored) as report:
        stored(wrong, "report", 100)
    with pytest.raises(Unreadable) as statement:
        read_files(wrong)
    with pytest.raises(WrongUsage) as descriptors:
        read_tools(wrong)
    with pytest.raises(WrongSetting) as settings:
        configured(folder, wrong)
    refused = (log, case, report, statement, descriptors, settings)
    told = [str(each.value) for each in refused] + [*from_files([str(wrong)]).problems]
    assert [each for each in told if not each.endswith(right)] == []


@pytest.mark.parametrize("target", ["gone", "link"])
def test_a_link_that_leads_nowhere_is_called_one(folder: Path, target: str) -> None:
    """Users see the link in the folder, so no message denies that it exists. A link to itself leads nowhere, too."""
    link = folder / "link"
    link.symlink_to(target)
    for reads, refuses in ((lambda: inputs_at([link]), NothingToJudge), (lambda: read_files(link), Unreadable)):
        with pytest.raises(refuses, match="link is a link that leads nowhere; expected"):
            reads()

"""The variations that a correct executor may show: no check ever blames one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from callproof.auditlog.reader import read_run
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from log_edits import Edit, apply, copy_of

FILES = sorted((Path(__file__).parent / "benign").glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_benign_variation_is_spotless(file: Path, tmp_path: Path) -> None:
    """No check, at any level, reports what the specification permits."""
    variation = yaml.safe_load(file.read_text(encoding="utf-8"))
    folder = copy_of(variation["base"], tmp_path / "log")
    for each in variation.get("edits") or []:
        apply(Edit(each["line"], each["merge"]), folder)
    for name in variation.get("remove") or []:
        (folder / name).unlink()
    results = judge(read_run(folder))
    blamed = {
        name: [each.finding.observed for each in result.findings] or list(result.errors)
        for name, result in results.items()
        if result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }
    assert blamed == {}, variation["says"]


# Variations that no edit of lines can show: bytes of a file, and the files beside it.
SHOWN_ELSEWHERE = {
    "B-47": "tests/checks/test_audit_log.py",
    "B-50": "tests/checks/test_audit_log.py",
    "B-59": "tests/checks/test_audit_log.py",
    "B-65": "tests/test_benign_variations.py",
}


@pytest.mark.parametrize("year", ["1999", "2099"])
def test_a_clock_of_another_time_is_spotless(year: str, tmp_path: Path) -> None:
    """B-65: a run is judged by its own clock, however far that is from ours."""
    folder = copy_of("unconfirmed", tmp_path / "log")
    for path in folder.iterdir():
        path.write_text(re.sub(r'"20\d\d-', f'"{year}-', path.read_text(encoding="utf-8")), encoding="utf-8")
    results = judge(read_run(folder))
    assert [name for name, result in results.items() if result.findings or result.errors] == []


def test_each_of_the_69_variations_is_tried() -> None:
    """Every variation has its file here, or another test names it."""
    tried = {file.stem[:4] for file in FILES}
    for name, place in SHOWN_ELSEWHERE.items():
        assert name in (Path(__file__).parents[1] / place).read_text(encoding="utf-8")
        tried.add(name)
    assert tried == {f"B-{number:02}" for number in range(1, 70)}

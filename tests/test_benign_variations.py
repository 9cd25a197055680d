"""The variations that a correct executor may show, none of which is ever blamed."""

from __future__ import annotations

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
    """What the specification permits is reported by no check, at any level."""
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

"""The scenarios and the generated cases shared out among the workers of pytest-xdist, in real pytest processes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from plugin.test_plugin import REFERENCE, run_pytest

CASES = ("--callproof-cases", "60")


def test_two_workers_give_the_report_of_one(tmp_path: Path) -> None:
    """Under pytest-xdist the same items run, and the report is the same, byte for byte."""
    for name, workers in (("one.json", ()), ("two.json", ("-n", "2"))):
        ran = run_pytest(
            tmp_path, "--callproof", REFERENCE, "-k", "SC-01 or GEN", "--callproof-report", name, *CASES, *workers
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_workers_share_generated_cases(tmp_path: Path) -> None:
    """Each item has cases of its own, so that neither of two workers has to play them all."""
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-v", "-k", "GEN", *CASES, "-n", "2")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    had = re.findall(r"^\[(gw\d)\].* PASSED callproof::GEN::(\S+)", ran.stdout, re.MULTILINE)
    assert sorted(part for _, part in had) == ["1-25", "26-50", "51-60"]
    assert len({worker for worker, _ in had}) == 2


@pytest.mark.parametrize("dist", ["load", "worksteal", "loadgroup", "loadfile", "loadscope"])
def test_no_way_of_sharing_out_parts_a_scenario(tmp_path: Path, dist: str) -> None:
    """Whatever ``--dist`` says for other tests, one worker has all items of a scenario, which then runs once."""
    (tmp_path / "test_of_a_user.py").write_text("def test_one(): ...\ndef test_two(): ...\n", encoding="utf-8")
    ran = run_pytest(
        tmp_path, "--callproof", REFERENCE, "-v", "-k", "SC-02 or SC-18 or user", "-n", "2", "--dist", dist
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    workers: dict[str, set[str]] = {}
    for worker, scenario in re.findall(r"^\[(gw\d)\].* PASSED callproof::(SC-\d\d)::", ran.stdout, re.MULTILINE):
        workers.setdefault(scenario, set()).add(worker)
    assert {scenario: len(had) for scenario, had in workers.items()} == {"SC-02": 1, "SC-18": 1}
    assert len(re.findall(r"PASSED test_of_a_user.py::", ran.stdout)) == 2

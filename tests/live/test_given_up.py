"""An adapter that fails again and again is given up, and the report says what was not run because of that."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from callproof import limits
from callproof.adapters.deadlines import Deadlines
from callproof.live.ran import Runs
from callproof.live.scenarios import SCENARIOS

DYING = Path(__file__).parents[1] / "adapters" / "hostile" / "dies_in_run.py"

DYING_WITHOUT_CLAIMS = """
import json
request = json.loads(input())
claims = {"profiles": ["envelope"], "features": []}
implementation = {"name": "dying", "version": "1", "language": "python"}
result = {"protocolVersion": "1.0", "implementation": implementation, "claims": claims}
print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
input()
"""


def test_a_report_says_that_the_adapter_was_given_up_and_what_was_not_run() -> None:
    """It names the cases that are left, and every scenario after them, once and not for each of their items."""
    command = [str(Path(sys.executable).parent / "callproof"), "test", "--format", "json", "--cases", "0"]
    address = f"stdio:{sys.executable} {DYING}"
    ran = subprocess.run(
        [*command, "-k", "SC-12 or SC-14 or SC-15", address], capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 3
    *deaths, given_up, left_out = json.loads(ran.stdout)["errors"]
    assert len(deaths) == 3
    assert all("the adapter died in a run" in each for each in deaths)
    assert given_up.startswith("SC-12: the adapter failed 3 times in a row and was given up; ")
    assert given_up.endswith(" more cases of SC-12 were not run, nor was anything after it")
    assert left_out == "2 scenarios were not run: SC-14, SC-15"


def test_a_case_that_was_not_run_is_no_success_between_two_failures(tmp_path: Path) -> None:
    """An adapter that claims little is given up as early as one that claims all; the report has the true number."""
    system = tmp_path / "system.py"
    system.write_text(DYING_WITHOUT_CLAIMS, encoding="utf-8")
    command = [
        str(Path(sys.executable).parent / "callproof"),
        "test",
        "--format",
        "json",
        "--cases",
        "0",
        "-k",
        "SC-02",
    ]
    ran = subprocess.run([*command, f"stdio:{sys.executable} {system}"], capture_output=True, text=True, timeout=300)
    *deaths, given_up = json.loads(ran.stdout)["errors"]
    assert len(deaths) == 3
    assert "the adapter failed 3 times in a row and was given up; " in given_up


def test_a_report_says_that_the_disk_was_full_and_what_was_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The adapter is not given up, and what was judged while there was room still counts."""
    free = iter((limits.ROOM_BYTES, limits.ROOM_BYTES))
    room = shutil.disk_usage

    def usage(path: str) -> object:
        return SimpleNamespace(free=next(free, 0)) if "callproof-" in str(path) else room(path)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    scenario = next(each for each in SCENARIOS if each.id == "SC-04")
    runs = Runs("stdio:callproof-reference stdio", Deadlines())
    judged = runs.judged(scenario)
    runs.close()
    assert len(judged.runs) == 2
    (error,) = judged.errors
    assert error.startswith("SC-04: the adapter had no room to write: 0 bytes left in ")
    assert error.endswith(f"; {len(scenario.cases) - 2} more cases of SC-04 were not run, nor was anything after it")

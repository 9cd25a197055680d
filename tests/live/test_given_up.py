"""An adapter that fails again and again is given up, and the report says what was not run for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

DYING = Path(__file__).parents[1] / "adapters" / "hostile" / "dies_in_run.py"


def test_a_report_says_that_the_adapter_was_given_up_and_what_was_not_run() -> None:
    """The cases that are left, and every scenario after them; once, and not for each of their items."""
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

"""A correct system that claims little is never blamed, and need not show what it did not claim."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.many

MODEST = Path(__file__).with_name("modest.py")
MISCOUNTING = Path(__file__).with_name("miscounting.py")
HASTY = Path(__file__).with_name("hasty.py")
PROMISING = Path(__file__).with_name("promising.py")
SOME = ["references", "retry", "timeout", "cancellation", "events", "virtualClock"]


@pytest.mark.parametrize("features", [["virtualClock"], SOME], ids=["almost-none", "some"])
def test_a_lawful_system_conforms_to_what_it_claims(features: list[str]) -> None:
    """The system conforms, and the report names every gap in the claim as inapplicable."""
    command = [str(Path(sys.executable).parent / "callproof"), "test", "--format", "json"]
    address = f"stdio:{sys.executable} {MODEST} {' '.join(features)}"
    ran = subprocess.run([*command, address], capture_output=True, text=True, timeout=600)
    report = json.loads(ran.stdout)
    unproven = [each["id"] for each in report["requirements"] if each["required"] and each["verdict"] == "inconclusive"]
    assert (report["findings"], report["errors"], unproven) == ([], [], [])
    assert (report["outcome"], ran.returncode) == ("conforms", 0)
    verdicts = {each["id"]: each["verdict"] for each in report["requirements"]}
    assert verdicts["LOOP-01"] == "inapplicable"
    assert verdicts["RES-05"] == "pass"


def test_the_first_attempt_has_the_number_one_whatever_is_claimed() -> None:
    """RETRY-01 needs no claim: a system that makes only one attempt numbers it 1."""
    command = [str(Path(sys.executable).parent / "callproof"), "test", "--format", "json", "-k", "SC-31"]
    address = f"stdio:{sys.executable} {MISCOUNTING} virtualClock"
    ran = subprocess.run([*command, address], capture_output=True, text=True, timeout=600)
    report = json.loads(ran.stdout)
    assert {each["requirement"] for each in report["findings"]} == {"RETRY-01"}
    assert ran.returncode == 1


def test_a_system_that_waits_for_no_last_word_is_not_blamed_on_real_time() -> None:
    """A58: nobody gets what an aborted tool says too late, and the suite cannot see on a wire what came too late."""
    command = [str(Path(sys.executable).parent / "callproof"), "test", "--format", "json", "-k", "SC-18"]
    ran = subprocess.run([*command, f"stdio:{sys.executable} {HASTY}"], capture_output=True, text=True, timeout=600)
    report = json.loads(ran.stdout)
    assert (report["findings"], report["errors"]) == ([], [])


def test_a_system_that_does_not_wait_as_it_claims_is_not_proven() -> None:
    """It breaks no law, but it does not show what it claims."""
    command = [str(Path(sys.executable).parent / "callproof"), "test", "--format", "json", "-k", "SC-18"]
    address = f"stdio:{sys.executable} {PROMISING}"
    ran = subprocess.run([*command, "--cases", "0", address], capture_output=True, text=True, timeout=600)
    report = json.loads(ran.stdout)
    unproven = [each["id"] for each in report["requirements"] if each["required"] and each["verdict"] == "inconclusive"]
    assert (report["findings"], report["errors"]) == ([], [])
    assert (report["outcome"], unproven, ran.returncode) == ("not proven", ["TIME-05", "CANC-04"], 1)

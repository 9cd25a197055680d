"""`callproof explain` of the cases of agent loops."""

from __future__ import annotations

import subprocess
import sys

import pytest
from callproof.commands.case_page import case_page
from callproof.loops.cases import CASES, SUBJECTS


def explain(name: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a separate process."""
    command = [sys.executable, "-m", "callproof", "explain", name]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_case_is_of_a_subject_and_every_subject_has_cases() -> None:
    """The subjects are those of the cases, in their order."""
    assert list(dict.fromkeys(each.id.partition("/")[0] for each in CASES)) == list(SUBJECTS)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_lists_its_cases(subject: str) -> None:
    """The page has a row for each case of the subject, with what it is and what it needs."""
    page = case_page(subject)
    for case in CASES:
        assert (f"`{case.id}`" in page) is case.id.startswith(f"{subject}/")


def test_a_case_tells_all_that_is_played() -> None:
    """It shows the replies, the answers, the hooks that are set, and the user."""
    page = case_page("al-7/aborted-with-hooks")
    assert page.startswith("### AL-07/aborted-with-hooks")
    assert "Runs only if the system claims beforeHook, afterHook, persistHook, abort." in page
    assert "waits: stop" in page
    assert "when: call_1" in page
    assert all(f"{hook}: {{}}" in page for hook in ("before", "after", "persist"))


def test_the_command_finds_cases_and_the_nearest_of_a_typo() -> None:
    """A case has a page, a requirement names the subjects that aim at it, and a typo gets its nearest match."""
    assert "A client carries out a call" in explain("AL-08/put-off").stdout
    assert "AL-05" in explain("HOST-17").stdout
    wrong = explain("AL-05/bloked")
    assert wrong.returncode == 2
    assert "Did you mean AL-05/blocked" in wrong.stderr
    assert "Those of agent loops are AL-01" in explain("AL-77").stderr

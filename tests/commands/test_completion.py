"""What a real bash completes: commands and options, and the names that they take."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from callproof.lint.page import pages
from callproof.live.scenarios import SCENARIOS
from callproof.spec.registry import protocol_named, specification
from callproof.suites import SUITES

CALLPROOF = Path(sys.executable).with_name("callproof")
BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="there is no bash")


def completed(*words: str) -> list[str]:
    """What bash offers for the last of the words of a command line."""
    line = shlex.join(("callproof", *words))
    script = f"""
        eval "$(callproof)"
        COMP_WORDS=({line}) COMP_CWORD={len(words)}
        unset _CALLPROOF_COMPLETE
        _callproof_completion callproof
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = {**os.environ, "PATH": f"{CALLPROOF.parent}:{os.environ['PATH']}"}
    environment["_CALLPROOF_COMPLETE"] = "bash_source"
    assert BASH is not None
    ran = subprocess.run([BASH, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("expl",), ["explain"]),
        (("audit", "--fol"), ["--follow"]),
        (("explain", "retry-0"), [each for each in specification().requirements if each.startswith("RETRY-0")]),
        (("explain", "A8"), ["A8", *(f"A{number}" for number in range(80, 90))]),
        (("explain", "pre00"), [each for each in pages() if each.startswith("PRE00")]),
        (("explain", "path007"), ["PATH007"]),
        (("explain", "SC-0"), [each.id for each in SCENARIOS if each.id < "SC-10"]),
        (("explain", "AL-0"), [each for each in SUITES["loop"].subjects if each < "AL-10"]),
        (("audit", "--select", "HASH"), [*(each for each in specification().requirements if "HASH" in each), "HASH"]),
        (("test", "-k", "HASH-06"), ["HASH-06"]),
        (("loop", "--ignore", "HOST-0"), [each for each in protocol_named("agent-loop").requirements if "-0" in each]),
        (("records", "--require", "INT-01"), ["INT-01"]),
        (("loop", "--case", "al-05/blocked-w"), ["AL-05/blocked-without-a-reason"]),
        (("lint", "--select", "PRE"), [*(each for each in pages() if each.startswith("PRE")), "PRE"]),
        (("init", "adapter-p"), ["adapter-python"]),
        (("explain", "nothing-is-called-so"), []),
    ],
    ids=" ".join,
)
def test_a_shell_completes_names(words: tuple[str, ...], offered: list[str]) -> None:
    """Commands, options, laws and their groups, rules, scenarios, cases, rulings, examples; in either letter case."""
    assert completed(*words) == offered


def test_a_name_is_offered_with_what_it_is_the_name_of() -> None:
    """A shell that shows descriptions gets the title, which says more than a number."""
    environment = {**os.environ, "_CALLPROOF_COMPLETE": "fish_complete"}
    environment |= {"COMP_WORDS": "callproof explain RETRY-03", "COMP_CWORD": "RETRY-03"}
    ran = subprocess.run([CALLPROOF], env=environment, capture_output=True, text=True, check=False)
    assert f"RETRY-03\t{specification().requirements['RETRY-03'].title}" in ran.stdout.replace("\n", "\t")

"""An agent loop in Python, in the release that its example pins: the listed findings, and no others."""

from __future__ import annotations

import os
import sys

from example_commands import ROOT

from real_loops.listed import expect_what_is_listed, listed_in, told_in_readme

EXAMPLE = ROOT / "examples" / os.environ["LOOP_PYTHON"]
LISTED = listed_in(EXAMPLE)


def test_what_is_found_in_the_loop_is_what_its_example_lists() -> None:
    """Each requirement that it breaks, with the written cases that show it, and no errors."""
    (release,) = LISTED
    expect_what_is_listed(f"{sys.executable} {EXAMPLE}/adapter.py", release, "python", LISTED)


def test_the_readme_tells_of_each_law_that_is_broken() -> None:
    """The table has a row for each broken law, and no other row."""
    (laws,) = LISTED.values()
    assert list(told_in_readme(EXAMPLE)) == list(laws)

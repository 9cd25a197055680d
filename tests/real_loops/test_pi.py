"""The agent loop of pi, in the two releases that the example pins: the listed findings, and no others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from example_commands import ROOT

from real_loops.listed import expect_a_row_of_each_law, expect_what_is_listed, listed_in

FOLDER = Path(os.environ["LOOP_PI"])
EXAMPLE = ROOT / "examples" / "loop-pi"
LISTED = listed_in(EXAMPLE)


@pytest.mark.parametrize("release", LISTED)
def test_what_is_found_in_pi_is_what_its_example_lists(release: str) -> None:
    """Each requirement that it breaks, with the written cases that show it, and no errors."""
    scope = release.split("/", maxsplit=1)[0]
    expect_what_is_listed(f"node {FOLDER}/adapter.mjs {scope}", release, "typescript", LISTED)


def test_the_readme_tells_of_each_law_which_release_breaks_it() -> None:
    """The table has a row for each law that one release breaks, and no other row."""
    expect_a_row_of_each_law(EXAMPLE)

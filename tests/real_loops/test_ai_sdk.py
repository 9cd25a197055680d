"""The agent of the AI SDK, in the pinned release and its two ways to run: the listed findings, and no others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from example_commands import ROOT

from real_loops.listed import expect_a_row_of_each_law, expect_what_is_listed, listed_in

FOLDER = Path(os.environ["LOOP_AI_SDK"])
EXAMPLE = ROOT / "examples" / "loop-ai-sdk"
LISTED = listed_in(EXAMPLE)


@pytest.mark.parametrize("release", LISTED)
def test_what_is_found_in_the_ai_sdk_is_what_its_example_lists(release: str) -> None:
    """Each requirement that it breaks, with the written cases that show it, and no errors."""
    way = release.rpartition(" ")[2]
    expect_what_is_listed(f"node {FOLDER}/adapter.mjs {way}", release, "typescript", LISTED)


def test_the_readme_tells_of_each_law_in_which_way_it_is_broken() -> None:
    """The table has a row for each law that one of the two ways breaks, and no other row."""
    expect_a_row_of_each_law(EXAMPLE)

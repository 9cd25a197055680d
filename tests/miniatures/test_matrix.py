"""The matrix: every miniature against the real suite, caught by its own requirement and by nothing outside its set.

Each is served over stdio and driven through about 16 of the cases that aim at its requirement, from every scenario
that has some, and through the 8 cases that together aim at the most requirements, to see that nothing else
breaks.  If few cases can show a fault, the miniature names the case, or the scenario of which up to 48 are run.
The reference is driven through every case and must fail nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

import pytest
from callproof.judge.verdicts import Verdict
from callproof.live.scenarios import SCENARIOS
from callproof.spec.registry import specification

from miniatures.driving import REFERENCE, RUN_MINIATURE, chosen, driven
from miniatures.miniature import Miniature, miniatures
from miniatures.publish import MATRIX, PUBLISHED, listed, matrix
from miniatures.warm import Warm

GROUPS = {each.split("-")[0] for each in specification().requirements}


@pytest.mark.parametrize("broken", miniatures(), ids=lambda each: each.name)
def test_a_miniature_is_caught_as_what_it_breaks_and_as_nothing_else(broken: Miniature, served: Warm) -> None:
    """Its own requirement fails with a finding; all else that fails is in its stated set; no adapter error."""
    judged = driven(served.address(broken.name), chosen(broken.requirement, broken.seen_in))
    own = judged.failed.get(broken.requirement)
    assert own is not None, f"{broken.says} Nobody noticed.\n{judged.told()}"
    assert own.verdict is Verdict.FAIL, judged.told()
    assert own.findings
    assert set(judged.failed) <= {broken.requirement, *broken.also}, judged.told()
    assert judged.errors == ()


def test_the_reference_is_spotless() -> None:
    """The reference, which the miniatures break, fails no requirement itself, advice included."""
    judged = driven(REFERENCE, SCENARIOS)
    assert judged.failed == {}, judged.told()
    assert judged.errors == ()


def test_every_group_has_miniatures() -> None:
    """At least two broken executors a group, and at least sixty in all."""
    counted = Counter(each.requirement.split("-")[0] for each in miniatures())
    assert {group: count for group, count in counted.items() if count < 2} == {}
    assert set(counted) == GROUPS
    assert counted.total() >= 60


@pytest.mark.parametrize("broken", miniatures(), ids=lambda each: each.name)
def test_a_miniature_says_what_it_breaks(broken: Miniature) -> None:
    """A name in kebab case, a sentence, and requirements that can be decided."""
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", broken.name)
    assert broken.says.endswith(".")
    assert "\n" not in broken.says
    requirements = specification().requirements
    assert [name for name in (broken.requirement, *broken.also) if requirements[name].excluded is not None] == []
    assert broken.requirement not in broken.also


def test_the_published_list_and_the_matrix_are_current() -> None:
    """The published files list the miniatures that run here; python tests/miniatures/publish.py updates them."""
    assert PUBLISHED.read_text(encoding="utf-8") == listed()
    assert MATRIX.read_text(encoding="utf-8") == matrix()


def test_a_wrong_name_is_told_with_the_nearest() -> None:
    """A typo gets an answer and no traceback."""
    command = [sys.executable, str(RUN_MINIATURE), "second-resullt"]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert asked.returncode == 2
    assert "second-result" in asked.stderr

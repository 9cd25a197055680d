"""Adapters of pipelines that get the wire wrong: the report says so, without a traceback."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from callproof.commands.driven import Wanted, judge_system
from callproof.commands.progress import Watching
from callproof.judge.judgement import Judgement, Outcome
from callproof.judge.verdicts import Verdict
from callproof.pipelines.suite import SUITE

BAD = Path(__file__).parent / "bad.py"


def judged(how: str, timeout: float = 1) -> Judgement:
    """The judgement of a few cases."""
    wanted = Wanted(f"stdio:{sys.executable} {BAD} {how}", cases=("PL-01/one", "PL-01/three"), timeout=timeout)
    return judge_system(SUITE, wanted, Watching(None))


def failed(judgement: Judgement) -> set[str]:
    """The requirements with findings."""
    return {name for name, each in judgement.results.items() if each.verdict is Verdict.FAIL}


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("garbage", "standard output carries JSON-RPC messages only"),
        ("finishes-twice", "pipeline/finished out of turn: the case was already over"),
        ("begins-too-early", "it had not answered pipeline/start yet"),
        ("no-record", "sent record out of shape"),
        ("dies", "out of memory"),
    ],
)
def test_what_is_wrong_on_the_wire_is_an_error_of_the_adapter(how: str, says: str) -> None:
    """The adapter must be mended first; nothing is known about the pipeline."""
    judgement = judged(how)
    assert judgement.outcome is Outcome.ERROR
    assert len(judgement.errors) == 2
    assert all(says in each for each in judgement.errors), judgement.errors


@pytest.mark.parametrize("how", ["silent", "executes-for-ever", "floods"])
def test_a_case_without_an_end_is_a_finding(how: str) -> None:
    """The suite gives up on it, no matter what it sends meanwhile."""
    judgement = judged(how, timeout=0.2)
    assert judgement.errors == ()
    assert "PIPE-18" in failed(judgement)


def test_a_pipeline_cannot_tell_what_the_suite_saw() -> None:
    """A probe that the pipeline writes itself is ignored, so the tool counts as never entered."""
    judgement = judged("forges")
    assert judgement.errors == ()
    assert "PIPE-11" in failed(judgement)

"""What `callproof loop` makes of what it is asked for, without a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from callproof.commands.audit import WrongUsage
from callproof.commands.driven import Wanted, chosen, judge_system
from callproof.commands.progress import Watching
from callproof.judge.judgement import Outcome
from callproof.loops.cases import CASES
from callproof.loops.suite import SUITE

REFERENCE = "stdio:callproof-reference loop"
UNWATCHED = Watching(None)


def test_the_chosen_cases_are_judged_and_their_logs_kept(tmp_path: Path) -> None:
    """A conforming loop conforms, and each case that was had leaves its log; those of an earlier run are gone."""
    (tmp_path / "AL-01-one.jsonl").write_text("{}\n", encoding="utf-8")
    judged = judge_system(SUITE, Wanted(REFERENCE, cases=("AL-08",), keep=tmp_path), UNWATCHED)
    assert judged.outcome is Outcome.CONFORMS
    assert {each.name for each in tmp_path.iterdir()} == {
        f"{case.id.replace('/', '-')}.jsonl" for case in CASES if case.id.startswith("AL-08")
    }


def test_generated_cases_are_had_beside_all_others() -> None:
    """So many of them as are wanted, where no case is chosen; a requirement that is left out is not judged."""
    judged = judge_system(SUITE, Wanted(REFERENCE, generated=3, ignore=("HOST-20",)), UNWATCHED)
    assert len(judged.runs) == len(CASES) + 3
    assert "HOST-20" not in judged.results
    assert judged.outcome is Outcome.CONFORMS


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(REFERENCE, cases=("AL-5",)),
        Wanted(REFERENCE, select=("HOST-99",)),
        Wanted(REFERENCE, keep=Path(__file__)),
    ],
)
def test_what_means_nothing_is_told(wanted: Wanted) -> None:
    """A case, a requirement and a folder that there are not end the command before anything is played."""
    with pytest.raises(WrongUsage):
        judge_system(SUITE, wanted, UNWATCHED)


def test_a_typo_gets_the_nearest_case() -> None:
    """The name of no case is told with one that is near."""
    with pytest.raises(WrongUsage, match="did you mean AL-05/blocked"):
        chosen(SUITE, ["AL-05/bloked"])

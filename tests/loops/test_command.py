"""What `callproof loop` does with its arguments, without a separate process for the command."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from callproof.commands.driven import Wanted, judge_system
from callproof.commands.driven_cases import chosen
from callproof.commands.progress import Watching
from callproof.commands.usage import WrongUsage
from callproof.judge.judgement import Outcome
from callproof.loops.cases import CASES
from callproof.loops.suite import SUITE
from driven_systems import served

REFERENCE = "stdio:callproof-reference loop"
UNWATCHED = Watching(None)


def test_the_chosen_cases_are_judged_and_their_logs_kept(tmp_path: Path) -> None:
    """A conforming loop conforms, and each played case leaves its log; logs of an earlier run are gone."""
    (tmp_path / "AL-01-one.jsonl").write_text("{}\n", encoding="utf-8")
    judged = judge_system(SUITE, Wanted(REFERENCE, cases=("AL-08",), keep=tmp_path), UNWATCHED)
    assert judged.outcome is Outcome.CONFORMS
    assert {each.name for each in tmp_path.iterdir()} == {
        f"{case.id.replace('/', '-')}.jsonl" for case in CASES if case.id.startswith("AL-08")
    }


def test_generated_cases_are_had_beside_all_others() -> None:
    """If no case is chosen, the wanted number of them is played; a requirement that is left out is not judged."""
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
    """An unknown case, an unknown requirement or a wrong folder ends the command before anything is played."""
    with pytest.raises(WrongUsage):
        judge_system(SUITE, wanted, UNWATCHED)


def test_a_typo_gets_the_nearest_case() -> None:
    """The error for an unknown case suggests a similar name."""
    with pytest.raises(WrongUsage, match="did you mean AL-05/blocked"):
        chosen(SUITE, ["AL-05/bloked"], 0, 60)


def test_generated_cases_are_named_by_their_numbers() -> None:
    """A number uses the current seed, or names its seed as reports do; GEN means all, and none is played twice."""
    few = chosen(SUITE, ["GEN/17", "AL-08", "GEN/5-3"], 4, 60)
    assert {case.id[:5] for case in few.written} == {"AL-08"}
    assert (few.named, few.count) == (((4, 17), (5, 3)), 0)
    assert few.expected == len(few.written) + 2
    last = chosen(SUITE, ["GEN/1", "GEN/100000", f"GEN/{2**63 - 1}-1"], 4, 60)
    assert last.named == ((4, 1), (4, 100_000), (2**63 - 1, 1))
    every = chosen(SUITE, ["GEN", "GEN/17", "GEN/4-60", "GEN/61", "GEN/61", "GEN/5-3"], 4, 60)
    assert (every.written, every.named, every.count) == ((), ((4, 61), (5, 3)), 60)
    assert chosen(SUITE, [], 4, 60).expected == len(CASES) + 60


@pytest.mark.parametrize("name", ["GEN/0", "GEN/100001", "GEN/x", "GEN/-1", "GEN/1-2-3", f"GEN/{2**63}-1", "GENE"])
def test_a_number_that_no_generated_case_has_is_told(name: str) -> None:
    """The error names the generated cases that exist."""
    with pytest.raises(WrongUsage, match=rf"--case {name} is not a case; generated cases are GEN/1 to GEN/100000"):
        chosen(SUITE, [name], 0, 60)


def test_a_generated_case_that_broke_something_is_had_again_by_its_name() -> None:
    """The command in the report plays this case again, and gives the same finding and no other."""
    address = served("live_loops", "unheeded")
    judged = judge_system(SUITE, Wanted(address, cases=("GEN",), generated=25), UNWATCHED)
    assert len(judged.runs) == 25
    found = [each.finding.observed for each in judged.results["HOST-03"].findings if each.run == "GEN/0-21"]
    command = shlex.split(judged.replays["HOST-03", "GEN/0-21"])
    assert command == ["callproof", "loop", address, "--case", "GEN/0-21"]
    again = judge_system(SUITE, Wanted(address, cases=("GEN/21",), generated=25), UNWATCHED)
    assert [each.name for each in again.runs] == ["GEN/0-21"]
    assert [each.finding.observed for each in again.results["HOST-03"].findings] == found != []

"""Generated cases in ``callproof test``: items that judge every law, with a seed that the report tells."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callproof.commands.replay import lines, replay
from callproof.commands.test import Selected, WrongSelection, run
from callproof.generated import running
from callproof.generated.states import STATES
from callproof.judge.baseline import Baseline, Drawn, Entry, Failure
from callproof.judge.judgement import Outcome
from callproof.replay.casefile import read_case_file
from callproof.report.baselines import baseline_text
from callproof.settings import Settings, WrongSetting, from_options
from miniatures.driving import REFERENCE, RUN_MINIATURE

ONLY = Selected("GEN")


def test_the_reference_conforms_and_the_seed_is_told() -> None:
    """The line of the generated cases tells their number, their seed and the states that they reached."""
    judged = run(Settings(REFERENCE, seed=5, cases=12), ONLY)
    assert judged.outcome is Outcome.CONFORMS
    (line,) = judged.runs
    assert line.name == "GEN: 12 of 12 cases, seed 5"
    (reach,) = line.notes
    reached, _, passed_by = reach.partition("; not: ")
    assert reached == f"{len(STATES) - len(passed_by.split(', '))} of {len(STATES)} named states were reached"


def test_a_broken_executor_is_told_by_one_small_case_a_law(tmp_path: Path) -> None:
    """The finding is that of the case made small, and the kept file holds that case."""
    address = f"stdio:{sys.executable} {RUN_MINIATURE} denied-tool-called"
    judged = run(Settings(address, cases=60, save_cases=tmp_path), ONLY)
    assert judged.outcome is Outcome.VIOLATIONS
    (located,) = judged.results["POL-01"].findings[:1]
    assert located.run.endswith("-small")
    file = min(path for path in tmp_path.iterdir() if "POL-01" in path.name)
    again = [line.plain for line in lines(replay(read_case_file(file), Settings(address)))]
    assert "broken: POL-01" in again[1]
    assert "--save-cases" not in "\n".join(again)  # it is in a file already


@pytest.mark.many
def test_a_part_that_broke_enough_says_how_many_cases_it_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line accounts for every case that was wanted."""
    monkeypatch.setattr(running, "_ENOUGH_BROKEN", 1)
    address = f"stdio:{sys.executable} {RUN_MINIATURE} denied-tool-called"
    line = run(Settings(address, cases=50), ONLY).runs[0]
    had, left = re.findall("[0-9]+", line.name)[0], re.match("not run: ([0-9]+), since an item ends ", line.notes[0])
    assert left is not None
    assert int(had) + int(left[1]) == 50


def test_a_part_can_be_selected() -> None:
    """The part is selected by the places of its cases, and the line tells how few of the cases it has."""
    (line,) = run(Settings(REFERENCE, cases=60), Selected("26-50")).runs
    assert line.name == "GEN: 25 of 60 cases, seed 0"


@pytest.mark.many
def test_what_a_baseline_lists_of_other_cases_is_not_stale(tmp_path: Path) -> None:
    """A run of a part learns nothing of the other cases; a run of all learns that the failure is gone."""
    known = Failure("RETRY-03", "GEN", "… was attempted … times")
    (tmp_path / "known.json").write_text(baseline_text(Baseline((Entry(known, "issue 7"),))), encoding="utf-8")
    settings = Settings(REFERENCE, cases=60, baseline=tmp_path / "known.json")
    assert run(settings, Selected("26-50")).outcome is Outcome.CONFORMS
    assert run(settings, ONLY).outcome is Outcome.STALE_BASELINE


@pytest.mark.many
def test_what_a_baseline_lists_of_cases_that_were_not_had_is_not_stale(tmp_path: Path) -> None:
    """After fewer cases, those of another seed, or none at all, the failure may still exist where it was found."""
    known = Failure("RETRY-03", "GEN", "… was attempted … times")
    baseline = Baseline((Entry(known, "issue 7"),), drawn=Drawn(seed=0, cases=20))
    (tmp_path / "known.json").write_text(baseline_text(baseline), encoding="utf-8")
    settings = Settings(REFERENCE, cases=20, baseline=tmp_path / "known.json")
    assert run(replace(settings, cases=21), ONLY).outcome is Outcome.STALE_BASELINE
    assert run(replace(settings, cases=19), ONLY).outcome is Outcome.CONFORMS
    assert run(replace(settings, seed=4), ONLY).outcome is Outcome.CONFORMS
    assert run(replace(settings, cases=0), Selected("SC-19")).outcome is Outcome.CONFORMS


def test_none_are_none() -> None:
    """A count of zero turns them off, so there is no item left to select."""
    with pytest.raises(WrongSelection):
        run(Settings(REFERENCE, cases=0), ONLY)


@pytest.mark.parametrize("value", ["-1", "many", "1000000000"])
def test_a_count_is_a_whole_number(value: Any, tmp_path: Path) -> None:
    """The message names the wrong count, with what is permitted."""
    with pytest.raises(WrongSetting, match=r"cases is .*; permitted: "):
        from_options(REFERENCE, {"cases": value}, tmp_path)


def test_a_hundred_cases_unless_told_otherwise(tmp_path: Path) -> None:
    """An option wins over pyproject.toml, which wins over the default."""
    assert from_options(REFERENCE, {}, tmp_path).cases == 100
    (tmp_path / "pyproject.toml").write_text("[tool.callproof]\ncases = 7\n", encoding="utf-8")
    assert from_options(REFERENCE, {}, tmp_path).cases == 7
    assert from_options(REFERENCE, {"cases": "9"}, tmp_path).cases == 9

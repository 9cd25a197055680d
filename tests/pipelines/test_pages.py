"""`callproof explain` of the cases of pipelines, and the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from callproof.cli.explain import explain_command
from callproof.commands.case_page import case_page
from callproof.commands.driven import Wanted, judge_system
from callproof.commands.progress import Watching
from callproof.judge.judgement import Outcome
from callproof.pipelines.cases import CASES, SUBJECTS
from callproof.pipelines.suite import SUITE
from callproof.suites import SUITES
from click.testing import CliRunner
from driven_systems import served


def test_every_case_is_of_a_subject_and_every_subject_has_cases() -> None:
    """The subjects are those of the cases, in their order, and no id is used twice."""
    assert list(dict.fromkeys(each.id.partition("/")[0] for each in CASES)) == list(SUBJECTS)
    assert len({each.id for each in CASES}) == len(CASES)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_lists_its_cases(subject: str) -> None:
    """The page has a row for each case of the subject, with what it is and what it needs."""
    page = case_page(subject)
    for case in CASES:
        assert (f"`{case.id}`" in page) is case.id.startswith(f"{subject}/")


def test_a_case_tells_all_that_is_played() -> None:
    """It shows the calls, the answers, who is asked, and the user."""
    page = case_page("pl-9/one-at-work-one-asked")
    assert page.startswith("### PL-09/one-at-work-one-asked")
    assert "Runs only if the system claims concurrent, permission, abort." in page
    assert "waits: stop" in page
    assert "after: act" in page


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES.keys())
def test_the_command_knows_the_cases_of_every_suite(suite) -> None:
    """The names of subjects, with any letters, are distinguished from those of requirements and rules."""
    for name in (next(iter(suite.subjects)), suite.cases[0].id):
        shown = CliRunner().invoke(explain_command, [name])
        assert shown.exit_code == 0, shown.output
        assert suite.subjects[next(iter(suite.subjects))] in shown.output or suite.cases[0].says in shown.output


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.id)
def test_a_case_is_of_calls_that_there_are(case) -> None:
    """The answers of tools, hooks and people are about calls of the case, and so are the user's actions."""
    ids = {each.id for each in case.calls}
    asking = case.asking
    about = {*case.answers, *(asking.refused or ()), *(asking.pre or ()), *(asking.permits or ())}
    about |= {*(asking.unmapped or ()), *(asking.post or ()), *(asking.unstored or ())}
    about |= {each for each in ((case.act.when, case.act.call) if case.act else ()) if each is not None}
    assert about <= ids


def test_the_chosen_cases_are_judged_and_their_logs_kept(tmp_path: Path) -> None:
    """A conforming pipeline conforms, and each played case leaves its log."""
    wanted = Wanted("stdio:callproof-reference pipeline", cases=("PL-03",), keep=tmp_path)
    judged = judge_system(SUITE, wanted, Watching(None))
    assert judged.outcome is Outcome.CONFORMS
    assert {each.name for each in tmp_path.iterdir()} == {
        f"{case.id.replace('/', '-')}.jsonl" for case in CASES if case.id.startswith("PL-03")
    }


def test_a_finding_names_what_the_suite_saw_and_what_was_told() -> None:
    """Each witness names the kind of its line once."""
    wanted = Wanted(served("live_pipelines", "early-ends"), cases=("PL-01/one",))
    (found,) = judge_system(SUITE, wanted, Watching(None)).results["PIPE-18"].findings
    assert [each.says for each in found.finding.witness] == ["probe finished", 'result status "succeeded"']

"""Reports beside each other: what is worse, what is better, and what cannot be ranked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callproof.cli.compare import compare_command
from callproof.report.comparing import comparison
from callproof.schema.validator import shape_validator
from click.testing import CliRunner, Result
from reports import HOSTILE, report, requirement

FILES = [Path("old.json"), Path("new.json")]


def of(verdict: str | None, level: str = "MUST", **more: Any) -> dict[str, Any]:
    """A report with this verdict on RETRY-03, or with none if it was not judged; CALL-01 was kept."""
    told = [] if verdict is None else [requirement("RETRY-03", verdict, level=level)]
    return report(requirements=[requirement("CALL-01", "pass"), *told], **{"exitCode": 0, **more})


def change(old: str | None, new: str | None) -> str | None:
    """The change of RETRY-03 between two verdicts."""
    told = comparison(FILES, [of(old), of(new)])
    return next(each for each in told["requirements"] if each["id"] == "RETRY-03").get("change")


def compared(folder: Path, *reports: dict[str, Any], options: tuple[str, ...] = ()) -> Result:
    """What the command says of stored reports."""
    paths: list[str] = []
    for number, each in enumerate(reports, start=1):
        path = folder / f"{number}.json"
        path.write_text(json.dumps(each), encoding="utf-8")
        paths.append(str(path))
    return CliRunner().invoke(compare_command, [*paths, *options])


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        *((each, "fail", "worse") for each in ("pass", "inconclusive", "inapplicable")),
        *((each, "error", "worse") for each in ("pass", "inconclusive", "inapplicable")),
        ("pass", "inconclusive", "worse"),
        ("pass", "inapplicable", "worse"),
        *(("fail", each, "better") for each in ("pass", "inconclusive", "inapplicable")),
        *(("error", each, "better") for each in ("pass", "inconclusive", "inapplicable")),
        ("inconclusive", "pass", "better"),
        ("inapplicable", "pass", "better"),
        ("inconclusive", "inapplicable", "other"),
        ("inapplicable", "inconclusive", "other"),
        ("fail", "error", "other"),
        ("error", "fail", "other"),
        *((each, each, None) for each in ("pass", "fail", "error", "inconclusive", "inapplicable")),
        *((each, None, None) for each in ("pass", "fail")),
        *((None, each, None) for each in ("pass", "fail")),
    ],
)
def test_a_requirement_is_worse_better_other_or_alike(old: str | None, new: str | None, expected: str | None) -> None:
    """Newly broken, or no longer shown, is worse; a requirement that one report did not judge is not ranked."""
    assert change(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (of("pass"), of("fail", exitCode=1), 1),
        (of("fail", exitCode=1), of("pass"), 0),
        (of("fail", exitCode=1), of("fail", exitCode=1), 0),
        (of("pass", "SHOULD"), of("fail", "SHOULD"), 0),
        (of("pass", "SHOULD"), of("fail", "SHOULD", failOn="should", exitCode=1), 1),
        (of("pass", "SHOULD", failOn="should"), of("fail", "SHOULD"), 0),
        (of("pass"), of("fail", failOn="should", exitCode=1), 1),
        (of("pass"), report(requirements=[], exitCode=0), 0),
        (report(requirements=[], exitCode=0), of("pass"), 0),
        (of("pass"), of(None), 0),
        (of("pass"), of(None, outcome="error", exitCode=3), 3),
        (of("pass"), of("fail", outcome="interrupted", exitCode=130), 130),
        (of(None, outcome="nothing judged", exitCode=2), of("pass"), 2),
    ],
)
def test_the_exit_code_says_whether_the_second_is_worse(
    old: dict[str, Any], new: dict[str, Any], code: int, tmp_path: Path
) -> None:
    """Only what binds by the second report's settings counts; one that broke off cannot show that none is worse."""
    assert comparison(FILES, [old, new])["exitCode"] == code
    assert compared(tmp_path, old, new).exit_code == code


def test_more_than_two_are_not_ranked(tmp_path: Path) -> None:
    """Each has its column, and the command says how many requirements have unlike verdicts."""
    reports = (of("pass"), of("fail", exitCode=1), of(None))
    told = comparison([Path(name) for name in "abc"], reports)
    assert [each["verdict"] for each in told["requirements"][1]["verdicts"]] == ["pass", "fail", "not judged"]
    assert told["requirements"][1]["verdicts"][2]["findings"] == 0
    assert all("change" not in each for each in told["requirements"])
    shown = compared(tmp_path, *reports)
    assert shown.exit_code == 0
    assert shown.output.splitlines()[-1] == "2 requirements: 1 unlike, 1 alike"


def test_what_only_a_later_report_judges_is_told_as_well() -> None:
    """The comparison has every requirement of any of the reports."""
    told = comparison(FILES, [of(None), of("pass")])
    assert [each["id"] for each in told["requirements"]] == ["CALL-01", "RETRY-03"]


@pytest.mark.parametrize("reports", [[of("pass"), of("fail")], [report(), of(None), of("error")]], ids=["two", "three"])
def test_a_comparison_has_its_shape_and_is_the_same_again(reports: list[dict[str, Any]]) -> None:
    """It has the shape of the specification, and two comparisons of the same reports are equal."""
    files = [Path(f"{number}.json") for number in range(len(reports))]
    told = comparison(files, reports)
    assert shape_validator("comparison").errors(told) == ()
    assert comparison(files, reports) == told


def test_text_names_both_and_what_became_worse(tmp_path: Path) -> None:
    """There is a line for each requirement in which they differ, with its title; --all adds the others."""
    new = of("fail", exitCode=1)
    new["requirements"][1]["findings"] = 4
    shown = compared(tmp_path, of("pass"), new)
    lines = shown.output.splitlines()
    assert lines[0].startswith("1  my-executor 2.1: violations")
    assert lines[4].split(maxsplit=5)[:5] == ["RETRY-03", "pass", "fail", "(4)", "worse"]
    assert lines[-1] == "2 requirements: 1 worse, 1 alike"
    assert "CALL-01" not in shown.output
    assert "CALL-01" in compared(tmp_path, of("pass"), new, options=("--all",)).output


def test_text_names_the_suites_where_they_are_not_the_same(tmp_path: Path) -> None:
    """Another suite may have other laws; if the suites are the same, the text does not name them."""
    shown = compared(tmp_path, of("pass", suite="callproof 0.0.9"), of("pass", suite="callproof 0.1.0"))
    assert [each.partition(".json")[2] for each in shown.output.splitlines()[:2]] == [
        ", by callproof 0.0.9",
        ", by callproof 0.1.0",
    ]
    assert ", by " not in compared(tmp_path, of("pass"), of("pass")).output


def test_nothing_from_outside_is_more_than_text(tmp_path: Path) -> None:
    """The name of a system cannot move the cursor, and cannot become an element, link or row of the table."""
    hostile = of("fail", subject={"kind": "system", "name": "x", "implementation": f"{HOSTILE}|a"})
    for options in ((), ("--format", "markdown")):
        shown = compared(tmp_path, hostile, of("pass"), options=options).output
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "\n::error" not in shown
    assert "<script>" not in shown
    assert shown.splitlines()[0].replace(r"\|", "").count("|") == 4


@pytest.mark.parametrize(
    ("reports", "says"),
    [
        ([of("pass")], "is one report; name another to compare it with"),
        (
            [of("pass"), report(requirements=[requirement("HOST-01", "pass")])],
            "have no requirement in common: they begin with CALL-01 and HOST-01; compare reports of one suite",
        ),
        ([of("pass"), {"reportVersion": "1.0"}], "2.json is not a report: at the top"),
    ],
    ids=["one", "of-other-laws", "no-report"],
)
def test_what_cannot_be_compared_is_told(reports: list[dict[str, Any]], says: str, tmp_path: Path) -> None:
    """The error names the reports and what was expected, and the exit code is 2."""
    shown = compared(tmp_path, *reports)
    assert shown.exit_code == 2
    assert says in shown.output


def test_of_several_reports_the_two_that_have_nothing_in_common_are_named(tmp_path: Path) -> None:
    """The error has their files and a law of each, so that a user of twenty reports knows which one to leave out."""
    shown = compared(tmp_path, of("pass"), of("fail"), report(requirements=[requirement("HOST-01", "pass")]))
    said = " ".join(shown.output.split())
    assert f"{tmp_path / '1.json'} and {tmp_path / '3.json'} have no requirement in common" in said
    assert "they begin with CALL-01 and HOST-01" in said


def test_a_file_that_is_not_there_gets_its_nearest(tmp_path: Path) -> None:
    """The suggestion makes a typo easy to correct."""
    (tmp_path / "before.json").write_text(json.dumps(of("pass")), encoding="utf-8")
    shown = CliRunner().invoke(compare_command, [str(tmp_path / "before.json"), str(tmp_path / "bfore.json")])
    assert shown.exit_code == 2
    assert "did you mean" in shown.output

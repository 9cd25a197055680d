"""The choices of an audit: the laws that it judges, what fails it, and the failures that are known already."""

from __future__ import annotations

import errno
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from callproof import limits
from callproof.cli import cli
from callproof.schema.validator import shape_validator
from click.testing import CliRunner, Result
from log_edits import Edit, apply, copy_of


def audit(*arguments: str) -> Result:
    """The command."""
    return CliRunner().invoke(cli, ["audit", *arguments])


def report(*arguments: str) -> dict[str, Any]:
    """The report of the command; it must have the specification's shape."""
    ran = audit("--format", "json", *arguments)
    told: dict[str, Any] = json.loads(ran.stdout)
    assert shape_validator("report").errors(told) == ()
    assert ran.exit_code == told["exitCode"]
    return told


@pytest.fixture
def broken(tmp_path: Path) -> str:
    """Two logs; one of them breaks RES-05, a MUST, and nothing else."""
    copy_of("linear", tmp_path / "logs" / "a")
    apply(Edit("results 2", {"ok": False}), copy_of("linear", tmp_path / "logs" / "b"))
    return str(tmp_path / "logs")


@pytest.fixture
def advised(tmp_path: Path) -> str:
    """A log that breaks EFF-20, a SHOULD."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    apply(Edit("results 3", {"effects": None}), folder)
    return str(tmp_path / "logs")


def write_reasons(file: Path, **more: str) -> None:
    """Write into the entries of a baseline what people write there."""
    baseline = json.loads(file.read_text(encoding="utf-8"))
    for each in baseline["known"]:
        each.update({"reason": "issue 12", **more})
    file.write_text(json.dumps(baseline), encoding="utf-8")


@pytest.fixture
def baseline(broken: str, tmp_path: Path) -> Path:
    """A baseline of the broken logs, with reasons."""
    file = tmp_path / "known.json"
    assert audit(broken, "--baseline", str(file), "--update-baseline").exit_code == 0
    write_reasons(file)
    return file


def test_only_what_is_selected_is_judged_and_the_rest_is_named(broken: str) -> None:
    """A user selects by id or by group; what was left out has no verdict, and the report lists it."""
    told = report(broken, "--select", "res", "--ignore", "RES-05")
    judged = {each["id"] for each in told["requirements"]}
    assert told["outcome"] == "consistent"
    assert {each.partition("-")[0] for each in judged} == {"RES"}
    assert "RES-05" not in judged
    assert told["selection"]["select"] == ["res"]
    assert {"RES-05", "CALL-01"} <= set(told["selection"]["leftOut"])
    assert not judged.intersection(told["selection"]["leftOut"])


def test_lines_of_json_say_what_was_chosen_first(broken: str) -> None:
    """The first line, the head, has the choices; every line has the specification's shape."""
    ran = audit("--format", "jsonl", "--ignore", "RES", "--fail-on", "never", broken)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [line for line in lines if shape_validator("report-line").errors(line)] == []
    assert (lines[0]["record"]["failOn"], lines[0]["record"]["selection"]["ignore"]) == ("never", ["RES"])


def test_the_text_says_how_much_was_left_out(broken: str) -> None:
    """It says so before anything else, because that changes the meaning of the rest."""
    ran = audit(broken, "--ignore", "RES")
    assert ran.exit_code == 0
    assert "left out by choice: " in ran.stdout.split("\n\n")[0]
    assert "requirements (--ignore RES)" in ran.stdout


def test_what_is_not_left_out_fails_as_ever(broken: str) -> None:
    """A selection excuses only what it leaves out."""
    assert report(broken, "--ignore", "CALL")["outcome"] == "violations"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--select", "RES-055"], "'RES-055' is neither a requirement nor a group; did you mean RES-05?"),
        (["--select", "RES,CONF"], "'RES,CONF' is neither a requirement nor a group; give the option once for each"),
        (
            ["--select", "HOST-01"],
            "'HOST-01' is about other records; `callproof records --protocol agent-loop` judges those",
        ),
        (["--ignore", "int"], "'int' is about other records; `callproof records --protocol invocation` judges those"),
        (["--ignore", "RETRI"], "did you mean RETRY?"),
        (["--select", "RETRY-3"], "did you mean RETRY-03?"),
        (["--ignore", "qqqqq"], "`callproof coverage` lists them all"),
        (["--select", "RES", "--ignore", "RES"], "nothing is left to judge: RES without RES"),
        (["--require", "RES", "--ignore", "RES-05"], "RES-05 is required by --require, but left out"),
        (["--require", "LOG-21"], "'LOG-21' is excluded, and nothing decides it; `callproof explain LOG-21` says why"),
        (["--select", "RES", "--select", "log-21"], "'log-21' is excluded, and nothing decides it"),
        (["--update-baseline"], "--update-baseline names no file; add --baseline FILE"),
        (["--baseline", "known.json", "--update-baseline", "--ignore", "RES"], "drop --select and --ignore"),
        (["--baseline", "nowhere.json"], "--update-baseline writes one"),
        (["--follow", "--baseline", "known.json", "--update-baseline"], "drop --follow or --update-baseline"),
        (["--fail-on", "advice"], "must"),
        (["--strict", "--fail-on", "never"], "--strict is the same as --fail-on should; drop it or --fail-on never"),
        (["--strict", "--fail-on", "must"], "--strict is the same as --fail-on should; drop it or --fail-on must"),
        (["--require", "RES", "--fail-on", "never"], "but with --fail-on never nothing fails; drop one"),
        (["--report", "json"], "--report 'json' names no path; permitted: json=PATH"),
    ],
)
def test_what_means_nothing_is_refused(broken: str, options: list[str], says: str) -> None:
    """The error comes before anything is read, and gives the nearest name or the next step."""
    ran = audit(broken, *options)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert says in ran.stderr


@pytest.mark.parametrize(
    ("options", "exit_code", "fails_on"),
    [
        ([], 0, None),
        (["--fail-on", "must"], 0, None),
        (["--fail-on", "should"], 1, "should"),
        (["--strict"], 1, "should"),
        (["--strict", "--fail-on", "should"], 1, "should"),
        (["--fail-on", "never"], 0, "never"),
    ],
)
def test_advice_fails_only_where_that_was_asked_for(
    advised: str, options: list[str], exit_code: int, fails_on: str | None
) -> None:
    """The report contains the advice in any case."""
    told = report(advised, *options)
    assert {each["requirement"] for each in told["findings"]} == {"EFF-20"}
    assert (told["exitCode"], told.get("failOn")) == (exit_code, fails_on)


def test_what_was_found_fails_nothing_where_that_was_asked_for(broken: str) -> None:
    """The outcome is the same, but the exit code does not show it, and the text says so."""
    told = report(broken, "--fail-on", "never")
    assert (told["outcome"], told["exitCode"]) == ("violations", 0)
    assert "findings do not fail" in audit(broken, "--fail-on", "never").stdout


def test_what_cannot_be_judged_is_no_finding(tmp_path: Path) -> None:
    """No choice of the user can remove exit code 2."""
    assert audit(str(tmp_path), "--fail-on", "never").exit_code == 2


def test_an_update_writes_down_what_fails_and_lets_it_pass(broken: str, baseline: Path) -> None:
    """An entry names requirement and class, for any run; people write the reasons."""
    (entry,) = json.loads(baseline.read_text(encoding="utf-8"))["known"]
    assert (entry["requirement"], entry["runs"]) == ("RES-05", "*")
    told = report(broken, "--baseline", str(baseline))
    assert told["outcome"] == "known failures"
    assert {each["known"] for each in told["findings"]} == {"issue 12"}


def test_a_class_is_the_same_whether_values_are_shown_or_not(broken: str, baseline: Path) -> None:
    """A baseline applies whether or not the report shows values."""
    assert report(broken, "--baseline", str(baseline), "--show-values")["outcome"] == "known failures"


def test_what_a_baseline_does_not_list_fails(broken: str, baseline: Path) -> None:
    """A finding of another law fails, and so does the same law in a run that the entry does not name."""
    apply(Edit("results 3", {"runId": "other"}), Path(broken) / "a")
    assert report(broken, "--baseline", str(baseline))["outcome"] == "violations"
    write_reasons(baseline, runs="a")
    assert report(broken, "--baseline", str(baseline))["outcome"] == "violations"


def test_an_entry_that_lists_nothing_fails(broken: str, baseline: Path) -> None:
    """Its failure was fixed, or its runs are gone; an entry of a requirement left out by choice does not fail."""
    told = report(f"{broken}/a", "--baseline", str(baseline))
    assert (told["outcome"], told["exitCode"]) == ("stale baseline", 1)
    assert "it does not fail any more; remove the entry" in told["stale"][0]
    assert report(f"{broken}/a", "--baseline", str(baseline), "--ignore", "RES-05")["outcome"] == "consistent"
    write_reasons(baseline, runs="night-*")
    told = report(broken, "--baseline", str(baseline))
    assert "no run of these logs is called 'night-*'" in told["stale"][0]
    assert told["outcome"] == "violations"


def test_an_entry_on_advice_is_left_alone_where_advice_fails_nothing(advised: str, tmp_path: Path) -> None:
    """It lists a failure only with --strict; without it nothing shows that it is gone, and an update keeps it."""
    file = tmp_path / "known.json"
    assert report(advised, "--strict", "--baseline", str(file), "--update-baseline")["outcome"] == "known failures"
    write_reasons(file)
    assert report(advised, "--strict", "--baseline", str(file))["outcome"] == "known failures"
    told = report(advised, "--baseline", str(file))
    assert (told["outcome"], told.get("stale")) == ("consistent", None)
    written = json.loads(file.read_text(encoding="utf-8"))
    assert report(advised, "--baseline", str(file), "--update-baseline")["outcome"] == "consistent"
    assert json.loads(file.read_text(encoding="utf-8")) == written
    file.unlink()
    assert report(advised, "--baseline", str(file), "--update-baseline")["outcome"] == "consistent"
    assert json.loads(file.read_text(encoding="utf-8"))["known"] == []


def test_an_entry_whose_day_is_over_fails(broken: str, baseline: Path) -> None:
    """The failure that it listed fails again, and the report names the owner."""
    today = datetime.now(UTC).date()
    write_reasons(baseline, owner="anna", expires=str(today + timedelta(days=2)))
    assert report(broken, "--baseline", str(baseline))["outcome"] == "known failures"
    write_reasons(baseline, expires=str(today - timedelta(days=2)))
    told = report(broken, "--baseline", str(baseline))
    assert (told["outcome"], told["exitCode"]) == ("violations", 1)
    assert "(owner: anna): its last day was" in told["stale"][0]
    assert "agree on another day" in audit(broken, "--baseline", str(baseline)).stdout


def test_an_update_by_logs_without_a_run_leaves_the_file_alone(baseline: Path, tmp_path: Path) -> None:
    """If nothing was judged, nothing was fixed: the reasons that people wrote must not be lost."""
    before = baseline.read_bytes()
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "runs.jsonl").touch()
    told = report(str(tmp_path / "none"), "--baseline", str(baseline), "--update-baseline")
    assert (told["outcome"], told["exitCode"]) == ("nothing judged", 2)
    assert baseline.read_bytes() == before


def test_what_is_known_is_not_called_nothing(broken: str, baseline: Path) -> None:
    """Failures that the baseline lists were found, too, where a requirement that has to be decided was not."""
    ran = audit(broken, "--baseline", str(baseline), "--require", "EFF-16")
    assert ran.exit_code == 1
    assert "not proven: nothing was found that the baseline does not list, but not everything" in ran.stdout


def test_nothing_is_gone_where_not_everything_was_read(broken: str, baseline: Path) -> None:
    """A file that could not be read may still hold the failure, so its entry is neither stale nor removed."""
    before = json.loads(baseline.read_text(encoding="utf-8"))
    for each in Path(broken).glob("*/results.jsonl"):
        each.unlink()
        each.mkdir()
    assert (told := report(broken, "--baseline", str(baseline)))["outcome"] == "not proven"
    assert "stale" not in told
    assert report(broken, "--baseline", str(baseline), "--update-baseline")["outcome"] == "not proven"
    assert json.loads(baseline.read_text(encoding="utf-8")) == before


def test_nothing_is_gone_that_a_line_which_cannot_be_read_leaves_undecided(broken: str, tmp_path: Path) -> None:
    """A line that cannot be read may hold the end that was missing: the entry of that finding stays (LOG-21)."""
    file = tmp_path / "known.json"
    apply(Edit("events 6", "absent"), Path(broken) / "a")
    audit(broken, "--baseline", str(file), "--update-baseline")
    write_reasons(file)
    before = json.loads(file.read_text(encoding="utf-8"))
    assert {each["requirement"] for each in before["known"]} == {"EVT-08", "RES-05"}
    apply(Edit("events 6", {"text": '{"'}), Path(broken) / "a")
    told = report(broken, "--baseline", str(file))
    assert (told["outcome"], told.get("stale")) == ("violations", None)
    audit(broken, "--baseline", str(file), "--update-baseline")
    known = {each["requirement"] for each in json.loads(file.read_text(encoding="utf-8"))["known"]}
    assert known == {"EVT-08", "LOG-04", "RES-05"}


def test_an_update_keeps_what_people_wrote_and_strikes_out_what_is_gone(broken: str, baseline: Path) -> None:
    """Owner, day and reason stay; the update removes an entry that lists nothing."""
    write_reasons(baseline, owner="anna", expires="2999-01-01")
    known = json.loads(baseline.read_text(encoding="utf-8"))["known"]
    gone = {**known[0], "requirement": "RES-06"}
    baseline.write_text(json.dumps({"baselineVersion": "1.0", "known": [*known, gone]}), encoding="utf-8")
    assert audit(broken, "--baseline", str(baseline)).exit_code == 1
    assert audit(broken, "--baseline", str(baseline), "--update-baseline").exit_code == 0
    assert json.loads(baseline.read_text(encoding="utf-8"))["known"] == known


def test_a_baseline_that_cannot_be_written_is_told(broken: str, tmp_path: Path) -> None:
    """The error comes before anything is read: an audit takes long, and its report would be lost."""
    ran = audit(broken, "--baseline", str(tmp_path / "no" / "known.json"), "--update-baseline")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "cannot be written: it or the folder" in ran.stderr


def test_a_baseline_that_fails_to_be_written_costs_no_report(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk the report still shows what was found."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    ran = audit(broken, "--baseline", str(tmp_path / "known.json"), "--update-baseline")
    assert ran.exit_code == 3
    assert "known.json cannot be written: No space left on device" in " ".join(ran.stdout.split())
    assert "RES-05  fail" in ran.stdout


def test_an_update_that_fails_leaves_the_baseline_as_it_was(
    broken: str, baseline: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What people wrote into it exists nowhere else."""
    before, names = baseline.read_text(encoding="utf-8"), {each.name for each in baseline.parent.iterdir()}

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    assert audit(broken, "--baseline", str(baseline), "--update-baseline").exit_code == 3
    assert baseline.read_text(encoding="utf-8") == before
    assert {each.name for each in baseline.parent.iterdir()} == names


def test_an_entry_of_a_requirement_that_there_is_not_is_told(broken: str, baseline: Path) -> None:
    """Otherwise an entry with a typo would stay there for ever and list nothing."""
    write_reasons(baseline)
    written = json.loads(baseline.read_text(encoding="utf-8"))
    known = [*written["known"], {**written["known"][0], "requirement": "RES-005"}]
    baseline.write_text(json.dumps({**written, "known": known}), encoding="utf-8")
    ran = audit(broken, "--baseline", str(baseline))
    assert ran.exit_code == 1
    assert "no requirement that can be judged is called 'RES-005'; name one, such as RES-05, or remove the entry" in (
        " ".join(ran.stdout.split())
    )
    assert audit(broken, "--baseline", str(baseline), "--ignore", "CALL").exit_code == 1


def test_what_a_report_leaves_out_is_looked_up_all_the_same(
    broken: str, baseline: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many failures are known, they do not fail an audit, and do not hide a new one."""
    monkeypatch.setattr(limits, "FINDINGS_SHOWN_PER_REQUIREMENT", 1)
    for name in ("c", "d"):
        apply(Edit("results 2", {"ok": False}), copy_of("linear", Path(broken) / name))
    told = report(broken, "--baseline", str(baseline))
    assert (told["outcome"], len(told["findings"])) == ("known failures", 1)
    write_reasons(baseline, runs="b")
    told = report(broken, "--baseline", str(baseline))
    assert (told["outcome"], len(told["findings"])) == ("violations", 1)

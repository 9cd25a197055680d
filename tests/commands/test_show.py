"""``callproof show``: the story of one run or one call, told from the records."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from callproof.auditing.audited import NO_RULES, Rules
from callproof.cli import cli
from callproof.commands.show import show
from callproof.commands.usage import WrongUsage
from callproof.report.story import Bar
from callproof.report.story_text import chart, lines
from callproof.values.jsontext import Json
from click.testing import CliRunner
from log_edits import BASES, Edit, apply, copy_of
from mixed_logs import written

VALUES = Rules(show_values=True)
BASE_NAMES = sorted(each.name for each in BASES.iterdir() if each.is_dir())


def told(path: Path, run: str | None = None, call: str | None = None, rules: Rules = VALUES) -> str:
    """The text of a story."""
    shown = show(path, run, call, rules)
    return "\n".join(line.plain for line in lines(shown.story, shown.findings, shown.verdict))


def edited(line: str, becomes: Json, folder: Path) -> Path:
    """A run with one line changed."""
    copy_of("linear", folder)
    apply(Edit(line, becomes), folder)
    return folder


@pytest.mark.parametrize("base", BASE_NAMES)
def test_every_record_of_a_run_is_told_once(base: str) -> None:
    """A story leaves nothing out: each line of the log is a line of it."""
    text = told(BASES / base)
    chronicle = text[text.index("  what happened") : text.index("  verdicts")]
    for name in ("calls", "results", "events"):
        file = BASES / base / f"{name}.jsonl"
        rows = file.read_bytes().splitlines() if file.exists() else []
        for number in range(1, len(rows) + 1):
            told_of = [line for line in chronicle.splitlines() if f" {name}.jsonl:{number} " in line]
            assert len(told_of) == 1, (base, name, number)


def test_events_of_one_instant_stand_as_their_file_has_them(tmp_path: Path) -> None:
    """A34: within one file the order of the lines decides if time stamps leave the order open."""
    log = copy_of("linear", tmp_path / "log")
    events = (log / "events.jsonl").read_text(encoding="utf-8").splitlines()
    at_once = [json.dumps({**json.loads(line), "timestamp": "2026-01-05T09:00:30.000Z"}) for line in events]
    (log / "events.jsonl").write_text("".join(f"{line}\n" for line in at_once), encoding="utf-8")
    places = [int(each) for each in re.findall(r"events\.jsonl:(\d+)", told(log).partition("what happened")[2])]
    first = places[: len(at_once)]
    assert first == sorted(first)


def test_a_call_tells_which_reference_gave_which_value_from_which_result() -> None:
    """The story has the template, the value that each reference gave, and the line of the result that it came from."""
    text = told(BASES / "foreach", call="c3")
    assert 'made of "Notes/{position}-{bullet.text}.md"' in text
    assert '{bullet.text} gave "Beta", in iteration 1 of $steps.s1.items' in text
    assert any("results.jsonl:1" in line and "{$steps.s1.count} gave 3" in line for line in text.splitlines())


def test_a_call_tells_its_attempts_and_effects() -> None:
    """The story has every attempt with its end, and what the last one changed."""
    text = told(BASES / "retried", call="c3")
    assert "attempt 3: ok, call c3, this one" in text
    assert "effects" in text


def test_calls_of_one_name_are_told_together(tmp_path: Path) -> None:
    """The name does not tell the calls apart, so the story has every record of that name and every finding about it."""
    folder = copy_of("linear", tmp_path / "log")
    for line in ("calls 3", "results 3", "events 10", "events 11", "events 12"):
        apply(Edit(line, {"callId": "c1"}), folder)
    apply(Edit("results 3", {"ok": False}), folder)
    text = told(folder, call="c1")
    for place in ("calls.jsonl:1", "calls.jsonl:3", "results.jsonl:1", "results.jsonl:3", "events.jsonl:5"):
        assert f" {place} " in text
    assert "other calls with this callId" in text
    assert "events.jsonl:12" in text
    assert "RES-05" in text
    assert "other calls" not in told(BASES / "linear", call="c1")


def test_findings_stand_in_the_story_that_they_are_about(tmp_path: Path) -> None:
    """A call's story has the findings with one of its records in the witness, and no others."""
    folder = edited("results 2", {"ok": False}, tmp_path / "log")
    assert "RES-05" in told(folder, call="c2")
    assert "no finding is about this call" in told(folder, call="c1")
    assert "violations were found" in told(folder)


def test_what_follows_from_another_finding_says_so(tmp_path: Path) -> None:
    """Findings that are roots come first, and a finding that follows names its root."""
    folder = edited("calls 2", {"args": {"path": "Copies/other.md"}}, tmp_path / "log")
    verdicts = told(folder).split("  verdicts")[1]
    assert "(follows from " in verdicts


def test_a_call_that_was_never_made_has_a_story_too() -> None:
    """A skipped step has a result and no call."""
    skipped = next(
        row
        for row in map(json.loads, (BASES / "stopped" / "results.jsonl").read_text(encoding="utf-8").splitlines())
        if row["status"] == "skipped"
    )
    assert "which was never made" in told(BASES / "stopped", call=skipped["callId"])


def test_a_call_whose_line_is_broken_was_made_all_the_same(tmp_path: Path) -> None:
    """Its result and events show that; the story names the line that may be the call's, and the finding about it."""
    torn = edited("calls 2", {"text": '{"callId": "c2", "runId": "run-linear", "stepId'}, tmp_path / "log")
    story = told(torn, call="c2")
    assert "call c2 of s2, whose call is not on record" in story
    assert "calls.jsonl:2" in story
    assert "LOG-04" in story


def test_what_could_not_be_read_stands_above_what_is_missing(tmp_path: Path) -> None:
    """Nobody must conclude that a call got no result where its file was not read."""
    log = copy_of("linear", tmp_path / "log")
    (log / "results.jsonl").unlink()
    (log / "results.jsonl").symlink_to("nowhere")
    for story in told(log), told(log, call="c2"):
        where, why = story.index("what could not be read"), story.index("results.jsonl is a symbolic link")
        assert where < why < story.index("no result")
        assert "the run: unread: not all of it was read" in story
    assert "what could not be read" not in told(BASES / "linear")


def test_a_wrong_call_gets_the_nearest() -> None:
    """The error repeats the wrong name, and gives the one that was probably meant."""
    with pytest.raises(WrongUsage, match=r"has no call 'c33' among .* the nearest is c3"):
        show(BASES / "foreach", None, "c33", NO_RULES)


def test_a_wrong_run_gets_the_nearest(tmp_path: Path) -> None:
    """The name of a run gets the nearest too."""
    for name in ("monday", "tuesday"):
        copy_of("linear", tmp_path / name)
    with pytest.raises(WrongUsage, match="holds no run 'mondya' among 2 runs; the nearest is monday"):
        show(tmp_path, "mondya", None, NO_RULES)


def test_what_is_like_no_call_and_no_run_gets_those_that_there_are() -> None:
    """A user without an id is given some, and does not have to open the log to find one."""
    with pytest.raises(WrongUsage, match=r"has no call 'zz' among \d+ calls; there are c1, c2, "):
        show(BASES / "linear", None, "zz", NO_RULES)
    with pytest.raises(WrongUsage, match=r"holds no run '~~' among 1 run; there is /"):
        show(BASES / "linear", "~~", None, NO_RULES)


@pytest.mark.parametrize("form", ["folders", "shared", "stream", "stream.gz"])
@pytest.mark.parametrize("several", [False, True])
def test_the_next_step_of_a_finding_leads_to_its_call(
    form: str, several: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every form of a log, audited alone or with others, the command that a report suggests shows the call."""
    runs = [edited("results 2", {"ok": False}, tmp_path / "logs" / "a"), copy_of("effects", tmp_path / "logs" / "b")]
    log = tmp_path / "logs" if form == "folders" else written(form, runs, tmp_path)
    copy_of("retried", tmp_path / "more")
    monkeypatch.chdir(tmp_path)
    audited = CliRunner().invoke(cli, ["audit", log.name, *(["more"] if several else [])])
    (command,) = {line.partition("  next   ")[2] for line in audited.output.splitlines() if "  next   " in line}
    assert command.startswith("callproof show ")
    shown = CliRunner().invoke(cli, shlex.split(command)[1:])
    assert (shown.exit_code, "the result of c2 had ok false" in shown.output) == (0, True), (command, shown.output)


@pytest.mark.parametrize("called", ["run-linear", "run-effects", "logs"])
def test_of_runs_that_share_files_the_next_step_tells_the_call_of_the_one_that_errs(
    called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both runs have a call c2; this holds for any name of their folder, even that of one of the runs."""
    runs = [copy_of("linear", tmp_path / "a"), copy_of("effects", tmp_path / "b")]
    apply(Edit("results 2", {"ok": False}), runs[1])
    log = written("shared", runs, tmp_path).rename(tmp_path / called)
    monkeypatch.chdir(tmp_path)
    audited = CliRunner().invoke(cli, ["audit", log.name])
    (command,) = {line.partition("  next   ")[2] for line in audited.output.splitlines() if "  next   " in line}
    shown = CliRunner().invoke(cli, shlex.split(command)[1:])
    assert (shown.exit_code, "the result of c2 had ok false" in shown.output) == (0, True), (command, shown.output)
    assert told(log, call="c11").startswith("call c11 of ")


@pytest.mark.parametrize("form", ["shared", "stream"])
def test_a_run_may_be_named_by_what_is_before_it_in_a_report_and_by_nothing_else(form: str, tmp_path: Path) -> None:
    """An audit of several paths, or of a folder above, puts the path before the name; a wrong path finds no run."""
    log = written(form, [BASES / "linear", BASES / "effects"], tmp_path)
    for before in ("", f"{log.name}/", f"{log}/"):
        assert "run run-linear" in told(log, run=f"{before}run-linear")
    for wrong in ("bogus/run-linear", f"bogus/{log.name}/run-linear", "/run-linear"):
        with pytest.raises(WrongUsage, match="holds no run"):
            show(log, wrong, None, NO_RULES)


def test_one_of_several_runs_has_to_be_named(tmp_path: Path) -> None:
    """The command does not guess which run is meant, but a call that only one of them has is enough."""
    copy_of("linear", tmp_path / "monday")
    copy_of("effects", tmp_path / "tuesday")
    with pytest.raises(WrongUsage, match="more than one run; name one with --run, such as monday, tuesday"):
        show(tmp_path, None, None, NO_RULES)
    assert "run run-linear" in told(tmp_path, run="monday")
    assert told(tmp_path, call="c11").startswith("call c11 of ")


def test_values_stay_in_the_log_unless_they_are_asked_for(tmp_path: Path) -> None:
    """The story gives only the shape of a value; --show-values gives the value (SEC-11)."""
    args: Json = {"args": {"path": "SECRET-" + "canary " * 40, "other": ["SECRET-" + "two " * 80]}}
    folder = edited("calls 2", args, tmp_path / "log")
    for call in (None, "c2"):
        hidden = told(folder, call=call, rules=NO_RULES)
        assert "SECRET" not in hidden
        assert "canary" not in hidden
    assert "SECRET" in told(folder, call="c2")


def test_the_chart_has_a_bar_for_every_call() -> None:
    """A bar has dots while a call waited and a block while it worked, and is never wider than the terminal."""
    story = show(BASES / "retried", None, None, NO_RULES).story
    drawn = [line.plain for line in chart(story.bars, 80)]
    assert len([line for line in drawn if "█" in line]) == len(story.bars) == 5
    assert all(len(line) <= 80 for line in drawn)


@pytest.mark.parametrize(
    ("line", "becomes", "says"),
    [
        ("results 4", None, " no result"),
        ("results 4", {"startedAt": None, "endedAt": None}, " no end"),
        ("results 4", {"endedAt": "soon"}, " no end"),
    ],
)
def test_a_call_without_an_end_is_drawn_to_the_edge(line: str, becomes: Json, says: str, tmp_path: Path) -> None:
    """A call that hangs is what one looks for in a chart; by its events, it had begun."""
    folder = copy_of("retried", tmp_path / "log")
    if becomes is None:
        kept = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / "results.jsonl").write_text("".join(kept[:3] + kept[4:]), encoding="utf-8")
    else:
        apply(Edit(line, becomes), folder)
    bars = show(folder, None, None, NO_RULES).story.bars
    drawn = [each.plain for each in chart(bars, 80)][2:]
    assert len(drawn) == len(bars) == 5
    (open_one,) = [each for each in drawn if each.endswith(says)]
    assert open_one.startswith("s2 #1")
    assert open_one.removesuffix(says).endswith("█")
    assert len(open_one) == 80 - 12 + len(says)


def test_a_chart_says_what_is_not_on_record_of_a_call() -> None:
    """A call without any instant has a line, and one that never began only waited."""
    drawn = [
        each.plain
        for each in chart(
            [
                Bar("a", 0.0, 10.0, 20.0, "ok"),
                Bar("b", None, None, None, None),
                Bar("c", 5.0, None, None, None),
                Bar("d", 5.0, None, 15.0, "skipped"),
                Bar("e", None, None, 15.0, "ok"),
            ],
            48,
        )
    ][2:]
    assert [each.split()[0] for each in drawn] == ["a", "b", "c", "d", "e"]
    assert drawn[0].endswith("█ 10 ms")
    assert drawn[1].split(maxsplit=1)[1] == "no instant"
    assert drawn[2].split(maxsplit=1)[1] == "·" * 15 + " no result"
    assert drawn[3].endswith("· no start")
    assert drawn[4].split(maxsplit=1)[1] == "no beginning"


def test_a_result_without_its_end_stands_where_its_call_was_closed(tmp_path: Path) -> None:
    """Else a second attempt would seem to end before it was made."""
    folder = copy_of("retried", tmp_path / "log")
    apply(Edit("results 2", {"endedAt": None}), folder)
    places = re.findall(r"(calls|results)\.jsonl:(\d+)", told(folder).split("what happened")[1].split("verdicts")[0])
    assert places.index(("results", "2")) > places.index(("calls", "2"))


@pytest.mark.parametrize("width", [1, 20, 40, 1000])
def test_a_chart_fits_any_terminal(width: int) -> None:
    """A terminal may be narrower than the names, and the chart still has a line for each call."""
    story = show(BASES / "foreach", None, None, NO_RULES).story
    assert len(list(chart(story.bars, width))) >= len(story.bars)


def test_a_hostile_log_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    """No control character of a log reaches the output."""
    folder = edited("calls 2", {"stepId": "s\x1b[31m\u202e2", "tool": "t\x07\n::error::"}, tmp_path / "log")
    for rules in (VALUES, NO_RULES):
        assert not set(told(folder, rules=rules)) & set("\x1b\x07\u202e")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["show", str(BASES / "linear")], 0, "run run-linear"),
        (["show", str(BASES / "linear"), "--call", "c2"], 0, "its arguments"),
        (["show", str(BASES / "linear"), "--call", "zz"], 2, "has no call 'zz'"),
        (["show", str(BASES / "nowhere")], 2, "does not exist"),
    ],
)
def test_the_exit_code_is_0_where_something_was_told(arguments: list[str], code: int, says: str) -> None:
    """A wrong name gives exit code 2 and one clear sentence."""
    shown = CliRunner().invoke(cli, arguments)
    assert (shown.exit_code, says in shown.output) == (code, True), shown.output

"""A log that grows, followed by a real process: a line for each run when it has ended, and a report at the end."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from callproof.auditing.one_run import audit_run
from callproof.auditlog.folder import captured_in
from callproof.auditlog.following import FollowedFolders, Watch
from callproof.auditlog.inputs import NothingToJudge
from callproof.cli import cli
from callproof.commands.follow import until_asked_to_end, verdict_line
from callproof.judge.baseline import Baseline, Entry, Failure
from click.testing import CliRunner
from growing_logs import wrapped
from log_edits import Edit, apply, copy_of

CALLPROOF = str(Path(sys.executable).parent / "callproof")
Started = Callable[..., subprocess.Popen[str]]


def stream(base: str) -> str:
    """A base log as one stream of records."""
    return "".join(wrapped(base, f"run-{base}"))


def add_to_shared(folder: Path, base: str, *edits: Edit) -> None:
    """Add one more base log to shared files, its last event last."""
    made = copy_of(base, folder.with_name(f"{folder.name}-{base}"))
    for each in edits:
        apply(each, made)
    record = json.dumps(json.loads((made / "run.json").read_text(encoding="utf-8")))
    (made / "runs.jsonl").write_text(f"{record}\n", encoding="utf-8")
    for name in ("runs.jsonl", "calls.jsonl", "results.jsonl", "events.jsonl"):
        with (folder / name).open("a", encoding="utf-8") as grows:
            grows.write((made / name).read_text(encoding="utf-8"))


@pytest.fixture
def started() -> Iterator[Started]:
    """Starts an audit that follows its paths; ends it, if the test did not."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        command = [CALLPROOF, "audit", "--follow", *arguments]
        running.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True))
        return running[-1]

    yield start
    for process in running:
        with process:
            process.kill()


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line that a process prints."""
    assert process.stdout is not None
    return process.stdout.readline()


def copied(folder: Path, *edits: Edit) -> None:
    """Make a log appear all at once, however busy the machine is."""
    made = copy_of("linear", folder.parent.with_name("made"))
    for each in edits:
        apply(each, made)
    made.rename(folder)


def test_folders_are_told_as_they_end_and_ctrl_c_ends_with_the_report(tmp_path: Path, started: Started) -> None:
    """Nothing was left unread, so the exit code is that of the findings."""
    process = started(str(tmp_path))
    copied(tmp_path / "a")
    assert line_of(process) == "consistent  a\n"
    copied(tmp_path / "b", Edit("results 2", {"ok": False}))
    assert line_of(process) == "violations  b  RES-05\n"
    copy_of("incomplete", tmp_path / "c")
    os.kill(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=180)
    assert (process.returncode, error) == (1, "")
    assert "violations were found  (3 runs judged)" in out
    assert "interrupted" not in out


@pytest.mark.parametrize("asks", [signal.SIGTERM, signal.SIGHUP])
def test_a_stream_is_told_as_it_grows(tmp_path: Path, started: Started, asks: signal.Signals) -> None:
    """The stream is a file; if the report is for machines, the lines go to standard error."""
    log = tmp_path / "log.jsonl"
    text = stream("linear")
    log.write_text(text[:-100], encoding="utf-8")
    process = started("--format", "json", str(log))
    with log.open("a", encoding="utf-8") as grows:
        grows.write(text[-100:])
    assert process.stderr is not None
    assert process.stderr.readline() == "consistent  run-linear\n"
    os.kill(process.pid, asks)
    out, _ = process.communicate(timeout=180)
    assert (process.returncode, json.loads(out)["outcome"]) == (0, "consistent")


def test_shared_files_are_told_run_by_run(tmp_path: Path, started: Started) -> None:
    """A user follows a fleet's log while the fleet writes it; the final report names the places in its files."""
    for base in ("linear", "retried"):
        add_to_shared(tmp_path, base)
    process = started(str(tmp_path))
    assert {line_of(process), line_of(process)} == {"consistent  run-linear\n", "consistent  run-retried\n"}
    results = tmp_path / "results.jsonl"
    number = results.read_text(encoding="utf-8").count("\n") + 2
    add_to_shared(tmp_path, "foreach", Edit("results 2", {"ok": False}))
    assert line_of(process) == "violations  run-foreach  RES-05\n"
    os.kill(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=180)
    assert (process.returncode, error) == (1, "")
    assert "violations were found  (3 runs judged)" in out
    assert "is files that many runs share" in out
    assert f"results.jsonl:{number}" in out


@pytest.mark.parametrize(("others", "next_step"), [(0, "start the command again"), (1, "follow that folder alone")])
def test_shared_files_that_come_into_an_empty_folder_are_told(tmp_path: Path, others: int, next_step: str) -> None:
    """An empty folder does not show what it will hold; only a user of several paths is told to follow it by itself."""
    (log := tmp_path / "log").mkdir()
    (other := tmp_path / "other").mkdir()
    followed = FollowedFolders([log, *[other] * others], Watch(lambda: False, lambda: add_to_shared(log, "linear")))
    with pytest.raises(NothingToJudge, match=f"log holds files that many runs share; {next_step}$"):
        list(followed.runs())


def test_the_end_of_standard_input_ends_it(started: Started) -> None:
    """The output of another program can be piped into an audit."""
    out, error = started("-").communicate(stream("linear") + stream("retried"), timeout=180)
    assert error == ""
    assert out.startswith("consistent  run-linear\nconsistent  run-retried\n")
    assert "consistent with the specification  (2 runs judged)" in out


def test_a_line_names_the_laws_that_were_broken_and_how_often(tmp_path: Path) -> None:
    """It can do nothing to a terminal, whatever the name of the run is."""
    folder = copy_of("linear", tmp_path / "log")
    apply(Edit("results 2", {"ok": False}), folder)
    apply(Edit("results 3", {"ok": False}), folder)
    told = verdict_line(audit_run(captured_in(folder, name="\x1b[31mrun\n")))
    assert told.plain == "violations  \\x1b[31mrun\\n  RES-05 (2)"


def test_a_line_says_what_a_baseline_lists(tmp_path: Path) -> None:
    """A law is known if each of its findings is known."""
    folder = copy_of("linear", tmp_path / "log")
    apply(Edit("results 2", {"ok": False}), folder)
    entry = Entry(Failure("RES-05", "*", "the result of … had ok false"), "issue 12")
    audited = audit_run(captured_in(folder, name="run"))
    assert verdict_line(audited, Baseline((entry,), of_logs=True)).plain == "violations  run  RES-05 (known)"


def test_the_second_ctrl_c_breaks_off() -> None:
    """The first one only asks for the end; afterwards signals have their earlier handlers again."""
    before = signal.getsignal(signal.SIGINT)
    with until_asked_to_end() as asked:
        assert not asked()
        signal.raise_signal(signal.SIGINT)
        assert asked()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) == before


def test_a_log_is_followed_in_one_process(tmp_path: Path) -> None:
    """Other processes would report a run later than it ended."""
    ran = CliRunner().invoke(cli, ["audit", "--follow", "--jobs", "2", str(tmp_path)])
    assert ran.exit_code == 2
    assert "drop --jobs and --engine" in ran.stderr


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nowhere", "does not exist"),
        ("sharde", "did you mean "),
        ("astray", "is a link that leads nowhere"),
        ("log.jsonl.gz", "is compressed, and does not grow line by line; drop --follow"),
        ("pipe", "is a named pipe"),
        ("calls.jsonl", "is one file of an audit log; give its folder"),
        ("shared", "calls.jsonl.gz is compressed, and does not grow line by line; drop --follow"),
    ],
)
def test_what_cannot_be_followed_is_refused(tmp_path: Path, name: str, says: str) -> None:
    """The error comes at once and says what the path is."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "shared").mkdir()
    (tmp_path / "astray").symlink_to("gone")
    for empty in ("log.jsonl.gz", "calls.jsonl", "shared/runs.jsonl", "shared/calls.jsonl.gz"):
        (tmp_path / empty).touch()
    ran = CliRunner().invoke(cli, ["audit", "--follow", str(tmp_path / name)])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert says in ran.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("environment", "shown"), [({}, True), ({"CI": "true"}, False)], ids=["a person", "CI"])
def test_a_terminal_shows_how_much_was_read_how_fast_and_how_long_it_takes(
    tmp_path: Path, environment: dict[str, str], shown: bool, jobs: str
) -> None:
    """The progress is on standard error, for people only, and disappears at the end."""
    for number in range(20):
        copy_of("linear", tmp_path / f"run-{number}")
    keyboard, screen = pty.openpty()
    told = {name: value for name, value in os.environ.items() if name != "CI"} | {"TERM": "xterm", "COLUMNS": "160"}
    command = [CALLPROOF, "audit", "--jobs", jobs, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=screen, env=told | environment) as process:
        os.close(screen)
        seen = _all_of(keyboard)
    os.close(keyboard)
    assert process.returncode == 0
    assert bool(re.search(rb"runs? .*/.* kB", seen)) is shown
    assert (b"B/s" in seen) is shown


def _all_of(keyboard: int) -> bytes:
    seen = b""
    while True:
        try:
            read = os.read(keyboard, 65_536)
        except OSError:  # the other end is closed
            return seen
        seen += read
        if not read:
            return seen


@pytest.mark.parametrize("lines", [1, 10], ids=["to its end", "which goes on"])
def test_a_text_that_is_no_stream_is_refused_as_without_follow(started: Started, lines: int) -> None:
    """The user gave the wrong file: nothing was judged, and no law was broken."""
    process = started("-")
    assert process.stdin is not None
    process.stdin.write("hi\n" * lines)
    process.stdin.flush()
    if lines > 1:
        process.wait(timeout=120)
    told = process.communicate(timeout=120)
    assert (process.returncode, told[0]) == (2, "")
    assert "standard input is not an audit log: none of its first lines has" in told[1]

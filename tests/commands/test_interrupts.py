"""
Ctrl-C, SIGTERM and SIGHUP end all that runs, and the report shows what was decided until then.
Also tested: what a terminal shows before that.
"""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from callproof import cli
from callproof.auditing.audited import AuditedRun, Rules
from callproof.auditing.engines import Auditable, in_this_process
from callproof.commands.audit import Audit, audit
from callproof.interruption import heard_once
from log_edits import copy_of

REFERENCE = "stdio:callproof-reference stdio"
SEARCHED = Path(__file__).parents[2] / "spec" / "protocols" / "examples" / "searched" / "log.jsonl"
SUITE = [str(Path(sys.executable).parent / "callproof"), "test", REFERENCE]


# A terminal sends SIGINT at Ctrl-C, a CI system SIGTERM after a timeout, and a terminal that is closed SIGHUP.
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """So many logs that an audit of them takes a while."""
    for number in range(400):
        copy_of("linear", tmp_path / "logs" / f"run-{number:03}")
    return tmp_path / "logs"


def _when(event: str, what: str, does: str, folder: Path) -> dict[str, str]:
    """An environment in which a process does something before it imports or opens a thing of this name."""
    hook = (
        "import os, pathlib, sys, time\ndef heard(event, given):\n"
        f"    if event == {event!r} and str(given[0]).endswith({what!r}):\n        {does}\nsys.addaudithook(heard)\n"
    )
    folder.mkdir()
    Path(folder, "sitecustomize.py").write_text(hook, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def _amid(logs: Path, does: str) -> dict[str, str]:
    """An environment in which a process does this before it opens the calls of the run in the middle."""
    return _when("open", "run-200/calls.jsonl", does, logs.parent / "at-start")


def _asked_amid(logs: Path, asks: signal.Signals) -> dict[str, str]:
    """An environment in which an audit is asked to end in the middle of a log."""
    return _amid(logs, f"os.kill(os.getpid(), {asks:d})")


def _held_amid(logs: Path) -> tuple[dict[str, str], Path]:
    """An environment in which an audit stands still in the middle of a log, and a file that exists once it does."""
    sign = logs.parent / "stands-still"
    return _amid(logs, f"pathlib.Path({str(sign)!r}).touch(), time.sleep(600)"), sign


@pytest.mark.parametrize("asks", ENDING)
def test_an_interrupted_audit_leaves_a_report_of_what_was_read(logs: Path, asks: signal.Signals) -> None:
    """A signal ends the reading; the report keeps the findings so far and says how much is missing."""
    command = [*SUITE[:1], "audit", "--format", "json", str(logs)]
    ran = subprocess.run(command, env=_asked_amid(logs, asks), capture_output=True, text=True, timeout=180)
    report = json.loads(ran.stdout)
    assert (ran.returncode, ran.stderr, report["outcome"]) == (130, "", "interrupted")
    assert [each["name"] for each in report["runs"]] == [f"run-{number:03}" for number in range(200)]
    assert report["errors"] == ["interrupted after 200 runs; the rest was not read"]


@pytest.mark.parametrize("asks", ENDING)
def test_so_it_is_of_logs_of_other_protocols(asks: signal.Signals, tmp_path: Path) -> None:
    """The report has the logs that were judged, and says how many they were."""
    (tmp_path / "logs").mkdir()
    for number in range(4):
        copyfile(SEARCHED, tmp_path / "logs" / f"{number}.jsonl")
    environment = _when("open", "logs/2.jsonl", f"os.kill(os.getpid(), {asks:d})", tmp_path / "at-start")
    command = [*SUITE[:1], "records", "--format", "json", str(tmp_path / "logs")]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=180)
    report = json.loads(ran.stdout)
    assert (ran.returncode, ran.stderr, report["outcome"]) == (130, "", "interrupted")
    assert [each["name"] for each in report["runs"]] == ["0.jsonl", "1.jsonl"]
    assert report["errors"] == ["interrupted after 2 runs; the rest was not read"]


def test_an_audit_goes_on_where_a_closed_terminal_is_to_end_nothing(logs: Path) -> None:
    """A user who starts an audit with ``nohup`` expects that."""
    command = ["nohup", *SUITE[:1], "audit", "--format", "json", str(logs)]
    environment = _asked_amid(logs, signal.SIGHUP)
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=180)
    assert (ran.returncode, len(json.loads(ran.stdout)["runs"])) == (0, 400)


def test_who_asks_while_nobody_hears_it_is_heard_at_the_next_run(logs: Path) -> None:
    """C code may drop the exception of the first Ctrl-C, and later ones are ignored, so each run asks again."""

    def engine(runs: Iterable[Auditable], rules: Rules) -> Iterator[AuditedRun]:
        for audited in in_this_process(runs, rules):
            with suppress(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
            yield audited

    with heard_once():
        judged = audit(Audit((logs,), engine=engine))
    assert (judged.interrupted, len(judged.runs)) == (True, 1)


def test_ctrl_c_while_a_wrong_option_is_told_is_no_traceback(tmp_path: Path) -> None:
    """Ctrl-C comes while click imports the module that it needs only for that error."""
    environment = _when("import", "click._textwrap", f"os.kill(os.getpid(), {signal.SIGINT:d})", tmp_path / "at-start")
    ran = subprocess.run([*SUITE[:1], "audit", "--wrong"], env=environment, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (130, "callproof: interrupted")
    assert "Traceback" not in ran.stderr


def _asked_until_it_ends(process: subprocess.Popen[str], ask: Callable[[], None]) -> tuple[str, str]:
    """The output of a process asked to end a hundred times a second; its report may be more than a pipe holds."""
    end = time.monotonic() + 180
    while time.monotonic() < end:
        try:
            return process.communicate(timeout=0.01)
        except subprocess.TimeoutExpired:
            ask()
    process.kill()
    raise AssertionError("it did not end")


def _in_processes(logs: Path) -> list[str]:
    return [str(Path(sys.executable).parent / "callproof"), "audit", "--jobs", "2", "--format", "json", str(logs)]


def test_the_processes_of_an_audit_that_is_killed_end_with_it(logs: Path) -> None:
    """After a kill they must not wait for ever, because a reader of their output would never reach its end."""
    environment, stands_still = _held_amid(logs)
    piped: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(_in_processes(logs), env=environment, **piped) as process:
        _wait_for(stands_still.exists)
        process.kill()
        out, error = process.communicate(timeout=180)
    assert (out, error) == ("", "")


@pytest.mark.parametrize("asks", ENDING)
def test_asking_many_times_ends_an_audit_in_processes_as_once_does(logs: Path, asks: signal.Signals) -> None:
    """However often the user asks: a report, exit code 130, no traceback, and no process left."""
    piped: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment, stands_still = _held_amid(logs)
    with subprocess.Popen(_in_processes(logs), env=environment, start_new_session=True, **piped) as process:
        _wait_for(stands_still.exists)
        family = _descendants(process.pid)
        out, error = _asked_until_it_ends(process, lambda: os.killpg(process.pid, asks))
    assert error == ""
    assert (process.returncode, json.loads(out)["outcome"]) == (130, "interrupted")
    assert not any(Path(f"/proc/{pid}").exists() for pid in family)


@pytest.mark.parametrize("times", ["once", "many times"])
@pytest.mark.parametrize("asks", ENDING)
def test_an_interrupted_test_ends_the_system_and_reports_what_was_decided(
    tmp_path: Path, asks: signal.Signals, times: str
) -> None:
    """It leaves a readable report that says so, exit code 130, and neither a process nor a folder."""
    command = [*SUITE, "--format", "json"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    piped: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **piped) as process:
        _wait_for(lambda: _serves(process.pid))
        family = _descendants(process.pid)
        os.kill(process.pid, asks)
        if times == "many times":
            out, error = _asked_until_it_ends(process, lambda: os.kill(process.pid, asks))
        else:
            out, error = process.communicate(timeout=180)
    report = json.loads(out)
    assert [*tmp_path.iterdir()] == []
    assert error == ""
    assert (process.returncode, report["outcome"]) == (130, "interrupted")
    assert any("never judged" in each for each in report["errors"])
    _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


@pytest.mark.parametrize("asks", ENDING)
def test_an_interrupted_lint_ends_the_server(tmp_path: Path, asks: signal.Signals) -> None:
    """Nothing was checked and nothing is left behind."""
    server = f'{sys.executable} -c "import time; time.sleep(600)" {tmp_path}'
    command = [*SUITE[:1], "lint", "--stdio", server]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        _wait_for(lambda: any(f"600) {tmp_path}" in each for each in _descendants(process.pid).values()))
        family = _descendants(process.pid)
        os.kill(process.pid, asks)
        out, error = process.communicate(timeout=180)
    assert (process.returncode, out, error.strip()) == (130, "", "callproof: interrupted")
    _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


@pytest.mark.parametrize("command", [SUITE[:1], [sys.executable, "-m", "callproof"]], ids=["script", "module"])
def test_ctrl_c_in_the_first_moment_is_no_traceback(tmp_path: Path, command: list[str]) -> None:
    """While the packages of the command line are still being imported, Ctrl-C has the same effect as later."""
    Path(tmp_path, "click.py").write_text("import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run([*command, "--help"], env=environment, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "callproof: interrupted\n")


def test_ctrl_c_while_the_validators_are_imported_is_no_panic(tmp_path: Path) -> None:
    """The validator written in Rust imports this module itself, and panics if anything goes wrong in the import."""
    Path(tmp_path, "decimal.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)"
    )
    command = [*SUITE[:1], "report", str(tmp_path / "report.json")]
    Path(command[-1]).write_text("{}", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr.strip()) == (130, "", "callproof: interrupted")


def test_ctrl_c_while_a_class_is_made_is_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python before 3.12 raises another kind of error, with the KeyboardInterrupt as its cause."""

    def interrupted() -> int:
        class Member:
            def __set_name__(self, _owner: type, _name: str) -> None:
                raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

        type("Made", (), {"member": Member()})
        return 0

    monkeypatch.setattr(cli, "_of_the_command", interrupted)
    assert cli._ended() == 130
    assert capsys.readouterr().err == "callproof: interrupted\n"


def test_nothing_is_imported_before_the_program_can_be_interrupted() -> None:
    """If a user presses Ctrl-C at once, the code that catches it already surrounds every import of ours."""
    script = "import sys\nbefore = {*sys.modules}\nimport callproof.__main__\nprint(*{*sys.modules} - before)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert {*ran.stdout.split()} - {"__future__"} == {"callproof", "callproof.__main__"}


@pytest.mark.parametrize("registered", [False, True], ids=["before the recorder", "after it"])
def test_ctrl_c_while_the_suite_is_collected_is_an_interruption(tmp_path: Path, *, registered: bool) -> None:
    """Nothing was judged and nothing of the suite failed, however much of it was already collected."""
    script = (
        "import os, signal, sys\nfrom callproof.plugin import collecting\nregister = collecting.register_rest\n"
        f"def interrupted(*given):\n    {registered} and register(*given)\n    os.kill(os.getpid(), signal.SIGINT)\n"
        "collecting.register_rest = interrupted\nfrom callproof.__main__ import main\nmain()\n"
    )
    command = [sys.executable, "-c", script, *SUITE[1:]]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=180, check=False)
    assert (ran.returncode, ran.stdout) == (130, ""), ran.stderr
    assert ran.stderr == "callproof: interrupted before anything was judged\n"


@pytest.mark.parametrize(("asks", "send"), [(signal.SIGINT, os.kill), (signal.SIGTERM, os.killpg)], ids=["key", "CI"])
@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "two workers"])
def test_pytest_itself_says_that_it_was_interrupted(
    tmp_path: Path, workers: tuple[str, ...], asks: signal.Signals, send: Callable[[int, int], None]
) -> None:
    """The same holds under pytest, with workers or without: a report, exit code 130, and no process left."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--callproof", REFERENCE, *workers]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    piped: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True, **piped) as process:
        _wait_for(lambda: _serves(process.pid))
        family = _descendants(process.pid)
        send(process.pid, asks)
        out, _ = process.communicate(timeout=180)
    assert process.returncode == 130
    assert "interrupted: what was decided until then; the rest was not judged" in out
    _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


def test_a_terminal_shows_how_far_it_is_and_ctrl_c_ends_everything() -> None:
    """The test presses Ctrl-C on a real terminal, where it reaches every process in the foreground."""
    keyboard, screen = pty.openpty()
    environment = {**{name: value for name, value in os.environ.items() if name != "CI"}, "TERM": "xterm"}
    command = ["setsid", "--ctty", "--wait", *SUITE]
    with subprocess.Popen(command, stdin=screen, stdout=screen, stderr=screen, env=environment) as process:
        os.close(screen)
        shown = _shown_until(keyboard, rb"[1-9][0-9]*/[0-9]+.* cases")
        family = _descendants(process.pid)
        os.write(keyboard, b"\x03")
        shown += _shown_until(keyboard, None)
    os.close(keyboard)
    text = shown.decode(errors="replace")
    assert process.returncode == 130
    assert "interrupted: what was decided until then; the rest was not judged" in text
    assert "Traceback" not in text
    _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


def test_a_terminal_that_is_closed_ends_the_system_and_the_report_is_written(tmp_path: Path) -> None:
    """Nobody reads what is printed any more; that must not count as a failure of the suite."""
    keyboard, screen = pty.openpty()
    environment = {**{name: value for name, value in os.environ.items() if name != "CI"}, "TERM": "xterm"}
    report = tmp_path / "report.json"
    command = ["setsid", "--ctty", "--wait", *SUITE, "--report", str(report)]
    with subprocess.Popen(command, stdin=screen, stdout=screen, stderr=screen, env=environment) as process:
        os.close(screen)
        _shown_until(keyboard, rb"[1-9][0-9]*/[0-9]+.* cases")
        family = _descendants(process.pid)
        os.close(keyboard)
        process.wait(180)
    assert (process.returncode, json.loads(report.read_text(encoding="utf-8"))["outcome"]) == (130, "interrupted")
    _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


def test_no_progress_is_shown_in_ci() -> None:
    """A CI system with a kind of terminal would keep every frame of the progress display."""
    keyboard, screen = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "CI": "true"}
    command = [*SUITE, "-k", "SC-19"]
    with subprocess.Popen(command, stdin=screen, stdout=subprocess.PIPE, stderr=screen, env=environment) as process:
        os.close(screen)
        shown = _shown_until(keyboard, None)
    os.close(keyboard)
    assert process.returncode == 0
    assert shown == b""


def _shown_until(keyboard: int, pattern: bytes | None) -> bytes:
    """What appears on the screen until it matches, or until no process holds the terminal any more."""
    shown = b""
    while pattern is None or not re.search(pattern, shown):
        try:
            read = os.read(keyboard, 65_536)
        except OSError:  # the other end is closed
            return shown
        if not read:
            return shown
        shown += read
    return shown


def _serves(pid: int) -> bool:
    """Whether the system under test runs below a process; a fork that has not yet become the system does not count."""
    names = _descendants(pid).values()
    return any(
        "callproof-reference" in each and "pytest" not in each and "callproof test" not in each for each in names
    )


def _descendants(pid: int) -> dict[int, str]:
    """The processes below a process, with their command lines."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found: set[int] = set()
    while grown := {child for child, parent in parents.items() if parent in {pid, *found}} - found:
        found |= grown
    return {each: _command_line(each) for each in found}


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
    except OSError:
        return ""


def _wait_for(holds: Callable[[], bool]) -> None:
    """Wait until it holds; fail after three minutes, which are enough on a busy machine too."""
    ends = time.monotonic() + 180
    while time.monotonic() < ends:
        if holds():
            return
        time.sleep(0.0005)
    raise AssertionError("it never came to hold")

"""What a command prints to: a reader that has left, a full disk, another encoding, no width, no working folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from callproof.report import whole
from callproof.report.whole import write_whole

CALLPROOF = str(Path(sys.executable).parent / "callproof")
TOOLS = str(Path(__file__).parents[2] / "examples" / "tools" / "found.json")
REFERENCE = "stdio:callproof-reference stdio"
LOG = str(Path(__file__).parents[2] / "spec" / "examples" / "linear")
RECORDS = str(Path(__file__).parents[2] / "spec" / "protocols" / "examples" / "searched" / "log.jsonl")
# A command for each way of printing, and its exit code if all is well.
COMMANDS = ((["lint", TOOLS], 1), (["rules"], 0), (["audit", LOG], 0))


def ran(command: list[str], **changed: str) -> subprocess.CompletedProcess[bytes]:
    """The result of a command in a changed environment."""
    return subprocess.run([CALLPROOF, *command], env={**os.environ, **changed}, capture_output=True, timeout=120)


@pytest.mark.parametrize(("command", "code"), COMMANDS)
def test_a_reader_that_leaves_changes_no_exit_code(command: list[str], code: int) -> None:
    """``head`` leaves like that; it does not change what was found, and is not reported."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([CALLPROOF, *command], stdout=writing, stderr=subprocess.PIPE, timeout=120)
    os.close(writing)
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.parametrize(("command", "code"), COMMANDS)
def test_what_cannot_be_printed_is_a_failure_of_ours(command: list[str], code: int) -> None:
    """A full disk gives no verdict and no traceback.  A message that standard error cannot take is left out."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([CALLPROOF, *command], stdout=full, stderr=subprocess.PIPE, timeout=120)
        silent = subprocess.run([CALLPROOF, *command], stdout=subprocess.PIPE, stderr=full, timeout=120)
    assert done.returncode == 3
    assert done.stderr == b"callproof: standard output cannot be written: No space left on device\n"
    assert silent.returncode == code


@pytest.mark.parametrize("option", [["--junit", "/dev/full"], ["--report", "json=/dev/full"]])
def test_what_a_live_run_cannot_write_is_a_failure_of_ours(option: list[str]) -> None:
    """The error names the file, and there is no traceback."""
    done = ran(["test", "stdio:callproof-reference stdio", "-k", "SC-18 and EFF-20", *option])
    told = (done.stdout + done.stderr).decode()
    assert (done.returncode, "Traceback" in told) == (3, False), told
    assert "/dev/full cannot be written: No space left on device" in " ".join(told.split())
    assert "EFF   1 pass" in told


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [(["audit", LOG], 3, b"consistent with the specification"), (["lint", TOOLS], 2, b"1 tool: ")],
)
def test_a_report_that_cannot_be_written_costs_nothing_but_itself(
    tmp_path: Path, command: list[str], code: int, says: bytes
) -> None:
    """The findings are printed, the other files are written, and the exit code shows the failure."""
    other = tmp_path / "report.json"
    done = ran([*command, "--report", "json=/dev/full", "--report", str(other)])
    assert (done.returncode, says in done.stdout, other.exists()) == (code, True, True), done.stderr
    told = f"callproof: --report /dev/full cannot be written: No space left on device; so the exit code is {code}\n"
    assert done.stderr == told.encode()


@pytest.mark.parametrize("command", [["audit", LOG], ["lint", TOOLS]], ids=["audit", "lint"])
@pytest.mark.parametrize("named", ["-", "/dev/stdout"])
def test_a_report_in_a_file_is_not_written_over_what_is_printed(tmp_path: Path, command: list[str], named: str) -> None:
    """Only one of the two could be read; the error names the option that prints a form, and no file ``-`` is made."""
    asked = [CALLPROOF, *command, "--report", f"json={named}"]
    with (tmp_path / "out").open("wb") as file:
        for out in (subprocess.PIPE, file):
            done = subprocess.run(asked, stdout=out, stderr=subprocess.PIPE, cwd=tmp_path, timeout=120)
            assert (done.returncode, done.stdout or b"") == (2, b"")
            says = f"callproof: --report 'json={named}': {named} is standard output; permitted: a file, or --format, "
            assert done.stderr.startswith(says.encode()), done.stderr
    assert [(each.name, each.stat().st_size) for each in tmp_path.iterdir()] == [("out", 0)]


def test_a_report_goes_into_a_pipe_that_a_shell_made() -> None:
    """Such a pipe has only the path that the shell gave it, as in ``--report json=>(jq .)``."""
    reading, writing = os.pipe()
    given = f"json=/dev/fd/{writing}"
    asked = [CALLPROOF, "records", RECORDS, "--report", given]
    done = subprocess.run(asked, pass_fds=[writing], capture_output=True, timeout=120)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    with open(reading, "rb") as report:
        assert json.loads(report.read())["outcome"] == "consistent"


def test_a_baseline_that_cannot_be_written_is_refused_before_the_suite_runs(tmp_path: Path) -> None:
    """Otherwise the error would come only after the whole run, when its failures are written down."""
    baseline = str(tmp_path / "nowhere" / "known.json")
    done = ran(["test", "stdio:callproof-reference stdio", "--baseline", baseline, "--update-baseline"])
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(f"callproof: {baseline} cannot be written: ".encode())


@pytest.mark.parametrize("command", ["audit -", "audit --follow -", "lint -", "lint --plan -"])
def test_a_closed_standard_input_is_told(command: str) -> None:
    """A service manager may start programs like that: there is nothing to judge, and nothing failed."""
    done = subprocess.run(["sh", "-c", f"exec {CALLPROOF} {command} <&-"], capture_output=True, text=True, timeout=120)
    assert (done.returncode, "standard input is closed; give a file" in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["audit", "lint"])
def test_standard_input_given_twice_is_told(command: str) -> None:
    """It can be read only once, and the error must not call it empty the second time."""
    done = subprocess.run([CALLPROOF, command, "-", "-"], input=b"[]", capture_output=True, timeout=120)
    assert (done.returncode, b"- is given twice" in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("command", [["audit", LOG], ["explain", "RETRY-03"]])
def test_an_encoding_without_a_character_gets_its_escape(command: list[str]) -> None:
    """A command must not fail because a terminal is in ASCII."""
    done = ran(command, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\xb7" in done.stdout


def test_a_terminal_of_no_columns_has_a_usual_width() -> None:
    """``COLUMNS=0`` means that the width is unknown."""
    assert ran(["audit", LOG], COLUMNS="0").stdout == ran(["audit", LOG]).stdout


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    """The error names the working folder, and the exit code says that nothing was judged."""
    script = f"mkdir gone && cd gone && rmdir ../gone && exec {CALLPROOF} lint {TOOLS}"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("callproof: the working folder cannot be read: No such file or directory; ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command",
    [["coverage"], ["explain", "RETRY-03"], ["audit", LOG], ["test", REFERENCE, "-k", "EFF-20"]],
    ids=lambda command: command[0],
)
def test_colours_that_are_forced_make_no_terminal_of_a_pipe(command: list[str]) -> None:
    """``FORCE_COLOR`` asks only for colours: lines and tabs are as in any pipe, and no progress is drawn."""
    plain = ran(command, FORCE_COLOR="", CI="")
    coloured = ran(command, FORCE_COLOR="1", CI="")
    assert re.sub(rb"\x1b\[[0-9;]*m", b"", coloured.stdout) == plain.stdout
    assert coloured.stderr == plain.stderr


ASCII = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_a_machine_of_another_encoding_is_no_fault_of_a_system() -> None:
    """Names that Python cannot write, or reads as others, would look like faults of the system; `verify` only reads."""
    asked = ran(["test", REFERENCE, "-k", "SC-16"], **ASCII)
    assert asked.returncode == 2
    told = b"callproof: names of files are in ascii here, but those of the cases are in UTF-8; set a UTF-8 locale,"
    assert asked.stderr.startswith(told)


def test_names_of_a_statement_are_read_alike_in_every_encoding() -> None:
    """They are bytes of UTF-8 in the records, whatever encoding the machine uses for file names."""
    look = "from callproof.statement import records; print(ascii(records._name(records._text('U\\u0308\\udcff'))))"
    command = [sys.executable, "-c", look]
    read = subprocess.run(command, env={**os.environ, **ASCII}, capture_output=True, text=True, timeout=120)
    assert (read.returncode, read.stdout) == (0, "'U\\u0308\\udcff'\n"), read.stderr


def test_a_machine_without_memory_is_told_and_shows_nothing_of_the_program() -> None:
    """That is not a verdict, and not an error in the suite either."""
    full = "import callproof.cli as c\ndef full(**_): raise MemoryError\nc.cli.main = full\nc.main()"
    done = subprocess.run([sys.executable, "-c", full], capture_output=True, timeout=120)
    told = b"callproof: it ran out of memory, which says nothing about what it judged\n"
    assert (done.returncode, done.stderr) == (3, told)


# A shell closes them, because Python opens closed streams for its own children.
CLOSED = ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"]
SERVER = """import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    told = {"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {}}}
    if "id" in asked:
        result = told.get(asked["method"], {"tools": [{"name": "a", "inputSchema": {}}]})
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


@pytest.mark.parametrize("closed", CLOSED)
def test_a_closed_stream_of_ours_is_no_stream_of_a_child(tmp_path: Path, closed: str) -> None:
    """The first file that is opened gets the closed stream's number; a server must not be asked over that file."""
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    asked = f"lint --stdio '{sys.executable} server.py' --report report.json --fail-on never"
    done = subprocess.run(f"{CALLPROOF} {asked} {closed}", shell=True, cwd=tmp_path, capture_output=True, timeout=120)
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (done.returncode, done.stderr, report["problems"], report["tools"]) == (0, b"", [], 1)


@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-"])
def test_a_live_run_has_its_report_where_standard_error_is_closed(tmp_path: Path, closed: str) -> None:
    """Pytest writes to standard error unasked, and must not fail if it is closed."""
    asked = f"test '{REFERENCE}' -k 'SC-18 and EFF-20' --report report.json"
    done = subprocess.run(f"{CALLPROOF} {asked} {closed}", shell=True, cwd=tmp_path, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["outcome"] == "conforms"


@pytest.mark.parametrize("command", [["audit", LOG], ["lint", TOOLS]], ids=["audit", "lint"])
def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path, command: list[str]) -> None:
    """If there is no room, the report of yesterday stays, and no part of a new one is left."""
    before, new = tmp_path / "before.json", tmp_path / "new.json"
    before.write_text("of yesterday", encoding="utf-8")
    small = f'ulimit -f 2; "$0" "$@" --report {before} --report {new}'
    done = subprocess.run(["bash", "-c", small, CALLPROOF, *command], capture_output=True, timeout=120)
    assert done.stderr.count(b"cannot be written: File too large") == 2, done.stderr
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"before.json": b"of yesterday"}


def test_what_is_broken_off_while_it_is_written_leaves_nothing_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The earlier file is whole, and no draft is left beside it."""
    before, new = tmp_path / "before.json", tmp_path / "new.json"
    before.write_text("of yesterday", encoding="utf-8")

    def broken_off(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(whole, "copymode", broken_off)
    with pytest.raises(KeyboardInterrupt):
        write_whole(before, b"of today")
    monkeypatch.setattr(Path, "write_bytes", lambda path, _content: (path.touch(), broken_off()))
    with pytest.raises(KeyboardInterrupt):
        write_whole(new, b"of today")
    assert [each.name for each in tmp_path.iterdir()] == ["before.json"]
    assert before.read_text(encoding="utf-8") == "of yesterday"


def test_a_file_in_a_folder_that_takes_no_other_is_written_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There a draft beside the file is not possible."""
    file = tmp_path / "report.json"
    file.write_text("of yesterday", encoding="utf-8")
    number = file.stat().st_ino
    monkeypatch.setattr(os, "access", lambda *_: False)
    write_whole(file, b"of today")
    assert (file.read_bytes(), file.stat().st_ino) == (b"of today", number)


def test_a_machine_that_opens_no_file_more_is_told_and_shows_nothing_of_the_program() -> None:
    """That is not a verdict, and not an error in the suite either."""
    full = "import callproof.cli as c, os\ndef full(**_): [os.pipe() for _ in range(99)]\nc.cli.main = full\nc.main()"
    command = ["bash", "-c", 'ulimit -n 99; exec "$0" "$@"', sys.executable, "-c", full]
    # Coverage measurement would open a file when the process ends, and print that it cannot.
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=unmeasured)
    needs = "callproof: it needs more open files than are permitted (Too many open files; see `ulimit -n`)"
    assert (done.returncode, done.stderr) == (3, f"{needs}, which says nothing about what it judged\n")


def test_a_live_run_that_may_open_no_file_more_blames_the_machine() -> None:
    """If the message blamed the suite, a user would report the machine's limit as an error in the suite."""
    script = (
        "import os, sys\nfrom callproof.live import session\n"
        "def full(*_, **__): return [os.pipe() for _ in range(99)]\nsession.with_room = full\n"
        "from callproof.cli import main\nmain()\n"
    )
    command = ["bash", "-c", 'ulimit -n 99; exec "$0" "$@"', sys.executable, "-c", script, "test", REFERENCE]
    done = subprocess.run([*command, "-k", "SC-18 and EFF-20"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 3, done.stderr
    assert "the suite may not open any more files: Too many open files" in " ".join(done.stdout.split())
    assert "please report it" not in done.stdout

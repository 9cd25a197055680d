"""``callproof replay`` with real processes: a broken system fails again where it failed, the reference does not."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from callproof.live.case import Case, Hardship
from callproof.live.scenarios import SCENARIOS
from callproof.replay.casefile import Found, kept
from callproof.replay.saving import save
from systems_behind_http import serving

CALLPROOF = str(Path(sys.executable).with_name("callproof"))
REFERENCE = "stdio:callproof-reference stdio"
TESTS = Path(__file__).parents[1]
ONE_MORE = f"stdio:{sys.executable} {TESTS / 'miniatures' / 'run_miniature.py'} one-attempt-more"
MODEST = f"stdio:{sys.executable} {TESTS / 'adapters' / 'minimal.py'}"
CASES = {case.id: case for scenario in SCENARIOS for case in scenario.cases}
RETRIED = CASES["SC-07/on-error-retry"]


def replayed(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The outcome of the command."""
    return subprocess.run(
        [CALLPROOF, "replay", *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=120
    )


def case_file(folder: Path, requirement: str, case: Case, found: Found | None = None) -> Path:
    """The path of a case file."""
    return save(folder, kept(requirement, case, scenario="SC-07", found=found))


def test_a_broken_system_breaks_the_same_requirement_again(tmp_path: Path) -> None:
    """The verdict on the named requirement comes first, then its proof, then the testimonies."""
    file = case_file(tmp_path, "RETRY-03", RETRIED, Found("s1 was attempted 4 times", "3 attempts"))
    done = replayed(file, ONE_MORE, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    told = done.stdout.splitlines()
    assert told[1] == "broken: RETRY-03 Attempts stay within the limit"
    assert "  s1 was attempted 4 times" in told
    assert "  s1 attempt 4" in told
    assert any(line.lstrip().startswith("> ") and "calls witness.flaky" in line for line in told)
    assert told[-1] == "broken  RETRY-03  ·  exit code 1"


def test_the_reference_keeps_it(tmp_path: Path) -> None:
    """This is the same file against another system."""
    done = replayed(case_file(tmp_path, "RETRY-03", RETRIED), REFERENCE, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[1] == "holds: RETRY-03 Attempts stay within the limit"


def test_two_replays_print_the_same(tmp_path: Path) -> None:
    """On a virtual clock the testimonies are equal, though all ids differ."""
    file = case_file(tmp_path, "RETRY-03", RETRIED)
    printed = {replayed(file, REFERENCE, cwd=tmp_path).stdout for _ in range(2)}
    assert len(printed) == 1


def test_other_broken_laws_are_told_and_leave_the_exit_code_alone(tmp_path: Path) -> None:
    """A user who mends one fault asks about that fault only."""
    done = replayed(case_file(tmp_path, "RETRY-01", RETRIED), ONE_MORE, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "also broken: RETRY-03" in done.stdout.splitlines()[-1]


def test_a_requirement_that_was_not_put_to_the_test_is_not_proven(tmp_path: Path) -> None:
    """A replay that observed nothing must not count as success."""
    done = replayed(case_file(tmp_path, "CANC-04", RETRIED), REFERENCE, cwd=tmp_path)
    assert done.returncode == 1
    assert "not proven: CANC-04" in done.stdout
    assert "the run showed nothing that decides it" in done.stdout


def test_what_a_system_does_not_claim_is_inapplicable(tmp_path: Path) -> None:
    """The case or the requirement needs a claim that is missing, so nothing is judged."""
    done = replayed(case_file(tmp_path, "RETRY-03", RETRIED), MODEST, cwd=tmp_path)
    assert done.returncode == 2
    assert "inapplicable: RETRY-03" in done.stdout
    assert "does not claim" in done.stdout
    needy = replace(RETRIED, requires=())
    done = replayed(case_file(tmp_path / "needy", "RETRY-03", needy), MODEST, cwd=tmp_path)
    assert done.returncode == 2
    assert "missing: claim of retry" in done.stdout


def test_a_case_that_needs_a_process_is_inapplicable_over_http(tmp_path: Path) -> None:
    """The verdict says what is missing, which is not a claim."""
    file = case_file(tmp_path, "LOG-15", replace(RETRIED, requires=(), hardship=Hardship(kill_after=3)))
    with serving() as server:
        done = replayed(file, server.entry, cwd=tmp_path)
    assert done.returncode == 2
    assert "inapplicable: LOG-15" in done.stdout
    assert "the case needs a process that the suite started" in done.stdout


def test_the_adapter_comes_from_the_settings_where_none_is_given(tmp_path: Path) -> None:
    """The adapter never comes from the case file."""
    file = case_file(tmp_path, "RETRY-03", RETRIED)
    done = replayed(file, cwd=tmp_path)
    assert done.returncode == 2
    assert "no adapter: give one" in done.stderr
    (tmp_path / "pyproject.toml").write_text(f'[tool.callproof]\nadapter = "{REFERENCE}"\n', encoding="utf-8")
    assert replayed(file, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "exit_code", "told"),
    [
        (["case.json", "stdio:no-such-program"], 3, "callproof: the adapter's command 'no-such-program'"),
        (["case.json", "studio:x"], 2, "stdio:"),
        (["missing.json", REFERENCE], 2, "callproof: missing.json: cannot be read: No such file or directory"),
        (["bad.json", REFERENCE], 2, "bad.json: at /callproof: the member is missing"),
        (["case.json", REFERENCE, "--timeout", "soon"], 2, "timeout is 'soon'"),
        (["case.json", f"stdio:{sys.executable} -c pass"], 3, "callproof: "),
    ],
)
def test_what_cannot_be_replayed_is_said_without_a_traceback(
    arguments: list[str], exit_code: int, told: str, tmp_path: Path
) -> None:
    """The exit code is 2 for faults of the user's input, 3 for faults of the adapter."""
    case_file(tmp_path, "RETRY-03", RETRIED).rename(tmp_path / "case.json")
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    done = replayed(*arguments, cwd=tmp_path)
    assert done.returncode == exit_code, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_for_which_there_is_no_room_is_not_written(tmp_path: Path) -> None:
    """The tool would write below a path that is a file: the case is played, and its deed does not claim that write."""
    file = case_file(tmp_path, "RETRY-03", RETRIED)
    document = json.loads(file.read_text(encoding="utf-8"))
    for reply in document["case"]["tools"][0]["behaviour"]["replies"]:
        reply["writes"] = [{"path": "a", "content": ""}, {"path": "a/b", "content": ""}]
    file.write_text(json.dumps(document), encoding="utf-8")
    done = replayed(file, REFERENCE, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "writes a\n" in done.stdout
    assert "a/b" not in done.stdout


def test_hostile_text_in_a_file_does_nothing(tmp_path: Path) -> None:
    """Control characters are shown escaped, wherever they appear."""
    hostile = replace(RETRIED, id="SC-07/\x1b[31m", says="\x1b]0;owned\x07\u202e")
    done = replayed(case_file(tmp_path, "RETRY-03", hostile, Found("\x1b[2J", "x")), REFERENCE, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert not {"\x1b", "\x07", "\u202e"} & set(done.stdout)
    assert "\\x1b[2J" in done.stdout


def test_an_interrupted_replay_is_no_verdict(tmp_path: Path) -> None:
    """Ctrl-C gives an exit code of its own, and ends the system that was started."""
    file = case_file(tmp_path, "RETRY-03", RETRIED)
    deaf = tmp_path / "deaf.py"
    deaf.write_text("import pathlib, time\npathlib.Path('started').touch()\ntime.sleep(600)\n", encoding="utf-8")
    command = [CALLPROOF, "replay", str(file), f"stdio:{sys.executable} {deaf}"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "started").exists():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told == "callproof: interrupted before anything was judged\n"

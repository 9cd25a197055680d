"""The command `callproof-reference run`, as a user runs it: real processes, a real folder."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sysconfig
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from reference_suite import plan, step

COMMAND = [str(Path(sysconfig.get_path("scripts"), "callproof-reference")), "run"]

BULLETS = plan(
    step("read", "vault.readFile", args={"path": "inbox.md"}),
    step("parse", "util.parseMarkdownBullets", args={"text": "$steps.read.content"}),
    step("folder", "vault.ensureFolder", args={"path": "notes"}),
    step(
        "create",
        "vault.createFile",
        args={"path": "notes/{item.text}.md", "content": "# {item.text}\n"},
        preview="Create notes/{item.text}.md",
        foreach={"from": "$steps.parse.items", "itemName": "item"},
        dependsOn=["folder"],
    ),
    riskLevel="writes",
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a vault and a plan."""
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/inbox.md").write_text("- Ann\n- Bob\n")
    (tmp_path / "plan.json").write_text(json.dumps(BULLETS))
    return tmp_path


def arguments(place: Path, *more: str) -> list[str]:
    """The whole command line."""
    return [*COMMAND, str(place / "plan.json"), "--root", str(place / "vault"), "--audit", str(place / "log"), *more]


def run(place: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the command without a terminal."""
    return subprocess.run(arguments(place, *more), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)


def records(place: Path, name: str) -> list[dict[str, Any]]:
    """The records of one file of the log."""
    return [json.loads(line) for line in (place / "log" / name).read_text().splitlines()]


def test_a_plan_is_carried_out_and_leaves_a_log(place: Path) -> None:
    """The main use: bullets become notes, and the effects are recorded as observed."""
    done = run(place, "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ok: 5 ok" in done.stdout
    assert (place / "vault/notes/Ann.md").read_text() == "# Ann\n"
    assert (place / "vault/notes/Bob.md").read_text() == "# Bob\n"
    results = records(place, "results.jsonl")
    assert [result["effects"].get("created") for result in results if result["stepId"] == "create"] == [
        [{"path": "notes/Ann.md", "kind": "file"}],
        [{"path": "notes/Bob.md", "kind": "file"}],
    ]
    confirmation = json.loads((place / "log/run.json").read_text())["confirmation"]
    assert confirmation["decision"] == "approved"
    calls = records(place, "calls.jsonl")
    assert {call["confirmationId"] for call in calls} == {confirmation["confirmationId"]}
    assert [call["preview"] for call in calls[-2:]] == ["Create notes/Ann.md", "Create notes/Bob.md"]


def test_a_second_run_into_the_same_log_is_refused(place: Path) -> None:
    """A68: the vault also stays as it was."""
    run(place, "--yes")
    (place / "vault/notes/Ann.md").unlink()
    done = run(place, "--yes")
    assert done.returncode == 2
    assert "run.json" in done.stderr
    assert not (place / "vault/notes/Ann.md").exists()


def test_a_listener_that_goes_away_does_not_change_the_run(place: Path) -> None:
    """EVT-19: the output is cut off, but the plan is still carried out."""
    child = subprocess.Popen(arguments(place, "--yes"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout
    child.stdout.close()
    assert child.stderr
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait(timeout=60) == 0
    assert (place / "vault/notes/Bob.md").exists()


def test_a_run_that_fails_exits_with_one(place: Path) -> None:
    """The failure is printed, and the exit code tells of it."""
    (place / "vault/inbox.md").unlink()
    done = run(place, "--yes")
    assert done.returncode == 1
    assert "NOT_FOUND" in done.stdout
    assert [result["status"] for result in records(place, "results.jsonl")].count("error") == 1


def test_the_sandbox_holds_for_our_own_tools(place: Path) -> None:
    """POL-02, POL-14."""
    (place / "vault/inbox.md").write_text("- ../out\n")
    done = run(place, "--yes")
    assert done.returncode == 1
    assert records(place, "results.jsonl")[-1]["error"]["code"] == "POLICY_DENIED"
    assert not (place / "vault/out.md").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "cannot be read: Expecting"),
        ('{\n  "a": "\t"}\n', "cannot be read: Invalid control character at line 2, column 9"),
        ('{"version": 1, "version": 2}', "'version' twice"),
        ('{"n": NaN}', "NaN"),
        ('{"n": 1e999}', "no double can hold"),
        ('{"s": "\\ud800"}', "lone surrogate"),
        ("[" * 100_000, "nested"),
        ("[]", "(the whole document): [] is not of type 'object'"),
        (
            json.dumps(plan(step("a", "vault.readFil"))),
            "/steps/0/tool: no tool is called 'vault.readFil'; did you mean",
        ),
        (json.dumps(plan(step("a", "vault.readFile", args={"x": "$steps.b"}))), "/steps/0/args/x: $steps.b"),
    ],
)
def test_a_bad_plan_is_told_and_nothing_is_made(place: Path, text: str, told: str) -> None:
    """A bad plan gets a list of every fault and exit code 2, but no folder and no traceback."""
    (place / "plan.json").write_text(text)
    done = run(place, "--yes")
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert "Nothing was executed." in done.stderr
    assert not (place / "log").exists()


def test_wrong_usage_is_told(place: Path) -> None:
    """Exit code 2 for a missing root, a missing plan, a bad policy, or no terminal to ask at."""
    (place / "policy.json").write_text("{}")
    for more, told in [
        (("--root", str(place / "nowhere"), "--yes"), "does not exist"),
        (("--policy", str(place / "policy.json"), "--yes"), "'limits' is a required property"),
        (("--policy", str(place / "none.json"), "--yes"), "cannot be read"),
        ((), "confirmation is required, but there is no terminal to ask at; give it with --yes"),
        (("--audit", str(place / "plan.json"), "--yes"), "plan.json: the audit folder cannot be used\n  it is a file"),
    ]:
        done = run(place, *more)
        assert (done.returncode, told in done.stderr) == (2, True), done.stderr
    assert not (place / "log").exists()


@pytest.mark.parametrize(
    ("root", "audit"), [("vault", "vault/log"), ("vault", "vault"), ("vault", "."), ("link", "vault/log")]
)
def test_a_log_that_the_plan_could_change_is_refused(place: Path, root: str, audit: str) -> None:
    """LOG-13: neither of the two folders may lie in the other, links followed; both are named, and nothing is made."""
    (place / "link").symlink_to(place / "vault")
    done = run(place, "--root", str(place / root), "--audit", str(place / audit), "--yes")
    assert done.returncode == 2
    assert f"{place / audit} and the root {place / 'vault'} lie one inside the other" in done.stderr
    assert "name an audit folder outside of the root" in done.stderr
    assert [path.name for path in (place / "vault").iterdir()] == ["inbox.md"]


def _interrupt(child: subprocess.Popen[bytes]) -> None:
    """Press Ctrl-C until it takes effect: one between the prompt and the read takes effect only with the next one."""
    while child.poll() is None:
        child.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            child.wait(timeout=3)


def at_a_terminal(place: Path, typed: bytes) -> tuple[int, str]:
    """Run the command at a terminal, and type something when it asks."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(arguments(place), stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(ours, 1024)
    if typed:
        os.write(ours, typed)
    else:
        _interrupt(child)
    code = child.wait(timeout=60)
    shown += os.read(ours, 65536)
    os.close(ours)
    return code, shown.decode()


@pytest.mark.parametrize(
    ("typed", "code", "decision", "made"),
    [
        (b"y\n", 0, "approved", True),
        (b"\n", 1, "rejected", False),
        (b"n\n", 1, "rejected", False),
        (b"", 130, None, False),
    ],
)
def test_a_person_is_asked(place: Path, typed: bytes, code: int, decision: str | None, made: bool) -> None:
    """CONF-01, CONF-06, CANC-06: the answers are yes, nothing, no, and Ctrl-C."""
    exit_code, shown = at_a_terminal(place, typed)
    assert exit_code == code
    assert "create: vault.createFile (writes, for each of $steps.parse.items)" in shown
    assert json.loads((place / "log/run.json").read_text()).get("confirmation", {}).get("decision") == decision
    assert (place / "vault/notes").exists() is made
    assert records(place, "events.jsonl")[-1]["type"] == "run.finished"


def test_ctrl_c_winds_a_run_down(place: Path) -> None:
    """CANC-01, RETRY-07: it comes in the middle of a backoff; the log is whole, and unreached steps are skipped."""
    (place / "vault/binary").write_bytes(b"\xff\xfe")
    retry = {"maxAttempts": 2, "backoffMs": 600_000}
    read = step("read", "vault.readFile", args={"path": "binary"}, retry=retry)
    (place / "plan.json").write_text(json.dumps(plan(read, step("list", "vault.listFiles", dependsOn=["read"]))))
    child = subprocess.Popen(arguments(place, "--yes"), stdout=subprocess.PIPE)
    log = place / "log/events.jsonl"
    while not (log.exists() and "step.failed" in log.read_text()):
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == 130
    assert [result["status"] for result in records(place, "results.jsonl")] == ["error", "skipped"]
    types = [event["type"] for event in records(place, "events.jsonl")]
    assert types[-3:] == ["run.cancelled", "step.finished", "run.finished"]


def test_help_tells_each_command_to_the_end_and_has_its_short_name():
    """As with `callproof -h`: a description that breaks off in dots does not help."""
    shown = subprocess.run([COMMAND[0], "-h"], capture_output=True, text=True, timeout=60, check=True).stdout
    assert "Speak the adapter protocol of agent loops." in shown
    assert "..." not in shown.partition("Commands:")[2]

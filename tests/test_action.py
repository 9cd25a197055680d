"""The action for GitHub and the hook for pre-commit: both can be parsed, and their steps do what they say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml
from callproof.cli import COMMANDS

ROOT = Path(__file__).parents[1]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]

STAND_IN = """\
#!/usr/bin/env bash
printf '%s\\n' "$@" > called.txt
exit "${FAKE_STATUS:-0}"
"""


def stepped(step: dict[str, Any], folder: Path, *programs: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a step as the runner does: by its shell, with its environment, the test's programs first on the PATH."""
    script = folder / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    path = os.pathsep.join([*map(str, programs), sysconfig.get_path("scripts"), os.environ["PATH"]])
    runner = {"GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=folder,
        env={**os.environ, **runner, "PATH": path, **more},
        capture_output=True,
        text=True,
        timeout=120,
    )


def step(name: str) -> dict[str, Any]:
    (found,) = (each for each in STEPS if each.get("name") == name)
    return found


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    """A folder with programs that replace callproof and python and note the arguments of each call."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("callproof", "python"):
        (folder / name).write_text(STAND_IN, encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


def outputs(folder: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in (folder / "output").read_text(encoding="utf-8").splitlines())


def test_every_input_is_used_and_every_used_one_is_there() -> None:
    """An input that no step reads would have no effect, and nothing would tell the user."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == {*ACTION["inputs"]}
    assert all(each.get("description") for each in (*ACTION["inputs"].values(), *ACTION["outputs"].values()))


def test_no_input_is_read_as_a_program() -> None:
    """Expressions stand in the environment of a step, never in its script, where an input could run as a command."""
    assert not [each for each in STEPS if "${{" in each.get("run", "")]


def test_the_checkout_of_the_action_is_installed(stand_in: Path, tmp_path: Path) -> None:
    """Pip gets the path of the checkout as one word, also if the path holds a blank."""
    done = stepped(step("Install callproof"), tmp_path, stand_in, CALLPROOF_PACKAGE="/a b/callproof")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "called.txt").read_text(encoding="utf-8").splitlines()[-1] == "/a b/callproof"


@pytest.mark.parametrize("status", [0, 1, 2, 3])
def test_the_exit_code_is_told_and_kept(status: int, stand_in: Path, tmp_path: Path) -> None:
    """Callproof's exit code becomes an output of the action, and the exit code of the step."""
    given = {"CALLPROOF_COMMAND": "lint", "CALLPROOF_ARGUMENTS": "tools.json", "CALLPROOF_SARIF": "x.sarif"}
    done = stepped(step("Run callproof"), tmp_path, stand_in, FAKE_STATUS=str(status), **given)
    assert done.returncode == status
    assert outputs(tmp_path) == {"exit-code": str(status)}


def test_arguments_stand_one_a_line(stand_in: Path, tmp_path: Path) -> None:
    """Blanks and special characters of the shell within a line are part of its argument."""
    given = {"CALLPROOF_COMMAND": "test", "CALLPROOF_SARIF": "x.sarif"}
    lines = 'stdio:node "my executor.js"\n-k\nRETRY-03 and $(touch pwned)\n\n'
    assert stepped(step("Run callproof"), tmp_path, stand_in, CALLPROOF_ARGUMENTS=lines, **given).returncode == 0
    called = (tmp_path / "called.txt").read_text(encoding="utf-8").splitlines()
    assert called[:4] == ["test", 'stdio:node "my executor.js"', "-k", "RETRY-03 and $(touch pwned)"]
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("command", ["", "report", "lint; touch pwned"])
def test_another_command_is_refused(command: str, stand_in: Path, tmp_path: Path) -> None:
    """The message lists the permitted commands, and nothing is run."""
    given = {"CALLPROOF_COMMAND": command, "CALLPROOF_ARGUMENTS": "x", "CALLPROOF_SARIF": "x.sarif"}
    done = stepped(step("Run callproof"), tmp_path, stand_in, **given)
    assert done.returncode == 2
    assert "permitted: test, loop, pipeline, invocation, audit, records, lint" in done.stdout
    assert not (tmp_path / "called.txt").exists()
    assert not (tmp_path / "pwned").exists()


def test_an_executor_is_tested(tmp_path: Path) -> None:
    """The real command, with one scenario against the reference executor."""
    lines = "stdio:callproof-reference stdio\n-k\nSC-01"
    given = {"CALLPROOF_COMMAND": "test", "CALLPROOF_ARGUMENTS": lines, "CALLPROOF_SARIF": "test.sarif"}
    done = stepped(step("Run callproof"), tmp_path, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "::notice title=callproof::conforms" in done.stdout
    assert (tmp_path / "test.sarif").is_file()


@pytest.mark.parametrize(("command", "subject"), [("loop", "AL-08"), ("pipeline", "PL-01"), ("invocation", "IV-01")])
def test_a_system_of_another_protocol_is_tested(tmp_path: Path, command: str, subject: str) -> None:
    """The real command, with the cases about one subject against the reference."""
    lines = f"stdio:callproof-reference {command}\n--case\n{subject}"
    given = {"CALLPROOF_COMMAND": command, "CALLPROOF_ARGUMENTS": lines, "CALLPROOF_SARIF": "played.sarif"}
    done = stepped(step("Run callproof"), tmp_path, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "::notice title=callproof::conforms" in done.stdout
    assert (tmp_path / "played.sarif").is_file()


def test_an_audit_leaves_findings_for_code_scanning(tmp_path: Path) -> None:
    """The real command, on a log of the reference executor."""
    notes = ROOT / "examples" / "notes"
    shutil.copytree(notes / "vault", tmp_path / "notes")
    options = ["--policy", str(notes / "policy.json"), "--root", "notes", "--audit", "log", "--yes"]
    program = str(Path(sysconfig.get_path("scripts")) / "callproof-reference")
    subprocess.run([program, "run", str(notes / "plan.json"), *options], cwd=tmp_path, check=True, capture_output=True)
    given = {"CALLPROOF_COMMAND": "audit", "CALLPROOF_ARGUMENTS": "log", "CALLPROOF_SARIF": "audit.sarif"}
    done = stepped(step("Run callproof"), tmp_path, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((tmp_path / "audit.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert (tmp_path / "summary.md").stat().st_size


def test_findings_of_the_linter_are_annotated_and_kept(tmp_path: Path) -> None:
    """The real command, on a definition with faults: annotations, SARIF with regions, a summary, and exit code 1."""
    shutil.copy(ROOT / "examples" / "tools" / "found.json", tmp_path / "tools.json")
    given = {"CALLPROOF_COMMAND": "lint", "CALLPROOF_ARGUMENTS": "tools.json", "CALLPROOF_SARIF": "lint.sarif"}
    done = stepped(step("Run callproof"), tmp_path, **given)
    assert done.returncode == 1
    assert "::error file=tools.json,line=4," in done.stdout
    (run,) = json.loads((tmp_path / "lint.sarif").read_text(encoding="utf-8"))["runs"]
    assert all(each["locations"][0]["physicalLocation"]["region"]["startLine"] for each in run["results"])
    assert "TD003" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_the_hook_calls_a_command_that_there_is() -> None:
    """The hook runs on files whose names say that they define tools."""
    (hook,) = HOOKS
    assert hook["entry"].split()[0] == "callproof"
    assert hook["entry"].split()[1] in COMMANDS
    for path in ("tools.json", "my.tools.yaml", "agent/tools/read.yml", "src/tools.json"):
        assert re.search(hook["files"], path), path
    for path in ("package.json", "toolset.json", "tools.py", "mytools.json"):
        assert not re.search(hook["files"], path), path

"""What ``callproof init`` copies runs in its new place, and no file that was there is lost."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from callproof.cli import cli
from click.testing import CliRunner, Result
from example_commands import HAS_NODE, ROOT, run

EXAMPLES = ROOT / "examples"
ADAPTERS = sorted(each.parent.name for each in EXAMPLES.glob("*/README.md") if "stdio:" in each.read_text("utf-8"))


def begin(*arguments: str | Path) -> Result:
    """The result of the command."""
    return CliRunner().invoke(cli, ["init", *map(str, arguments)])


def files(folder: Path) -> dict[str, bytes]:
    """What is in a folder, by the path within."""
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def test_without_a_name_every_example_is_listed_with_what_judges_it() -> None:
    """The list has each example with an adapter, and its title; nothing is written."""
    said = begin()
    lines = said.stdout.splitlines()
    assert said.exit_code == 0
    assert [each.split()[0] for each in lines[:-2]] == ADAPTERS
    assert lines[1] == "adapter-python      callproof test        The smallest adapter, in Python"
    assert lines[-1] == "Copy one with `callproof init NAME`."


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_copy_is_the_example_and_its_readme_names_where_it_is(name: str, tmp_path: Path) -> None:
    """Sources are equal to the byte; commands name the copy, and each link leads to something that was copied."""
    assert begin(name, "--into", tmp_path).exit_code == 0
    copied = files(tmp_path / name)
    readme = copied.pop("README.md").decode()
    own = {each: copied[each] for each in copied if not each.startswith("schemas/")}
    assert own.items() <= files(EXAMPLES / name).items()
    assert not {"node_modules", "__pycache__"} & {part for each in copied for part in each.split("/")}
    assert f"examples/{name}" not in readme.replace(f"{tmp_path}/{name}", "")
    assert f"{tmp_path}/{name}" in readme
    leading = re.findall(r"\]\((?!https?:|#)([^)#]+)", readme)
    assert [each for each in leading if not (tmp_path / name / each).exists()] == []


@pytest.mark.parametrize(
    ("name", "some", "implementation"),
    [
        ("adapter-python", "-k CALL-21 --cases 0", "tiny-agent 1"),
        ("loop-python", "--case AL-01 --select HOST-01", "small-loop 1 (python)"),
        ("pipeline-python", "--case PL-01 --select PIPE-10", "small-pipeline 1 (python)"),
        ("invocation-python", "--case IV-01 --select INT-01", "small-backend 1 (python)"),
    ],
)
def test_an_example_in_python_is_judged_where_it_was_copied_to(
    name: str, some: str, implementation: str, tmp_path: Path
) -> None:
    """The printed command judges it from the folder above, whatever the name of that folder is."""
    where = tmp_path / "it's a $HOME of its own"
    where.mkdir()
    said = run(f"callproof init {name} --into 'an agent'", where)
    (command,) = (each.strip() for each in said.stdout.splitlines() if each.startswith("  "))
    judged = run(f"{command} {some} --format json", where)
    report = json.loads(judged.stdout)
    assert (report["outcome"], report["subject"]["implementation"]) == ("conforms", implementation)


@pytest.mark.skipif(not HAS_NODE, reason="node is not on the PATH")
@pytest.mark.parametrize("name", ["adapter-node", "loop-node", "pipeline-node", "invocation-node"])
def test_what_needs_no_package_starts_where_it_was_copied_to(name: str, tmp_path: Path) -> None:
    """The copy has everything that it needs of the examples beside it, and of the schemas."""
    said = begin(name, "--into", tmp_path)
    (command,) = (each for each in said.stdout.splitlines() if each.startswith("  "))
    adapter = shlex.split(command)[-1].removeprefix("stdio:")
    hello = {"jsonrpc": "2.0", "id": "1", "method": "initialize", "params": {"protocolVersion": "1.0"}}
    ran = subprocess.run(
        shlex.split(adapter), input=f"{json.dumps(hello)}\n", capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert "implementation" in json.loads(ran.stdout.splitlines()[0])["result"], ran.stderr


def test_packages_are_installed_where_the_copy_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output also has the commands that come before the one that judges, in their order."""
    monkeypatch.chdir(tmp_path)
    said = begin("loop-strands", "--into", "ours")
    assert [each.strip() for each in said.stdout.splitlines() if each.startswith("  ")] == [
        "python -m pip install -r ours/loop-strands/requirements.txt",
        "callproof loop 'stdio:python ours/loop-strands/adapter.py'",
    ]


@pytest.mark.parametrize("taken", ["adapter-node", "executor-node"])
def test_nothing_that_is_there_is_written_over(taken: str, tmp_path: Path) -> None:
    """If the example's own folder or one that goes beside it is there, nothing of the example is written."""
    (tmp_path / taken).mkdir()
    (tmp_path / taken / "adapter.js").write_text("mine", encoding="utf-8")
    said = begin("adapter-node", "--into", tmp_path)
    assert said.exit_code == 2
    assert "exists already and was not changed; choose another folder with --into" in said.stderr
    assert files(tmp_path) == {f"{taken}/adapter.js": b"mine"}


def test_a_link_that_leads_nowhere_is_not_written_over(tmp_path: Path) -> None:
    """A user put the link there, so it stays."""
    (tmp_path / "adapter-python").symlink_to("elsewhere")
    assert begin("adapter-python", "--into", tmp_path).exit_code == 2
    assert [each.name for each in tmp_path.iterdir()] == ["adapter-python"]


def test_a_mistyped_example_gets_its_nearest_and_any_other_the_list() -> None:
    """The exit code is that of wrong usage."""
    assert (begin("adapter-pyton").exit_code, begin("x").exit_code) == (2, 2)
    assert "did you mean 'adapter-python'?" in begin("adapter-pyton").stderr
    assert f"permitted: {', '.join(ADAPTERS)}" in begin("x").stderr


@pytest.mark.parametrize("name", ["notes", "cases", "..", "adapter-python/../adapter-node"])
def test_what_is_no_adapter_is_no_example_to_begin_with(name: str) -> None:
    """A path is not an example either."""
    assert "there is no example" in begin(name).stderr


def test_a_folder_that_can_hold_nothing_is_told_with_the_reason(tmp_path: Path) -> None:
    """The error gives the reason, and nothing was copied."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    said = begin("adapter-python", "--into", tmp_path / "file")
    assert (said.exit_code, said.stdout) == (2, "")
    assert "file cannot hold the copy: File exists; choose another folder with --into" in said.stderr


def test_a_full_device_leaves_nothing_behind(tmp_path: Path) -> None:
    """A copy that breaks off is removed again, and the error says so."""
    limited = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (6000, 6000)); from callproof.cli import main; main()"
    command = [sys.executable, "-c", limited, "init", "adapter-python", "--into", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "cannot hold the copy: File too large" in ran.stderr
    assert list(tmp_path.iterdir()) == []

"""A system without POSIX, such as Windows: commands that judge files work, and no command starts a program."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from log_edits import copy_of

TOOLS = "examples/tools/notes.json"
# Removes modules and functions that Python has only on POSIX, except those that its own library needs here.
WITHOUT_POSIX = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name in {"fcntl", "resource", "termios", "pwd", "grp"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Finder())
for name in ("killpg", "setsid", "getpgid", "pread", "mkfifo", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK"):
    delattr(os, name)
delattr(signal, "pthread_sigmask")
os.supports_dir_fd.clear()  # or shutil, from Python 3.13 on, removes folders by O_NONBLOCK
"""


@pytest.fixture
def without_posix(tmp_path):
    """Runs a command of callproof in an interpreter that has only what every system has."""
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "sitecustomize.py").write_text(WITHOUT_POSIX)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "python")}

    def run(*arguments: str, module: str = "callproof") -> subprocess.CompletedProcess[str]:
        command = (sys.executable, "-m", module, *arguments)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    return run


@pytest.mark.parametrize(
    "command",
    [
        ("audit", "log"),
        ("audit", "log", "--jobs", "2"),
        ("show", "log"),
        ("lint", TOOLS),
        ("breaking", TOOLS, TOOLS, "--for", "plan"),
        ("explain", "RETRY-03"),
    ],
    ids=" ".join,
)
def test_what_judges_files_says_the_same_there(command, without_posix, tmp_path):
    """The whole output is the same as on this system."""
    log = copy_of("linear", tmp_path / "log")
    arguments = [str(log) if each == "log" else each for each in command]
    here = subprocess.run(
        [sys.executable, "-m", "callproof", *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    there = without_posix(*arguments)
    assert there.stderr == here.stderr
    assert (there.stdout, there.returncode) == (here.stdout, 0)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (("test", "stdio:callproof-reference stdio"), 3),
        (("test", "python:callproof_reference.wire:serve"), 3),
        (("test", "http://127.0.0.1:9/"), 3),
        (("loop", "stdio:callproof-reference loop"), 3),
        (("lint", "--stdio", f"{sys.executable} -c pass"), 2),
        (("lint", "--module", "examples.tools.weather:TOOLS"), 2),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else "",
)
def test_what_starts_a_program_says_where_it_can(command, status, without_posix):
    """No process of a started program may outlive the suite, and only process groups can ensure that."""
    told = without_posix(*command)
    assert told.returncode == status
    said = told.stdout + told.stderr
    assert "has no process groups" in said
    assert "a POSIX system (Linux, macOS, or WSL on Windows)" in said
    assert "Traceback" not in said


def test_pytest_says_so_too(without_posix, tmp_path):
    """It is an error of the adapter, with the same words."""
    told = without_posix(
        "-q",
        f"--rootdir={tmp_path}",
        str(tmp_path),
        "--callproof",
        "stdio:callproof-reference stdio",
        "-k",
        "SC-01",
        module="pytest",
    )
    assert told.returncode == 3
    assert "has no process groups" in told.stdout
    assert "Traceback" not in told.stdout

"""Hostile adapters through the command line: exit code 3, the adapter's own error, no traceback, nothing left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

PROGRAMS = {
    "silent": "the adapter was silent: no answer to run/start",
    "deaf": "the adapter was silent: no answer to run/start",
    "garbage": "the adapter wrote garbage to standard output",
    "flood": "the adapter flooded the suite",
    "huge_line": "the adapter wrote a frame that is too long",
    "dies_at_start": "the adapter died at start: it exited with status 1",
    "dies_in_run": "the adapter died in a run: it was killed by SIGKILL",
    "exits_early": "the adapter died in a run: it exited with status 0",
    "ignores_sigterm": "the adapter outlived shutdown",
    "leaves_a_child": "the adapter outlived shutdown",
    "answers_twice": "the adapter answered run/start twice",
    "speaks_another_version": "the adapter answered initialize with protocolVersion",
    "too_early": "the adapter sent record out of turn",
}
FACTORIES = ("leaves_by_os_exit", "leaves_by_system_exit", "skips", "ends_the_session", "returns_early")
# Enough for a flood on a busy machine, and far too little if the suite kept the flood in memory.
MEBIBYTES = 512
COMMAND = (sys.executable, "-c", "from callproof.cli import main; main()")
# The kernel counts the size of the parent at the start as the child's, and a test worker may have any size.
# So a small process starts the measured command, and writes down its largest size in KiB.
MEASURED = (
    "import resource, subprocess, sys\n"
    "code = subprocess.call(sys.argv[2:])\n"
    "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
    "open(sys.argv[1], 'w', encoding='ascii').write(str(peak))\n"
    "sys.exit(code)"
)


@pytest.fixture
def measured(tmp_path):
    """``measured(command)``: exit code, everything printed, and the largest size of a process of the command in MiB."""

    def run(command: Sequence[str]) -> tuple[int, str, int]:
        printed, peak = tmp_path / "printed", tmp_path / "peak"
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent / "hostile")}
        with printed.open("wb") as output:
            code = subprocess.call(
                (sys.executable, "-c", MEASURED, str(peak), *command),
                stdout=output,
                stderr=output,
                cwd=tmp_path,
                env=environment,
            )
        return code, printed.read_text(encoding="utf-8"), int(peak.read_text(encoding="ascii")) // 1024

    return run


@pytest.fixture
def judged(measured):
    """``judged(address)``: exit code, everything printed, and the largest size of the suite's process in MiB."""

    def run(address: str, *, timeout: str = "60") -> tuple[int, str, int]:
        return measured((*COMMAND, "test", "-k", "SC-02", "--timeout", timeout, address))

    return run


def test_the_size_of_a_process_is_its_own(measured):
    """The size of its parent must not count: otherwise a worker that has grown makes every adapter look too large."""
    ballast = b"x" * (MEBIBYTES << 20)
    _, _, size = measured((sys.executable, "-c", "pass"))
    assert len(ballast) > size << 20
    assert 0 < size < 100


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_hostile_program_ends_in_its_own_error(name, program, judged, tmp_path, alive):
    """The run ends with that error, exit code 3, bounded memory, and no process left."""
    place = tmp_path / "pid"
    timeout = "1" if "silent" in PROGRAMS[name] else "60"
    code, printed, size = judged(program(f"hostile/{name}.py", str(place)), timeout=timeout)
    assert PROGRAMS[name] in " ".join(printed.split())
    assert "Traceback" not in printed
    assert code == 3
    assert size < MEBIBYTES
    if place.exists():
        assert not alive(int(place.read_text()))


@pytest.mark.parametrize("factory", FACTORIES)
def test_no_python_adapter_turns_the_run_green(factory, judged):
    """If an adapter exits with 0, skips or falls silent, that counts only as its death (SEC-01)."""
    code, printed, _ = judged(f"python:in_process:{factory}")
    assert "the adapter died in a run" in printed
    assert code == 3


def test_a_command_that_is_not_there_is_named_with_the_path(judged, monkeypatch):
    """The error has its name and the PATH that was searched."""
    monkeypatch.setenv("PATH", "/nowhere:/nowhere/else")
    code, printed, _ = judged("stdio:my-exectuor serve")
    assert "'my-exectuor'" in printed
    assert "/nowhere:/nowhere/else" in printed
    assert "Traceback" not in printed
    assert code == 3


def test_an_address_that_cannot_be_read_is_an_error_of_the_adapter(judged):
    """The error has the value and the corrected line; nothing was judged."""
    code, printed, _ = judged("studio:node my_executor.js")
    assert "did you mean 'stdio:node my_executor.js'?" in printed
    assert "Traceback" not in printed
    assert code in {2, 3}


def test_an_interrupted_run_leaves_nothing_behind(program, tmp_path, soon_gone):
    """Ctrl-C reaches only the suite, and the suite ends the adapter."""
    place = tmp_path / "pid"
    address = program("hostile/interrupts_its_suite.py", str(place))
    suite = subprocess.run((*COMMAND, "test", address), capture_output=True, check=False, cwd=tmp_path)
    assert suite.returncode not in {0, -signal.SIGKILL}
    assert soon_gone(int(place.read_text()))

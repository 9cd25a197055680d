"""Judges the examples as their READMEs say, and reports it if there is no Node to run some of them with."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from example_commands import HAS_NODE, commands, run

collect_ignore = [] if HAS_NODE else ["test_node.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what is left out; otherwise the session would look green."""
    if not HAS_NODE:
        terminalreporter.write_line("tests/examples/test_node.py is not collected: there is no node on the PATH")


@pytest.fixture(scope="session")
def judge() -> Callable[[str], dict[str, Any]]:
    """A function that judges an example by the first command of its README, and returns the report."""

    def judged(example: str) -> dict[str, Any]:
        command = commands(example)[0]
        assert command.startswith(tuple(f"callproof {each} " for each in ("test", "loop", "pipeline", "invocation")))
        done = run(f"{command} --format json")
        assert done.returncode == 0, f"{command}\n{done.stdout[-5000:]}\n{done.stderr}"
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    return judged

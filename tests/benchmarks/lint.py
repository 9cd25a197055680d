"""How long lint takes over a thousand real tools, start included, beside two other linters and a bare interpreter.

    python tests/benchmarks/lint.py CORPORA [--rounds N] [--tools N]

CORPORA is a folder of JSON files with ``tools``.  A thousand of these are drawn by a seed and written to one file,
which all linters are given.  Every figure is processor time, user and system, of a whole process, the median of the
rounds; in each round all contenders take turns in a rotated order.  The peers are taken from the PATH (``pip install
mcp-strict-check nikhail``, in an environment of their own).  No test asserts any of it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

SEED = "2026-11-22"
ROUNDS = 5
TOOLS = 1000
OWN = "callproof lint"
# The goals, in seconds of processor time.
GOALS: Mapping[str, float] = {OWN: 2, "callproof lint --help": 0.1}


@dataclass(frozen=True)
class Taken:
    """The time that a process took: seconds of processor time, and seconds on the wall."""

    processor: float
    wall: float


def contenders(catalogue: Path) -> dict[str, tuple[str, ...]]:
    """The command of everything that is timed."""
    return {
        OWN: ("callproof", "lint", str(catalogue)),
        "callproof lint --statistics": ("callproof", "lint", "--statistics", str(catalogue)),
        "mcp-strict-check": ("mcp-strict-check", "--tools", str(catalogue)),
        "nikhail": ("nikhail", "--kind", "mcp", str(catalogue)),
        "callproof lint --help": ("callproof", "lint", "--help"),
        "callproof --help": ("callproof", "--help"),
        "python -c pass": (sys.executable, "-c", "pass"),
    }


def real_tools(corpora: Path, number: int) -> list[Any]:
    """This number of tools from a folder of corpora, drawn by the seed.  Raises SystemExit if there are fewer."""
    files = sorted(corpora.glob("*.json"))
    found = [tool for file in files for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]]
    if len(found) < number:
        raise SystemExit(f"{corpora} holds {len(found)} tools; {number} are wanted")
    return random.Random(SEED).sample(found, number)


def taken(command: Sequence[str]) -> Taken:
    """Run a command to its end, whatever its exit code, and return its time.  Raises SystemExit if it breaks."""
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        if child.returncode not in (0, 1) or b"Traceback" in (complaint := said.read()):
            raise SystemExit(f"{' '.join(command)} ended with {child.returncode}: {complaint.decode()[-500:]}")
    return Taken(used.ru_utime + used.ru_stime, wall)


def rounds_of(console: Console, timed: Mapping[str, Sequence[str]], rounds: int) -> dict[str, list[Taken]]:
    """The time of every contender in every round, each in another order; one round before them warms the caches."""
    found: dict[str, list[Taken]] = {name: [] for name in timed}
    names = list(timed)
    for place in range(-1, rounds):
        for name in (*names[place % len(names) :], *names[: place % len(names)]):
            with console.status(f"round {place + 1} of {rounds}: {name}"):
                took = taken(timed[name])
            if place >= 0:
                found[name].append(took)
    return found


def table(found: Mapping[str, Sequence[Taken]], title: str) -> Table:
    """The medians with their goals; ratios are taken inside a round, and the table has their median."""
    made = Table("what", "processor, ms", "wall, ms", f"as a share of {OWN}", "goal, ms", title=title)
    for name, took in found.items():
        ratio = statistics.median(each.processor / own.processor for each, own in zip(took, found[OWN], strict=True))
        goal = f"< {GOALS[name] * 1000:g}" if name in GOALS else ""
        processor = statistics.median(each.processor for each in took)
        wall = statistics.median(each.wall for each in took)
        made.add_row(name, f"{processor * 1000:.0f}", f"{wall * 1000:.0f}", f"{ratio:.2f}", goal)
    return made


def main(arguments: Sequence[str]) -> None:
    """Time every contender that is installed, name the others, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--tools", type=int, default=TOOLS)
    chosen = parser.parse_args(arguments)
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        catalogue = Path(folder) / "tools.json"
        catalogue.write_text(json.dumps({"tools": real_tools(chosen.corpora, chosen.tools)}, indent=1))
        timed = contenders(catalogue)
        missing = [name for name, command in timed.items() if shutil.which(command[0]) is None]
        for name in missing:
            console.print(f"{name} is not on the PATH and is left out")
        if OWN in missing:
            parser.error("callproof itself is not on the PATH; `nox -s lint_benchmark -- CORPORA` puts it there")
        there = {name: command for name, command in timed.items() if name not in missing}
        found = rounds_of(console, there, chosen.rounds)
    console.print(table(found, f"{chosen.tools} real tools, medians of {chosen.rounds}"))


if __name__ == "__main__":
    main(sys.argv[1:])

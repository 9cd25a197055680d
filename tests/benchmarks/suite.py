"""How long the live suite takes, as ratios of things that were timed in the same run.

    python tests/benchmarks/suite.py [ROUNDS]

Every figure is the median of the rounds, in which all contenders take turns.  No test
asserts any of it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from callproof.adapters.deadlines import Deadlines
from callproof.auditlog.reader import read_run
from callproof.live.scenarios import SCENARIOS
from callproof.live.session import LiveSession
from rich.console import Console
from rich.table import Table

REFERENCE = "stdio:callproof-reference stdio"
TEST = ("callproof", "test", REFERENCE)
# Some seconds of pure computing: it shows how much two processes gain on this machine at this hour.
COUNT = (sys.executable, "-c", "sum(i * i for i in range(40_000_000))")
ROUNDS = 3
GENERATED = 1000
CASES = tuple(case for scenario in SCENARIOS for case in scenario.cases)


def main(rounds: int) -> None:
    """Time every contender in turn, and print the table."""
    console = Console()
    with tempfile.TemporaryDirectory() as elsewhere, tempfile.TemporaryDirectory() as temporary:
        contenders: Mapping[str, Callable[[], object]] = {
            "bare": drive,
            "suite": lambda: command(elsewhere, "callproof", "test", REFERENCE, "--cases", "0"),
            "generated": lambda: command(
                elsewhere, "callproof", "test", REFERENCE, "--cases", str(GENERATED), "-k", "GEN"
            ),
            "one, fixed": lambda: command(elsewhere, *pytest_of("0", temporary, cases=0)),
            "two, fixed": lambda: command(elsewhere, *pytest_of("2", temporary, cases=0)),
            "one, all": lambda: command(elsewhere, *pytest_of("0", temporary, cases=GENERATED)),
            "two, all": lambda: command(elsewhere, *pytest_of("2", temporary, cases=GENERATED)),
            "true": lambda: [command(elsewhere, "true") for _ in CASES],
            "counting in turn": lambda: [command(elsewhere, *COUNT) for _ in range(2)],
            "counting at once": lambda: [each.wait() for each in [subprocess.Popen(COUNT) for _ in range(2)]],
        }
        taken: dict[str, list[float]] = {name: [] for name in contenders}
        for place in range(rounds):
            for name, contender in contenders.items():
                with told(console, f"round {place + 1} of {rounds}: {name}"):
                    taken[name].append(seconds(contender))
    console.print(table({name: statistics.median(times) for name, times in taken.items()}))


def drive() -> None:
    """Run every case with the executor over its wire, and judge nothing: the time of the runs themselves."""
    deadlines = Deadlines(start=30, answer=30)
    with LiveSession(REFERENCE, deadlines=deadlines, read_audit=read_run) as session:
        for case in CASES:
            session.run_case(case)


def pytest_of(workers: str, temporary: str, *, cases: int) -> tuple[str, ...]:
    """The suite as pytest items, without the closing work for other plugins or earlier sessions."""
    without = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--basetemp", f"{temporary}/{workers}")
    items = ("--callproof", REFERENCE, "--callproof-cases", str(cases))
    return (sys.executable, "-m", "pytest", "-q", *without, *items, "-n", workers)


def command(folder: str, *words: str) -> None:
    """Run a command to its end; one that fails raises, since it would be no measurement."""
    subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def seconds(work: Callable[[], object]) -> float:
    """The time that the work takes, in seconds on the wall."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def table(took: Mapping[str, float]) -> Table:
    """The figures with their goals."""
    made = Table("what", "figure", "goal", title=f"{len(CASES)} fixed cases, {GENERATED} generated ones, {REFERENCE}")
    made.add_row("all fixed scenarios", f"{took['suite']:.1f} s", "under 10 s on two cores")
    made.add_row("… by two workers", f"{took['two, fixed']:.1f} s", "")
    made.add_row("suite / the same runs, not judged", f"{took['suite'] / took['bare']:.2f}", "at most 2")
    made.add_row("one worker / two workers", f"{took['one, all'] / took['two, all']:.2f}", "at least 1.7")
    made.add_row("… fixed scenarios alone", f"{took['one, fixed'] / took['two, fixed']:.2f}", "")
    counted = took["counting in turn"] / took["counting at once"]
    made.add_row("… two processes that only count", f"{counted:.2f}", "what the machine has to give")
    made.add_row("suite / as many processes that do nothing", f"{took['suite'] / took['true']:.1f}", "")
    made.add_row("generated cases a second", f"{GENERATED / took['generated']:.0f}", "17: a thousand in 60 s")
    return made


@contextmanager
def told(console: Console, what: str) -> Iterator[None]:
    """Show on a terminal what is being timed."""
    with console.status(what):
        yield


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)

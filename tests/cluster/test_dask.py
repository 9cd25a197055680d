"""A real cluster of two workers gives the same report as one process, even if a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
from callproof.auditing.audited import NO_RULES
from callproof.auditing.cluster import on_dask
from callproof.auditing.engines import Auditable, EngineFailed
from callproof.auditlog.folder import RunFolder
from callproof.commands.audit import Audit, audit
from callproof.judge.judgement import Outcome, RunOutcome
from callproof.report.document import document, json_text
from deadly_runs import DeadlyText
from distributed import LocalCluster
from log_edits import BASES, Edit, apply, copy_of
from mixed_logs import written


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    """Two workers, each in a process of its own."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as started:
        yield started


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of logs, some sound and some broken."""
    tree = tmp_path_factory.mktemp("logs")
    for place in range(20):
        for name in ("linear", "retried", "foreach"):
            folder = copy_of(name, tree / f"{name}-{place:02}")
            if place % 5 == 1:
                apply(Edit("calls 1", {"attempt": 7}), folder)
    return tree


class Killing:
    """A watcher of an audit that kills one worker when some runs are judged."""

    def __init__(self, pid: int, after: int) -> None:
        self.pid = pid
        self.left = after

    def taken(self, runs: Iterator[Auditable]) -> Iterator[Auditable]:
        """The same runs, unchanged."""
        return runs

    def judged(self, _run: object) -> None:
        """Count one more judged run."""
        self.left -= 1
        if self.left == 0:
            os.kill(self.pid, signal.SIGKILL)


def test_a_worker_is_killed_and_nothing_is_lost_or_counted_twice(cluster: LocalCluster, logs: Path) -> None:
    """The other worker does its batches, and the report is the same, byte for byte."""
    killing = Killing(next(iter(cluster.workers.values())).pid, after=7)
    together = audit(Audit((logs,), engine=on_dask(cluster.scheduler_address)), killing)
    assert killing.left < 0
    alone = audit(Audit((logs,)))
    assert any(result.findings for result in alone.results.values())
    assert json_text(document(together)) == json_text(document(alone))


def test_the_command_gives_the_same_bytes(cluster: LocalCluster, logs: Path, tmp_path: Path) -> None:
    """This holds also for runs that share files, whose text is sent to the workers."""
    path = written("shared.gz", sorted(logs.iterdir())[:3:2], tmp_path)
    command = [str(Path(sys.executable).parent / "callproof"), "audit", str(path), "--format", "json"]
    elsewhere = ["--engine", "dask", "--scheduler", cluster.scheduler_address]
    alone, together = (subprocess.run([*command, *more], capture_output=True) for more in ([], elsewhere))
    assert (together.stdout, together.returncode) == (alone.stdout, alone.returncode)
    assert together.stderr == b""


def test_a_run_that_kills_every_worker_is_told_as_an_error(cluster: LocalCluster) -> None:
    """It is an error of callproof, never a pass, and the other runs are judged."""
    runs: list[Auditable] = [RunFolder(BASES / "linear", str(place)) for place in range(4)]
    runs[1] = DeadlyText("1")
    told = list(on_dask(cluster.scheduler_address)(runs, NO_RULES))
    assert [(each.run.name, each.run.outcome) for each in told] == [
        (str(place), RunOutcome.ERROR if place == 1 else RunOutcome.CONSISTENT) for place in range(4)
    ]


def test_a_neighbour_of_a_deadly_run_is_not_blamed() -> None:
    """A scheduler that allows no failure blames all runs waiting at a dead worker; each run is tried again alone."""
    runs: list[Auditable] = [RunFolder(BASES / "linear", str(place)) for place in range(8)]
    runs[0] = DeadlyText("0")
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as started,
    ):
        told = list(on_dask(started.scheduler_address)(runs, NO_RULES))
    assert [each.run.outcome for each in told] == [RunOutcome.ERROR, *[RunOutcome.CONSISTENT] * 7]


def test_a_cluster_that_is_lost_is_told_with_what_had_come_back(logs: Path) -> None:
    """The report has only a part of the runs and says so; the exit code is 3."""
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as started:
        killing = Closing(started)
        judged = audit(Audit((logs,), engine=on_dask(started.scheduler_address)), killing)
    assert judged.outcome is Outcome.ERROR
    assert any("was lost" in each for each in judged.errors)


class Closing(Killing):
    """A watcher of an audit that closes the whole cluster."""

    def __init__(self, cluster: LocalCluster) -> None:
        super().__init__(0, 5)
        self.cluster = cluster

    def judged(self, _run: object) -> None:
        """Count one more judged run."""
        self.left -= 1
        if self.left == 0:
            self.cluster.close()


def test_a_scheduler_that_does_not_answer_is_told() -> None:
    """Without a cluster there is no audit, and the command must not wait for ever."""
    with pytest.raises(EngineFailed, match="no cluster answers"):
        list(on_dask("tcp://127.0.0.1:9")([], NO_RULES))


def test_a_cluster_without_workers_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker would ever return the batch."""
    monkeypatch.setattr("callproof.auditing.cluster._LOOK_SECONDS", 0.1)
    with (
        LocalCluster(n_workers=0, processes=True, dashboard_address=None) as started,
        pytest.raises(EngineFailed, match="has no worker"),
    ):
        list(on_dask(started.scheduler_address)([RunFolder(BASES / "linear", "one")], NO_RULES))

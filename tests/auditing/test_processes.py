"""Several processes: the same report as one, and nothing lost when one of them dies."""

from __future__ import annotations

import errno
import multiprocessing
import os
import pickle
import subprocess
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from callproof.auditing.audited import NO_RULES
from callproof.auditing.engines import Auditable, EngineFailed, batches
from callproof.auditing.one_run import audit_run
from callproof.auditing.pools import Pool
from callproof.auditing.processes import in_processes
from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.auditlog.folder import RunFolder
from callproof.commands.audit import Audit, audit
from callproof.judge.judgement import JudgedRun, Judgement, Outcome, RunOutcome, Subject
from callproof.report.document import document, json_text
from deadly_runs import Deadly, HalfTold, late
from hypothesis import given
from hypothesis import strategies as st
from log_edits import BASES, Edit, apply, copy_of
from mixed_logs import written


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of logs, sound and broken."""
    tree = tmp_path_factory.mktemp("logs")
    for place in range(3):
        for name in ("linear", "retried", "foreach"):
            folder = copy_of(name, tree / f"{name}-{place}")
            if place == 1:
                apply(Edit("calls 1", {"attempt": 7}), folder)
    return tree


@pytest.mark.parametrize("form", ["folders", "shared", "stream.zst"])
def test_the_report_is_the_same_to_the_byte(form: str, logs: Path, tmp_path: Path) -> None:
    """Same findings, same order, same report, however many processes did the work."""
    path = logs if form == "folders" else written(form, [each for each in logs.iterdir() if "1" in each.name], tmp_path)
    alone, together = (audit(Audit((path,), engine=in_processes(jobs))) for jobs in (1, 2))
    assert any(result.findings for result in alone.results.values())
    assert json_text(document(together)) == json_text(document(alone))


@pytest.mark.parametrize("dying", [Deadly, HalfTold], ids=["in work", "with half of it told"])
def test_a_process_that_dies_takes_nothing_with_it(dying: type[Deadly | HalfTold], tmp_path: Path) -> None:
    """Its runs are audited again, each is reported once, and the order is kept."""
    runs = [_run(place) for place in range(9)]
    runs[4] = dying("4", BASES / "linear", tmp_path / "died")
    told = list(in_processes(2)(runs, NO_RULES))
    assert (tmp_path / "died").exists()
    assert [each.run for each in told] == [JudgedRun(str(place), RunOutcome.CONSISTENT) for place in range(9)]


def test_work_that_ran_out_of_time_itself_is_waited_for_no_longer() -> None:
    """A pool goes on waiting for answers, and takes a TimeoutError of the work itself for an answer."""
    pool = Pool(1)
    try:
        with pytest.raises(TimeoutError, match="no answer"):
            pool.outcome(pool.begun(late, "no answer"))
    finally:
        pool.close()


def test_a_run_that_ends_every_process_is_told_as_an_error(tmp_path: Path) -> None:
    """It is an error of the suite, never a pass; the runs around it are judged, and the whole exits with 3."""
    runs = [_run(place) for place in range(6)]
    runs[2] = Deadly("2", BASES / "linear")
    told = list(in_processes(2)(runs, NO_RULES))
    assert [each.run.name for each in told] == [str(place) for place in range(6)]
    assert [each.run.outcome for each in told] == [
        RunOutcome.ERROR if place == 2 else RunOutcome.CONSISTENT for place in range(6)
    ]
    assert "died" in told[2].run.notes[0]
    assert Judgement(Subject("log", "x"), {}, tuple(each.run for each in told)).outcome is Outcome.ERROR


_FROM_A_PROCESS = """
import multiprocessing, sys, threading
from pathlib import Path
from callproof.auditing.audited import NO_RULES
from callproof.auditing.processes import in_processes
from callproof.auditlog.folder import RunFolder
from deadly_runs import Deadly

if __name__ == "__main__":
    base, mark, threads = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    if threads == "two":
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    runs = [RunFolder(base, str(place)) for place in range(9)]
    engine = in_processes(2)(runs, NO_RULES)
    first = next(engine)
    print(sorted({type(each._popen).__module__ for each in multiprocessing.active_children()}))
    assert len([first, *engine]) == 9
    runs[4] = Deadly("4", base, mark)
    print([f"{each.run.name} {each.run.outcome.value}" for each in in_processes(2)(runs, NO_RULES)])
"""


@pytest.mark.parametrize("threads", ["one", "two"])
def test_a_process_without_other_threads_begins_at_once(threads: str, tmp_path: Path) -> None:
    """It is forked, since no held lock is copied then; with threads it is spawned. Both give the same runs."""
    script = tmp_path / "from_a_process.py"
    script.write_text(_FROM_A_PROCESS, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(script), str(BASES / "linear"), str(tmp_path / "died"), threads]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    ways, told = ran.stdout.splitlines()
    forks = threads == "one" and Path("/proc/self/task").is_dir()
    assert ways == f"['multiprocessing.{'popen_fork' if forks else 'popen_spawn_posix'}']"
    assert told == str([f"{place} consistent" for place in range(9)])
    assert (tmp_path / "died").exists()


_LOOKING_FROM_A_PROCESS = """
import multiprocessing, sys, threading
from pathlib import Path
from callproof.auditing import processes
from callproof.auditlog import looking
from callproof.auditlog.rereading import standing
from callproof.commands.audit import Audit, audit
from callproof.report.document import document, json_text
from deadly_runs import deadly_look

if __name__ == "__main__":
    log, how = Path(sys.argv[1]), sys.argv[2]
    looking.LARGE_BYTES, looking.STRETCH_BYTES = 1, 2_000
    if how == "with another thread":
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    if how == "dying":
        processes.looked_through = deadly_look
    file = log / "calls.jsonl" if log.is_dir() else log
    stands = standing(file.open("rb"), file)
    begun = processes.looking_in_processes(2)(looking.stretches(stands, None, file.stat().st_size))
    next(begun)
    print(len(multiprocessing.active_children()))
    begun.close()
    print(len(multiprocessing.active_children()))
    alone = audit(Audit((log,)))
    together = audit(Audit((log,), engine=processes.in_processes(2), looking=processes.looking_in_processes(2)))
    print(len(alone.runs), json_text(document(together)) == json_text(document(alone)))
"""


@pytest.mark.parametrize("how", ["alone", "with another thread", "dying"])
@pytest.mark.parametrize("form", ["shared", "stream"])
def test_large_files_are_looked_through_by_processes_that_begin_at_once(form: str, how: str, tmp_path: Path) -> None:
    """They do not change a byte of the report, even if one dies, and none of them stays."""
    log = written(form, [BASES / name for name in ("linear", "retried", "incomplete")], tmp_path)
    script = tmp_path / "looking_from_a_process.py"
    script.write_text(_LOOKING_FROM_A_PROCESS, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(script), str(log), how]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    during, after, told = ran.stdout.splitlines()
    forks = how == "alone" and Path("/proc/self/task").is_dir()
    assert (during, after) == ("2" if forks else "0", "0") or how == "dying"
    assert told == "3 True"


@pytest.mark.parametrize("begun", [0, 1])
def test_a_machine_that_starts_no_processes_is_told_and_none_is_left(
    begun: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may permit no more processes: those that were started already are ended."""
    start = multiprocessing.get_context("fork").Process.start
    started: list[BaseProcess] = []

    def starts(process: BaseProcess) -> None:
        if len(started) == begun:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        started.append(process)
        start(process)

    for kind in ("fork", "spawn"):
        monkeypatch.setattr(multiprocessing.get_context(kind).Process, "start", starts)
    with pytest.raises(EngineFailed) as failed:
        list(in_processes(2)([_run(place) for place in range(9)], NO_RULES))
    assert str(failed.value) == (
        "--jobs 2 cannot start processes here: Resource temporarily unavailable; use --jobs 1, which needs none"
    )
    for each in started:
        each.join(60)
        assert each.exitcode is not None


def test_a_machine_that_starts_no_thread_is_told_and_no_process_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system may permit no more processes, and it counts threads as such: the started processes are still ended."""

    def starts(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("concurrent.futures.process._ExecutorManagerThread.start", starts)
    with pytest.raises(EngineFailed, match=r"^--jobs 2 cannot start processes here: can't start new thread; use"):
        list(in_processes(2)([_run(place) for place in range(9)], NO_RULES))
    for each in multiprocessing.active_children():
        each.join(60)
        assert each.exitcode is not None


def test_what_travels_pickles(logs: Path) -> None:
    """A captured run and an audited run are the same after they were sent to another process."""
    for folder in sorted(logs.iterdir()):
        run = RunFolder(folder, folder.name).captured()
        assert pickle.loads(pickle.dumps(run)) == run
        done = audit_run(run)
        assert pickle.loads(pickle.dumps(done)) == done


_TEXTS = [bytes(size) for size in (0, 500, 300_000, 1_048_575, 1_048_576, 3_000_000)]


@given(st.lists(st.sampled_from(_TEXTS), max_size=60), st.integers(1, 4))
def test_batches_hold_every_run_once_and_in_order(texts: list[bytes], workers: int) -> None:
    """However the runs are cut into batches, no run is lost, doubled or moved."""
    runs = [CapturedRun(str(place), CapturedFile("run.json", text)) for place, text in enumerate(texts)]
    made = list(batches(iter(runs), workers))
    assert [run for batch in made for run in batch] == runs
    assert all(0 < len(batch) <= 16 for batch in made)


def test_ctrl_c_leaves_the_report_of_what_was_read(logs: Path) -> None:
    """The report is marked, no process is left behind, and none writes a traceback to the terminal."""
    code = (
        "import os, signal, sys\n"
        "from callproof.cli import main\n"
        "from callproof.auditing import tally\n"
        "add = tally.Tally.add\n"
        "def once(self, run):\n"
        "    add(self, run)\n"
        "    if len(self.runs) == 2: os.killpg(0, signal.SIGINT)\n"
        "tally.Tally.add = once\n"
        "if __name__ == '__main__': main()\n"
    )
    script = logs.parent / f"{logs.name}.py"
    script.write_text(code)
    ran = subprocess.run(
        [sys.executable, str(script), "audit", str(logs), "--jobs", "2", "--format", "json"],
        capture_output=True,
        text=True,
        timeout=120,
        start_new_session=True,
    )
    assert ran.returncode == 130, ran.stderr
    assert "interrupted after 2 runs" in ran.stdout
    assert "Traceback" not in ran.stderr


def _run(place: int) -> Auditable:
    return RunFolder(BASES / "linear", str(place))

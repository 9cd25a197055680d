"""``callproof audit --follow``: a log that grows.  It tells each run when the run ends, and all of them at the end."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from rich.text import Text

from callproof.auditing.audited import AuditedRun
from callproof.auditing.engines import in_this_process
from callproof.auditlog.files import NotReadable, open_regular, raw_lines
from callproof.auditlog.following import Followed, FollowedFolders, Watch
from callproof.auditlog.growing import FollowedStream
from callproof.auditlog.growing_files import FollowedFiles
from callproof.auditlog.inputs import (
    STANDARD_INPUT,
    Form,
    Input,
    NothingToJudge,
    form_of,
    refuse_report,
    standard_input,
)
from callproof.auditlog.layout import ALL_MARKS, COMPRESSED
from callproof.commands.audit import Audit, Reading, refuse_overlap
from callproof.commands.usage import WrongUsage
from callproof.interruption import ENDING
from callproof.judge.baseline import NO_BASELINE, Baseline
from callproof.judge.judgement import Judgement, RunOutcome
from callproof.judge.judging import Result
from callproof.judge.verdicts import Verdict
from callproof.report.escape import safe
from callproof.values.counts import counted
from callproof.values.neighbours import is_there, missing, nearest_path

# The pause between two looks at the log: short for a person, and long for a disk.
_PAUSE_SECONDS = 0.25
_STYLES = {RunOutcome.CONSISTENT: "green", RunOutcome.INCOMPLETE: "yellow", RunOutcome.VIOLATIONS: "red"}


def follow(wanted: Audit, ended: Callable[[], bool], on_run: Callable[[AuditedRun], None]) -> Judgement:
    """
    The judgement on every run at the paths, until ``ended`` says that the wait is over.

    Calls ``on_run`` with each run when it is judged.  A keyboard interrupt ends the wait at once, and the report says
    so.  Raises NothingToJudge and WrongUsage for paths that cannot be followed.
    """
    if wanted.baseline is not None and wanted.baseline.update:
        raise WrongUsage("--update-baseline needs an audit that ends by itself; drop --follow or --update-baseline")
    if wanted.engine is not in_this_process:
        raise WrongUsage("--follow judges each run when it ends, in this process; drop --jobs and --engine")
    reading = Reading(wanted)
    with ExitStack() as stack:
        followed, notes = _opened(wanted.paths, Watch(ended, lambda: time.sleep(_PAUSE_SECONDS)), stack)
        interrupted = False
        try:
            for audited in in_this_process(followed.runs(), wanted.rules):
                reading.add(audited)
                on_run(audited)
        except KeyboardInterrupt:
            interrupted = True
        interrupted, faults = interrupted or followed.behind, followed.faults
    left = (f"stopped after {counted(reading.runs, 'run')}; there was more to read",) if interrupted else ()
    return reading.judgement(notes=notes, errors=(*left, *faults), interrupted=interrupted)


@contextmanager
def until_asked_to_end() -> Generator[Callable[[], bool]]:
    """Whether the user asked for the end: the first Ctrl-C, SIGTERM or SIGHUP asks, and the next breaks off."""
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    # A shell lets background jobs ignore Ctrl-C; it is handled anyway.  Other ignored signals are ignored on purpose.
    heard = (each for each in ENDING if each == signal.SIGINT or signal.getsignal(each) is not signal.SIG_IGN)
    before = {number: signal.signal(number, ask) for number in heard}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def verdict_line(audited: AuditedRun, known: Baseline = NO_BASELINE) -> Text:
    """One run in a line: its outcome, its name, and which laws it broke, how often, and whether that is known."""
    broken = ", ".join(_law(result, known) for result in audited.broken.values() if result.verdict is Verdict.FAIL)
    outcome = audited.run.outcome
    style = _STYLES.get(outcome, "magenta")
    return Text.assemble((f"{outcome.value:<12}", style), safe(audited.run.name), f"  {broken}" if broken else "")


def _law(result: Result, known: Baseline) -> str:
    name, times = result.requirement.id, len(result.findings)
    said = [str(times)] if times > 1 else []
    if all(known.reason(name, each) is not None for each in result.findings):
        said.append("known")
    return f"{name} ({', '.join(said)})" if said else name


def _opened(paths: tuple[Path, ...], watch: Watch, stack: ExitStack) -> tuple[Followed, tuple[str, ...]]:
    """What follows the runs at the paths, and in words what the paths were found to be."""
    path = paths[0]
    try:
        if len(paths) > 1:
            inputs = [Input(each, Form.TREE) for each in paths]
            refuse_overlap(inputs)
            return FollowedFolders(paths, watch), tuple(each.says for each in inputs)
        if path == STANDARD_INPUT:
            return FollowedStream("standard input", None, standard_input(), watch), (Input(path, Form.STREAM).says,)
        if path.is_dir():
            return _folder(path, watch, stack)
        _refuse_what_does_not_grow(path)
        with open_regular(path) as begun:
            refuse_report(next(raw_lines(begun), b""), str(path))
        stream = stack.enter_context(open_regular(path))
    except NotReadable as error:
        raise NothingToJudge(f"{error.path} {error.reason}") from None
    except OSError as error:
        raise NothingToJudge(f"{error.filename or path} cannot be read: {error.strerror}") from None
    return FollowedStream(path.name, path, stream, watch), (Input(path, Form.STREAM).says,)


def _folder(path: Path, watch: Watch, stack: ExitStack) -> tuple[Followed, tuple[str, ...]]:
    names = frozenset(os.listdir(path))
    form = form_of(names)
    if form is Form.FOLDER:
        return FollowedFolders((path,), watch), ()
    if form is not Form.SHARED:
        return FollowedFolders((path,), watch), (Input(path, Form.TREE).says,)
    for name in sorted(names & ALL_MARKS):
        if name.endswith(COMPRESSED):
            raise NothingToJudge(f"{path / name} is compressed, and does not grow line by line; drop --follow")
    return FollowedFiles(path, watch, stack), (Input(path, Form.SHARED).says,)


def _refuse_what_does_not_grow(path: Path) -> None:
    if not is_there(path):
        told = f"{missing(path)}; --follow takes folders, or one stream of records"
        raise NothingToJudge(f"{told}{nearest_path(path)}")
    if path.name in ALL_MARKS:
        raise NothingToJudge(f"{path} is one file of an audit log; give its folder: {path.parent}")
    if path.name.endswith(COMPRESSED):
        raise NothingToJudge(f"{path} is compressed, and does not grow line by line; drop --follow")

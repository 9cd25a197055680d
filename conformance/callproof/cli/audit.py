"""``callproof audit``: its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from callproof import limits
from callproof.auditing.audited import AuditedRun, Rules
from callproof.auditing.engines import Engine, EngineFailed, in_this_process
from callproof.auditing.known_failures import baseline_file
from callproof.auditlog.inputs import NothingToJudge
from callproof.auditlog.looking import Looking
from callproof.auditlog.sizes import bytes_below, bytes_in
from callproof.cli.choosing import OneOf
from callproof.cli.of_logs import REPORT, choosing_what_fails
from callproof.cli.said import PRINTED, print_report, refuse
from callproof.commands.audit import Audit, audit, read_tools, refuse_own_input, what_fails
from callproof.commands.audit import chosen as narrowed
from callproof.commands.summary import summarised
from callproof.commands.usage import WrongUsage
from callproof.judge.baseline import NO_BASELINE
from callproof.judge.judgement import Judgement
from callproof.report.baselines import BadBaseline
from callproof.report.console import beside, printed
from callproof.report.parquet import CannotWriteTable
from callproof.report.targets import BadTarget, Form, read_target, refuse_one_file_for_two
from callproof.spec.registry import specification
from callproof.values.jsontext import Json

_FOLLOW = "Wait for more of the log, and report each run when it ends; Ctrl-C ends with the whole report."
_SUMMARY = "Write a table with a row for each run and finding to this Parquet file; needs callproof[parquet]."


@click.command("audit")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--tools", "tools_file", type=click.Path(path_type=Path), help="Tool descriptors, used if run.json has none."
)
@choosing_what_fails
@click.option("--follow", is_flag=True, help=_FOLLOW)
@click.option("--show-values", is_flag=True, help="Show the log's values in findings, and not only their shapes.")
@click.option("--no-fast-path", is_flag=True, help="Run every check on every run: the same report, more slowly.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=limits.PROCESSES),
    default=1,
    metavar="N",
    help="The number of processes.",
)
@click.option(
    "--engine",
    type=OneOf(["processes", "dask"]),
    default="processes",
    help="What audits the runs: processes of this machine, or a Dask cluster.",
)
@click.option("--scheduler", metavar="ADDRESS", help="The address of the Dask cluster, as in tcp://10.0.0.1:8786.")
@click.option("--report", "reports", multiple=True, metavar="FILE", help=REPORT)
@click.option("--summary", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help=_SUMMARY)
@click.option("--format", "shape", type=OneOf(PRINTED), default="text", help="The form of the printed output.")
def audit_command(
    paths: tuple[Path, ...],
    tools_file: Path | None,
    baseline: Path | None,
    reports: tuple[str, ...],
    shape: str,
    **chosen: Any,
) -> None:
    """Judge captured audit logs.

    A PATH is a folder with run.json, calls.jsonl, results.jsonl and (optionally) events.jsonl, a folder of such
    folders, a folder with runs.jsonl and similar files that many runs share, a file that is one stream of records,
    or - for a stream on standard input; any file may be compressed as .gz or .zst. The log is only read. What a log
    cannot show is listed, and does not change the exit code.
    """
    try:
        targets = [read_target(each, without=(Form.STATEMENT,)) for each in reports]
        written = (*(each.path for each in targets), *filter(None, [chosen["summary"]]))
        refuse_one_file_for_two(written)
        refuse_own_input(written, (*paths, *filter(None, [tools_file, baseline])))
        tools = None if tools_file is None else read_tools(tools_file)
        wanted = _wanted(paths, tools, baseline, chosen)
        # With a form for machines, nothing else may go to standard output.
        judged = _judged(wanted, printed() if shape == "text" else beside(), chosen)
    except (NothingToJudge, WrongUsage, BadBaseline, BadTarget, CannotWriteTable, EngineFailed) as error:
        refuse(str(error))
    print_report(judged, shape, targets, specification)


def _wanted(
    paths: tuple[Path, ...], tools: tuple[Json, ...] | None, baseline: Path | None, chosen: Mapping[str, Any]
) -> Audit:
    """What the options ask for.  Raises WrongUsage and BadBaseline."""
    fail_on = what_fails(chosen["fail_on"], chosen["required"], strict=chosen["strict"])
    given = Rules(
        tools, strict=fail_on == "should", show_values=chosen["show_values"], fast_path=not chosen["no_fast_path"]
    )
    rules, required, selection = narrowed(
        given, required=chosen["required"], select=chosen["select"], ignore=chosen["ignore"]
    )
    file = baseline_file(baseline, selection, update=chosen["update_baseline"])
    return Audit(paths, rules, required, selection, fail_on == "never", file, _engine(chosen), _looking(chosen["jobs"]))


def _engine(chosen: Mapping[str, Any]) -> Engine:
    """Where the runs are audited.  Raises WrongUsage."""
    jobs, scheduler = chosen["jobs"], chosen["scheduler"]
    if chosen["follow"] and (jobs != 1 or chosen["engine"] != "processes"):
        raise WrongUsage("--follow audits in one process, as the log grows; drop --jobs and --engine")
    if chosen["engine"] == "dask":
        from callproof.auditing.cluster import on_dask  # noqa: PLC0415  Dask is an extra

        if scheduler is None or jobs != 1:
            raise WrongUsage("--engine dask needs --scheduler ADDRESS, and no --jobs: the cluster has its own workers")
        return on_dask(scheduler)
    if scheduler is not None:
        raise WrongUsage(f"--scheduler {scheduler} is for --engine dask")
    if jobs == 1:
        return in_this_process
    from callproof.auditing.processes import in_processes  # noqa: PLC0415  most audits do not need it

    return in_processes(jobs)


def _looking(jobs: int) -> Looking | None:
    """Where large files are searched for their runs; None for this process."""
    if jobs == 1:
        return None
    from callproof.auditing.processes import looking_in_processes  # noqa: PLC0415  most audits do not need it

    return looking_in_processes(jobs)


def _judged(wanted: Audit, console: Console, chosen: Mapping[str, Any]) -> Judgement:
    """The judgement of the audit, which follows a growing log or reads the logs to their end."""
    if not chosen["follow"]:
        return _summarised(wanted, chosen)
    if chosen["summary"] is not None:
        raise WrongUsage("--summary needs an audit that ends by itself; drop --follow or --summary")
    return _followed(wanted, console)


def _summarised(wanted: Audit, chosen: Mapping[str, Any]) -> Judgement:
    """The audit to its end, with its table; a table that cannot be written on the way is an error in the report."""
    judged: Judgement | None = None
    try:
        with summarised(wanted, chosen["summary"]) as told:
            judged = _with_progress(told, alone=chosen["jobs"] > 1)
    except CannotWriteTable as error:
        if judged is None:
            raise
        return replace(judged, errors=(*judged.errors, f"the table {error}"))
    return judged


def _with_progress(wanted: Audit, *, alone: bool) -> Judgement:
    """The audit, with its progress shown on a terminal; without a thread if processes are going to be forked."""
    console = beside()
    if not console.is_terminal:
        return audit(wanted)
    from callproof.commands.reading import reading  # noqa: PLC0415  only a terminal needs it

    with reading(console, lambda: bytes_below(wanted.paths), bytes_in, alone=alone) as watched:
        return audit(wanted, watched)


def _followed(wanted: Audit, console: Console) -> Judgement:
    """The audit of a log that grows; prints a line for each run when it ends."""
    from callproof.commands import follow  # noqa: PLC0415  most audits do not need it

    known = NO_BASELINE if wanted.baseline is None else wanted.baseline.known

    def tell(run: AuditedRun) -> None:
        console.print(follow.verdict_line(run, known), soft_wrap=True, highlight=False)

    with follow.until_asked_to_end() as asked:
        return follow.follow(wanted, asked, tell)

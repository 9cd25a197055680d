"""``callproof audit``: its options."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from callproof.auditing.one_run import Rules
from callproof.auditlog.inputs import NothingToJudge
from callproof.cli.said import print_report, refuse
from callproof.commands.audit import Audit, WrongUsage, audit, read_tools, required_ids
from callproof.judge.judgement import Judgement
from callproof.report.escape import safe


@click.command("audit")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--tools", "tools_file", type=click.Path(path_type=Path), help="Descriptors, where run.json has none.")
@click.option("--require", "required", multiple=True, metavar="ID|GROUP", help="Fail unless the log decides it.")
@click.option("--strict", is_flag=True, help="Let advice (SHOULD) fail the audit.")
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", help="Of the report.")
def audit_command(
    paths: tuple[Path, ...], tools_file: Path | None, required: tuple[str, ...], strict: bool, shape: str
) -> None:
    """Judge captured audit logs.

    A PATH is a folder with run.json, calls.jsonl, results.jsonl and (optionally) events.jsonl, or a folder
    of such folders. The log is only read. What a log cannot show is listed, and leaves the exit code alone.
    """
    try:
        tools = None if tools_file is None else read_tools(tools_file)
        judged = _with_progress(Audit(paths, Rules(tools, strict), required_ids(required)))
    except (NothingToJudge, WrongUsage) as error:
        refuse(str(error))
    print_report(judged, shape)


def _with_progress(wanted: Audit) -> Judgement:
    """The audit, with its progress shown on a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        return audit(wanted)
    with console.status("reading") as status:
        return audit(wanted, lambda name, number, all_: status.update(f"run {number} of {all_}: {safe(name, most=60)}"))

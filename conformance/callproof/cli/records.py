"""``callproof records``: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from callproof.auditlog.inputs import NothingToJudge
from callproof.cli.choosing import OneOf
from callproof.cli.of_logs import REPORT, choosing_what_fails
from callproof.cli.said import PRINTED, print_report, refuse
from callproof.commands.audit import refuse_own_input, what_fails
from callproof.commands.records import Wanted, records
from callproof.commands.usage import WrongUsage
from callproof.judge.judgement import Judgement
from callproof.protocols.log_files import LogFile, is_log, size_of
from callproof.report.baselines import BadBaseline
from callproof.report.console import beside
from callproof.report.targets import BadTarget, Form, read_target, refuse_one_file_for_two


@click.command("records")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--protocol", metavar="NAME", help="The protocol of the logs, if callproof cannot find it out.")
@choosing_what_fails
@click.option("--report", "reports", multiple=True, metavar="FILE", help=REPORT)
@click.option("--format", "shape", type=OneOf(PRINTED), default="text", help="The form of the printed output.")
def records_command(
    paths: tuple[Path, ...], fail_on: str | None, strict: bool, reports: tuple[str, ...], shape: str, **chosen: Any
) -> None:
    """Judge records of an agent loop, a pipeline or an invocation contract.

    A PATH is a file of JSON lines or one JSON document, a folder with files that end in .jsonl in it or below it, or -
    for standard input; any file may be compressed as .gz or .zst. All of them hold records of one protocol. The logs
    are only read. What they cannot show is listed, and does not change the exit code.
    """
    try:
        failing = what_fails(fail_on, chosen["required"], strict=strict)
        wanted = Wanted(paths, strict=failing == "should", lenient=failing == "never", **chosen)
        targets = [read_target(each, without=(Form.STATEMENT,)) for each in reports]
        refuse_one_file_for_two(each.path for each in targets)
        refuse_own_input((each.path for each in targets), (*paths, *filter(None, [wanted.baseline])), is_log)
        judged = _with_progress(wanted)
    except (NothingToJudge, WrongUsage, BadBaseline, BadTarget) as error:
        refuse(str(error))
    print_report(judged, shape, targets)


def _with_progress(wanted: Wanted) -> Judgement:
    """The judgement, with its progress shown on a terminal."""
    console = beside()
    if not console.is_terminal:
        return records(wanted)
    from callproof.commands.reading import reading  # noqa: PLC0415  only a terminal needs it

    with reading(console, lambda: size_of(wanted.paths), LogFile.size) as watched:
        return records(wanted, watched)

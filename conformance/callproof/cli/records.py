"""``callproof records``: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from callproof.auditlog.inputs import NothingToJudge
from callproof.cli.choosing import OneOf
from callproof.cli.said import PRINTED, print_report, refuse
from callproof.commands.audit import WrongUsage, refuse_own_input
from callproof.commands.records import Wanted, records
from callproof.report.targets import BadTarget, Form, read_target

_REPORT = "Write the report: to .json, .jsonl, .html, .md, .svg (a badge), .sarif or .xml (JUnit).  Repeatable."
_FAIL_ON = "Which findings fail it: of a MUST alone (the default), advice (SHOULD) too, or none."


@click.command("records")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--protocol", metavar="NAME", help="What the logs are of, where it is not to be found out.")
@click.option("--require", "required", multiple=True, metavar="ID|GROUP", help="Fail unless the logs decide it.")
@click.option("--select", multiple=True, metavar="ID|GROUP", help="Judge only these requirements.")
@click.option("--ignore", multiple=True, metavar="ID|GROUP", help="Leave these requirements out.")
@click.option("--fail-on", type=OneOf(["must", "should", "never"]), default="must", help=_FAIL_ON)
@click.option("--report", "reports", multiple=True, metavar="FILE", help=_REPORT)
@click.option("--format", "shape", type=OneOf(PRINTED), default="text", help="Of what is printed.")
def records_command(paths: tuple[Path, ...], fail_on: str, reports: tuple[str, ...], shape: str, **chosen: Any) -> None:
    """Judge records of an agent loop, a pipeline or an invocation contract.

    A PATH is a file of JSON lines, a folder of files that end in .jsonl, or - for standard input; all of them hold
    records of one protocol. The logs are only read. What they cannot show is listed, and leaves the exit code alone.
    """
    wanted = Wanted(paths, strict=fail_on == "should", lenient=fail_on == "never", **chosen)
    try:
        if wanted.lenient and wanted.required:
            raise WrongUsage("--require fails what cannot be decided, and --fail-on never lets nothing fail; drop one")
        targets = [read_target(each, without=(Form.STATEMENT,)) for each in reports]
        refuse_own_input((each.path for each in targets), paths)
        judged = records(wanted)
    except (NothingToJudge, WrongUsage, BadTarget) as error:
        refuse(str(error))
    print_report(judged, shape, targets)

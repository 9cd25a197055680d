"""``callproof compare``: its options."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from callproof.cli.choosing import OneOf
from callproof.cli.said import refuse
from callproof.report import comparing, comparing_text, files
from callproof.report.console import printed
from callproof.report.document import json_text
from callproof.spec.registry import whole_specification


@click.command("compare")
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "shape",
    type=OneOf(["text", "json", "markdown"]),
    default="text",
    help="The form of the printed output.",
)
@click.option("--all", "everything", is_flag=True, help="Also print requirements on which the reports agree.")
def compare_command(reports: tuple[Path, ...], shape: str, everything: bool) -> None:
    """Compare stored reports.

    Each REPORT is what `--report FILE.json`, or `FILE.jsonl`, wrote. Two are of one system before and after a change,
    or of two systems; more are shown side by side, and not ranked.

    Exit codes: 0 the second is no worse than the first, 1 it is worse in a requirement that binds, 2 nothing could be
    compared; if the judgement of a report did not come to an end, the exit code of that report.
    """
    if len(reports) == 1:
        refuse(f"{reports[0]} is one report; name another to compare it with")
    try:
        told = comparing.comparison(reports, [files.read_report(each) for each in reports])
    except (files.BadReport, comparing.NothingInCommon) as error:
        refuse(str(error))
    if shape == "json":
        click.echo(json_text(told), nl=False)
    elif shape == "markdown":
        click.echo(comparing_text.markdown(told, whole_specification(), everything=everything), nl=False)
    else:
        comparing_text.write(told, whole_specification(), printed(), everything=everything)
    sys.exit(told["exitCode"])

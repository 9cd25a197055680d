"""``callproof breaking``: its options."""

from __future__ import annotations

import json
import sys

import click

from callproof.cli.choosing import OneOf
from callproof.report.escape import safe


@click.command("breaking")
@click.argument("old")
@click.argument("new")
@click.option(
    "--for",
    "purpose",
    type=OneOf(["replay", "plan", "agent"]),
    required=True,
    help="What must keep working: calls of a stored log, a stored plan, or an agent that reads the new definitions.",
)
@click.option("--format", "shape", type=OneOf(["text", "json"]), default="text", help="The form of the printed output.")
@click.option("--all", "everything", is_flag=True, help="Also print changes that break nothing.")
@click.option("--reviewed", is_flag=True, help="Treat undecided changes as reviewed.")
def breaking_command(  # noqa: PLR0913, PLR0917  one for each option
    old: str, new: str, purpose: str, shape: str, everything: bool, reviewed: bool
) -> None:
    """Tell what a changed catalogue of tools breaks.

    OLD and NEW are files with definitions, folders of them, or - for standard input.

    \b
    callproof breaking old.json new.json --for replay    can the calls of a stored log be made again
    callproof breaking old.json new.json --for plan      does a stored plan still fit
    callproof breaking old.json new.json --for agent     what does an agent notice that reads the new definitions

    Exit codes: 0 nothing breaks, 1 something breaks, 2 something could not be checked or has to be reviewed.
    """
    from callproof.commands.breaking import breaking  # noqa: PLC0415  help does not need it
    from callproof.lint.breaking.changes import purpose_of  # noqa: PLC0415
    from callproof.lint.breaking.outcome import closing_line, lines  # noqa: PLC0415
    from callproof.lint.sources.files import from_files  # noqa: PLC0415

    if old == new == "-":
        raise click.UsageError(
            "OLD and NEW are both -, but standard input can hold only one of them; give the other as a path"
        )
    compared = breaking(from_files((old,)), from_files((new,)), purpose_of(purpose), reviewed=reviewed)
    for problem in compared.problems:
        click.echo(f"callproof: {safe(problem, most=2_000)}", err=True)
    if shape == "json":
        click.echo(json.dumps(compared.as_json(), indent=2))
    else:
        for line in lines(compared, everything=everything):
            click.echo(safe(line))
        click.echo(safe(closing_line(compared)))
    sys.exit(compared.exit_code)

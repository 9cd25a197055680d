"""``callproof report``: its options."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from callproof.cli.said import refuse
from callproof.report import files, targets, text
from callproof.spec.registry import specification


@click.command("report")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write one page, for a browser.")
@click.option("--markdown", type=click.Path(path_type=Path, dir_okay=False), help="Write a summary, for a CI run.")
@click.option("--badge", type=click.Path(path_type=Path, dir_okay=False), help="Write a picture, for a README.")
def report_command(file: Path, **forms: Path | None) -> None:
    """Render a stored report again.

    FILE is what `callproof test --report FILE.json` wrote. Without an option its text is printed. The exit code is the
    report's own.
    """

    try:
        stored = files.read_report(file)
        wanted = [targets.read_target(f"{form}={path}") for form, path in forms.items() if path is not None]
    except (files.BadReport, targets.BadTarget) as error:
        refuse(str(error))
    for target in wanted:
        files.write_report(stored, target)
    if not wanted:
        text.write(stored, specification(), Console())
    sys.exit(stored["exitCode"])

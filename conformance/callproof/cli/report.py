"""``callproof report``: its options."""

from __future__ import annotations

from pathlib import Path

import click

from callproof.cli.choosing import OneOf
from callproof.cli.said import PRINTED, refuse, show_report
from callproof.report import files, targets

_REPORT = "Write it: to .json, .jsonl, .html, .md, .svg, .sarif or .xml (JUnit).  Repeatable."


@click.command("report")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write one page, for a browser.")
@click.option("--markdown", type=click.Path(path_type=Path, dir_okay=False), help="Write a summary, for a CI run.")
@click.option("--badge", type=click.Path(path_type=Path, dir_okay=False), help="Write a picture, for a README.")
@click.option("--report", "reports", multiple=True, metavar="FILE", help=_REPORT)
@click.option("--format", "shape", type=OneOf(PRINTED), help="Print the report in this form.")
def report_command(file: Path, reports: tuple[str, ...], shape: str | None, **forms: Path | None) -> None:
    """Render a stored report again.

    FILE is what `--report FILE.json`, or `FILE.jsonl`, of `callproof test`, `loop`, `pipeline`, `invocation`, `audit`
    or `records` wrote. Without an option its text is printed. The exit code is the report's own.
    """

    try:
        stored = files.read_report(file)
        named = (f"{form}={path}" for form, path in forms.items() if path is not None)
        wanted = [targets.read_target(each, without=(targets.Form.STATEMENT,)) for each in (*named, *reports)]
        targets.refuse_one_file_for_two(each.path for each in wanted)
    except (files.BadReport, targets.BadTarget) as error:
        refuse(str(error))
    for each in wanted:
        if each.path.is_file() and each.path.samefile(file):
            refuse(f"the report {each.path} is the file that is read; give it another path")
    show_report(stored, shape if shape is not None or wanted else "text", wanted)

"""``callproof lint``: its options."""

from __future__ import annotations

import sys

import click

from callproof.report.escape import safe


@click.command("lint")
@click.argument("paths", nargs=-1)
@click.option("--select", multiple=True, metavar="RULE|GROUP", help="Hold only these rules.")
@click.option("--extend-select", multiple=True, metavar="RULE|GROUP", help="Hold these rules too.")
@click.option("--ignore", multiple=True, metavar="RULE|GROUP", help="Leave these rules out.")
@click.option("--profile", "profiles", multiple=True, metavar="NAME", help="What the tools are for.  Repeatable.")
def lint_command(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    extend_select: tuple[str, ...],
    ignore: tuple[str, ...],
    profiles: tuple[str, ...],
) -> None:
    """Hold tool definitions against the conventions.

    A PATH is a JSON or YAML file with definitions, a folder of such files, or - for standard input.

    Exit codes: 0 clean, 1 findings, 2 something could not be checked.
    """
    from callproof.commands.lint import lint  # noqa: PLC0415  help needs none of it
    from callproof.lint.forms.text import closing_line, finding_lines  # noqa: PLC0415
    from callproof.lint.settings import DEFAULT_PROFILE, Settings  # noqa: PLC0415
    from callproof.lint.sources.files import from_files  # noqa: PLC0415

    settings = Settings(select, extend_select, ignore, profiles or (DEFAULT_PROFILE,))
    linted = lint(from_files(paths), settings)
    for finding in linted.outcome.findings:
        click.echo("\n".join([*finding_lines(finding), ""]))
    for problem in linted.problems:
        click.echo(f"callproof: {safe(problem, most=2_000)}", err=True)
    click.echo(closing_line(linted.outcome, len(linted.catalogue.definitions)))
    sys.exit(linted.exit_code)

"""``callproof rules``: its options."""

from __future__ import annotations

import json

import click

from callproof.cli.choosing import OneOf


@click.command("rules")
@click.option("--format", "shape", type=OneOf(["text", "json"]), default="text", help="Of the list.")
def rules_command(shape: str) -> None:
    """List the rules of lint.

    What each does, how binding and how certain it is, whether it is on by default, and whether it can be fixed.
    """
    from callproof.commands.rules import as_json, write  # noqa: PLC0415  help does not need it
    from callproof.report.console import printed  # noqa: PLC0415

    if shape == "json":
        click.echo(json.dumps(as_json(), indent=2, ensure_ascii=True))
    else:
        write(printed())

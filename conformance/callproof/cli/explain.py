"""``callproof explain``: its options."""

from __future__ import annotations

import click
from rich.console import Console

from callproof.cli.said import refuse
from callproof.report import explain
from callproof.spec.registry import UnknownRequirement, specification


@click.command("explain")
@click.argument("requirement")
def explain_command(requirement: str) -> None:
    """Show one requirement as the specification has it.

    The law, the reason, hard cases, examples.
    """
    try:
        found = specification().requirement(requirement)
    except UnknownRequirement as error:
        refuse(str(error))
    explain.write(found, Console())

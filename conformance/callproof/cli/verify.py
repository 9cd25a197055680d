"""``callproof verify``: its options."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from callproof.cli.said import refuse
from callproof.commands import verify as command
from callproof.report.console import printed


@click.command("verify")
@click.argument("statement", type=click.Path(path_type=Path))
def verify_command(statement: Path) -> None:
    """Judge the records in a conformance statement again.

    STATEMENT is the folder or the .zip file that `--report statement=PATH` of `callproof test`, `loop`, `pipeline` or
    `invocation` wrote. Its records are judged again; if a byte or a verdict is not as stated, verify reports it, and
    the exit code is 1.
    """

    try:
        found = command.verified(statement)
    except command.NotVerified as error:
        refuse(str(error))
    command.write(found, printed())
    sys.exit(1 if found.faults else 0)

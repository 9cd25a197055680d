"""``callproof init``: its options."""

from __future__ import annotations

from pathlib import Path

import click

from callproof.cli.completing import EXAMPLES
from callproof.cli.said import refuse
from callproof.report.escape import safe


@click.command("init")
@click.argument("example", required=False, type=EXAMPLES)
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    default=".",
    metavar="FOLDER",
    help="The folder to copy into.  [default: the working folder]",
)
def init_command(example: str | None, into: Path) -> None:
    """Copy an example adapter, to start from.

    EXAMPLE is the name of one; without it, all are listed.  Nothing that exists already is overwritten.

    \b
    callproof init                                       list the examples
    callproof init adapter-python                        one for an executor, in ./adapter-python
    callproof init loop-node --into conformance          one for an agent loop, in conformance/loop-node

    Exit codes: 0 copied, 2 there is no such example, or it cannot be put there.
    """
    from callproof.commands import init  # noqa: PLC0415  help does not need it

    if example is None:
        click.echo("\n".join(init.listed()))
        return
    try:
        begun = init.begin(init.example(example), into)
    except init.CannotBegin as error:
        refuse(str(error))
    click.echo("\n".join(safe(line, most=4_000) for line in init.told(begun)))

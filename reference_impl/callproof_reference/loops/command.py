"""``callproof-reference loop``: the loop on standard input and output."""

from contextlib import suppress

import click

from callproof_reference.loops.loop import serve
from callproof_reference.wire import Wire


@click.command(short_help="Speak the adapter protocol of agent loops.")
def loop() -> None:
    """Speak the adapter protocol of agent loops over standard input and output."""
    with suppress(BrokenPipeError):  # the program that judged us has gone
        serve(Wire())

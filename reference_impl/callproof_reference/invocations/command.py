"""``callproof-reference invocation``: the system on standard input and output."""

from contextlib import suppress

import click

from callproof_reference.invocations.service import serve
from callproof_reference.wire import Wire


@click.command(short_help="Speak the adapter protocol of the invocation contract.")
def invocation() -> None:
    """Speak the adapter protocol of the invocation contract over standard input and output."""
    with suppress(BrokenPipeError):  # the program that judged us has gone
        serve(Wire())

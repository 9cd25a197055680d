"""The command line.  Thin: it reads options, calls a command, prints, and exits with the code that the report names.

One module a command, imported when the command is called: help comes at once.
"""

from __future__ import annotations

import importlib

import click

from callproof import __version__

_COMMANDS = ("test", "audit", "replay", "report", "verify", "explain", "coverage")
_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _Commands(click.Group):
    """The commands by name, each from the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order in which they are told."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None for any other."""
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"callproof.cli.{cmd_name}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command


@click.group(cls=_Commands, context_settings=_HELP)
@click.version_option(__version__, prog_name="callproof", message="%(prog)s %(version)s")
def cli() -> None:
    """Prove that an agent's tool calls are what their records say.

    \b
    callproof test "stdio:my-executor serve"   run the conformance suite against your executor
    callproof audit runs/                      judge captured audit logs
    callproof replay FILE ADAPTER              have a case that failed again, with any system
    callproof explain RETRY-03                 read one requirement of the specification
    callproof coverage                         list all requirements and how each is decided

    Exit codes: 0 conforms, 1 findings or not proven, 2 nothing could be judged, 3 suite or adapter error,
    130 interrupted.
    """


def main() -> None:
    """The entry point ``callproof``."""
    cli()

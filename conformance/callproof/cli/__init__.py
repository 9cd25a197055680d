"""The command line.  Thin: it reads options, calls a command, prints, and exits with the code that the report names.

Each command has its own module, which is imported when the command is called, so that help appears at once.
"""

from __future__ import annotations

import difflib
import importlib
import os
import sys
import traceback
from typing import NoReturn

import click

from callproof import __version__
from callproof.cli.streams import CannotPrint, flush, make_lasting
from callproof.garbage import all_kept
from callproof.interruption import heard_once, ignore
from callproof.limits import NO_MORE_FILES

# The purpose of each in a line, as its own help begins; so the list of all commands imports none of them.
COMMANDS = {
    "init": "Copy an example adapter, to start from.",
    "test": "Run the conformance suite against a system.",
    "loop": "Judge a live agent loop.",
    "pipeline": "Judge a live pipeline of tool calls.",
    "invocation": "Judge a live system under the invocation contract.",
    "audit": "Judge captured audit logs.",
    "records": "Judge records of an agent loop, a pipeline or an invocation contract.",
    "lint": "Check tool definitions against the conventions.",
    "rules": "List the rules of lint.",
    "breaking": "Tell what a changed catalogue of tools breaks.",
    "show": "Tell one run or one call of a captured log as a story.",
    "replay": "Reproduce the failure in a case file, with any system.",
    "report": "Render a stored report again.",
    "compare": "Compare stored reports.",
    "verify": "Judge the records in a conformance statement again.",
    "explain": "Show one requirement, one rule of lint, one scenario, or one ruling.",
    "coverage": "List every requirement and how it is decided.",
}
_NOTHING_JUDGED = 2
_FAILED = 3
_INTERRUPTED = 130
_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _Commands(click.Group):
    """The commands by name, each from the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order in which help lists them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None for any other."""
        if cmd_name not in COMMANDS:
            return None
        with all_kept():
            module = importlib.import_module(f"callproof.cli.{cmd_name}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant.  Raises UsageError for any other word, with the nearest command."""
        if args[0] in COMMANDS or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        nearest = difflib.get_close_matches(args[0], COMMANDS, n=1, cutoff=0.5)
        hint = f"did you mean {nearest[0]!r}?" if nearest else f"permitted: {', '.join(COMMANDS)}"
        raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of the commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, context_settings=_HELP)
@click.version_option(__version__, prog_name="callproof", message="%(prog)s %(version)s")
def cli() -> None:
    """Prove that an agent's tool calls are what their records say.

    \b
    callproof init adapter-python              copy an example adapter, to start from
    callproof test "stdio:my-executor serve"   run the conformance suite against your executor
    callproof loop "stdio:my-loop"             run the suite of agent loops against yours
    callproof pipeline "stdio:my-pipeline"     run the suite of pipelines of tool calls against yours
    callproof invocation "stdio:my-backend"    run that of systems under the invocation contract against yours
    callproof audit runs/                      judge captured audit logs
    callproof show runs/monday --call ID       tell one run or one call of a log as a story
    callproof replay FILE ADAPTER              reproduce a failure from its case file, with any system
    callproof records night.jsonl              judge records of an agent loop, a pipeline or an invocation contract
    callproof lint tools.json                  check tool definitions against the conventions
    callproof breaking OLD NEW --for plan      tell what a changed catalogue of tools breaks
    callproof compare OLD.json NEW.json        compare stored reports
    callproof explain RETRY-03                 read one requirement of the specification
    callproof coverage                         list all requirements and how each is decided

    Exit codes: 0 conforms, 1 findings or not proven, 2 nothing could be judged, 3 suite or adapter error,
    130 interrupted.
    """


def main() -> NoReturn:
    """
    The entry point ``callproof``.

    A failure of callproof itself and an interruption have their own exit codes: neither may look like a finding.
    """
    make_lasting()
    if not os.environ.get("COLUMNS", "0").strip("0"):
        os.environ.pop("COLUMNS", None)  # 0 columns mean that the width of the terminal is unknown
    try:
        os.getcwd()
    except OSError as error:
        click.echo(f"callproof: the working folder cannot be read: {error.strerror}; change to another one", err=True)
        sys.exit(_NOTHING_JUDGED)
    with heard_once():
        code = _ended()
        ignore()  # everything is printed, and the rest must not be interrupted
    sys.exit(code)


def _of_the_command() -> int | str | None:
    """What the command exits with, after all its output is printed."""
    try:
        returned: object = cli.main(standalone_mode=False)
        code: int | str | None = returned if isinstance(returned, int) else 0
    except SystemExit as ended:
        code = ended.code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    flush()
    return code


def _ended() -> int | str | None:
    """The exit code of the command, however it ends."""
    try:
        return _of_the_command()
    except CannotPrint as error:
        click.echo(f"callproof: standard output cannot be written: {error}", err=True)
        return _FAILED
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  no error of any kind is a verdict
        if _was_broken_off(error):
            click.echo("callproof: interrupted", err=True)
            return _INTERRUPTED
        why = _lacking(error) or f"{traceback.format_exc()}callproof: callproof itself failed"
        click.echo(f"{why}, which says nothing about what it judged", err=True)
        return _FAILED


def _lacking(error: BaseException) -> str | None:
    """What callproof ran out of on this machine, as a message; None for every other failure."""
    if isinstance(error, MemoryError):
        return "callproof: it ran out of memory"
    if isinstance(error, OSError) and error.errno in NO_MORE_FILES:
        return f"callproof: it needs more open files than are permitted ({error.strerror}; see `ulimit -n`)"
    return None


def _was_broken_off(error: BaseException | None) -> bool:
    """
    Whether an interruption caused an error; Python wraps it in another error if it comes while a class is made.

    click reports an end of file as an interruption too; callproof never prompts, so here a file was cut off.
    """
    if isinstance(error, click.Abort):
        return not isinstance(error.__cause__, EOFError)
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None

"""``callproof show``: its options."""

from __future__ import annotations

from pathlib import Path

import click

from callproof.auditing.audited import Rules
from callproof.auditlog.inputs import NothingToJudge
from callproof.cli.said import refuse
from callproof.commands.audit import read_tools
from callproof.commands.show import show
from callproof.commands.usage import WrongUsage
from callproof.report import story_text
from callproof.report.console import printed


@click.command("show")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--run", "run", metavar="NAME", help="Show this run, by its name in a report.")
@click.option("--call", "call", metavar="ID", help="Show this call, by its callId.")
@click.option(
    "--tools", "tools_file", type=click.Path(path_type=Path), help="Tool descriptors, used if run.json has none."
)
@click.option("--show-values", is_flag=True, help="Show the log's values, and not only their shapes.")
def show_command(path: Path, run: str | None, call: str | None, tools_file: Path | None, show_values: bool) -> None:
    """Tell one run or one call of a captured log as a story.

    What the plan says, which reference gave which argument from which result, attempts, events, effects, and what
    was found. PATH is anything that callproof audit takes. On a terminal a chart shows the calls on a line of time.
    Showing judges nothing: the exit code is 0 if there was something to show.
    """
    try:
        tools = None if tools_file is None else read_tools(tools_file)
        shown = show(path, run, call, Rules(tools, show_values=show_values))
    except (NothingToJudge, WrongUsage) as error:
        refuse(str(error))
    story_text.write(shown.story, shown.findings, shown.verdict, printed())

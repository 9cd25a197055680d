"""``callproof coverage``: its options."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, NoReturn, cast

import click

from callproof.cli.choosing import OneOf
from callproof.cli.said import refuse, tell
from callproof.commands import coverage as command
from callproof.judge.judgement import Outcome
from callproof.report.console import printed
from callproof.report.document import document, json_text
from callproof.spec.registry import specification

_UNFINISHED = frozenset({Outcome.ERROR, Outcome.INTERRUPTED, Outcome.NOTHING_JUDGED})


@click.command("coverage")
@click.argument("adapter", required=False)
@click.option(
    "--live", is_flag=True, help="Run the suite against ADAPTER, and count how often each requirement was exercised."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--format", "shape", type=OneOf(["text", "json"]), help="Of the table.")
def coverage_command(adapter: str | None, live: bool, as_json: bool, shape: str | None) -> None:
    """List every requirement and how it is decided.

    Its level, its checks, what proves them, or why it is excluded.
    """
    if as_json and shape == "text":
        refuse("--json is the same as --format json; drop it or --format text")
    if as_json:
        shape = "json"
    if live:
        _live_coverage(adapter, shape)
    if adapter is not None:
        refuse(f"an adapter is used only with --live: callproof coverage --live {adapter!r}")
    covered = command.everything()
    if shape == "json":
        click.echo(json_text({"requirements": command.rows(covered)}), nl=False)
    else:
        command.write(covered, printed())


def _live_coverage(adapter: str | None, shape: str | None) -> NoReturn:
    """How often a run of the suite exercised each requirement; the exit code tells whether the run came to an end."""

    from callproof.cli.judged import tested  # noqa: PLC0415  the live room is not needed without --live

    judged = tested(adapter, None, None, {}, "callproof coverage --live")
    live = command.live_rows(document(judged), specification())
    if shape == "json":
        click.echo(json_text({"requirements": live}), nl=False)
    else:
        command.write_live(cast("list[Mapping[str, Any]]", live), printed())
    for error in judged.all_errors:
        tell(error)
    sys.exit(judged.outcome.exit_code if judged.outcome in _UNFINISHED else 0)

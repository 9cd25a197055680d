"""The options that `callproof audit` and `callproof records` share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from callproof.cli.choosing import OneOf
from callproof.cli.completing import LAWS

REPORT = "Write the report: to .json, .jsonl, .html, .md, .svg (a badge), .sarif or .xml (JUnit).  Repeatable."
_FAIL_ON = "Which findings fail the command: those of a MUST (the default), of a SHOULD too, or none."
_REQUIRE = "Fail if the log does not decide this.  Repeatable."
_KNOWN = "Let the known failures that this file lists pass."

_OPTIONS = (
    click.option("--require", "required", multiple=True, type=LAWS, help=_REQUIRE),
    click.option("--select", multiple=True, type=LAWS, help="Judge only these requirements.  Repeatable."),
    click.option("--ignore", multiple=True, type=LAWS, help="Leave these requirements out.  Repeatable."),
    click.option("--fail-on", type=OneOf(["must", "should", "never"]), help=_FAIL_ON),
    click.option("--strict", is_flag=True, help="The same as --fail-on should."),
    click.option("--baseline", metavar="FILE", type=click.Path(path_type=Path), help=_KNOWN),
    click.option("--update-baseline", is_flag=True, help="Write the failures of these logs to the baseline."),
)


def choosing_what_fails(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the options that say which requirements are judged, which findings fail, and what is known."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command

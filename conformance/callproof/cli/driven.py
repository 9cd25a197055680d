"""The options of a command that judges a live system of one of the other protocols."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from callproof.cli.choosing import OneOf
from callproof.cli.said import PRINTED, print_report, refuse
from callproof.driven.playing import PATIENCE
from callproof.report.baselines import BadBaseline
from callproof.report.targets import BadTarget, Form, read_target

_REPORT = "Write the report: to .json, .jsonl, .html, .md, .svg (a badge), .sarif or .xml (JUnit).  Repeatable."
_KEEP = "Write the log of each case there, in place of those of an earlier run; findings name its file and line."
_SAVE = "Keep the case of each failure there, for `callproof replay`."
_GENERATED = "Generate so many cases beside the written ones; 0 for none.  [default: 60]"
_COUNT = click.IntRange(0, 100_000)
_SEED = click.IntRange(0, 2**63 - 1)
_SECONDS = click.FloatRange(min=0.1, max=3600)
_FILE = click.Path(path_type=Path)
_FOLDER = click.Path(path_type=Path, file_okay=False)

_OPTIONS = (
    click.argument("adapter"),
    click.option(
        "--case", "cases", multiple=True, metavar="ID", help="Only this case, or those that begin so.  Repeatable."
    ),
    click.option("--cases", "generated", metavar="N", type=_COUNT, default=60, help=_GENERATED),
    click.option("--seed", metavar="N", type=_SEED, default=0, help="By which these cases are made.  [default: 0]"),
    click.option("--select", multiple=True, metavar="ID|GROUP", help="Judge only these requirements."),
    click.option("--ignore", multiple=True, metavar="ID|GROUP", help="Leave these requirements out."),
    click.option("--strict", is_flag=True, help="Let advice (SHOULD) fail the run."),
    click.option(
        "--timeout",
        metavar="SECONDS",
        type=_SECONDS,
        default=PATIENCE,
        help="How long a case may be silent.  [default: 5]",
    ),
    click.option("--keep", metavar="FOLDER", type=_FOLDER, help=_KEEP),
    click.option("--save-cases", metavar="FOLDER", type=_FOLDER, help=_SAVE),
    click.option("--baseline", type=_FILE, help="Let the known failures that this file lists pass."),
    click.option("--update-baseline", is_flag=True, help="Write the failures of this run to the baseline."),
    click.option("--report", "reports", multiple=True, metavar="FILE", help=_REPORT),
    click.option("--format", "shape", type=OneOf(PRINTED), default="text", help="Of what is printed."),
)


def judging(word: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make the command of this word of a function, whose docstring is its help."""

    def made(described: Callable[..., None]) -> click.Command:
        def judge(adapter: str, reports: tuple[str, ...], shape: str, **chosen: Any) -> None:
            _judge(word, adapter, reports, shape, chosen)

        judge.__doc__ = described.__doc__
        for option in reversed(_OPTIONS):
            judge = option(judge)
        return click.command(word)(judge)

    return made


def _judge(word: str, adapter: str, reports: tuple[str, ...], shape: str, chosen: dict[str, Any]) -> None:
    from callproof.adapters.errors import BadAdapterName  # noqa: PLC0415  all that is live, which help does without
    from callproof.commands.audit import WrongUsage, refuse_own_input  # noqa: PLC0415
    from callproof.commands.driven import Wanted, judge_system  # noqa: PLC0415
    from callproof.commands.progress import watching  # noqa: PLC0415
    from callproof.commands.suites import SUITES  # noqa: PLC0415
    from callproof.report.console import beside  # noqa: PLC0415

    try:
        targets = [read_target(each, without=(Form.STATEMENT,)) for each in reports]
        refuse_own_input((each.path for each in targets), filter(None, [chosen["baseline"]]))
        with watching(beside()) as watched:
            judged = judge_system(SUITES[word], Wanted(adapter, **chosen), watched)
    except (BadTarget, BadAdapterName, BadBaseline, WrongUsage) as error:
        refuse(str(error))
    print_report(judged, shape, targets)

"""The options of a command that judges a live system of one of the other protocols."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from callproof.cli.choosing import OneOf
from callproof.cli.completing import CASES, LAWS
from callproof.cli.said import PRINTED, print_report, refuse, tell
from callproof.report.baselines import BadBaseline
from callproof.settings import SystemSettings, WrongSetting, adapter_from, system_from_options
from callproof.spec.registry import protocol_named

_REPORT = "Write the report: to .json, .jsonl, .html, .md, .svg, .sarif or .xml, or statement=FOLDER.  Repeatable."
_KEEP = (
    "Write the log of each case to this folder, instead of those of an earlier run; findings name its file and line."
)
_SAVE = "Save the case of each failure in this folder, for `callproof replay`."
_CASE = "Run only this case, or those whose names begin so; GEN/17 is a generated one.  Repeatable."
_GENERATED = "How many cases to generate beside the written ones; 0 for none.  [default: 60]"
_UPDATE = "Write the failures of this run to the baseline."
# The options that a table of settings may give as well.
_CHOSEN = ("strict", "timeout", "seed", "baseline", "update_baseline", "save_cases")
_FOLDER = click.Path(path_type=Path, file_okay=False)

_OPTIONS = (
    click.argument("adapter", required=False),
    click.option("--case", "cases", multiple=True, type=CASES, help=_CASE),
    click.option("--cases", "generated", metavar="N", help=_GENERATED),
    click.option("--seed", metavar="N", help="The seed of the generated cases.  [default: 0]"),
    click.option("--select", multiple=True, type=LAWS, help="Judge only these requirements.  Repeatable."),
    click.option("--ignore", multiple=True, type=LAWS, help="Leave these requirements out.  Repeatable."),
    click.option("--strict", is_flag=True, default=None, help="Let advice (SHOULD) fail the run."),
    click.option("--timeout", metavar="SECONDS", help="How long a case may be silent.  [default: 5]"),
    click.option("--keep", metavar="FOLDER", type=_FOLDER, help=_KEEP),
    click.option("--save-cases", metavar="FOLDER", type=_FOLDER, help=_SAVE),
    click.option("--baseline", metavar="FILE", help="Let the known failures that this file lists pass."),
    click.option("--update-baseline", is_flag=True, default=None, help=_UPDATE),
    click.option("--report", "reports", multiple=True, metavar="FILE", help=_REPORT),
    click.option("--format", "shape", type=OneOf(PRINTED), default="text", help="The form of the printed output."),
)


def judging(word: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make the command of this word from a function, whose docstring is its help."""

    def made(described: Callable[..., None]) -> click.Command:
        def judge(adapter: str | None, shape: str, **chosen: Any) -> None:
            _judge(word, adapter, shape, chosen)

        table = f"[tool.callproof.{word}] of pyproject.toml"
        settings = (
            f"Without ADAPTER, callproof takes the one in {table}.  Settings that no option gives come from there too."
        )
        judge.__doc__ = f"{inspect.cleandoc(described.__doc__ or '')}\n\n{settings}"
        for option in reversed(_OPTIONS):
            judge = option(judge)
        return click.command(word)(judge)

    return made


def _judge(word: str, adapter: str | None, shape: str, chosen: dict[str, Any]) -> None:
    from callproof.adapters.errors import BadAdapterName  # noqa: PLC0415  help needs no live module
    from callproof.commands.driven import Wanted, judge_system  # noqa: PLC0415
    from callproof.commands.progress import watching  # noqa: PLC0415
    from callproof.commands.usage import WrongUsage  # noqa: PLC0415
    from callproof.report.console import beside  # noqa: PLC0415
    from callproof.suites import SUITES  # noqa: PLC0415

    settings = _settings(word, adapter, chosen)
    wanted = Wanted(
        settings.adapter,
        strict=settings.strict,
        timeout=settings.timeout,
        seed=settings.seed,
        generated=settings.cases,
        baseline=settings.baseline,
        update_baseline=settings.update_baseline,
        save_cases=settings.save_cases,
        statements=settings.statements,
        **{name: chosen[name] for name in ("cases", "select", "ignore", "keep")},
    )
    try:
        with watching(beside()) as watched:
            judged = judge_system(SUITES[word], wanted, watched)
    except (BadAdapterName, BadBaseline, WrongUsage) as error:
        refuse(str(error))
    for each in watched.heard:
        tell(each)
    print_report(judged, shape, settings.reports, partial(protocol_named, SUITES[word].protocol.name))


def _settings(word: str, adapter: str | None, chosen: dict[str, Any]) -> SystemSettings:
    """The settings of a command; ends the program if they mean nothing or name no adapter."""
    options = {name: chosen[name] for name in _CHOSEN}
    options |= {"cases": chosen["generated"], "report": chosen["reports"]}
    # Messages name files as the user named them, relative to the working folder.
    here = Path()
    try:
        named = adapter or adapter_from(here, word)
        if named is None:
            example = f'`callproof {word} "stdio:my-{word} serve"`'
            refuse(
                f"no adapter: give one, as in {example}, or name it in [tool.callproof.{word}] of pyproject.toml;"
                " `callproof init` lists example adapters"
            )
        return system_from_options(word, named, options, here)
    except WrongSetting as error:
        refuse(str(error))

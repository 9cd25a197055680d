"""Judge a live system, or end with a clear message: what the commands that take an adapter share."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from callproof.adapters.errors import BadAdapterName
from callproof.cli.said import INTERRUPTED, SUITE_FAILED, refuse, tell
from callproof.commands import progress, test
from callproof.judge.judgement import Judgement
from callproof.replay.saving import CannotBeKept, prepare
from callproof.report.baselines import BadBaseline, read_baseline, refuse_unwritable
from callproof.report.console import beside
from callproof.report.targets import BadTarget, read_target
from callproof.settings import Settings, WrongSetting, adapter_from, from_options


def tested(
    adapter: str | None,
    keyword: str | None,
    junit: Path | None,
    options: Mapping[str, str | bool | tuple[str, ...] | None],
    command: str,
) -> Judgement:
    """The judgement on a live system, for a command as it is typed; ends the program if there is no judgement."""

    settings = settings_of(adapter, options, command)
    try:
        if settings.baseline is not None and settings.update_baseline:
            refuse_unwritable(settings.baseline)
        if settings.baseline is not None and (not settings.update_baseline or settings.baseline.exists()):
            read_baseline(settings.baseline, unfinished=settings.update_baseline)
        prepare(settings.save_cases)
        if junit is not None:
            read_target(f"junit={junit}")
    except (BadBaseline, CannotBeKept) as error:
        refuse(str(error))
    except BadTarget as error:
        refuse(f"--junit: {str(error).partition(': ')[2]}")
    try:
        with progress.watching(beside()) as watched:
            judgement = test.run(settings, test.Selected(keyword, junit), watched)
    except (BadAdapterName, test.WrongSelection) as error:
        refuse(str(error))
    except test.SuiteFailed as error:
        click.echo(f"callproof: {error}", err=True)
        sys.exit(SUITE_FAILED)
    except KeyboardInterrupt:
        refuse("interrupted before anything was judged", INTERRUPTED)
    for each in watched.heard:
        tell(each)
    return judgement


def settings_of(adapter: str | None, options: Mapping[str, Any], command: str) -> Settings:
    """The settings of a command; ends the program if they mean nothing or name no adapter."""

    try:
        chosen = adapter or adapter_from(Path.cwd())
        if chosen is None:
            refuse(
                f'no adapter: give one, as in `{command} "stdio:my-executor serve"`, or name it in [tool.callproof] of'
                " pyproject.toml; `callproof init` lists example adapters"
            )
        return from_options(chosen, options, Path.cwd())
    except WrongSetting as error:
        refuse(str(error))

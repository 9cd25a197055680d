"""``callproof replay``: its options."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from callproof.adapters.errors import AdapterError, BadAdapterName
from callproof.cli.judged import settings_of
from callproof.cli.said import INTERRUPTED, SUITE_FAILED, refuse
from callproof.commands import replay as command
from callproof.commands import replay_driven
from callproof.driven.playing import PATIENCE
from callproof.replay.casefile import BadCaseFile, CaseFile
from callproof.replay.drivenfile import DrivenFile, read_any
from callproof.report.console import printed
from callproof.suites import SUITES


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("adapter", required=False)
@click.option(
    "--timeout",
    metavar="SECONDS",
    help="The most time for an answer, and for a run.  [default: 30, or 5 if the system is not an executor]",
)
def replay_command(file: Path, adapter: str | None, timeout: str | None) -> None:
    """Reproduce the failure in a case file, with any system.

    FILE is what `--save-cases` of `callproof test`, `loop`, `pipeline` or `invocation` wrote. ADAPTER says how to
    reach the system, as for `callproof test`;
    it never comes from the file. The exit code is about the requirement that the file names: 0 it holds, 1 it is
    broken or not proven, 2 the file is no case file or the system does not claim what it needs, 3 the adapter failed.
    """

    try:
        kept = read_any(file, SUITES)
        replayed = _of_executors(kept, file, adapter, timeout) if isinstance(kept, CaseFile) else None
        driven = _of_others(kept, adapter, timeout) if isinstance(kept, DrivenFile) else None
    except (BadCaseFile, BadAdapterName, command.CannotBeHad) as error:
        refuse(str(error))
    except AdapterError as error:
        refuse(str(error), SUITE_FAILED)
    except KeyboardInterrupt:
        refuse("interrupted before anything was judged", INTERRUPTED)
    if driven is not None:
        replay_driven.write(driven, printed())
        sys.exit(driven.exit_code)
    if replayed is not None:
        command.write(replayed, printed())
        sys.exit(replayed.exit_code)


def _of_executors(kept: CaseFile, file: Path, adapter: str | None, timeout: str | None) -> command.Replayed:
    return command.replay(kept, settings_of(adapter, {"timeout": timeout}, f"callproof replay {file}"))


def _of_others(kept: DrivenFile, adapter: str | None, timeout: str | None) -> replay_driven.Replayed:
    """The settings name an executor, which plays none of these cases, so the command line must name the system."""
    if adapter is None:
        refuse(f"this is a case of `{SUITES[kept.word].dialect.command}`; give the system that plays it, as ADAPTER")
    settings = settings_of(adapter, {"timeout": timeout}, f"callproof replay --timeout {timeout}")
    return replay_driven.replay(kept, adapter, PATIENCE if timeout is None else float(settings.timeout))

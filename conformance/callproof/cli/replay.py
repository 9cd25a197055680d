"""``callproof replay``: its options."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from callproof.adapters.errors import AdapterError, BadAdapterName
from callproof.cli.judged import settings_of
from callproof.cli.said import INTERRUPTED, SUITE_FAILED, refuse
from callproof.commands import replay as command
from callproof.replay.casefile import BadCaseFile, read_case_file
from callproof.report.console import printed


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("adapter", required=False)
@click.option("--timeout", metavar="SECONDS", help="How long an answer may take, and a run to its end.  [default: 30]")
def replay_command(file: Path, adapter: str | None, timeout: str | None) -> None:
    """Have the case in a file again, with any system.

    FILE is what `callproof test --save-cases` wrote. ADAPTER says how to reach the system, as for `callproof test`;
    it never comes from the file. The exit code tells of the requirement that the file names: 0 it holds, 1 it is
    broken or not proven, 2 the file is none or the system does not claim what it needs, 3 the adapter failed.
    """

    try:
        kept = read_case_file(file)
        settings = settings_of(adapter, {"timeout": timeout}, f"callproof replay {file}")
        replayed = command.replay(kept, settings)
    except (BadCaseFile, BadAdapterName, command.CannotBeHad) as error:
        refuse(str(error))
    except AdapterError as error:
        refuse(str(error), SUITE_FAILED)
    except KeyboardInterrupt:
        refuse("interrupted before anything was judged", INTERRUPTED)
    command.write(replayed, printed())
    sys.exit(replayed.exit_code)

"""``callproof verify``: works out a conformance statement again."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from callproof.report.escape import safe
from callproof.statement.matter import NoStatement
from callproof.statement.store import Unreadable, read_files
from callproof.statement.verify import OtherSuite, Verified, verify
from callproof.suites import SUITES

_SHOWN = 50


class NotVerified(ValueError):
    """There is nothing to verify at a path, or nothing that this suite could verify; says why."""


def verified(path: Path) -> Verified:
    """The outcome of verifying the statement at a path.  Raises NotVerified."""
    try:
        return verify(read_files(path), SUITES)
    except (Unreadable, OtherSuite) as error:
        raise NotVerified(str(error)) from None
    except NoStatement as error:
        raise NotVerified(f"{path}: {error}") from None


def write(found: Verified, console: Console) -> None:
    """Print the outcome."""
    for fault in found.faults[:_SHOWN]:
        console.print(Text.assemble(("wrong  ", "bold red"), safe(fault, most=2_000)), soft_wrap=True)
    if len(found.faults) > _SHOWN:
        console.print(f"… and {len(found.faults) - _SHOWN} more", highlight=False)
    if found.undecided:
        console.print(Text(f"not proven  {safe(', '.join(found.undecided), most=2_000)}"), soft_wrap=True)
    if found.run_outcome is not None:
        said = (
            f"the run as a whole, with generated cases: {safe(found.run_outcome)};"
            f" the statement rests on {found.rests_on} alone"
        )
        console.print(Text(said), soft_wrap=True)
    named = f"{safe(found.outcome)}, {safe(found.system)}"
    if found.faults:
        console.print(Text(f"not verified: {named}", style="bold red"), soft_wrap=True)
    else:
        console.print(Text(f"verified: {named}: the records give what is stated", style="bold green"), soft_wrap=True)

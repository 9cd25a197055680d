"""``callproof explain``: a requirement's block of the specification, for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markdown import Markdown

from callproof.spec.blocks import Requirement


def write(requirement: Requirement, console: Console, scenarios: Sequence[str] = ()) -> None:
    """Print a requirement's page, and the scenarios that aim at it: rendered on a terminal, as Markdown elsewhere."""
    write_page(requirement.text + "\n", console)
    console.print(f"\n{requirement.place}", style="dim", highlight=False)
    if scenarios:
        console.print(f"Scenarios that aim at it: {', '.join(scenarios)}", style="dim", highlight=False)


def write_page(text: str, console: Console) -> None:
    """Print a page of ours: rendered on a terminal, as Markdown elsewhere."""
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        console.file.write(text)

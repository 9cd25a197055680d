"""``callproof breaking``: two catalogues read and compared."""

from __future__ import annotations

from callproof.lint.breaking.catalogues import changes
from callproof.lint.breaking.changes import Purpose
from callproof.lint.breaking.outcome import Compared
from callproof.lint.definition import Catalogue
from callproof.lint.sources.files import Gathered
from callproof.values.counts import counted, was


def breaking(old: Gathered, new: Gathered, purpose: Purpose, *, reviewed: bool = False) -> Compared:
    """What the step from one catalogue to the other means.  A side without any tool is never a success."""
    problems = [*old.problems, *new.problems]
    for side, gathered in (("OLD", old), ("NEW", new)):
        if not gathered.found and not gathered.problems:
            places = ", ".join(gathered.places[:5])
            problems.append(f"no tool was found in {side}, {places}; expected definitions with name and inputSchema")
    if problems:
        return Compared(purpose, (), tuple(problems), reviewed)
    sides = [Catalogue(each.documents, each.found) for each in (old, new)]
    nameless = sum(not tool.name for side in sides for tool in side.definitions)
    if nameless:
        problems.append(f"{counted(nameless, 'definition')} without a name {was(nameless)} not compared")
    return Compared(purpose, tuple(changes(*sides)), tuple(problems), reviewed)

"""``callproof lint``: sources read, rules held, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from callproof.lint.definition import Catalogue
from callproof.lint.running import Outcome, held
from callproof.lint.settings import Settings
from callproof.lint.sources.files import Gathered, from_files

CLEAN, FOUND, NOT_CHECKED = 0, 1, 2
_WEIGHTS = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Linted:
    """What came of a run of the linter."""

    catalogue: Catalogue
    outcome: Outcome
    problems: tuple[str, ...]
    exit_code: int


def lint(gathered: Gathered, settings: Settings) -> Linted:
    """Hold the rules against what the sources gave.  No tool and no plan is never a success."""
    canons, unread = _canons(settings)
    catalogue = Catalogue(gathered.documents, gathered.found, gathered.plans, settings.profiles, canons)
    outcome = held(catalogue, settings)
    problems = [*unread, *gathered.problems, *outcome.problems]
    if not gathered.found and not gathered.plans:
        names = [each.name for each in gathered.documents]
        problems.append(f"no tool was found{' in ' + ', '.join(names[:5]) if names else ''}; {_EXPECTED}")
    return Linted(catalogue, outcome, tuple(problems), _exit_code(outcome, problems, settings))


_EXPECTED = "expected a definition with name and inputSchema, an array of them, or an object with tools"


def _canons(settings: Settings) -> tuple[tuple[Catalogue, ...], tuple[str, ...]]:
    """The canons of somebody's own, and a sentence for each that holds no tool or cannot be read."""
    read = [(name, from_files((name,))) for name in settings.canons]
    empty = [f"{name}: the canon holds no tool; {_EXPECTED}" for name, each in read if not each.found]
    problems = (*(said for _, each in read for said in each.problems), *empty)
    return tuple(Catalogue(each.documents, each.found) for _, each in read), problems


def _exit_code(outcome: Outcome, problems: Sequence[str], settings: Settings) -> int:
    if problems:
        return NOT_CHECKED
    counted = _WEIGHTS[: _WEIGHTS.index(settings.fail_on) + 1] if settings.fail_on in _WEIGHTS else ()
    return FOUND if any(each.severity.value in counted for each in outcome.findings) else CLEAN

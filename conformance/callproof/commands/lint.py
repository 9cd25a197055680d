"""``callproof lint``: reads sources, applies the rules, makes fixes, and gives the outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from callproof.lint.configuring import Configured
from callproof.lint.definition import Catalogue
from callproof.lint.fixing.applying import Fixed, fixed, is_edited
from callproof.lint.page import Page
from callproof.lint.running import Finding, Linted, Outcome, held
from callproof.lint.settings import Settings
from callproof.lint.sources.files import Gathered, from_files
from callproof.lint.suppressing import suppressed
from callproof.report.whole import write_whole
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

CLEAN, FOUND, NOT_CHECKED = 0, 1, 2
_EXPECTED = "expected a definition with name and inputSchema, an array of them, or an object with tools"


@dataclass(frozen=True, slots=True)
class Linter:
    """What is the same for every round: the choices of the user, the canons that were read, and the day."""

    chosen: Configured
    canons: tuple[Catalogue, ...]
    problems: tuple[str, ...]
    today: date

    @property
    def settings(self) -> Settings:
        """The settings that the user chose."""
        return self.chosen.settings


def linter(chosen: Configured, today: date) -> Linter:
    """Read the user's own canons, with a sentence for each canon that holds no tool or cannot be read."""
    read = [(name, from_files((name,))) for name in chosen.settings.canons]
    held = [(name, each) for name, each in read if each.documents or not each.problems]
    empty = [f"{name}: the canon holds no tool; {_EXPECTED}" for name, each in held if not each.found]
    problems = (*(said for _, each in read for said in each.problems), *empty)
    return Linter(chosen, tuple(Catalogue(each.documents, each.found) for _, each in read), problems, today)


def lint(gathered: Gathered, linting: Linter) -> Linted:
    """Apply the rules to what the sources gave.  Sources without any tool or plan are never a success."""
    catalogue, outcome = _outcome(gathered, linting, None)
    problems = [*linting.problems, *gathered.problems, *outcome.problems]
    if not gathered.found and not gathered.plans and (gathered.documents or not gathered.problems):
        names = ", ".join(gathered.places[:5])
        described = next((each.name for each in gathered.documents if _describes_an_interface(each.value)), None)
        hint = "" if described is None else f"; {described} is an OpenAPI description: lint the tools made of it"
        problems.append(f"no tool was found{' in ' + names if names else ''}; {_EXPECTED}{hint}")
    failing = tuple(each.value for each in linting.settings.failing)
    return Linted(catalogue, outcome, tuple(problems), _exit_code(outcome, problems, failing), failing)


def _describes_an_interface(value: Json) -> bool:
    """Whether a document is an OpenAPI description, from which frameworks make tools."""
    return is_object(value) and ("openapi" in value or "swagger" in value)


def fix(gathered: Gathered, linting: Linter, *, unsafe: bool) -> Fixed:
    """Make the fixes of the rules that have fixes; writes nothing."""
    kinds = ("safe", "unsafe") if unsafe else ("safe",)

    def mendable(page: Page) -> bool:
        return page.fix in kinds

    def find(now: Gathered) -> Sequence[Finding]:
        return _outcome(now, linting, mendable)[1].findings

    return fixed(gathered, find, unsafe=unsafe)


def held_back(done: Fixed, linting: Linter) -> int:
    """How many unsafe fixes are left in documents that are edited, after the safe ones were made."""
    found = _outcome(done.gathered, linting, lambda page: page.fix == "unsafe")[1].findings
    return sum(is_edited(each.document) and each.fault.fix is not None and not each.fault.fix.safe for each in found)


def write(done: Fixed) -> None:
    """Write the changed documents back to their files, each whole or not at all.  Raises OSError."""
    for _, after in done.changed:
        write_whole(Path(after.name), after.text.encode("utf-8"))


def _outcome(gathered: Gathered, linting: Linter, only: Callable[[Page], bool] | None) -> tuple[Catalogue, Outcome]:
    settings = linting.settings
    catalogue = Catalogue(gathered.documents, gathered.found, gathered.plans, settings.profiles, linting.canons)
    outcome = held(catalogue, settings, only)
    return catalogue, suppressed(outcome, catalogue, settings, linting.chosen.document, linting.today)


def _exit_code(outcome: Outcome, problems: Sequence[str], failing: Sequence[str]) -> int:
    if problems:
        return NOT_CHECKED
    return FOUND if any(each.severity.value in failing for each in outcome.findings) else CLEAN

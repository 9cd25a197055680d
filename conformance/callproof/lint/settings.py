"""Which rules are held, how heavy they weigh, and which findings somebody lets pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from callproof.lint.page import Page, Severity

if TYPE_CHECKING:
    from callproof.lint.definition import Definition
    from callproof.lint.running import Finding

# The groups that say what the conventions want; the other groups hold wherever a tool is to work.
CONVENTIONS = frozenset({"TD", "IN", "OUT", "PATH", "PAT", "REF", "IDEM", "CAN", "ERR", "PRE"})
DEFAULT_PROFILE = "seed"


@dataclass(frozen=True, slots=True)
class Suppression:
    """Findings that somebody lets pass, and why."""

    rule: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What somebody chose.  ``select`` and ``ignore`` hold ids of rules and names of groups."""

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    profiles: tuple[str, ...] = (DEFAULT_PROFILE,)
    fail_on: str = "error"
    levels: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    # Files and folders of definitions that are canonical beside ours (CAN).
    canons: tuple[str, ...] = ()

    def may_choose(self, page: Page) -> bool:
        """Whether a rule is held against anything at all."""
        if _named(page, self.ignore) and not _exactly(page, self.select, self.extend_select):
            return False
        if _named(page, self.select) or _named(page, self.extend_select):
            return True
        if page.group in CONVENTIONS and DEFAULT_PROFILE not in self.profiles:
            return False
        return page.on and not self.select

    def chooses(self, page: Page, tool: Definition | None, pointer: str, file: str) -> bool:
        """Whether a finding of a rule is wanted at a place."""
        return self.may_choose(page)

    def severity(self, page: Page, *, certain: bool = True) -> Severity:
        """How heavy a finding of a rule weighs."""
        chosen = self.levels.get(page.id) or self.levels.get(page.group) or page.severity
        return Severity.WARNING if chosen is Severity.ERROR and not certain else chosen

    def suppress(self, found: Sequence[Finding]) -> tuple[Sequence[Finding], Sequence[Finding]]:
        """The findings that count, and those that somebody lets pass."""
        return found, ()


def _named(page: Page, names: tuple[str, ...]) -> bool:
    return "ALL" in names or page.id in names or page.group in names


def _exactly(page: Page, *chosen: tuple[str, ...]) -> bool:
    return any(page.id in names for names in chosen)

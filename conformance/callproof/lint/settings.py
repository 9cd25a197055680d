"""Which rules are applied, how severe they are, and which findings the user suppresses.  Reads no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fnmatch import fnmatchcase

from callproof.lint.page import Page, Severity

# The groups with the conventions' own rules; the other groups apply wherever a tool is to work.
CONVENTIONS = frozenset({"TD", "IN", "OUT", "PATH", "PAT", "REF", "IDEM", "CAN", "ERR", "PRE"})
DEFAULT_PROFILE = "seed"
NEVER = "never"


@dataclass(frozen=True, slots=True)
class Where:
    """Where an override or a suppression applies: names of tools, pointers and files, with ``*`` and ``?``."""

    tools: tuple[str, ...] = ()
    pointers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def holds(self, tool: str, pointer: str, file: str) -> bool:
        """Whether a place is one of these; patterns that are not given exclude nothing."""
        named = ((self.tools, tool), (self.pointers, pointer), (self.files, file))
        return all(not patterns or any(_means(each, name) for each in patterns) for patterns, name in named)


@dataclass(frozen=True, slots=True)
class Override:
    """Other choices for some places."""

    where: Where
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    levels: Mapping[str, Severity] = field(default_factory=dict[str, Severity])


@dataclass(frozen=True, slots=True)
class Suppression:
    """Findings that the user suppresses: of which rule or group, where, why, who is responsible, and until when."""

    rule: str
    where: Where
    reason: str
    owner: str
    expires: date


@dataclass(frozen=True, slots=True)
class Settings:
    """
    What the user chose.  ``select`` and ``ignore`` hold ids of rules and names of groups.

    ``canons`` are files and folders with the user's own canonical tools, which come before those of the conventions.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    profiles: tuple[str, ...] = (DEFAULT_PROFILE,)
    fail_on: str = "error"
    levels: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    canons: tuple[str, ...] = ()
    overrides: tuple[Override, ...] = ()
    suppressions: tuple[Suppression, ...] = ()

    @property
    def failing(self) -> tuple[Severity, ...]:
        """The severities with which a finding fails the run."""
        weights = (*Severity,)
        return () if self.fail_on == NEVER else weights[: weights.index(Severity(self.fail_on)) + 1]

    def may_choose(self, page: Page) -> bool:
        """Whether a rule is applied anywhere at all."""
        return self._chosen(page) or any(names(each.select, page) for each in self.overrides)

    def chooses(self, page: Page, tool: str, pointer: str, file: str) -> bool:
        """Whether a finding of a rule is wanted at a place; if several overrides apply, the last one counts."""
        chosen = self._chosen(page)
        for each in self.overrides:
            if each.where.holds(tool, pointer, file):
                chosen = (chosen or names(each.select, page)) and not names(each.ignore, page)
        return chosen

    def severity(self, page: Page, tool: str = "", pointer: str = "", file: str = "") -> Severity:
        """The severity of a finding of a rule at a place."""
        chosen = _level(self.levels, page) or page.severity
        for each in self.overrides:
            if each.where.holds(tool, pointer, file):
                chosen = _level(each.levels, page) or chosen
        return chosen

    def _chosen(self, page: Page) -> bool:
        if page.id in self.ignore:
            return False
        exactly = page.id in self.select or page.id in self.extend_select
        if names(self.ignore, page) and not exactly:
            return False
        if exactly or names(self.select, page) or names(self.extend_select, page):
            return True
        if page.group in CONVENTIONS and DEFAULT_PROFILE not in self.profiles:
            return False
        return page.on and not self.select


def _means(pattern: str, name: str) -> bool:
    """Whether a pattern matches a name; a bracket is literal, as in the pointer of a member ``filter[status]``."""
    return fnmatchcase(name, pattern.replace("[", "[[]"))


def names(chosen: tuple[str, ...], page: Page) -> bool:
    """Whether a rule is among those that ids, groups or ``ALL`` name."""
    return page.id in chosen or page.group in chosen or "ALL" in chosen


def _level(levels: Mapping[str, Severity], page: Page) -> Severity | None:
    return levels.get(page.id) or levels.get(page.group)

"""The linter over the corpora of real definitions, with the rules that are on by default and with all of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from callproof.commands.lint import lint, linter
from callproof.lint.configuring import Configured
from callproof.lint.profiles.loading import NAMES
from callproof.lint.running import Finding
from callproof.lint.settings import Settings
from callproof.lint.sources.files import from_files
from shared import SHARED
from suppressions import TODAY

FILES = sorted((SHARED / "corpora" / "tools").glob("*.json"))
BY_THEMSELVES = Settings()
# Rules on providers apply only under a profile, so running all rules needs all profiles.
ALL_OF_THEM = Settings(select=("ALL",), profiles=NAMES)


@dataclass(frozen=True)
class Place:
    """A finding, with the source and the tool in which it is."""

    source: str
    kind: str
    number: int
    finding: Finding

    @property
    def rule(self) -> str:
        """The id of the rule."""
        return self.finding.rule

    @property
    def name(self) -> str:
        """The source and the pointer."""
        return f"{self.source}#{self.finding.pointer_text}"


@cache
def tools(file: Path) -> Sequence[Any]:
    """The definitions of a source, unchanged."""
    listed: Sequence[Any] = json.loads(file.read_text(encoding="utf-8"))["tools"]
    return listed


@cache
def kind(file: Path) -> str:
    """What a source is: an MCP server, the tools of a framework, and so on."""
    return str(json.loads(file.read_text(encoding="utf-8"))["source"]["kind"])


def findings(settings: Settings) -> tuple[Place, ...]:
    """All findings in all sources, each source judged by itself.  Raises AssertionError if there is a problem."""
    linting = linter(Configured(settings), TODAY)
    found: list[Place] = []
    for file in FILES:
        linted = lint(from_files([str(file)]), linting)
        assert linted.problems == (), linted.problems
        for each in linted.outcome.findings:
            assert each.tool is not None, each.rule
            found.append(Place(file.stem, kind(file), int(each.tool.pointer[-1]), each))
    return tuple(found)

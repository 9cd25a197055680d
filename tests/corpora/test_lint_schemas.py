"""Rules on the sense of schemas, and changes between versions, over definitions from outside this project."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from callproof.lint.breaking.catalogues import changes
from callproof.lint.breaking.changes import Change
from callproof.lint.definition import Catalogue
from callproof.lint.running import held
from callproof.lint.schemas.gaps import Sample
from callproof.lint.schemas.patterns.ambiguity import backtracking
from callproof.lint.schemas.patterns.reading import read_pattern
from callproof.lint.settings import Settings
from callproof.lint.sources.files import from_files
from jsonschema.validators import validator_for
from shared import SHARED

TOOLS = SHARED / "corpora" / "tools"
PAGE = Path(__file__).parents[2] / "docs" / "breaking.md"
# Each older version in the corpora with the one that came after it, named as in the table of the page.
VERSIONS = {
    "chrome-devtools-mcp 0.8.1 → 1.11.0": ("chrome-devtools-mcp@0.8.1", "chrome-devtools-mcp"),
    "server-filesystem 2025.8.21 → 2025.12.18": (
        "modelcontextprotocol__server-filesystem@2025.8.21",
        "modelcontextprotocol__server-filesystem@2025.12.18",
    ),
    "server-filesystem 2025.12.18 → 2026.8.31": (
        "modelcontextprotocol__server-filesystem@2025.12.18",
        "modelcontextprotocol__server-filesystem",
    ),
    "server-everything 2025.8.18 → 2026.8.31": (
        "modelcontextprotocol__server-everything@2025.8.18",
        "modelcontextprotocol__server-everything",
    ),
    "mongodb-mcp-server 1.12.0 → 3.0.4": ("mongodb-mcp-server@1.12.0", "mongodb-mcp-server"),
    "obsidian-mcp 1.0.6 → 2.0.1": ("obsidian-mcp@1.0.6", "obsidian-mcp"),
}


@cache
def _whole() -> Catalogue:
    read = from_files([str(TOOLS)])
    return Catalogue(read.documents, read.found)


@cache
def _changes(old: str, new: str) -> tuple[Change, ...]:
    sides = [from_files([str(TOOLS / f"npm__{each}.json")]) for each in (old, new)]
    return tuple(changes(*(Catalogue(each.documents, each.found) for each in sides)))


@cache
def _raw(name: str) -> dict[str, Any]:
    return {tool["name"]: tool for tool in json.loads((TOOLS / f"npm__{name}.json").read_text("utf-8"))["tools"]}


@pytest.mark.many
def test_the_sense_of_schemas_is_kept_over_every_real_definition() -> None:
    """No rule fails or gives up, and faults that every validator would notice are where they are known to be."""
    outcome = held(_whole(), Settings(select=("SCH",)))
    assert outcome.problems == ()
    assert {finding.fault.unknown for finding in outcome.findings} == {""}
    where = {
        rule: {Path(f.document.name).name for f in outcome.findings if f.rule == rule} for rule in ("SCH001", "SCH015")
    }
    assert where["SCH001"] == {"pypi__bfcl-eval__multi-turn.json", "pypi__bfcl-eval__single-turn.json"}
    assert {"npm__modelcontextprotocol__server-gitlab.json"} < where["SCH015"]
    none = {"SCH002", "SCH011", "SCH012", "SCH013", "SCH014", "SCH016", "SCH018", "SCH019", "SCH020"}
    assert none & {finding.rule for finding in outcome.findings} == set()


def test_one_pattern_of_the_corpora_is_slow_and_none_is_exponential() -> None:
    """Two parts of it in a row accept the same characters; another checker found it as well."""
    patterns = {schema.get("pattern") for schema in _whole().subschemas if isinstance(schema.get("pattern"), str)}
    growth = {pattern: backtracking(read_pattern(str(pattern))).growth for pattern in patterns}
    assert len(growth) >= 9
    assert [each for each, found in growth.items() if found != "linear"] == ["^[a-zA-Z0-9._]+(?:[-._a-zA-Z0-9]*)$"]
    assert Counter(growth.values())["exponential"] == 0


@pytest.mark.parametrize("versions", VERSIONS.values(), ids=VERSIONS)
def test_what_is_told_of_arguments_is_what_a_plain_look_at_them_shows(versions: tuple[str, str]) -> None:
    """Arguments newly required, gone or closed off at the top of each input, read off without comparing schemas."""
    old, new = (_raw(each) for each in versions)
    found = {(each.tool, each.rule, each.at) for each in _changes(*versions)}
    for name in old.keys() & new.keys():
        before, after = old[name]["inputSchema"], new[name]["inputSchema"]
        required = {each for each in after.get("required", []) if each not in before.get("required", [])}
        assert {at for tool, rule, at in found if (tool, rule) == (name, "BRK002")} == {
            f"input.{each}" for each in required
        }
        closed = after.get("additionalProperties") is False
        gone = before.get("properties", {}).keys() - after.get("properties", {}).keys() if closed else set()
        assert {at for tool, rule, at in found if (tool, rule) == (name, "BRK003")} == {
            f"input.{each}" for each in gone
        }
        newly = closed and before.get("additionalProperties") is not False
        assert ((name, "BRK004", "input.*") in found) == newly
    assert {tool for tool, rule, _ in found if rule == "BRK001"} == old.keys() - new.keys()


@pytest.mark.parametrize("versions", VERSIONS.values(), ids=VERSIONS)
def test_a_sample_of_a_whole_input_is_accepted_by_the_one_version_only(versions: tuple[str, str]) -> None:
    """A validator that had no part in finding the sample confirms it."""
    old, new = (_raw(each) for each in versions)
    for change in _changes(*versions):
        if not re.fullmatch(r"input(\.[^.\[]+)?", change.at) or change.rule not in {"BRK002", "BRK003"}:
            continue
        before, after = old[change.tool]["inputSchema"], new[change.tool]["inputSchema"]
        assert isinstance(change.sample, Sample)
        assert validator_for(before)(before).is_valid(change.sample.value)
        assert not validator_for(after)(after).is_valid(change.sample.value)


@pytest.mark.parametrize("versions", VERSIONS.items(), ids=VERSIONS)
def test_the_page_counts_what_is_reported(versions: tuple[str, tuple[str, str]]) -> None:
    """A person looked at each reported change, and the page counts exactly these."""
    heading, pair = versions
    counted = Counter(change.rule for change in _changes(*pair))
    row = next(line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {heading} |"))
    told = [cell.strip() for cell in row.strip("|").split("|")][1:]
    rules = [f"BRK{number:03}" for number in range(1, 13)]
    assert {rule: int(cell) for rule, cell in zip(rules, told) if cell != "–"} == counted

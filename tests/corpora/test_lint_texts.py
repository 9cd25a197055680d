"""Rules on texts, security and providers over 2,367 real tools: little noise, and no rule that breaks."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.page import pages
from callproof.lint.profiles.loading import NAMES
from callproof.lint.rule import all_rules
from callproof.lint.sources.files import from_files
from shared import SHARED

FILES = sorted((SHARED / "corpora" / "tools").glob("*.json"))
OURS = [each for each in all_rules() if each.group in {"PORT", "SEC", "DOC"}]


@cache
def counted(profiles: tuple[str, ...]) -> tuple[int, Counter[str]]:
    """How many tools there are, and how often each rule fires."""
    tools, fired = 0, Counter[str]()
    for file in FILES:
        read = from_files([str(file)])
        held = Catalogue(read.documents, read.found, read.plans, profiles)
        tools += len(held.definitions)
        for rule in OURS:
            fired[rule.id] += sum(len([*rule.examine(subject)]) for subject in rule.each(held))
    return tools, fired


def test_rules_that_are_on_by_themselves_find_little() -> None:
    """Half a finding a tool, where one and a half are the limit; noise is what linters are switched off for."""
    tools, fired = counted(("seed",))
    assert tools > 2_000
    assert sum(fired[each.id] for each in OURS if pages()[each.id].on) <= 0.6 * tools


def test_without_a_profile_no_provider_is_spoken_of() -> None:
    """What somebody does not mean to use refuses nothing."""
    assert not [name for name, times in counted(("seed",))[1].items() if name.startswith("PORT") and times]


@pytest.mark.parametrize("name", [each for each in NAMES if each != "seed"])
def test_every_profile_finds_something_in_real_tools(name: str) -> None:
    """A profile that never fires would not be read by anybody."""
    assert any(times for rule, times in counted((name,))[1].items() if rule.startswith("PORT"))


def test_nothing_is_hidden_and_nothing_commands_in_real_tools() -> None:
    """Each of these would be news."""
    _, fired = counted(("seed",))
    assert {fired[rule] for rule in ("SEC001", "SEC002", "SEC003", "SEC005")} == {0}

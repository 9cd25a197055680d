"""Rules on texts, security and providers over 2,367 real tools: little noise, and no rule fails."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.page import pages
from callproof.lint.profiles.loading import NAMES
from callproof.lint.rule import all_rules
from callproof.lint.sources.files import Gathered, from_files
from shared import SHARED

pytestmark = pytest.mark.many

FILES = sorted((SHARED / "corpora" / "tools").glob("*.json"))
OURS = [each for each in all_rules() if each.group in {"PORT", "SEC", "DOC"} and pages()[each.id].on]


@cache
def read() -> tuple[Gathered, ...]:
    """Every source of the corpora; each is a registry of its own."""
    return tuple(from_files([str(file)]) for file in FILES)


@cache
def counted(group: str, *profiles: str) -> Counter[str]:
    """How often each rule that is on finds something."""
    fired = Counter[str]()
    for each in read():
        held = Catalogue(each.documents, each.found, each.plans, profiles)
        for rule in (rule for rule in OURS if rule.group.startswith(group)):
            fired[rule.id] += sum(len([*rule.examine(subject)]) for subject in rule.each(held))
    return fired


def test_rules_that_are_on_by_themselves_find_little() -> None:
    """About half a finding per tool, where the limit is one and a half: people switch off a noisy linter."""
    tools = sum(len(each.found) for each in read())
    assert tools > 2_000
    assert counted("", "seed").total() <= 0.6 * tools


def test_without_a_profile_no_provider_is_spoken_of() -> None:
    """A provider that the user did not choose refuses nothing."""
    assert not [name for name, times in counted("", "seed").items() if name.startswith("PORT") and times]


@pytest.mark.parametrize("name", [each for each in NAMES if each != "seed"])
def test_every_profile_finds_something_in_real_tools(name: str) -> None:
    """A profile that never finds anything would be of no use."""
    assert counted("PORT", name).total()


def test_nothing_is_hidden_and_nothing_commands_in_real_tools() -> None:
    """A finding of one of these rules in a published tool would be news."""
    fired = counted("", "seed")
    assert {fired[rule] for rule in ("SEC001", "SEC002", "SEC003", "SEC005")} == {0}

"""The conventions and the rules: each law has its rule and its page, and law and page agree."""

from __future__ import annotations

import re

import pytest
from callproof.lint.page import pages
from callproof.lint.rule import all_rules
from callproof.lint.rules.definition import RISK_LEVELS, SIDE_EFFECTS
from callproof.schema.validator import permitted, shape_schema
from callproof.spec.conventions import Convention, DecidedBy, conventions

LAWS = conventions().by_id
GROUPS = {law.group for law in LAWS.values()}
DECIDED = [law for law in LAWS.values() if law.decided_by is not DecidedBy.RUNNING]


@pytest.mark.parametrize("law", DECIDED, ids=lambda law: law.id)
def test_a_law_that_a_text_can_break_has_a_rule_and_a_page_of_its_level(law: Convention) -> None:
    """Every law that can be decided without running a tool must be decided."""
    assert law.id in {rule.id for rule in all_rules()}
    assert pages()[law.id].level == law.level.value


def test_what_only_shows_by_running_has_no_rule() -> None:
    """Lint must not suggest that a tool keeps a law that no text can show."""
    rules = {rule.id for rule in all_rules()} | pages().keys()
    assert [law.id for law in LAWS.values() if law.decided_by is DecidedBy.RUNNING and law.id in rules] == []


def test_a_rule_of_the_conventions_has_its_law() -> None:
    """No rule of these groups demands what the specification does not demand."""
    ours = {rule.id for rule in all_rules() if rule.group in GROUPS} | {
        name for name, page in pages().items() if page.group in GROUPS
    }
    assert ours - LAWS.keys() == set()


def test_every_page_of_the_conventions_has_its_rule() -> None:
    """A page without a rule would promise a check that does not exist."""
    ours = {name for name, page in pages().items() if page.group in GROUPS}
    assert ours - {rule.id for rule in all_rules()} == set()


@pytest.mark.parametrize("law", DECIDED, ids=lambda law: law.id)
def test_a_page_names_a_section_that_the_law_was_drawn_from(law: Convention) -> None:
    """Page and law must not send a reader to different sources."""
    named = set(re.findall(r"§\d", pages()[law.id].source))
    assert not named or named & set(re.findall(r"§\d", law.origin)), (pages()[law.id].source, law.origin)


def test_the_words_of_the_rules_are_those_of_the_chapters() -> None:
    """A rule that lists risk levels or side effects must list those of the specification."""
    effects = shape_schema("tools/side-effect")["anyOf"][0]["enum"]
    assert tuple(effects) == SIDE_EFFECTS
    assert permitted("tools/tool-definition", "riskLevel") == RISK_LEVELS

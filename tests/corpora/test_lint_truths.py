"""Rules whose truth is mechanical, against a few lines that do not use lint: no finding is false and none missing."""

from __future__ import annotations

from functools import cache

import pytest
from callproof.lint.profiles.loading import NAMES
from callproof.lint.settings import Settings

from corpora.lint_corpora import FILES, findings, tools
from corpora.lint_truths import MECHANICAL, places

pytestmark = pytest.mark.many


@cache
def found() -> frozenset[tuple[str, str, int]]:
    """The rule, the source and the number of the tool of each finding."""
    return frozenset(
        (each.rule, each.source, each.number) for each in findings(Settings(select=MECHANICAL, profiles=NAMES))
    )


@pytest.mark.parametrize("rule", MECHANICAL)
def test_a_mechanical_rule_finds_what_is_there_and_nothing_else(rule: str) -> None:
    """This holds for every real definition of the corpora."""
    wanted = {(rule, file.stem, place) for file in FILES for place in places(rule, tools(file))}
    assert {each for each in found() if each[0] == rule} == wanted

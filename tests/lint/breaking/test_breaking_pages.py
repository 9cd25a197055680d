"""The pages of the changes: complete, and with right examples."""

from __future__ import annotations

import json
from typing import Any

import pytest
from callproof.lint.breaking.catalogues import changes
from callproof.lint.breaking.changes import PURPOSES, RULES, Effect, effect
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.page import page
from callproof.lint.sources.files import gathered


def _catalogue(tool: Any) -> Catalogue:
    read = gathered([document_of("example.json", tool)])
    return Catalogue(read.documents, read.found)


@pytest.mark.parametrize("rule", RULES)
def test_each_change_has_a_page_whose_examples_are_as_it_says(rule: str) -> None:
    """The bad example contains exactly this change, the good one does not contain it."""
    told = page(rule)
    for kind in ("bad", "good"):
        blocks = [json.loads(each.text) for each in told.examples if kind in each.words]
        assert blocks
        for block in blocks:
            found = {change.rule for change in changes(_catalogue(block["old"]), _catalogue(block["new"]))}
            assert found == {rule} if kind == "bad" else rule not in found


@pytest.mark.parametrize("rule", RULES)
def test_a_page_says_what_the_change_does_to_whom(rule: str) -> None:
    """The page has the same words as the table of the program."""
    words = ["–" if (each := effect(rule, purpose)) is Effect.NONE else each.word for purpose in PURPOSES]
    assert f"| {' | '.join(words)} |" in page(rule).text

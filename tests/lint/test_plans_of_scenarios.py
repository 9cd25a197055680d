"""Plans of the scenarios: no lawful plan is blamed for a reference, and a reference that cannot work is found."""

from __future__ import annotations

import json
from typing import Any

import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.document import read_document
from callproof.lint.sources.files import gathered
from callproof.live.case import Case
from callproof.live.scenarios import SCENARIOS
from tool_catalogues import ids

CASES = {case.id: case for scenario in SCENARIOS for case in scenario.cases}


def found_in(case: Case, *rules: str) -> list[str]:
    """What the rules find in the plan of a case, judged with the tools of that case."""
    tools: list[Any] = [*(each.descriptor for each in case.tools), *case.system_tools]
    text = json.dumps({"tools": tools, "plan": case.plan}, default=dict)
    read = gathered([read_document(case.id, text.encode())])
    return ids(Catalogue(read.documents, read.found, read.plans), *rules)


def test_no_lawful_plan_is_blamed_for_its_references() -> None:
    """Hundreds of plans that executors must carry out: whatever the schemas leave open is let pass."""
    lawful = [case for case in CASES.values() if not case.expects_refusal]
    assert len(lawful) > 400
    blamed = {case.id: found for case in lawful if (found := found_in(case, "REF005", "REF006"))}
    assert blamed == {}


@pytest.mark.parametrize(
    "name", ["SC-02/unknown-step", "SC-02/unknown-step-inside", "SC-02/closed-field", "SC-02/self"]
)
def test_a_plan_that_an_executor_has_to_refuse_is_found_before(name: str) -> None:
    """Lint reports to the author the mistake that an executor would refuse."""
    assert found_in(CASES[name], "REF005") == ["REF005"]

"""``callproof explain SC-14`` and ``callproof explain SC-14/roots``: what a scenario sends and does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

import pytest
import yaml
from callproof.cli import cli
from callproof.commands.scenario_page import UnknownScenario, scenario_page
from callproof.live.case import Case, Scenario
from callproof.live.scenarios import SCENARIOS
from click.testing import CliRunner, Result

_CASES = [case for scenario in SCENARIOS for case in scenario.cases]


def _explained(name: str) -> Result:
    return CliRunner().invoke(cli, ["explain", name])


def _sent(case: Case) -> Mapping[str, object]:
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", scenario_page(case.id), re.DOTALL | re.MULTILINE)
    return cast("Mapping[str, object]", yaml.safe_load(block))


@pytest.mark.many
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_a_case_has_a_page_that_can_be_read(scenario: Scenario) -> None:
    """The first and the biggest case of a scenario are shown as YAML, and no page is too long to read."""
    for case in (scenario.cases[0], max(scenario.cases, key=lambda case: len(repr(case)))):
        page = scenario_page(case.id)
        assert len(page) < 20_000, case.id
        assert page.startswith(f"### {case.id} · {case.says}\n")
        assert {"plan", "policy"} <= _sent(case).keys()


def test_a_case_of_modest_size_is_shown_as_it_is_sent() -> None:
    """Plan and policy are exactly those of the case."""
    case = next(each for each in _CASES if each.id == "SC-14/roots")
    shown = _sent(case)
    assert shown["plan"] == case.plan
    assert shown["policy"] == case.policy


def test_what_is_too_long_for_a_page_is_told_by_its_size() -> None:
    """A page shows a megabyte by its beginning and length, and a long plan by its first steps and the number more."""
    cases = {case.id: case for case in _CASES}
    assert re.search(r"… \([0-9,]{7,} characters\)", str(_sent(cases["SC-23/megabyte"])))
    assert "… 188 more" in str(_sent(cases["SC-21/at-once-1"])["plan"])


@pytest.mark.parametrize("name", ["SC-14", "sc-14", "sc14", " SC-14 "])
def test_a_scenario_lists_its_cases(name: str) -> None:
    """The scenario's name matches in either letter case; each case is listed with the claims that it needs."""
    told = _explained(name)
    assert told.exit_code == 0
    listed = re.findall(r"^\| `(SC-14/[^`]+)`", told.output, re.MULTILINE)
    assert listed == [case.id for case in _CASES if case.id.startswith("SC-14/")]
    assert (
        "| `SC-14/third-item` | The third and the fifth item of a loop lead out | references, foreach |" in told.output
    )


def test_a_case_is_found_whatever_the_case_of_its_letters() -> None:
    """SC-12 has a case whose name is a keyword in camel case."""
    assert _explained("sc-12/exclusiveminimum").output.startswith("### SC-12/exclusiveMinimum · ")


def test_a_run_that_keeps_a_case_company_is_on_the_page_of_the_case() -> None:
    """Reports give such a run its own name, and a user can ask for that name like any other."""
    own = {case.id for case in _CASES}
    companions = [(each.case, case) for case in _CASES for each in case.company if each.case.id not in own]
    assert companions
    for each, case in companions:
        assert scenario_page(each.id) == scenario_page(case.id)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("SC-99", "The scenarios are SC-01 to SC-31."),
        ("SC-14/dotte", "Did you mean SC-14/dotted?"),
        ("SC-14/nothing-like-it-at-all", "`callproof explain SC-14` lists them."),
    ],
)
def test_an_unknown_name_gets_what_there_is(name: str, says: str) -> None:
    """The error gives the nearest name, or says where to find the names; it never shows the page of another."""
    told = _explained(name)
    assert told.exit_code == 2
    assert says in told.output
    with pytest.raises(UnknownScenario):
        scenario_page(name)


def test_a_requirement_names_the_scenarios_that_aim_at_it() -> None:
    """The author of a system that fails it finds what provoked the failure."""
    assert "Scenarios that aim at it: SC-07, " in _explained("RETRY-03").output

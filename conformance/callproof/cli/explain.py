"""``callproof explain``: its options."""

from __future__ import annotations

import re

import click

from callproof.cli.completing import WORDS
from callproof.cli.said import refuse
from callproof.report import explain
from callproof.report.console import printed
from callproof.spec import rulings
from callproof.spec.registry import UnknownRequirement, whole_specification

# A rule of lint has no dash before its number, and no requirement has its group.
_GROUP = re.compile(r"([A-Za-z]+)(?:[0-9]+[Nn]?)?")
_GENERATED = re.compile(r"GEN(?:/(-?[0-9]+)-.*)?", re.IGNORECASE | re.DOTALL)
# The cases of other protocols, by the letters with which their suites begin the names of their subjects.
_CASES = re.compile(r"(?:AL|PL|IV)-?[0-9]+(/.*)?", re.IGNORECASE | re.DOTALL)
_SCENARIO = re.compile(r"SC-?[0-9]+(/.*)?", re.IGNORECASE | re.DOTALL)


@click.command("explain")
@click.argument("requirement", type=WORDS)
def explain_command(requirement: str) -> None:
    """Show one requirement, one rule of lint, one scenario, or one ruling.

    For a requirement it shows the law, the reason, hard cases and examples; for a scenario, such as SC-14, its cases;
    for a case, such as SC-14/roots, all that it sends and does.  The cases of other systems have names like AL-05 and
    AL-05/blocked.  For a ruling, such as A62, or for what a correct executor may do differently, such as B-48, it
    shows what it says.
    """
    if rulings.is_name(requirement.strip()):
        _explain_ruling(requirement.strip())
        return
    if _CASES.fullmatch(requirement.strip()):
        _explain_cases(requirement)
        return
    if _SCENARIO.fullmatch(requirement.strip()):
        _explain_scenario(requirement)
        return
    if made := _GENERATED.fullmatch(requirement.strip()):
        refuse(_generated(requirement.strip(), made[1] or "N"))
    if _is_rule(requirement.strip()):
        _explain_rule(requirement)
        return
    try:
        found = whole_specification().requirement(requirement)
    except UnknownRequirement as error:
        refuse(str(error) if error.nearest else _neither(requirement))
    from callproof.commands.case_page import aimed_by_cases  # noqa: PLC0415  most words do not need it
    from callproof.commands.scenario_page import aimed_by  # noqa: PLC0415

    explain.write(found, printed(), aimed_by(found.id) or aimed_by_cases(found.id))


def _generated(name: str, seed: str) -> str:
    return (
        f"{name} is generated and has no page. `callproof test ADAPTER -k GEN --seed {seed} --save-cases FOLDER` saves"
        f" what fails, for `callproof replay`; with a system of another protocol, `--case {name}` plays it again."
    )


def _explain_ruling(name: str) -> None:
    try:
        found = rulings.ruling(name)
    except rulings.UnknownRuling as error:
        refuse(str(error))
    named = f"Requirements that name it: {', '.join(found.requirements)}.\n\n" if found.requirements else ""
    explain.write_page(f"### {found.id}\n\n{found.sentence}\n\n{named}It is named in {found.places}.\n", printed())


def _explain_scenario(name: str) -> None:
    from callproof.commands.scenario_page import UnknownScenario, scenario_page  # noqa: PLC0415

    try:
        explain.write_page(scenario_page(name), printed())
    except UnknownScenario as error:
        refuse(str(error))


def _explain_cases(name: str) -> None:
    from callproof.commands.case_page import case_page  # noqa: PLC0415
    from callproof.commands.scenario_page import UnknownScenario  # noqa: PLC0415

    try:
        explain.write_page(case_page(name), printed())
    except UnknownScenario as error:
        refuse(str(error))


def _is_rule(name: str) -> bool:
    """Whether a word names a rule or a group of rules, or would name a further rule of a group that only rules have."""
    told = _GROUP.fullmatch(name)
    if told is None:
        return False
    from callproof.lint.page import pages  # noqa: PLC0415  most words do not need it
    from callproof.spec.conventions import conventions  # noqa: PLC0415

    groups = {each.upper(): each.rstrip("0123456789n") for each in (*pages(), *conventions().by_id)}
    group = told[1].upper()
    requirements = {each.group for each in whole_specification().requirements.values()}
    return name.upper() in groups or (group in groups.values() and group not in requirements)


def _neither(name: str) -> str:
    """The message for a word that is near to no requirement."""
    from callproof.lint.page import UnknownRule, page  # noqa: PLC0415

    try:
        near = page(name).id
    except UnknownRule as error:
        near = " or ".join(error.nearest)
    hint = f" Did you mean {near}?" if near else ""
    from callproof.live.scenarios import SCENARIOS  # noqa: PLC0415

    return (
        f"No requirement, no rule and no scenario is called {name!r}.{hint}"
        " `callproof coverage` lists the requirements, `callproof rules` the rules;"
        f" the scenarios are {SCENARIOS[0].id} to {SCENARIOS[-1].id}."
    )


def _explain_rule(name: str) -> None:
    from callproof.lint.page import UnknownRule, page  # noqa: PLC0415
    from callproof.spec.conventions import DecidedBy, conventions  # noqa: PLC0415

    law = conventions().by_id.get(name.strip().upper())
    if law is not None and law.decided_by is DecidedBy.RUNNING:
        explain.write_page(f"{law.text}\n\nOnly running the tool shows it; no rule of lint decides it.\n", printed())
        return
    try:
        found = page(name)
    except UnknownRule as error:
        refuse(str(error))
    explain.write_page(found.text, printed())

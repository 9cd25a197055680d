"""``callproof explain``: its options."""

from __future__ import annotations

import re

import click
from rich.console import Console

from callproof.cli.said import refuse
from callproof.report import explain
from callproof.spec.registry import UnknownRequirement, specification

# A requirement has a dash before its number, and a rule of lint has none.
_RULE = re.compile(r"[A-Za-z]{2,5}\d+[Nn]?")


@click.command("explain")
@click.argument("requirement", metavar="REQUIREMENT|RULE")
def explain_command(requirement: str) -> None:
    """Show one requirement, or one rule of lint.

    The law, the reason, hard cases, examples.
    """
    if _is_rule(requirement.strip()):
        _explain_rule(requirement)
        return
    try:
        found = specification().requirement(requirement)
    except UnknownRequirement as error:
        refuse(str(error))
    explain.write(found, Console())


def _is_rule(name: str) -> bool:
    if _RULE.fullmatch(name):
        return True
    from callproof.lint.page import pages  # noqa: PLC0415  which most words do without

    requirements = {each.group for each in specification().requirements.values()}
    return name.upper() not in requirements and any(each.group == name.upper() for each in pages().values())


def _explain_rule(name: str) -> None:
    from callproof.lint.page import UnknownRule, page  # noqa: PLC0415
    from callproof.spec.conventions import DecidedBy, conventions  # noqa: PLC0415

    law = conventions().by_id.get(name.strip().upper())
    if law is not None and law.decided_by is DecidedBy.RUNNING:
        explain.write_page(f"{law.text}\n\nOnly running the tool shows it; no rule of lint decides it.\n", Console())
        return
    try:
        found = page(name)
    except UnknownRule as error:
        refuse(str(error))
    explain.write_page(found.text, Console())

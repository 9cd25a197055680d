"""TD: what a definition says of its tool."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint.definition import Definition
from callproof.lint.rule import Fault, Fix, Put, definitions, rule
from callproof.values.jsonvalue import is_object

RISK_LEVELS = ("read-only", "writes", "commands")


@rule("TD003", each=definitions)
def a_definition_states_its_risk_level(tool: Definition) -> Iterator[Fault]:
    """A definition states its risk level."""
    if tool.has("riskLevel") or not tool.members:
        return
    told = tool.get("annotations")
    hint = told.get("readOnlyHint") if is_object(told) else None
    level = {True: "read-only", False: "writes"}.get(hint) if isinstance(hint, bool) else None
    fix = None
    if level is not None:
        fix = Fix(
            (Put(tool.at(), "riskLevel", level),), safe=False, says=f'add "riskLevel": "{level}", as readOnlyHint'
        )
    yield Fault(
        at=tool.at(),
        observed="the definition has no riskLevel",
        permitted=f"riskLevel, one of {', '.join(RISK_LEVELS)}",
        help='add "riskLevel"; without one a system treats the tool as "commands"',
        fix=fix,
    )

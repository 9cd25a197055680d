"""Leaving things out of a case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from callproof.invocations.case import Answer, Gives, InvocationCase


def smaller(case: InvocationCase) -> Iterator[InvocationCase]:
    """Cases that have one thing less than this one, the greatest things first."""
    if len(case.tools) > 1:
        yield from (_without_a_tool(case, each.name) for each in case.tools)
    for each in case.profiles:
        if each.name != case.chosen.profile:
            yield replace(case, profiles=tuple(other for other in case.profiles if other != each))
    if case.answers != (Answer(),):
        yield replace(case, answers=(Answer(),))
    if case.chosen.may_reroute:
        yield replace(case, chosen=replace(case.chosen, may_reroute=False))
    if any(each.input for each in case.intents):
        yield replace(case, intents=tuple(replace(each, input=None) for each in case.intents))
    for name, gives in case.gives.items():
        if gives != Gives():
            yield replace(case, gives={**case.gives, name: Gives()})


def _without_a_tool(case: InvocationCase, name: str) -> InvocationCase:
    return replace(
        case,
        tools=tuple(each for each in case.tools if each.name != name),
        intents=tuple(each for each in case.intents if each.tool != name),
        gives={tool: each for tool, each in case.gives.items() if tool != name},
    )

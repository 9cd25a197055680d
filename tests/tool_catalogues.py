"""Tool definitions and plans made in a line or two, and what the linter finds in them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from callproof.lint.canon import standard
from callproof.lint.definition import Catalogue
from callproof.lint.document import read_document
from callproof.lint.found import Found
from callproof.lint.rule import Fault, all_rules
from callproof.lint.running import Finding, held
from callproof.lint.settings import Settings
from callproof.lint.sources.files import gathered

Tool = dict[str, Any]


def canonical(name: str, change: Callable[[Tool], object] = lambda tool: None) -> Tool:
    """A canonical definition, changed as asked."""
    tool: Tool = copy.deepcopy(dict(standard().by_name[name].members))
    change(tool)
    return tool


def closed(properties: Mapping[str, Any], required: Sequence[str] | None = None) -> Tool:
    """A closed object schema, all of whose members are required unless told otherwise."""
    always = list(properties) if required is None else list(required)
    return {"type": "object", "additionalProperties": False, "required": always, "properties": dict(properties)}


def reading(name: str, takes: Tool, gives: Tool, **more: Any) -> Tool:
    """A definition of a tool that changes nothing."""
    return {
        "name": name,
        "inputSchema": takes,
        "outputSchema": gives,
        "riskLevel": "read-only",
        "sideEffects": [],
        "availability": {},
        **more,
    }


def writing(name: str, takes: Tool, gives: Tool, *effects: str, **more: Any) -> Tool:
    """A definition of a tool that changes files."""
    return {**reading(name, takes, gives), "riskLevel": "writes", "sideEffects": list(effects), **more}


def catalogue(*tools: Any, plan: Any = None, canons: Sequence[Tool] = ()) -> Catalogue:
    """The catalogue that one file with these tools, and a plan, would give."""
    value = {"tools": list(tools)} if plan is None else {"tools": list(tools), "plan": plan}
    read = gathered([read_document("tools.json", json.dumps(value).encode())])
    own = [read_document(f"{each['name']}.json", json.dumps(each).encode()) for each in canons]
    canon = Catalogue(tuple(own), tuple(Found(each, (), each.value) for each in own))
    return Catalogue(read.documents, read.found, read.plans, canons=(canon,) if own else ())


def findings(held_against: Catalogue, *select: str) -> tuple[Finding, ...]:
    """What the chosen rules find, or without a choice the default ones."""
    outcome = held(held_against, Settings(select=select))
    assert outcome.problems == ()
    return outcome.findings


def ids(held_against: Catalogue, *select: str) -> list[str]:
    """The ids of the rules that find something, one for each finding."""
    return [each.rule for each in findings(held_against, *select)]


def faults(rule: str, held_against: Catalogue) -> list[Fault]:
    """What one rule finds."""
    (law,) = (each for each in all_rules() if each.id == rule)
    return [fault for subject in law.each(held_against) for fault in law.examine(subject)]


def step(name: str, tool: str, args: Tool, preview: str | None = None, **more: Any) -> Tool:
    """A step of a plan."""
    told = {} if preview is None else {"preview": preview}
    return {"id": name, "tool": tool, "args": args, **told, **more}


def plan(*steps: Tool) -> Tool:
    """A plan of these steps."""
    return {"version": "1.0", "goal": "Tidy up.", "riskLevel": "writes", "steps": list(steps)}

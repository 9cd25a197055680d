"""TD: what a definition says about its tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from callproof.lint.definition import Definition, Registry
from callproof.lint.found import strings
from callproof.lint.names import WRITING, camel, folded, verb
from callproof.lint.rule import Fault, Fix, Put, Replace, definitions, registries, rule
from callproof.lint.wording import listed, nearest, shown
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

RISK_LEVELS = ("read-only", "writes", "commands")
SIDE_EFFECTS = (
    "create-file",
    "modify-file",
    "rename-file",
    "delete-file",
    "create-folder",
    "rename-folder",
    "delete-folder",
    "run-command",
)
_OWN_EFFECT = re.compile(r"x-[a-z0-9]+(-[a-z0-9]+)*")
_NAME = re.compile(r"[a-z][a-zA-Z0-9]*\.[a-z][a-zA-Z0-9]*")
_EMPTY_INPUT: Json = {"type": "object", "additionalProperties": False, "required": [], "properties": {}}
_OPTIONAL: Mapping[str, tuple[type, str, str]] = {
    "cancellable": (bool, "true or false", "only false says that the tool cannot be aborted; leave it out if it can"),
    "category": (str, "a text, such as the part of the name before the dot", "write it as a text, or leave it out"),
}
_EFFECTS = f"{listed(SIDE_EFFECTS)}, or words of your own such as x-send-mail"


@rule("TD001", each=definitions)
def a_definition_has_an_input_schema(tool: Definition) -> Iterator[Fault]:
    """A definition has an input schema."""
    if not tool.members:
        yield Fault(
            at=(),
            observed=f"the definition is {shown(tool.raw)}",
            permitted=f"an object with name and {tool.input_name}",
            help="write the definition as an object, or take it out of the list",
        )
    elif tool.get(tool.input_name) is None:
        yield Fault(
            tool.at(),
            f"the definition has no {tool.input_name}",
            f"{tool.input_name}, a JSON Schema of the arguments",
            help="for a tool without arguments, write a closed object without properties",
            fix=Fix(
                (Put(tool.at(), tool.input_name, _EMPTY_INPUT),), safe=False, says="add an input without arguments"
            ),
        )


@rule("TD002", each=definitions)
def a_definition_has_an_output_schema(tool: Definition) -> Iterator[Fault]:
    """A definition has an output schema."""
    if tool.members and tool.get(tool.output_name) is None:
        yield Fault(
            tool.at(),
            f"the definition has no {tool.output_name}",
            f"{tool.output_name}, a JSON Schema of what the tool returns",
            help=f"describe the members that the tool returns in {tool.output_name}",
        )


@rule("TD003", each=definitions)
def a_definition_states_its_risk_level(tool: Definition) -> Iterator[Fault]:
    """A definition states its risk level."""
    if tool.has("riskLevel") or not tool.members:
        return
    hint = _read_only_hint(tool)
    fix = None
    if hint is not None:
        level = "read-only" if hint else "writes"
        fix = Fix(
            (Put(tool.at(), "riskLevel", level),), safe=False, says=f'add "riskLevel": "{level}", as readOnlyHint says'
        )
    yield Fault(
        at=tool.at(),
        observed="the definition has no riskLevel",
        permitted=f"riskLevel, one of {', '.join(RISK_LEVELS)}",
        help='add "riskLevel"; without it a system treats the tool as "commands"',
        fix=fix,
    )


@rule("TD004", each=definitions)
def the_risk_level_is_read_only_writes_or_commands(tool: Definition) -> Iterator[Fault]:
    """A risk level is read-only, writes or commands."""
    if not tool.has("riskLevel") or tool.get("riskLevel") in RISK_LEVELS:
        return
    level = tool.get("riskLevel")
    near = nearest(level, RISK_LEVELS) if isinstance(level, str) else ""
    yield Fault(
        at=tool.at("riskLevel"),
        observed=f"riskLevel is {shown(level)}",
        permitted=f"one of {', '.join(RISK_LEVELS)}",
        help=f"did you mean {near}?"
        if near
        else "write read-only if the tool changes nothing, commands if it runs commands, and otherwise writes",
    )


@rule("TD005", each=definitions)
def a_definition_lists_its_side_effects(tool: Definition) -> Iterator[Fault]:
    """A definition lists its side effects, in words of the vocabulary or its own."""
    if not tool.members:
        return
    told = tool.get("sideEffects")
    if not is_array(told):
        none = Fix((Put(tool.at(), "sideEffects", []),), safe=False, says='add "sideEffects": []')
        observed = f"sideEffects is {shown(told)}" if tool.has("sideEffects") else "the definition has no sideEffects"
        at = tool.at("sideEffects") if tool.has("sideEffects") else tool.at()
        yield Fault(
            at=at,
            observed=observed,
            permitted=f"an array of {_EFFECTS}; empty if there are none",
            help="list what the tool changes; an empty array says that it changes nothing",
            fix=none if tool.get("riskLevel") == "read-only" else None,
        )
        return
    for place, each in enumerate(told):
        if not isinstance(each, str) or not (each in SIDE_EFFECTS or _OWN_EFFECT.fullmatch(each)):
            near = nearest(each, SIDE_EFFECTS) if isinstance(each, str) else ""
            help_text = f"did you mean {near}?" if near else "begin a word of your own with x-"
            yield Fault(
                tool.at("sideEffects", place), f"{shown(each)} is not a known side effect", _EFFECTS, help=help_text
            )
        elif each in told[:place]:
            yield Fault(
                tool.at("sideEffects", place), f"{shown(each)} is listed twice", "each word once", "take it out"
            )


@rule("TD006", each=definitions)
def a_definition_states_its_availability(tool: Definition) -> Iterator[Fault]:
    """A definition states its availability as an object, whose `requires` is a list of texts."""
    if not tool.members:
        return
    told = tool.get("availability")
    if is_object(told):
        needs = told.get("requires")
        if "requires" in told and not (is_array(needs) and len(strings(needs)) == len(needs)):
            yield Fault(
                at=tool.at("availability", "requires"),
                observed=f"requires is {shown(needs)}",
                permitted='an array of texts, such as ["vault"]; empty if nothing has to be present',
                help="list what has to be present for the tool, each as a text",
            )
        return
    there = tool.has("availability")
    yield Fault(
        at=tool.at("availability") if there else tool.at(),
        observed=f"availability is {shown(tool.get('availability'))}"
        if there
        else "the definition has no availability",
        permitted='availability, an object such as {"requires": ["vault"]}',
        help="write an empty object if the tool is available everywhere and always",
    )


@rule("TD007", each=definitions)
def risk_level_and_side_effects_agree(tool: Definition) -> Iterator[Fault]:
    """A tool that is read-only has no side effect, and one that is not has at least one."""
    level, effects = tool.get("riskLevel"), tool.get("sideEffects")
    if level not in RISK_LEVELS or not is_array(effects) or bool(effects) == (level != "read-only"):
        return
    told = f"has the side effects {shown(effects)}" if effects else "has no side effects"
    yield Fault(
        at=tool.at("sideEffects"),
        observed=f"riskLevel is {level}, but the tool {told}",
        permitted="side effects if riskLevel is writes or commands, and none if it is read-only",
        help="correct whichever is wrong, the risk level or the list",
    )


@rule("TD008", each=definitions)
def risk_level_and_annotations_agree(tool: Definition) -> Iterator[Fault]:
    """The hint readOnlyHint is true exactly for a tool that is read-only."""
    hint, level = _read_only_hint(tool), tool.get("riskLevel")
    if hint is None or level not in RISK_LEVELS or hint == (level == "read-only"):
        return
    at = tool.at("annotations", "readOnlyHint")
    yield Fault(
        at=at,
        observed=f"readOnlyHint is {shown(hint)}, but riskLevel is {level}",
        permitted="readOnlyHint true if riskLevel is read-only, and false if not",
        fix=Fix((Replace(at, not hint),), safe=False, says="set readOnlyHint to the value that riskLevel implies"),
    )


@rule("TD009", each=definitions)
def a_tool_named_after_a_change_is_not_read_only(tool: Definition) -> Iterator[Fault]:
    """A tool that is named after a change is not read-only."""
    if tool.get("riskLevel") == "read-only" and verb(tool.name) in WRITING:
        yield Fault(
            at=tool.at("riskLevel"),
            observed=f"the name says {verb(tool.name)}, but riskLevel is read-only",
            permitted="writes or commands for a tool that changes something",
            help="correct whichever is wrong, the name or the level",
        )


@rule("TD010", each=registries)
def no_two_tools_share_a_name(registry: Registry) -> Iterator[Fault]:
    """No two names of a registry are equal up to case and separators."""
    first: dict[str, Definition] = {}
    alike: dict[str, Definition] = {}
    for tool in registry.definitions:
        if not folded(tool.name):
            continue
        # If two earlier tools match, the fault names the one with the very same name, not the one that looks like it.
        nearest = alike.setdefault(folded(tool.name), tool)
        earlier = first.setdefault(tool.name, tool)
        if earlier is tool:
            earlier = nearest
        if earlier is not tool:
            nearly = f"a name that differs only in case or separators: {shown(earlier.name)}"
            alike_how = "the same name" if earlier.name == tool.name else nearly
            yield Fault(
                at=tool.at("name"),
                observed=f"the tool at {earlier.spot} has {alike_how}",
                permitted="a different name for each tool",
                help="rename one of the two, or remove it if both are the same tool",
                on=tool,
            )


@rule("TD011", each=definitions)
def a_name_has_the_form_category_verb_noun(tool: Definition) -> Iterator[Fault]:
    """A name with a category is the category, a dot, and the rest in camel case."""
    category = tool.get("category")
    given = category if isinstance(category, str) and category else tool.category
    if not given or not tool.name or (_NAME.fullmatch(tool.name) and tool.category == given):
        return
    rest = tool.name.removeprefix(f"{given}.")
    better = f"{camel(given)}.{camel(rest)}"
    yield Fault(
        at=tool.at("name"),
        observed=_misnamed(given, rest, begins=tool.name != rest),
        permitted="a category, a dot, and a verb with its noun in camel case, letters a to z, such as vault.readFile",
        help="rename the tool or its category; let the name begin with the category and a dot",
        fix=Fix((Replace(tool.at("name"), better),), safe=False, says=f"rename it to {better}")
        if _NAME.fullmatch(better) and tool.name.isascii()
        else None,
    )


@rule("TD012", each=definitions)
def a_definition_has_a_name(tool: Definition) -> Iterator[Fault]:
    """The name of a definition is a text that is not empty."""
    if tool.members and not tool.name.strip():
        yield Fault(
            at=tool.at("name") if tool.has("name") else tool.at(),
            observed=f"the name is {shown(tool.get('name'))}" if tool.has("name") else "the definition has no name",
            permitted="name, a text that is not blank",
            help="give the tool a name: nothing can call a tool without one",
        )


@rule("TD013", each=definitions)
def optional_members_of_a_definition_have_the_right_type(tool: Definition) -> Iterator[Fault]:
    """Each optional member of a definition has its type, if it is there."""
    for name, (kind, permitted, help_text) in _OPTIONAL.items():
        told = tool.get(name)
        if told is not None and not isinstance(told, kind):
            yield Fault(tool.at(name), f"{name} is {shown(told)}", permitted, help=help_text)


def _misnamed(category: str, rest: str, *, begins: bool) -> str:
    """What is wrong with a name that is a category and the rest, or that does not begin with its category."""
    if not begins:
        return f"the category is {shown(category)}, but the name does not begin with {shown(f'{category}.')}"
    well = _NAME.fullmatch(f"a.{rest}") is not None
    return f"the category is {shown(category)}" if well else f"the part of the name after the category is {shown(rest)}"


def _read_only_hint(tool: Definition) -> bool | None:
    told = tool.get("annotations")
    hint = told.get("readOnlyHint") if is_object(told) else None
    return hint if isinstance(hint, bool) else None

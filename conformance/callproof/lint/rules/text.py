"""DOC: what a definition says to its reader.

These rules only advise: better texts help somewhat and cost tokens.  Each rule reports a tool at most once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import east_asian_width

from callproof.lint import declared
from callproof.lint.definition import Definition, Registry, Schema
from callproof.lint.names import words
from callproof.lint.rule import Fault, definitions, inputs, registries, rule
from callproof.lint.texts import texts, together
from callproof.lint.wording import listed, shown
from callproof.values.counts import counted

SHORTEST, LONGEST = 20, 1_024
_FILLING = frozenset({"a", "an", "and", "for", "of", "the", "this", "to", "tool", "function", "method", "your"})
_PLACEHOLDER = re.compile(
    r"\b(?:TODO|FIXME|XXX|TBD)\b(?!s)|\b[Ll]orem ipsum\b|\b[Dd]escription (?:goes )?here\b|\b[Nn]o description\b"
)
# Only if a value follows that a schema can hold: many defaults are decided when the tool runs.
_DEFAULT = re.compile(
    r"\bdefaults?(?:\s+value)?(?:\s+is|\s+to|\s*[:=])\s*"
    r"(?:(?P<quote>['\"`])[^'\"`\n]{0,60}(?P=quote)|[-+]?\d+(?:\.\d+)?\b|(?:true|false|null)\b)",
    re.IGNORECASE,
)
_DATE_FORMAT = re.compile(r"\bISO[- ]?8601\b|\bRFC[- ]?3339\b|\bYYYY-MM-DD\b")
_PACKED = re.compile(
    r"\bJSON(?:[- ](?:encoded|formatted|serialized|stringified))?[- ](?:string|array|object|list|dict)\b"
    r"|\b(?:stringified|serialized)\s+JSON\b|\bcomma[- ]separated\b|\bcomma[- ]delimited\b",
    re.IGNORECASE,
)
# Where a word begins inside a name; a name in capitals alone, such as URL, is the same in every casing.
_HUMP = re.compile(r"[a-z0-9][A-Z]")
_FAILURE = re.compile(
    r"\b(?:error|fail|except|invalid|not\s+found|unless|only\s+if|must\s+exist|instead)", re.IGNORECASE
)


@rule("DOC001", each=definitions)
def a_tool_has_a_description(tool: Definition) -> Iterator[Fault]:
    """A tool has a description."""
    if tool.members and not _description(tool):
        yield Fault(
            at=tool.at("description") if tool.has("description") else tool.at(),
            observed="the tool has no description",
            permitted="a description of what it does",
            help="say in one sentence what it does, and to what",
        )


@rule("DOC002", each=definitions)
def a_description_says_more_than_the_name(tool: Definition) -> Iterator[Fault]:
    """A description has a word that the name does not have."""
    if _repeats_the_name(tool):
        yield Fault(
            at=tool.at("description"),
            observed=f"the description is {shown(_description(tool))}",
            permitted="a description that says more than the name",
            help="say what the tool works on, and what it returns",
        )


@rule("DOC003", each=definitions)
def a_description_is_neither_too_short_nor_too_long(tool: Definition) -> Iterator[Fault]:
    """A description is neither a word or two nor a page."""
    text = _description(tool)
    length, wide = len(text), sum(east_asian_width(each) in "WF" for each in text)
    if length and not (length + wide >= SHORTEST and length <= LONGEST) and not _repeats_the_name(tool):
        yield Fault(
            at=tool.at("description"),
            observed=f"the description is {counted(length, 'character')} long",
            permitted=f"{SHORTEST} to {LONGEST} characters",
            help="say what decides whether this is the right tool, and no more: every request carries it"
            if length > LONGEST
            else "say what the tool works on, and what it returns",
        )


@rule("DOC004", each=inputs)
def each_parameter_has_a_description(schema: Schema) -> Iterator[Fault]:
    """Each parameter of a tool has a description, or its type has one."""
    members = declared.members(schema.resolved)
    parts = [*declared.everywhere(schema.resolved)]
    told = {name for part in parts for name, each in part.properties.items() if _is_described(each)}
    without = [name for name in members if name not in told]
    if without:
        all_of_them = counted(len(members), "parameter")
        yield Fault(
            at=members[without[0]].within,
            observed=f"no description for {len(without)} of {all_of_them}: {listed(without)}",
            permitted="a description for each parameter",
            help="say what the value means, with its unit or form",
        )


@rule("DOC005", each=inputs)
def defaults_and_date_formats_are_in_the_schema(schema: Schema) -> Iterator[Fault]:
    """If a description mentions a default or a format of dates, the schema has a keyword for it too."""
    root = schema.resolved
    said = {
        name: what
        for name, each in root.properties.items()
        if (what := _only_said(each, required=name in root.required))
    }
    if said:
        named = {what: [name for name, other in said.items() if other == what] for what in said.values()}
        yield Fault(
            at=(*root.within, "properties", next(iter(said))),
            observed=", and ".join(
                f"{what} is only in the description of {listed(names)}" for what, names in named.items()
            ),
            permitted="keywords for what a program can check: default, format",
            help="add the keyword; the sentence may stay",
        )


@rule("DOC006", each=inputs)
def lists_and_objects_are_not_packed_into_strings(schema: Schema) -> Iterator[Fault]:
    """A parameter that is a list or an object is not a text that holds one."""
    root = schema.resolved
    packed = [name for name, each in root.properties.items() if _packs(each)]
    if packed:
        yield Fault(
            at=(*root.within, "properties", packed[0]),
            observed=f"a list or JSON is packed into a text: {listed(packed)}",
            permitted="an array or an object, whose members have schemas",
            help="write the structure as a schema; models quote and escape it wrongly inside a text",
        )


@rule("DOC007", each=definitions)
def a_text_contains_no_placeholder(tool: Definition) -> Iterator[Fault]:
    """No text of a definition is a placeholder."""
    for text in texts(tool) if _PLACEHOLDER.search(together(tool)) else ():
        found = _PLACEHOLDER.search(text.text) if text.is_prose else None
        if found is not None:
            yield Fault(
                at=text.at,
                observed=f"the text contains the placeholder {shown(found[0])}",
                permitted="a finished text",
                help="write the text, or leave the member out",
            )
            return


@rule("DOC008", each=registries)
def no_two_tools_share_description_and_parameters(held: Registry) -> Iterator[Fault]:
    """No two tools that are offered together have the same text and the same parameters."""
    seen: dict[tuple[frozenset[str], frozenset[str]], Definition] = {}
    for tool in held.definitions:
        told = frozenset(words(_description(tool))) - _FILLING
        if len(told) < 3 or tool.input is None:
            continue
        key = (told, frozenset(tool.input.resolved.properties))
        twin = seen.setdefault(key, tool)
        if twin is not tool and twin.name != tool.name:
            yield Fault(
                at=tool.at("description"),
                on=tool,
                observed=f"{twin.name} at {twin.spot} has the same description and the same parameters",
                permitted="a description by which a model can choose",
                help="say in each description when that tool is the right one",
            )


@rule("DOC009", each=definitions)
def a_description_says_when_the_tool_fails(tool: Definition) -> Iterator[Fault]:
    """A description says when the tool fails, or when another one is better."""
    if _description(tool) and not _FAILURE.search(_description(tool)):
        yield Fault(
            at=tool.at("description"),
            observed="the description does not say when the tool fails",
            permitted="a sentence on when the tool fails, or when another tool is better",
            help="say what happens if the thing that the tool works on does not exist",
        )


@rule("DOC010", each=registries)
def all_parameter_names_use_one_casing(held: Registry) -> Iterator[Fault]:
    """All parameters of tools that are offered together are written in the same casing."""
    first: dict[str, tuple[str, Definition]] = {}
    for tool in held.definitions:
        for name in tool.input.resolved.properties if tool.input is not None else ():
            casing = "snake_case" if "_" in name.strip("_") else "camelCase" if _HUMP.search(name) else ""
            first.setdefault(casing, (name, tool))
    if "snake_case" in first and "camelCase" in first:
        (snake, other), (camel, tool) = first["snake_case"], first["camelCase"]
        where = "this tool" if other is tool else other.name
        yield Fault(
            at=tool.at("name"),
            on=tool,
            observed=f"the tool has the parameter {camel}, and {where} has {snake}",
            permitted="one casing for all parameters",
            help="use one casing: models mix up two",
        )


def _description(tool: Definition) -> str:
    told = tool.get("description")
    return told.strip() if isinstance(told, str) else ""


def _repeats_the_name(tool: Definition) -> bool:
    text = _description(tool)
    if any(each.isalpha() and not each.isascii() for each in text):
        return False  # its words are of another script or language, so they are not the words of a tool's name
    told, named = {*words(text)} - _FILLING, words(tool.name)
    return bool(text) and told <= {*named} | {f"{each}s" for each in named}


def _is_described(schema: Schema) -> bool:
    """Whether a parameter has a description, its own or that of each of its alternatives; null needs none."""
    if declared.description(schema):
        return True
    choices = [
        each
        for (keyword, *_), each in schema.children.items()
        if keyword in ("anyOf", "oneOf") and each.value != {"type": "null"}
    ]
    return bool(choices) and all(map(declared.description, choices))


def _only_said(schema: Schema, *, required: bool) -> str:
    """What the description of a parameter mentions and its schema does not have; empty if there is nothing."""
    told = declared.description(schema)
    # A required parameter has no default that a program could take.
    if not required and _DEFAULT.search(told) and declared.default(schema) is None:
        return "a default"
    formed = any(part.has(keyword) for part in declared.everywhere(schema) for keyword in ("format", "pattern"))
    if _DATE_FORMAT.search(told) and declared.is_text(schema) and not formed:
        return "the form of a date"
    return ""


def _packs(schema: Schema) -> bool:
    return declared.is_text(schema) and bool(_PACKED.search(declared.description(schema)))

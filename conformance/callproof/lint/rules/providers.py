"""PORT: what a provider, or a revision of MCP, does not permit.

Each rule applies only to the profiles that were chosen, and each finding shows the sentence
that it rests on, with its source and the day on which it was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from callproof.lint.declared import takes_objects
from callproof.lint.declared import type_of as json_type
from callproof.lint.definition import Catalogue, Definition, Registry, Schema
from callproof.lint.profiles.loading import Limit, limits_of
from callproof.lint.rule import Fault, definitions, inputs, outputs, registries, rule
from callproof.lint.sent_names import NotMapped, sent_name
from callproof.lint.wording import listed, shown
from callproof.values.counts import counted
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object


def limits_for(held: Catalogue, kind: str) -> tuple[Limit, ...]:
    """The limits of one kind that the chosen profiles have."""
    return limits_of(kind, held.profiles)


def rests_on(*limits: Limit) -> str:
    """The sentences that a finding rests on."""
    told = {limit.says: f'{limit.provider}: "{limit.says}" ({limit.source}, read {limit.read})' for limit in limits}
    return "; ".join(told.values())


def named(value: Json) -> tuple[str, ...]:
    """The names that a limit lists."""
    return tuple(str(each) for each in value) if is_array(value) else ()


@rule("PORT001", each=definitions)
def the_provider_accepts_the_name_of_the_tool(tool: Definition) -> Iterator[Fault]:
    """The name of a tool is one that the chosen providers take."""
    limits = limits_for(tool.catalogue, "tool-name")
    named_so = isinstance(tool.get("name"), str)
    broken = [each for each in limits if not (named_so and re.fullmatch(str(each.value), tool.name))]
    if broken:
        told = f"is {shown(tool.get('name'))}" if tool.has("name") else "is missing"
        yield Fault(
            at=tool.at("name") if tool.has("name") else (),
            observed=_why_not(tool.name, broken) if named_so and tool.name else f"the name {told}",
            permitted=listed(f"{each.value} ({each.provider})" for each in broken),
            help=f"{_mapping(tool.name, broken)}{rests_on(*broken)}",
        )


@rule("PORT002", each=definitions)
def a_tool_name_leaves_room_for_the_name_of_the_server(tool: Definition) -> Iterator[Fault]:
    """The name of a tool leaves room for the prefix that a client puts before it."""
    for limit in limits_for(tool.catalogue, "name-with-prefix"):
        # The shortest prefix that is possible: one letter of the server's name, and a separator before the tool's name.
        most = int(str(limit.value)) - 2
        if len(tool.name) > most:
            yield Fault(
                at=tool.at("name"),
                observed=f"the name is {len(tool.name)} characters long",
                permitted=f"at most {most}, so that the name of a server fits beside it",
                help=f"shorten it; {rests_on(limit)}",
            )


@rule("PORT003", each=inputs)
def the_provider_accepts_the_name_of_each_parameter(schema: Schema) -> Iterator[Fault]:
    """The names of the parameters are ones that the chosen providers take."""
    root = schema.resolved
    for limit in limits_for(schema.catalogue, "property-key"):
        pattern = re.compile(str(limit.value))
        for name in root.properties:
            if not pattern.fullmatch(name):
                yield Fault(
                    at=(*root.within, "properties", name),
                    observed=f"a parameter is called {shown(name)}",
                    permitted=f"{limit.value} ({limit.provider})",
                    help=f"rename it: one such name makes the provider refuse the whole request; {rests_on(limit)}",
                )


@rule("PORT004", each=inputs)
def the_root_of_the_input_is_a_plain_object(schema: Schema) -> Iterator[Fault]:
    """The root of an input schema has no keyword that the chosen providers refuse there, and is an object."""
    for limit in limits_for(schema.catalogue, "root-keywords"):
        for keyword in named(limit.value):
            if schema.has(keyword):
                yield Fault(
                    at=(keyword,),
                    observed=f"the input schema has {keyword} at its root",
                    permitted=f"none of {listed(named(limit.value))} there ({limit.provider})",
                    help=f"move it below a property, or make several tools; {rests_on(limit)}",
                )
    roots = limits_for(schema.catalogue, "object-root"), of_parameters(schema, "object-root-of-parameters")
    for limit in (*roots[0], *roots[1]):
        # The word itself must be there: a provider that refuses other types reads it before it follows any reference.
        if schema.type != "object":
            yield Fault(
                at=("type",) if schema.has("type") else (),
                observed=f"the type of the input schema is {_written_type(schema)}",
                permitted=f'"object" ({limit.provider})',
                help=f'write "type": "object" at the root; {rests_on(limit)}',
            )


@rule("PORT006", each=inputs)
def the_provider_ignores_no_keyword_of_the_input_schema(schema: Schema) -> Iterator[Fault]:
    """An input schema has no keyword that a chosen provider takes and ignores."""
    for limit in limits_for(schema.catalogue, "ignored-keywords"):
        for keyword in named(limit.value):
            # A null says nothing that a model would need to know.
            lost = [each for each in schema.inside() if each.get(keyword) is not None]
            if lost:
                yield Fault(
                    at=(*lost[0].within, keyword),
                    observed=f"{keyword} is {shown(lost[0].get(keyword))}{_and_more(lost, 'one')}",
                    permitted=f"a schema that does not depend on it: {limit.provider} ignores it",
                    help=f"say it in the description too; {rests_on(limit)}",
                )


@rule("PORT009", each=inputs)
def gemini_knows_every_keyword_in_the_field_parameters(schema: Schema) -> Iterator[Fault]:
    """An input schema has only keywords that the field `parameters` of Gemini knows."""
    for limit in of_parameters(schema, "parameters-keywords"):
        known = frozenset(named(limit.value)) | _taken_out(schema)
        for each in schema.inside():
            unknown = [keyword for keyword in each.members if keyword not in known]
            them = "it" if len(unknown) == 1 else "them"
            if unknown:
                yield Fault(
                    at=(*each.within, unknown[0]),
                    observed=f"the schema has {listed(unknown)}",
                    permitted=f"keywords of the OpenAPI subset in `parameters` ({limit.provider})",
                    help=f"leave {them} out, or send the schema as `parametersJsonSchema`; {rests_on(limit)}",
                )


@rule("PORT010", each=inputs)
def a_schema_names_one_type(schema: Schema) -> Iterator[Fault]:
    """A schema names one type if a chosen provider takes no list of types."""
    for limit in of_parameters(schema, "one-type"):
        several = [each for each in schema.inside() if is_array(each.type)]
        if several:
            yield Fault(
                at=(*several[0].within, "type"),
                observed=f"type is {shown(several[0].type)}{_and_more(several, 'several')}",
                permitted=f"one type ({limit.provider})",
                help=f"write anyOf, or nullable beside one type; {rests_on(limit)}",
            )


@rule("PORT011", each=registries)
def the_number_of_tools_stays_within_the_limit(held: Registry) -> Iterator[Fault]:
    """No more tools are offered together than the chosen providers and clients take."""
    found = (*limits_for(held.catalogue, "tools-in-a-request"), *limits_for(held.catalogue, "tools-in-a-client"))
    for limit in sorted(found, key=lambda each: int(str(each.value)))[:1]:
        most = int(str(limit.value))
        if len(held.definitions) > most:
            yield Fault(
                at=(),
                on=held.definitions[most],
                observed=f"there are {len(held.definitions)} tools; this is the first one over the limit",
                permitted=f"at most {most} ({limit.provider})",
                help=f"offer fewer at a time; {rests_on(limit)}",
            )


@rule("PORT013", each=outputs)
def the_output_is_an_object(schema: Schema) -> Iterator[Fault]:
    """The root of an output schema is an object if the chosen revision of MCP requires one."""
    for limit in limits_for(schema.catalogue, "object-output"):
        if schema.type != "object":
            yield Fault(
                at=("type",) if schema.has("type") else (),
                observed=f"the type of the output schema is {_written_type(schema)}",
                permitted=f'"object" ({limit.provider}); later revisions permit any type',
                help=f'write "type": "object"; {rests_on(limit)}'
                if takes_objects(schema)
                else f"put the value into a member of an object; {rests_on(limit)}",
            )


@rule("PORT015", each=definitions)
def the_tool_name_follows_the_recommendation_of_mcp(tool: Definition) -> Iterator[Fault]:
    """The name of a tool is one that MCP recommends."""
    for limit in limits_for(tool.catalogue, "recommended-name")[:1]:
        if isinstance(tool.get("name"), str) and not re.fullmatch(str(limit.value), tool.name):
            yield Fault(
                at=tool.at("name"),
                observed=_why_not(tool.name, (limit,)),
                permitted=f"{limit.value} ({limit.provider})",
                help=f"rename it; {rests_on(limit)}",
            )


@rule("PORT017", each=registries)
def no_two_tools_of_a_request_share_a_name(held: Registry) -> Iterator[Fault]:
    """No two tools that are sent together have the same name if a chosen provider refuses that."""
    yield from _namesakes(held, limits_for(held.catalogue, "unique-names"))


@rule("PORT018", each=registries)
def each_tool_has_a_unique_name(held: Registry) -> Iterator[Fault]:
    """No two tools have the same name if a chosen provider takes them and calls both alike."""
    # If another chosen profile refuses them, PORT017 has already reported it.
    if not limits_for(held.catalogue, "unique-names"):
        yield from _namesakes(held, limits_for(held.catalogue, "one-tool-a-name"))


def _namesakes(held: Registry, limits: tuple[Limit, ...]) -> Iterator[Fault]:
    """Each tool whose name is exactly that of an earlier tool of the registry."""
    known: dict[str, Definition] = {}
    for tool in held.definitions if limits else ():
        name = tool.get("name")
        if not isinstance(name, str) or not name:
            continue
        if name in known:
            yield Fault(
                at=tool.at("name"),
                on=tool,
                observed=f"the tool at {known[name].spot} has the same name",
                permitted=f"a different name for each tool ({listed(each.provider for each in limits)})",
                help=f"rename one of them, or offer one at a time; {rests_on(*limits)}",
            )
        known.setdefault(name, tool)


def _written_type(schema: Schema) -> str:
    return shown(schema.type) if schema.has("type") else "missing"


def _why_not(name: str, broken: Sequence[Limit]) -> str:
    """What is wrong with a name: characters that are not permitted anywhere in it, its length, or else its form."""
    patterns = [str(each.value) for each in broken]
    odd = [each for each in dict.fromkeys(name) if not all(re.fullmatch(pattern, f"a{each}") for pattern in patterns)]
    if odd:
        return f"the name has {listed(map(shown, odd))}"
    fits = all(re.fullmatch(pattern, name[:2]) for pattern in patterns)
    return f"the name is {len(name)} characters long" if fits else f"the name is {shown(name)}"


def _mapping(name: str, broken: list[Limit]) -> str:
    """The name under which the tool can be sent to all these providers, or the advice to rename it."""
    try:
        sent = {sent_name(name, each.provider) for each in broken}
    except NotMapped:
        return "rename it; "
    return f"send it as {' or '.join(sorted(sent))}, which callproof.lint.sent_names maps back; "


def of_parameters(schema: Schema, kind: str) -> tuple[Limit, ...]:
    """Limits of the field `parameters` of Gemini; none for a schema that is in the other field."""
    form = schema.tool.found.form
    return () if form.name == "gemini" and form.input != "parameters" else limits_for(schema.catalogue, kind)


def names_of_parameters(schema: Schema, kind: str) -> frozenset[str]:
    """The names that such limits list; none for a schema that is not part of an input."""
    limits = of_parameters(schema, kind) if schema.role == "input" else ()
    return frozenset(name for limit in limits for name in named(limit.value))


def _taken_out(schema: Schema) -> frozenset[str]:
    """Keywords that never reach Gemini, unless the definition is written for it."""
    if schema.tool.found.form.name == "gemini":
        return frozenset()
    limits = limits_for(schema.catalogue, "keywords-that-clients-take-out")
    return frozenset(name for limit in limits for name in named(limit.value))


def enum_types(schema: Schema, limit: Limit) -> Iterator[Fault]:
    """The first value in each enum whose type the provider does not take there."""
    taken = frozenset(named(limit.value))
    for each in schema.inside():
        values = each.get("enum")
        places = enumerate(values if is_array(values) else ())
        odd = next(((place, value) for place, value in places if json_type(value) not in taken), None)
        if odd is not None:
            place, value = odd
            yield Fault(
                at=(*each.within, "enum", place),
                observed=f"a value of the enum is {shown(value)}",
                permitted=f"values of type {listed(named(limit.value))} ({limit.provider})",
                help=f"take it out, or list the values in the description instead of the enum; {rests_on(limit)}",
            )


def _and_more(found: list[Schema], what: str) -> str:
    rest = len(found) - 1
    return f", and {counted(rest, 'more schema')} {'has' if rest == 1 else 'have'} {what}" if rest else ""


def type_of(value: Json) -> str:
    """What a value is, in a few words."""
    return "an object" if is_object(value) else "an array" if is_array(value) else shown(value)

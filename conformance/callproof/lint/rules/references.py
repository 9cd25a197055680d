"""REF: names and shapes that references can rely on, and the references of plans."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain

from callproof.lint import declared
from callproof.lint.canon import canonical, is_canonical
from callproof.lint.definition import Definition, Registry, Schema
from callproof.lint.fitting import misfit
from callproof.lint.names import folded
from callproof.lint.plan import Step
from callproof.lint.reaching import Nowhere, Occurrence, Reached, occurrences, reach
from callproof.lint.rule import Fault, outputs, registries, rule, steps
from callproof.lint.wording import listed

_LISTS = ("items", "matches", "commands", "paths")
_WRAPPERS = frozenset({"result", "results", "data", "response", "output", "payload", "body"})
_MARK = "x-fastmcp-wrap-result"
_LEVELS = 3
# Things that have several names in use; the first name is the conventions' name.
_SYNONYMS = (
    ("limit", "maxResults", "maxItems", "pageSize", "perPage", "numResults", "topK", "resultLimit"),
    ("offset", "skip", "startIndex"),
    ("query", "q", "searchQuery", "searchTerm", "searchText"),
    ("content", "contents", "fileContent", "fileContents"),
    ("url", "uri", "href"),
    ("folder", "directory", "dir"),
    ("mtimeMs", "modifiedMs", "lastModifiedMs", "modifiedAtMs", "updatedMs"),
    ("etag", "contentHash", "versionTag"),
)


@rule("REF001", each=outputs)
def the_list_of_an_output_has_a_conventional_name(schema: Schema) -> Iterator[Fault]:
    """The one list of an output is called items, matches, commands or paths."""
    lists = [name for name, each in declared.members(schema).items() if declared.types(each) == frozenset({"array"})]
    if len(lists) != 1 or lists[0] in _LISTS or is_canonical(schema.tool, "output", lists[0]):
        return
    if lists[0] in _wrappers(schema):
        return  # REF002 reports it
    contained = (each for each in _LISTS if folded(lists[0]).endswith(each))
    yield Fault(
        at=declared.members(schema)[lists[0]].within,
        observed=f"the list in the output is called {lists[0]}",
        permitted=listed(_LISTS),
        help=f"rename it to {next(contained, 'items')}",
    )


@rule("REF002", each=outputs)
def an_output_is_not_wrapped_or_deeply_nested(schema: Schema) -> Iterator[Fault]:
    """An output is not wrapped in an object with one member, and its first value lies within three objects."""
    if canonical(schema.tool) is not None:
        return
    members = declared.members(schema)
    wrapped = _wrappers(schema)
    for name in wrapped:
        yield Fault(
            at=members[name].within,
            observed=f"{name} only wraps what the output gives",
            permitted="the wrapped members one level higher",
            help=f"move what is inside {name} to the root, under names that say what it is",
        )
    if not wrapped and _objects_before_a_value(schema) > _LEVELS:
        yield Fault(
            at=schema.resolved.within,
            observed=f"the first value of the output is nested in more than {_LEVELS} objects",
            permitted=f"at most {_LEVELS}",
            help="move the values that later steps need to the root, or near it",
        )


@rule("REF003", each=outputs)
def an_output_says_whether_its_list_was_cut(schema: Schema) -> Iterator[Fault]:
    """A tool that takes a limit gives `truncated` or `nextOffset`, and one that takes an offset gives `nextOffset`."""
    taken = declared.members(schema.tool.input).keys()
    given = declared.members(schema).keys()
    if not given:
        return
    if "limit" in taken and not declared.may_have(schema, "truncated", "nextOffset"):
        yield Fault(
            at=schema.resolved.within,
            observed="the tool takes limit, but its output does not say whether it was cut",
            permitted="truncated, a boolean, or nextOffset, an integer",
            help="add truncated, which is true if there is more than the output gives",
        )
    elif "offset" in taken and not declared.may_have(schema, "nextOffset"):
        yield Fault(
            at=schema.resolved.within,
            observed="the tool takes offset, but its output has no nextOffset",
            permitted="nextOffset, an integer, absent on the last page",
            help="add nextOffset, the offset at which the next call continues",
        )


@rule("REF004", each=registries)
def the_same_thing_has_the_same_name_in_all_tools(registry: Registry) -> Iterator[Fault]:
    """Members of several tools that hold the same thing have the same name."""
    uses: defaultdict[str, list[Schema]] = defaultdict(list)
    for tool in registry.definitions:
        for name, each in _members_of(tool):
            uses[name].append(each)
    for names in _groups(uses):
        tools = {name: {id(each.tool) for each in uses[name]} for name in names}
        best = names[0]
        for name in names[1:]:
            if tools[name] - tools[best]:
                first = next(each for each in uses[name] if id(each.tool) not in tools[best])
                yield Fault(
                    at=(*first.pointer,)[len(first.root.pointer) :],
                    observed=f"{name} is what {uses[best][0].tool.name} calls {best}",
                    permitted="one name for the same thing in all tools",
                    help=f"rename it to {best}",
                    on=first.root,
                )


@rule("REF005", each=steps)
def a_reference_in_a_plan_leads_to_an_existing_value(step: Step) -> Iterator[Fault]:
    """A reference leads to nothing that is excluded, and to what is always there if that is required."""
    for each in occurrences(step):
        found = reach(step, each.reference)
        if isinstance(found, Nowhere):
            yield Fault(
                at=each.at,
                observed=f"{each.reference.text} {found.because}",
                permitted=found.permitted,
                help=found.help,
            )
        elif isinstance(found, Reached) and found.sometimes and each.needed:
            yield Fault(
                at=each.at,
                observed=f"{each.reference.text} needs {found.sometimes}, which {found.because}",
                permitted=f"a member that is always there, since {_fed(each)} is required",
                help="make it required in the output of the tool, or refer to another member",
            )


@rule("REF006", each=steps)
def a_referenced_value_fits_the_argument_that_takes_it(step: Step) -> Iterator[Fault]:
    """What a reference leads to is of a type that the argument takes, and a loop runs over a list."""
    for each in occurrences(step):
        found = reach(step, each.reference)
        ways = found.apart if isinstance(found, Reached) else ()
        wrong = next(filter(None, (_wrong(each, one) for one in ways)), "")
        if wrong:
            yield Fault(
                at=each.at,
                observed=f"{each.reference.text} {wrong}",
                permitted=f"what {_fed(each)} takes",
                help="refer to a part of it that fits, or to another member",
            )


def _wrong(each: Occurrence, found: Reached) -> str:
    if each.at == ("foreach", "from"):
        types = found.types
        return (
            ""
            if types in (None, frozenset({"array"}))
            else f"can be of the type {listed(sorted(types or ()))}, but a loop takes a list"
        )
    if each.feeds is None:
        return ""
    if each.alone:
        return misfit(found, each.feeds)
    types = declared.types(each.feeds)
    return "" if types is None or "string" in types else "is part of a longer string, but the argument takes no string"


def _fed(each: Occurrence) -> str:
    if each.at == ("foreach", "from"):
        return "the source of a loop"
    return "the argument " + ".".join(map(str, each.at[1:]))


def _wrappers(schema: Schema) -> list[str]:
    """The members that only wrap others: one that holds one object, or the only one if it is an object or so named."""
    members = declared.members(schema)
    found = [name for name, each in members.items() if _holds_one_object(each)]
    if found or len(members) != 1:
        return found
    ((name, only),) = members.items()
    is_list = declared.types(only) == frozenset({"array"})
    marked = any(part.get(_MARK) is True for part in declared.parts(schema))
    wraps = marked or bool(declared.members(only)) or (folded(name) in _WRAPPERS and not is_list)
    return [name] if wraps else []


def _holds_one_object(schema: Schema) -> bool:
    inner = declared.members(schema)
    return len(inner) == 1 and any(map(declared.members, inner.values()))


def _objects_before_a_value(schema: Schema) -> int:
    """How many objects are around the nearest value that is not an object; 0 if there is no such value."""
    level = [schema]
    for depth in range(1, _LEVELS + 2):
        inner = [each for one in level for each in declared.members(one).values()]
        if not inner:
            return 0
        if any(not declared.members(each) for each in inner):
            return depth
        level = inner
    return _LEVELS + 1


def _members_of(tool: Definition) -> Iterator[tuple[str, Schema]]:
    if canonical(tool) is None:
        roots = [each for each in (tool.input, tool.output) if each is not None]
        yield from chain.from_iterable(declared.members(each).items() for each in roots)


def _groups(uses: Mapping[str, list[Schema]]) -> Iterator[list[str]]:
    """Names for one thing; first the conventions' name, or otherwise the most frequent one."""
    for synonyms in _SYNONYMS:
        known = {folded(each) for each in synonyms}
        names = [name for name in uses if folded(name) in known]
        if len(names) > 1:
            often = Counter({name: len(uses[name]) for name in names})
            yield sorted(names, key=lambda name: (name != synonyms[0], -often[name], name))

"""PATH and PAT: the names of members that hold paths and patterns, and their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from callproof.lint import declared
from callproof.lint.acts import is_of_the_editor
from callproof.lint.definition import Definition, Schema
from callproof.lint.document import Pointer
from callproof.lint.found import strings
from callproof.lint.moves import ends_of_a_move
from callproof.lint.names import MOVING, are_paths, is_file, is_path, speaks_of_files, verb, words
from callproof.lint.patharguments import (
    HOUSE_PATTERN,
    asks_for_absolute,
    is_outside,
    lets_pass,
    shown_as,
    shown_objects,
    shown_values,
    shows_absolute,
)
from callproof.lint.property_edits import is_named_elsewhere, renamed_property
from callproof.lint.rule import Fault, Fix, Put, Replace, definitions, rule, subschemas
from callproof.lint.wording import listed, shown
from callproof.values.jsonvalue import is_array

_INSIDE = "a path inside the vault"
_FROM_THE_ROOT = "begin it at the root of the vault, as in Inbox/Ideas.md"
_ASK = "ask for a path from the root of the vault, such as Inbox/Ideas.md"
_ENDS = {"fromPath", "toPath"}
_REGEX = re.compile(r"\b(?:regex|regexp|regular expressions?)\b", re.IGNORECASE)
_GLOB = re.compile(r"\bglobs?\b", re.IGNORECASE)
_BARE_NAME = re.compile(
    r"^(?!.*\bpaths?\b).*\bname\b|^(?:the )?(?:attachment )?filename\.?$"
    r"|\b(?:no|not(?: an?| allow| contain)?|without(?: an?| any)?) paths?\b(?!-)",
    re.IGNORECASE | re.DOTALL,
)
_ELSEWHERE = re.compile(
    r"\b(?:urls?|https?|routes?|endpoints?|regex(?:es)?|patterns?|globs?|json ?paths?|path parameters?)\b"
    r"|\b(?!file\b)[a-z][a-z0-9+]*://",
    re.IGNORECASE,
)
# What a description says about a path that leads into a site or a document, and not to a file.
_OF_ANOTHER_KIND = re.compile(
    r"\b(?:url|uri|api|https?|routes?|requests?|endpoints?|json|jq|xml|object|property)[ -]?paths?\b"
    r"|\bpaths? (?:of|in|within|to) (?:an? |the )?(?:url|uri|routes?|requests?|endpoints?|api|(?:web ?)?sites?)\b"
    r"|\bjson[ -]?pointers?\b|\bxpath\b",
    re.IGNORECASE,
)
# Words at the start of a file's description which say that its path is given, not its content or its number.
_BY_PATH = re.compile(
    r"(?:the |an? )?(?:(?:relative|full|absolute|local|optional|vault|file|folder) ?)*path\b", re.IGNORECASE
)
_NEITHER = re.compile(
    r"\b(?:not|no|never|without|(?:can|may)(?: also)? be)\b[^.;]{0,40}\b(?:reg(?:ex|ular)|glob)", re.IGNORECASE
)


@rule("PATH001", each=subschemas)
def a_single_path_is_called_path(schema: Schema) -> Iterator[Fault]:
    """The one member of an object that holds a path is called `path`."""
    named = [*_names(schema, is_path, _holds_a_path), *_names(schema, is_file, _is_given_by_path)]
    if len(named) != 1 or "path" in schema.properties:
        return
    name = named[0]
    if name in _ENDS or _is_of_the_active_editor(name, schema.tool):
        return
    yield Fault(
        at=("properties", name),
        observed=f"the path is called {shown(name)}",
        permitted="path, for one file or folder",
        help="rename it to path everywhere in the schema",
        fix=_renaming(schema, name, "path"),
    )


@rule("PATH002", each=subschemas)
def a_list_of_paths_is_called_paths(schema: Schema) -> Iterator[Fault]:
    """A member called `paths` is a list of texts, and if an object has one list of paths, it is called `paths`."""
    told = schema.properties.get("paths")
    if told is not None:
        if not _is_list_of_texts(told):
            taken = " or ".join(sorted(declared.named_types(told))) or "anything"
            yield Fault(
                ("properties", "paths"),
                f"paths takes {taken} instead of a list of strings",
                "an array of strings",
                "make it a list of paths; rename it to path if it is only one",
            )
        return
    named = _names(schema, are_paths, _holds_paths)
    if len(named) == 1:
        yield Fault(
            at=("properties", named[0]),
            observed=f"the list of paths is called {shown(named[0])}",
            permitted="paths, for several files or folders",
            help="rename it to paths everywhere in the schema",
            fix=_renaming(schema, named[0], "paths"),
            certain=False,  # a name suggests what its author meant, and the author may have meant paths of a site
        )


@rule("PATH003", each=definitions)
def a_move_has_from_path_and_to_path(tool: Definition) -> Iterator[Fault]:
    """A tool that renames or moves a file calls its two paths `fromPath` and `toPath`."""
    if verb(tool.name) not in MOVING or tool.input is None:
        return
    root = tool.input.resolved
    start, end = ends_of_a_move(root, moves_files=speaks_of_files(tool.name))
    if start is None and end is None:
        return
    if not any(speaks_of_files(name) for name in (tool.name, start or "", end or "")):
        return
    renames = {each: better for each, better in ((start, "fromPath"), (end, "toPath")) if each is not None}
    told = " and ".join(shown(each) for each in renames)
    yield Fault(
        at=(*tool.input.pointer, *root.within, "properties", next(iter(renames))),
        observed=f"the paths of a move are called {told}" if len(renames) > 1 else f"a path of a move is called {told}",
        permitted="fromPath and toPath",
        help=f"rename to {' and '.join(renames.values())}",
    )


@rule("PATH004", each=subschemas)
def a_path_is_never_absolute(schema: Schema) -> Iterator[Fault]:
    """A definition neither shows nor asks for an absolute path or a URI instead of a path."""
    for name, part, at, value in _shown_paths(schema):
        if is_outside(value):
            observed = f"{shown_as(at)} {shown(name)} is {shown(value)}"
            yield Fault((*part.within, *at), observed, _INSIDE, _FROM_THE_ROOT, on=schema.root)
    for name, told in _paths(schema):
        for part in declared.everywhere(told):
            asks, named, text = (part.get(keyword) for keyword in ("pattern", "format", "description"))
            if isinstance(asks, str) and asks_for_absolute(asks):
                observed = f"the pattern of {shown(name)} asks for an absolute path or a URI: {shown(asks)}"
                yield Fault((*part.within, "pattern"), observed, _INSIDE, _ASK, on=schema.root)
            if named in ("uri", "uri-reference", "iri", "iri-reference", "url"):
                observed = f"the format of {shown(name)} is {shown(named)}"
                yield Fault((*part.within, "format"), observed, _INSIDE, _ASK, on=schema.root)
            if isinstance(text, str) and (does := _says_of_absolute(text)):
                observed = f"the description of {shown(name)} {does}"
                at = (*part.within, "description")
                yield Fault(at, observed, _INSIDE, _ASK, on=schema.root, certain=False)


def _says_of_absolute(text: str) -> str:
    if asks_for_absolute(text, prose=True):
        return "asks for an absolute path or a URI"
    return "shows an absolute path" if shows_absolute(text) else ""


@rule("PATH005", each=subschemas)
def a_path_has_forward_slashes(schema: Schema) -> Iterator[Fault]:
    """A path that a definition shows has no backslash."""
    for name, part, at, value in _shown_paths(schema):
        if "\\" in value:
            slashed = _slashed(value)
            whole = (*part.within, *at)
            # If the enumeration has the same value, or one that becomes the same, the value would be in it twice.
            twice = at[0] == "enum" and [*map(_slashed, strings(part.get("enum")))].count(slashed) > 1
            fix = None if twice else Fix((Replace(whole, slashed),), safe=True, says=f"write {shown(slashed)}")
            observed = f"{shown_as(at)} {shown(name)} is {shown(value)}"
            help_text = f"write {shown(slashed)}" if fix else f"keep one of the values that become {shown(slashed)}"
            yield Fault(whole, observed, "forward slashes", help_text, fix, on=schema.root)


@rule("PATH006", each=subschemas)
def the_schema_of_a_path_accepts_only_vault_paths(schema: Schema) -> Iterator[Fault]:
    """The schema of a path has a pattern that refuses absolute paths, parent segments, URIs and backslashes."""
    if schema.role != "input":
        return
    for name, told in _paths(schema):
        if _is_bare(name, told) or not declared.is_text(told) or declared.values(told) is not None:
            continue
        patterns = [each for part in declared.everywhere(told) if isinstance(each := part.get("pattern"), str)]
        let_pass = [lets_pass(each) for each in patterns] or [("anything",)]
        passes = [each for each in let_pass[0] if all(each in others for others in let_pass)]
        if passes:
            at = ("properties", name)
            fix = Fix((Put(at, "pattern", HOUSE_PATTERN),), safe=False, says="add a pattern for paths of the vault")
            yield Fault(
                at=(*at, "pattern") if told.has("pattern") else at,
                observed=f"the schema of {shown(name)} accepts {listed(passes)}",
                permitted="a pattern that refuses absolute paths, parent segments, URIs and backslashes",
                help=f"let a pattern refuse them, as {HOUSE_PATTERN} does",
                fix=fix if "string" in told.types and not patterns and _shows_paths_of_the_vault(told) else None,
            )


def _shows_paths_of_the_vault(told: Schema) -> bool:
    """Whether the house pattern takes the values that a schema shows; otherwise the schema would refuse them itself."""
    return all(re.search(HOUSE_PATTERN, value) for _, _, value in shown_values(told))


@rule("PAT001", each=subschemas)
def an_input_with_a_pattern_also_has_a_mode(schema: Schema) -> Iterator[Fault]:
    """An input with a member `pattern` has a member `mode` beside it."""
    told = schema.properties.get("pattern")
    if schema.role != "input" or told is None or declared.may_have(schema, "mode"):
        return
    if _is_searched_with(told):
        yield Fault(
            at=("properties", "pattern"),
            observed="the input has a pattern, but no mode that says how to read it",
            permitted="the name query, regex or glob, or pattern with a mode beside it",
            help=f"rename it to {_kind_of(told) or 'query, regex or glob'}, or add a mode",
        )


@rule("PAT002", each=subschemas)
def a_pattern_argument_is_called_regex_or_glob(schema: Schema) -> Iterator[Fault]:
    """A member that takes a regular expression is called `regex`, and one that takes a glob is called `glob`."""
    if schema.role != "input" or "mode" in schema.properties:
        return
    for name, told in schema.properties.items():
        kind = _kind_of(told)
        if not kind or name == "pattern" or {kind, f"{kind}p", f"{kind}s"} & {*words(name)}:
            continue
        if declared.is_text(told):
            yield Fault(
                at=("properties", name),
                observed=f"the description of {shown(name)} says that it is a {kind}",
                permitted=f"the name {kind}, or another name with a mode beside it",
                help=f"rename it to {kind} everywhere in the schema, or add a mode",
                fix=None if kind in schema.properties else _renaming(schema, name, kind),
            )


def _is_of_the_active_editor(name: str, tool: Definition) -> bool:
    """Whether a name is the conventions' name for the file that is open, for which the caller did not ask."""
    return (name == "filePath" and is_of_the_editor(tool)) or (
        name == "activeFilePath" and tool.category == "workspace"
    )


def _renaming(schema: Schema, name: str, better: str) -> Fix | None:
    """The fix that gives a property another name; None if the old name would stay somewhere."""
    if is_named_elsewhere(schema, name):
        return None
    return Fix(renamed_property(schema, name, better), safe=False, says=f"rename it to {better}")


def _names(schema: Schema, named: Callable[[str], bool], fits: Callable[[Schema], bool]) -> list[str]:
    """The properties of an object whose name and schema both fit."""
    return [name for name, told in schema.properties.items() if named(name) and fits(told)]


def _holds_a_path(schema: Schema) -> bool:
    """Whether a text with the name of a path is one, and not described as a bare name, or as a part of a site."""
    text = declared.description(schema)
    return declared.is_text(schema) and not (_BARE_NAME.search(text) or _ELSEWHERE.search(text))


def _is_bare(name: str, schema: Schema) -> bool:
    """Whether a text with the name of a file name is that and not a path, by its description."""
    return not words(name)[-1].endswith("path") and _BARE_NAME.search(declared.description(schema)) is not None


def _is_given_by_path(schema: Schema) -> bool:
    """Whether a text with the name of a file is the path of one, by the first words of its description."""
    return _holds_a_path(schema) and bool(_BY_PATH.match(declared.description(schema)))


def _holds_paths(schema: Schema) -> bool:
    """Whether a list of texts with the name of paths holds paths of files, and not of a site."""
    return _is_list_of_texts(schema) and not _ELSEWHERE.search(declared.description(schema))


def _paths(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """The properties of an object that hold a path of a file or folder, or several."""
    for name, told in schema.properties.items():
        holds = (is_path(name) and declared.is_text(told)) or (are_paths(name) and _is_list_of_texts(told))
        holds = holds or (is_file(name) and _is_given_by_path(told))
        if holds and not _OF_ANOTHER_KIND.search(declared.description(told)):
            yield name, told


def _shown_paths(schema: Schema) -> Iterator[tuple[str, Schema, Pointer, str]]:
    """The paths that a schema shows for its members, each with its member, the part that shows it and its place."""
    for name, told in _paths(schema):
        yield from ((name, part, at, value) for part, at, value in shown_values(told))
    for part, at, members in shown_objects(schema):
        for name, _ in _paths(part):
            value = members.get(name)
            if isinstance(value, str):
                yield name, schema, (*at, name), value
            for place, each in enumerate(value if is_array(value) else ()):
                if isinstance(each, str):
                    yield name, schema, (*at, name, place), each


def _slashed(value: str) -> str:
    return value.replace("\\", "/")


def _is_list_of_texts(schema: Schema) -> bool:
    lists = [each for each in declared.alternatives(schema) if declared.named_types(each) != frozenset({"null"})]
    return bool(lists) and all(
        "array" in declared.named_types(each)
        and (inner := declared.kinds_of_elements(each))
        and all(map(declared.is_text, inner))
        for each in lists
    )


def _is_searched_with(schema: Schema) -> bool:
    """Whether a text is searched for: one with a plain word as default is the pattern of a cell, or of a fabric."""
    (value,) = declared.default(schema) or (None,)
    return declared.is_text(schema) and not (isinstance(value, str) and value.isalpha())


def _kind_of(schema: Schema) -> str:
    """Which kind of pattern a description mentions; empty if it mentions both or neither."""
    text = declared.description(schema)
    if _NEITHER.search(text):
        return ""
    regex, glob = _REGEX.search(text) is not None, _GLOB.search(text) is not None
    return "" if regex == glob else "regex" if regex else "glob"

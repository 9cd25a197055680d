"""CAN: the canonical tools, and the shapes that they share."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint import declared
from callproof.lint.acts import act, is_of_the_editor, says_whether_it_writes, writes
from callproof.lint.canon import STRATEGIES, Kind, canonical, canonical_names, differences, standard
from callproof.lint.definition import Definition, Schema
from callproof.lint.found import strings
from callproof.lint.names import words
from callproof.lint.rule import Fault, definitions, rule, subschemas
from callproof.lint.shared_shapes import departures, seeming
from callproof.lint.wording import listed, nearest, values_listed

_PATCHES = frozenset({"patch", *STRATEGIES})
_EDITING = frozenset({"append", "delete", "edit", "indent", "insert", "replace", "set", "wrap"})
# A tool that sets a cursor or a selection changes no text.
_AIMING = frozenset({"move", "set"})
_AIMS = frozenset({"caret", "cursor", "position", "selection"})
_PLACES = ("range", "cursorAfter")


@rule("CAN001", each=definitions)
def a_canonical_tool_declares_all_required_members(tool: Definition) -> Iterator[Fault]:
    """A canonical tool declares every member that its canonical definition requires."""
    yield from _of_kind(tool, Kind.MISSING)


@rule("CAN002", each=definitions)
def member_types_match_the_canonical_definition(tool: Definition) -> Iterator[Fault]:
    """A member of a canonical tool has the type of the canonical definition."""
    yield from _of_kind(tool, Kind.TYPE)


@rule("CAN003", each=definitions)
def required_members_match_the_canonical_definition(tool: Definition) -> Iterator[Fault]:
    """The input requires what the canon requires and no more, and the output at least always has it."""
    yield from _of_kind(tool, Kind.REQUIRED)


@rule("CAN004", each=definitions)
def enumerated_values_match_the_canonical_definition(tool: Definition) -> Iterator[Fault]:
    """If the canon lists values, a canonical tool lists the same ones."""
    yield from _of_kind(tool, Kind.WORDS)


@rule("CAN005", each=definitions)
def defaults_match_the_canonical_definition(tool: Definition) -> Iterator[Fault]:
    """A default that a canonical tool states is the one of the canon."""
    yield from _of_kind(tool, Kind.DEFAULT)


@rule("CAN006", each=definitions)
def a_canonical_tool_has_no_extra_members(tool: Definition) -> Iterator[Fault]:
    """A canonical tool has no member that the canon does not have, except those that any tool may have."""
    yield from _of_kind(tool, Kind.FURTHER)


@rule("CAN007", each=definitions)
def a_canonical_category_holds_only_canonical_tools(tool: Definition) -> Iterator[Fault]:
    """A tool of a canonical category is a canonical one."""
    if tool.category not in {each.category for each in standard().definitions} or canonical(tool) is not None:
        return
    near = nearest(tool.name, canonical_names(tool))
    yield Fault(
        at=tool.at("name"),
        observed=f"the category {tool.category} has no canonical tool of this name",
        permitted="a canonical tool of this category",
        help=f"did you mean {near}?" if near else "use another category, or a canon that has it (setting canons)",
    )


@rule("CAN008", each=definitions)
def a_patch_has_exactly_one_strategy(tool: Definition) -> Iterator[Fault]:
    """The patch of a tool has exactly one strategy, and requires it."""
    patch = declared.members(tool.input).get("patch")
    if patch is None:
        return
    forms = declared.alternatives(patch)
    found = [name for name in STRATEGIES if any(name in declared.members(each) for each in (patch, *forms))]
    if not found and tool.name != "vault.patchFile":
        return
    at = patch.resolved.pointer
    if len(found) != 1:
        says = f"the patch has the strategies {listed(found)}" if found else "the patch has no strategy"
        yield Fault(at, says, f"one of {listed(STRATEGIES)}", help="keep to one; replaceRange is canonical")
    elif not all(found[0] in declared.required(patch) | declared.required(each) for each in forms):
        yield Fault(
            at, f"the patch does not require {found[0]}", f"required: {found[0]}", "add it to required in the patch"
        )


@rule("CAN009", each=definitions)
def a_tool_takes_content_or_a_patch(tool: Definition) -> Iterator[Fault]:
    """A tool that writes a whole content does not take a patch as well."""
    members = declared.members(tool.input)
    if "content" in members and "path" in members:
        for name in sorted(_PATCHES & members.keys()):
            yield Fault(
                at=members[name].pointer,
                observed=f"the input takes whole content and also {name}",
                permitted="one of the two",
                help="move patching to a separate tool, such as vault.patchFile",
            )
    mode = members.get("mode")
    words = declared.values(mode) if mode is not None and "content" in members else None
    patching = [each for each in words or () if isinstance(each, str) and _patches(each)]
    if mode is not None and patching:
        yield Fault(
            at=mode.resolved.pointer,
            observed=f"mode lists {values_listed(patching)}, which does not write whole content",
            permitted="modes that write whole content, such as overwrite and append",
            help="move patching to a separate tool, such as vault.patchFile",
        )


@rule("CAN010", each=subschemas)
def shared_shapes_keep_their_types_and_values(schema: Schema) -> Iterator[Fault]:
    """An object with the required members of a shared shape has its types and words."""
    shapes = [*seeming(schema)]
    for shape in shapes if shapes and canonical(schema.tool) is None else ():
        for member, observed, permitted in departures(schema, shape):
            yield Fault(
                at=("properties", member),
                observed=observed,
                permitted=permitted,
                help=f"declare the member as in {shape}, or rename the members",
            )


@rule("CAN011", each=definitions)
def an_editing_tool_returns_range_or_cursor_after(tool: Definition) -> Iterator[Fault]:
    """A tool of the editor that changes a text gives a range or a cursor."""
    if not is_of_the_editor(tool) or canonical(tool) is not None or tool.output is None:
        return
    if _edits(tool) and not declared.members(tool.output).keys() & set(_PLACES):
        yield Fault(
            at=tool.output.resolved.pointer,
            observed="the output does not say where the text was changed",
            permitted="a member range or cursorAfter",
            help="return the range of what was written, or the position of the cursor afterwards",
        )


@rule("CAN012", each=definitions)
def a_canonical_tool_declares_all_optional_arguments(tool: Definition) -> Iterator[Fault]:
    """A canonical tool declares every optional argument of its canonical definition."""
    yield from _of_kind(tool, Kind.UNTAKEN)


def _of_kind(tool: Definition, kind: Kind) -> Iterator[Fault]:
    for each in differences(tool):
        if each.kind is kind:
            help_text = each.help or "declare it as the canon does, or give the tool another name"
            yield Fault(each.at, each.observed, each.permitted, help_text, each.fix)


def _edits(tool: Definition) -> bool:
    """Whether a tool changes a text.  Its name counts if it says nothing else, and setting a cursor changes none."""
    if says_whether_it_writes(tool) is not None or strings(tool.get("sideEffects")):
        return writes(tool)
    first, *others = words(act(tool)) or ("",)
    only_aims = first in _AIMING and bool(others) and _AIMS.issuperset(others)
    return not only_aims and (writes(tool) or first in _EDITING)


def _patches(word: str) -> bool:
    return any(part in word.lower() for part in ("patch", "diff"))

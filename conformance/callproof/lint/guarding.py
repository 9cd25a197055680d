"""Safe fixes tried out before they are offered: none may leave a schema that refuses more of itself than before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from callproof.lint.definition import Catalogue, Definition, Schema
from callproof.lint.document import Pointer
from callproof.lint.rule import Drop, Edit, Fault, Fix, Put, Rename, Replace, all_rules
from callproof.lint.schema_facts import facts
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The rules about schemas that are invalid, that no value satisfies, or that refuse what they show themselves.
_RULES = frozenset({"SCH001", "SCH008", "SCH008n", "SCH009", "SCH011"})
# A root with no other members is an object that takes what it names, and shows no value itself.
_PLAIN = frozenset({
    "$comment", "$defs", "$id", "$schema", "additionalProperties", "definitions", "description", "properties",
    "required", "title", "type",
})  # fmt: skip
_ON_PLAIN: tuple[tuple[str, Json], ...] = (("type", "object"), ("additionalProperties", False), ("required", []))
# How many fixes of one tool are tried out alone, if all of them together do harm.
_TRIES = 64


def guarded(tool: Definition, offered: Sequence[tuple[Pointer, Fault]]) -> list[Fault]:
    """
    Faults in one tool, each with the place where its pointers begin, without the safe fixes that do harm.

    Together, the fixes that are left do no harm either.
    """
    at = len(tool.pointer)
    fixes = [[*_based(base[at:], fault.fix)] for base, fault in offered]
    plain = {each.pointer for each in (tool.input, tool.output) if each is not None and _is_plain(each)}
    edits = [each for fix in fixes for each in fix if not _is_harmless(each, plain)]
    if not edits or not _harm(tool, edits):
        return [fault for _, fault in offered]
    kept: list[Edit] = []
    told: list[Fault] = []
    tried = 0
    for fix, (_, fault) in zip(fixes, offered):
        harmless = all(_is_harmless(each, plain) for each in fix)
        if not harmless and tried < _TRIES:
            tried += 1
            harmless = not _harm(tool, [*kept, *fix])
        kept += fix if harmless else ()
        told.append(fault if harmless else replace(fault, fix=None))
    return told


def is_tried(fault: Fault) -> bool:
    """Whether a fault has a fix that is tried out before it is offered."""
    return fault.fix is not None and fault.fix.safe


def _based(base: Pointer, fix: Fix | None) -> Iterable[Edit]:
    return () if fix is None else (replace(each, at=(*base, *each.at)) for each in fix.edits)


def _is_plain(root: Schema) -> bool:
    """Whether a root names every member that it requires, and nothing leads back to it."""
    other = [each for each in root.members if each not in _PLAIN and not each.startswith("x-")]
    return not other and "$ref" not in facts(root).names and root.properties.keys() >= {*root.required}


def _is_harmless(edit: Edit, plain: Set[Pointer]) -> bool:
    """Whether an edit takes a name out of a list of required ones, or types or closes a plain object, or lists none."""
    if isinstance(edit, Put):
        return edit.at in plain and (edit.key, edit.value) in _ON_PLAIN
    return isinstance(edit, Drop) and edit.at[-2:-1] == ("required",) and isinstance(edit.at[-1], int)


def _harm(tool: Definition, edits: Sequence[Edit]) -> bool:
    """Whether a tool has more of the faults after some edits than before."""
    after = _faults(tool, _edited(tool.raw, edits))
    # The count before is needed only if there is any fault left.
    return bool(after) and bool(after - _faults(tool, tool.raw))


def _faults(tool: Definition, value: Json) -> Counter[str]:
    held = Catalogue((), (replace(tool.found, value=value),), (), tool.catalogue.profiles)
    judging = [each for each in all_rules() if each.id in _RULES]
    return Counter(each.id for each in judging for subject in each.each(held) for _ in each.examine(subject))


def _edited(value: Json, edits: Sequence[Edit]) -> Json:
    """A value after some edits, all of which name places as they were before any of them."""
    # What is removed comes last, from the end of each list on, so that no place moves before its edit is made.
    kept = [each for each in edits if not isinstance(each, Drop)]
    gone = sorted({each.at for each in edits if isinstance(each, Drop)}, key=_numbers, reverse=True)
    for edit in (*kept, *map(Drop, gone)):
        value = _with(value, edit.at, edit)
    return value


def _numbers(at: Pointer) -> tuple[int, ...]:
    return tuple(each for each in at if isinstance(each, int))


def _with(value: Json, at: Pointer, edit: Edit) -> Json:
    """A value with one edit, at a place that a pointer leads to; the value itself if there is no such place."""
    if not at:
        if isinstance(edit, Put):
            return {**value, edit.key: edit.value} if is_object(value) else value
        return edit.value if isinstance(edit, Replace) else value
    here, last = at[0], len(at) == 1
    gone = last and isinstance(edit, Drop)
    if is_object(value) and isinstance(here, str) and here in value:
        name = edit.name if last and isinstance(edit, Rename) else here
        inner = {} if gone else {name: _with(value[here], at[1:], edit)}
        return {key: told for each in value for key, told in (inner if each == here else {each: value[each]}).items()}
    if is_array(value) and isinstance(here, int) and here < len(value):
        return [*value[:here], *(() if gone else (_with(value[here], at[1:], edit),)), *value[here + 1 :]]
    return value

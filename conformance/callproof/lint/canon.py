"""The canonical tools, and how a tool of the same name differs from them.

The canon is a catalogue like any other: whole definitions, one per file.  A user's own canons come before ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache

from callproof.lint import declared
from callproof.lint.definition import Catalogue, Definition, Schema
from callproof.lint.document import Pointer, read_document
from callproof.lint.found import Found
from callproof.lint.rule import Fix, Replace
from callproof.lint.wording import listed, nearest, shown, values_listed
from callproof.resources import SCHEMAS
from callproof.values.jsonvalue import equal

# What any tool may have in addition to its canonical members: the common members, and what makes a repetition safe.
COMMON = frozenset({"dryRun", "note", "requestId"})
SIGNALS = frozenset({"expectedEtag", "ifNotExists"})
_ALSO = {"input": COMMON | SIGNALS, "output": frozenset({"etag", "mtimeMs", "ctimeMs"})}
_OBJECT, _ARRAY = frozenset({"object"}), frozenset({"array"})
# A user's own canon may refer to itself; its values are compared to this many levels deep.
_LEVELS = 12
STRATEGIES = ("replaceRange", "diff", "operations")


class Kind(Enum):
    """In which way a tool differs from its canonical definition."""

    MISSING = "a member that the canon requires is not there"
    UNTAKEN = "an optional argument is not there"
    TYPE = "another type"
    REQUIRED = "required there and not here, or the other way round"
    WORDS = "other values"
    DEFAULT = "another default"
    FURTHER = "a member that the canon does not have"


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference, at a place relative to the definition."""

    kind: Kind
    at: Pointer
    observed: str
    permitted: str
    help: str = ""
    fix: Fix | None = None


@cache
def standard() -> Catalogue:
    """The nineteen tools that this installation carries."""
    folder = SCHEMAS / "tools" / "canon"
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".json")), key=lambda each: each.name)
    documents = tuple(read_document(each.name, each.read_bytes()) for each in files)
    return Catalogue(documents, tuple(Found(each, (), each.value) for each in documents))


def canonical(tool: Definition) -> Definition | None:
    """The canonical definition of the tool's name, if there is one."""
    for canon in (*tool.catalogue.canons, standard()):
        found = canon.by_name.get(tool.name)
        if found is not None and found.name == tool.name:
            return found
    return None


def canonical_names(tool: Definition) -> tuple[str, ...]:
    """The names of all canonical tools that this tool could be meant to be."""
    return tuple(each.name for canon in (*tool.catalogue.canons, standard()) for each in canon.definitions)


def is_canonical(tool: Definition, role: str, name: str) -> bool:
    """Whether a member of the root of a schema is there because the canon has it."""
    held = canonical(tool)
    schema = None if held is None else held.input if role == "input" else held.output
    return schema is not None and name in declared.members(schema)


def differences(tool: Definition) -> Iterator[Difference]:
    """Every difference of a tool from the canonical tool of the same name; none if no canonical tool has this name."""
    held = canonical(tool)
    if held is None:
        return
    for here, there in ((tool.input, held.input), (tool.output, held.output)):
        if here is not None and there is not None:
            yield from _of_members(here, there, here.role)


def _compared(here: Schema, there: Schema, path: str) -> Iterator[Difference]:
    patched = set(STRATEGIES) & declared.members(there).keys()
    if path.count(".") > _LEVELS or (patched and _has_other_strategy(here)):
        return
    wanted, told = declared.types(there), declared.types(here)
    if wanted is not None and told != wanted:
        says = "has no type" if told is None else f"has the type {listed(sorted(told))}"
        yield Difference(Kind.TYPE, here.resolved.pointer, f"{path} {says}", f"the type {listed(sorted(wanted))}")
        return
    yield from _of_words(here, there, path)
    yield from _of_default(here, there, path)
    if wanted == _OBJECT:
        yield from _of_members(here, there, path)
    elif wanted == _ARRAY and (inner := declared.elements(there)) is not None:
        mine = declared.elements(here)
        if mine is not None:
            yield from _compared(mine, inner, f"{path}[]")
        else:
            says = f"{path} does not describe its elements"
            yield Difference(Kind.TYPE, here.resolved.pointer, says, f"items, each {_described(inner)}")


def _of_members(here: Schema, there: Schema, path: str) -> Iterator[Difference]:
    mine, canons = declared.members(here), declared.members(there)
    if not canons and not declared.is_closed(there):
        return  # a declared map: its names are the caller's
    yield from _absent(here, there, path)
    yield from _of_required(here, there, path)
    also = _ALSO[here.role] if here.is_root else frozenset[str]()
    missing = tuple(name for name in canons if name not in mine)
    for name in (each for each in mine if each not in canons and each not in also):
        yield _further(mine[name], missing, path, name)
    for name in (each for each in canons if each in mine):
        yield from _compared(mine[name], canons[name], f"{path}.{name}")


def _absent(here: Schema, there: Schema, path: str) -> Iterator[Difference]:
    mine, canons, always = declared.members(here), declared.members(there), declared.required(there)
    for name in (each for each in canons if each not in mine):
        near = nearest(name, mine.keys() - canons.keys())
        help_text = f"{near} may be what the canon calls {name}" if near else ""
        observed, permitted = f"{path} has no member {name}", f"{name}, {_described(canons[name])}"
        at = here.resolved.pointer
        if name in always:
            yield Difference(Kind.MISSING, at, observed, permitted, help_text)
        elif here.role == "input" and name not in COMMON | SIGNALS:
            yield Difference(Kind.UNTAKEN, at, observed, f"{permitted}, which a call may leave out", help_text)


def _of_required(here: Schema, there: Schema, path: str) -> Iterator[Difference]:
    mine, canons = declared.required(here), declared.required(there)
    shared = declared.members(here).keys() & declared.members(there).keys()
    # The canon has these members only sometimes.  An output that always has them promises more, and breaks no caller.
    beyond = declared.members(here).keys() & (mine - canons) if here.role == "input" else ()
    at = here.resolved.pointer
    for name in sorted(shared & (canons - mine)):
        yield Difference(Kind.REQUIRED, at, f"{path} does not require {name}", f"{name} in required")
    for name in sorted(beyond):
        yield Difference(
            Kind.REQUIRED, at, f"{path} requires {name}", f"required: {listed(sorted(canons)) or 'nothing'}"
        )


def _of_words(here: Schema, there: Schema, path: str) -> Iterator[Difference]:
    wanted, told = declared.values(there), declared.values(here)
    if wanted is None or (told and not declared.beyond(told, wanted) and not declared.beyond(wanted, told)):
        return
    says = "lists no values" if told is None else f"lists {values_listed(told)}"
    fix = None
    if here.resolved.has("enum"):
        words = Replace((*here.resolved.pointer, "enum"), list(wanted))
        fix = Fix((words,), safe=False, says="list the values of the canon")
    at = (*here.resolved.pointer, "enum") if here.resolved.has("enum") else here.resolved.pointer
    yield Difference(Kind.WORDS, at, f"{path} {says}", values_listed(wanted), fix=fix)


def _of_default(here: Schema, there: Schema, path: str) -> Iterator[Difference]:
    wanted, part = declared.default(there), declared.holding(here, "default")
    if wanted is None or part is None or equal(wanted[0], part.get("default")):
        return
    at = (*part.pointer, "default")
    fix = Fix((Replace(at, wanted[0]),), safe=False, says="use the default of the canon")
    observed = f"{path} has the default {shown(part.get('default'))}"
    yield Difference(Kind.DEFAULT, at, observed, f"{shown(wanted[0])}, or no default", "", fix)


def _further(member: Schema, missing: tuple[str, ...], path: str, name: str) -> Difference:
    near = nearest(name, missing)
    help_text = f"did you mean {near}?" if near else "remove it, or add it to a canon of your own (setting canons)"
    return Difference(
        Kind.FURTHER, member.pointer, f"{path} has the member {name}", "only members that the canon has", help_text
    )


def _has_other_strategy(here: Schema) -> bool:
    """Whether the strategy of a patch is not exactly the canon's: CAN008 then reports it, and nothing is compared."""
    return [each for each in STRATEGIES if each in declared.members(here)] != [STRATEGIES[0]]


def _described(schema: Schema) -> str:
    told = declared.types(schema)
    return f"of the type {listed(sorted(told))}" if told else "of any type"

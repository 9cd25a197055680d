"""Argument templates made ready once a step, and filled in once a call.

The grammar of references is ``trace.references``'; here their values are found in typed
results, without making plain JSON of them first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from callproof.auditing.prover import features as f
from callproof.auditing.prover.following import Segment, followed, is_falsy, text_form
from callproof.auditing.prover.plain import is_dict, is_list
from callproof.auditing.prover.unproved import demand
from callproof.trace.references import Bindings, Reference, Root, parse


class Values(Protocol):
    """What references are resolved from: the outputs of steps, and the item and index of an iteration."""

    item: Any
    index: int
    # Whether any reference led to a value that is falsy.
    falsy: bool

    def output(self, name: str) -> Any:
        """The output of a step that ended ok.  Raises Unproved for any other."""
        ...


_PLAIN_TEXT: Final = f.LEAF | f.TEXT_LEAF | f.LITERAL_LEAF

Fill: TypeAlias = "Callable[[Values], Any]"

_ROOTS: Final = {"steps": f.STEPS_LEAF, "vars": f.VARS_LEAF, "item": f.ITEM_LEAF, "index": f.INDEX_LEAF}
# A string that is one plain reference, which is nearly all of them; ``parse`` reads the others.
_PLAIN: Final = re.compile(
    r"\$(steps|vars)\.([A-Za-z_][A-Za-z0-9_-]*)((?:\.[A-Za-z_][A-Za-z0-9_-]*|\[[0-9]{1,9}\])*)", re.ASCII
)
_SEGMENT: Final = re.compile(r"\.([A-Za-z_][A-Za-z0-9_-]*)|\[([0-9]+)\]", re.ASCII)
_paths: dict[str, tuple[Segment, ...]] = {}
_MOST_LEVELS: Final = 40
# The canonical form of a value whose member names are ASCII, and whose numbers have no fraction.
sorted_form: Final = msgspec.json.Encoder(order="sorted").encode


@dataclass(slots=True, eq=False)
class Template:
    """
    A template made ready: the canonical form where it asks for nothing, else how to fill it in.

    ``met`` are the features of its leaves; ``references`` all that it asks for.
    """

    met: int
    references: tuple[Reference, ...]
    sole: tuple[str, ...]
    fixed: bytes | None
    fill: Fill | None


class _Work:
    def __init__(self, bindings: Bindings | None, variables: Mapping[str, str]) -> None:
        self.bindings = bindings
        self.variables = variables
        self.met = 0
        self.references: list[Reference] = []
        self.sole: list[str] = []
        # Whether the last string was one reference and nothing else.
        self.alone = False
        self.levels = 0


def template_of(args: Mapping[str, Any], bindings: Bindings | None, variables: Mapping[str, str]) -> Template:
    """
    The template of a step's args.  ``variables`` maps each captured variable to its step.  Raises Unproved.
    """
    work = _Work(bindings, variables)
    fill = _compiled(args, work)
    if bindings is not None and work.met:
        work.met |= f.LOOP_LEAF
    if callable(fill):
        return Template(work.met, tuple(work.references), tuple(work.sole), None, fill)
    return Template(work.met, (), (), sorted_form(fill), None)


def source_of(text: Any, variables: Mapping[str, str]) -> tuple[Reference, Fill]:
    """A loop's source, which has to be one reference.  Raises Unproved."""
    work = _Work(None, variables)
    fill = _compiled(text, work)
    demand(callable(fill) and work.alone, "a source that is no reference")
    return work.references[0], fill


def canonical_of(value: Any) -> bytes:
    """The canonical form of a value without numbers that have a fraction.  Raises Unproved where it is not sure."""
    form = sorted_form(value)
    # Names are sorted by code points here and by UTF-16 units in RFC 8785: the same for ASCII.
    demand(form.isascii() or all(map(str.isascii, names_in(value))), "a member name that is not ASCII")
    return form


def names_in(value: Any) -> Iterator[str]:
    """The member names in a value, at any depth."""
    if is_dict(value):
        yield from value
        for inner in value.values():
            yield from names_in(inner)
    elif is_list(value):
        for inner in value:
            yield from names_in(inner)
    elif isinstance(value, Struct):
        yield from names_in(msgspec.to_builtins(value))


def _compiled(template: Any, work: _Work) -> Any:
    """A constant, or a function that makes the value."""
    if isinstance(template, str):
        return _text(template, work)
    if is_dict(template):
        return _object(template, work)
    if is_list(template):
        return _array(template, work)
    work.met |= f.LEAF | f.LITERAL_LEAF | (0 if template else f.FALSY_LEAF)
    return template


def _object(template: dict[str, Any], work: _Work) -> Any:
    names = "".join(template)
    demand(names.isascii() and "$" not in names and "{" not in names, "a member name that looks like a reference")
    demand(work.levels < _MOST_LEVELS, "deep args")
    work.levels += 1
    fills: list[tuple[str, Fill]] = []
    made = template
    for name, inner in template.items():
        if type(inner) is str and inner and "$" not in inner and "{" not in inner:
            work.met |= _PLAIN_TEXT  # nearly every argument is one of these
            continue
        value = _compiled(inner, work)
        if callable(value):
            fills.append((name, value))
        elif value is not inner:
            made = made.copy() if made is template else made
            made[name] = value
    work.levels -= 1
    if not fills:
        return made

    def filled(values: Values) -> dict[str, Any]:
        whole = made.copy()
        for name, fill in fills:
            whole[name] = fill(values)
        return whole

    return filled


def _array(template: list[Any], work: _Work) -> Any:
    demand(work.levels < _MOST_LEVELS, "deep args")
    work.levels += 1
    made = [_compiled(inner, work) for inner in template]
    work.levels -= 1
    if not any(map(callable, made)):
        return made

    def filled(values: Values) -> list[Any]:
        return [each(values) if callable(each) else each for each in made]

    return filled


def _text(template: str, work: _Work) -> Any:
    work.met |= f.LEAF | f.TEXT_LEAF
    if "$" not in template and "{" not in template:
        work.met |= f.LITERAL_LEAF if template else f.LITERAL_LEAF | f.FALSY_LEAF
        return template
    work.met |= f.EXPANDABLE_LEAF
    if not may_refer(template, work.bindings):
        work.met |= f.LITERAL_LEAF
        return template
    plain = _PLAIN.fullmatch(template)
    if plain is not None:
        root: Root = "steps" if plain[1] == "steps" else "vars"
        return _sole(Reference(template, root, plain[2], _path(plain[3])), work)
    parts = parse(template, work.bindings)
    if not any(isinstance(each, Reference) for each in parts):
        work.met |= f.LITERAL_LEAF
        return "".join(str(each) for each in parts)
    if len(parts) == 1 and isinstance(parts[0], Reference):
        return _sole(parts[0], work)
    fills = [_value(each, work) if isinstance(each, Reference) else each for each in parts]

    def filled(values: Values) -> str:
        text = "".join([each if isinstance(each, str) else text_form(each(values)) for each in fills])
        if not text:
            values.falsy = True
        return text

    return filled


def may_refer(text: str, bindings: Bindings | None) -> bool:
    """Whether a text holds the beginning of any reference; without one nothing in it is one, nor escapes one."""
    if "$steps." in text or "$vars." in text:
        return True
    return bindings is not None and (f"{{{bindings.item}" in text or f"{{{bindings.index}" in text)


def _sole(reference: Reference, work: _Work) -> Fill:
    work.alone = True
    if reference.root == "steps":
        work.sole.append(reference.text)
    fill = _value(reference, work)

    def filled(values: Values) -> Any:
        value = fill(values)
        if not value and is_falsy(value):
            values.falsy = True
        return value

    return filled


def _value(reference: Reference, work: _Work) -> Fill:
    work.met |= f.REFERENCE_LEAF | _ROOTS[reference.root]
    work.references.append(reference)
    path = reference.path
    if reference.root == "item":
        return lambda values: followed(values.item, path)
    if reference.root == "index":
        return lambda values: values.index
    name = reference.name
    if reference.root == "vars":
        demand(name in work.variables, "a variable that no earlier step captures")
        name = work.variables[name]
    return lambda values: followed(values.output(name), path)


def _path(text: str) -> tuple[Segment, ...]:
    known = _paths.get(text)
    if known is None:
        if len(_paths) >= 10_000:
            _paths.clear()
        known = _paths[text] = tuple(name or int(index) for name, index in _SEGMENT.findall(text))
    return known

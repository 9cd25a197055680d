"""Prepares the strings of argument templates and remembers them: the same few stand in plan after plan."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from msgspec import UNSET, Struct

from callproof.auditing.prover import features as f
from callproof.auditing.prover.following import Segment, followed, is_falsy, text_form
from callproof.auditing.prover.unproved import demand
from callproof.trace.references import Bindings, Reference, Root, parse


class Values(Protocol):
    """The values that references resolve to: the outputs of steps, and the item and index of an iteration."""

    item: Any
    index: int
    # Whether any reference led to a falsy value.
    falsy: bool

    def output(self, name: str) -> Any:
        """The output of a step that ended ok.  Raises Unproved for any other step."""
        ...

    def variable(self, name: str) -> Any:
        """The output that is captured under a name.  Raises Unproved if its step did not end ok."""
        ...


Fill: TypeAlias = "Callable[[Values], Any]"

_ROOTS: Final = {"steps": f.STEPS_LEAF, "vars": f.VARS_LEAF, "item": f.ITEM_LEAF, "index": f.INDEX_LEAF}
# A string that is one plain reference, as nearly all are; ``parse`` reads the others.
_PLAIN: Final = re.compile(
    r"\$(steps|vars)\.([A-Za-z_][A-Za-z0-9_-]*)((?:\.[A-Za-z_][A-Za-z0-9_-]*|\[[0-9]{1,9}\])*)", re.ASCII
)
_SEGMENT: Final = re.compile(r"\.([A-Za-z_][A-Za-z0-9_-]*)|\[([0-9]+)\]", re.ASCII)
# For each pair of bindings.
_TEXTS_KEPT: Final = 1_024
_BINDINGS_KEPT: Final = 32
_LONGEST_KEPT: Final = 200
LITERAL: Final = f.LEAF | f.LITERAL_LEAF
PLAIN_TEXT: Final = LITERAL | f.TEXT_LEAF


class Text(Struct, gc=False, eq=False):
    """A prepared string of a template: its text if it refers to nothing, otherwise the way to fill it in."""

    met: int
    references: tuple[Reference, ...]
    sole: tuple[str, ...]
    literal: str
    fill: Fill | None


def source_of(text: str) -> tuple[Reference, Fill]:
    """A loop's source, which must be one reference.  Raises Unproved if it is not."""
    made = text_of(text, None)
    demand(made.fill is not None and len(made.references) == 1 and made.references[0].text == text, "a source")
    return made.references[0], made.fill or followed_nowhere


def followed_nowhere(_values: Values) -> Any:
    """A stand-in that never finds a value."""
    return UNSET


_known: dict[Bindings | None, dict[str, Text]] = {}


def texts_with(bindings: Bindings | None) -> dict[str, Text]:
    """The strings that were prepared under these bindings."""
    known = _known.get(bindings)
    if known is None:
        if len(_known) >= _BINDINGS_KEPT:
            _known.clear()
        known = _known[bindings] = {}
    return known


def text_of(template: str, bindings: Bindings | None) -> Text:
    """A prepared string, remembered because the same few stand in plan after plan."""
    if "$" not in template and "{" not in template:
        return Text(PLAIN_TEXT if template else PLAIN_TEXT | f.FALSY_LEAF, (), (), template, None)
    made = _read(template, bindings)
    if len(template) <= _LONGEST_KEPT:
        known = texts_with(bindings)
        if len(known) >= _TEXTS_KEPT:
            known.clear()
        known[template] = made
    return made


def _read(template: str, bindings: Bindings | None) -> Text:
    met = f.LEAF | f.TEXT_LEAF | f.EXPANDABLE_LEAF
    if not may_refer(template, bindings):
        return Text(met | f.LITERAL_LEAF, (), (), template, None)
    plain = _PLAIN.fullmatch(template)
    if plain is not None:
        root: Root = "steps" if plain[1] == "steps" else "vars"
        return _sole(Reference(template, root, plain[2], _path(plain[3])), met)
    parts = parse(template, bindings)
    references = tuple([each for each in parts if isinstance(each, Reference)])
    if not references:
        return Text(met | f.LITERAL_LEAF, (), (), "".join(str(each) for each in parts), None)
    if len(parts) == 1:
        return _sole(references[0], met)
    met |= f.REFERENCE_LEAF
    for each in references:
        met |= _ROOTS[each.root]
    fills = [_value(each) if isinstance(each, Reference) else each for each in parts]

    def filled(values: Values) -> str:
        text = "".join([each if isinstance(each, str) else text_form(each(values)) for each in fills])
        if not text:
            values.falsy = True
        return text

    return Text(met, references, (), "", filled)


def may_refer(text: str, bindings: Bindings | None) -> bool:
    """Whether a text holds the beginning of a reference; without one it holds no reference and no escape of one."""
    if "$steps." in text or "$vars." in text:
        return True
    return bindings is not None and (f"{{{bindings.item}" in text or f"{{{bindings.index}" in text)


def _sole(reference: Reference, met: int) -> Text:
    fill = _value(reference)

    def filled(values: Values) -> Any:
        value = fill(values)
        if not value and is_falsy(value):
            values.falsy = True
        return value

    alone = (reference.text,) if reference.root == "steps" else ()
    return Text(met | f.REFERENCE_LEAF | _ROOTS[reference.root], (reference,), alone, "", filled)


def _value(reference: Reference) -> Fill:
    path, name = reference.path, reference.name
    if reference.root == "item":
        return lambda values: followed(values.item, path)
    if reference.root == "index":
        return lambda values: values.index
    if reference.root == "vars":
        return lambda values: followed(values.variable(name), path)
    return lambda values: followed(values.output(name), path)


def _path(text: str) -> tuple[Segment, ...]:
    return tuple(name or int(index) for name, index in _SEGMENT.findall(text))

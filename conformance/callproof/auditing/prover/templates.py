"""Prepares argument templates once for each step, and fills them in once for each call.

The grammar of references is that of ``trace.references``; here their values are found in
typed results, without turning these into plain JSON first.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import astuple, replace

from callproof.auditing.prover import features as f
from callproof.auditing.prover.plain import is_dict, is_list
from callproof.auditing.prover.template_texts import LITERAL, PLAIN_TEXT, Fill, Values, text_of, texts_with
from callproof.auditing.prover.unproved import demand
from callproof.trace.references import Bindings, Reference

_MOST_LEVELS: Final = 40
_LEAVES: Final = frozenset({str, int, bool, type(UNSET), type(None)})
# The canonical form of a value whose member names are ASCII, and whose numbers have no fraction.
sorted_form: Final = msgspec.json.Encoder(order="sorted").encode


class Template(Struct, gc=False, eq=False):
    """
    A prepared template: its canonical form if it refers to nothing, otherwise the way to fill it in.

    ``met`` are the features of its leaves; ``references`` are all its references, ``sole`` those to outputs of steps
    that stand alone in a string.
    """

    met: int
    fixed: bytes | None
    references: tuple[Reference, ...] = ()
    sole: tuple[str, ...] = ()
    fill: Fill | None = None


class _Work:
    __slots__ = ("bindings", "levels", "met", "references", "sole", "texts")

    def __init__(self, bindings: Bindings | None) -> None:
        self.bindings = bindings
        self.met = 0
        self.references: list[Reference] = []
        self.sole: list[str] = []
        self.levels = 0
        self.texts = texts_with(bindings)


def template_of(args: Any, form: bytes, bindings: Bindings | None) -> Template:
    """The template of a step's args, a structure or plain JSON, with its canonical form.  Raises Unproved if unsure."""
    work = _Work(bindings)
    fill = _compiled(args, work)
    if bindings is not None and work.met:
        work.met |= f.LOOP_LEAF
    if callable(fill):
        return Template(work.met, None, tuple(work.references), tuple(work.sole), fill)
    return Template(work.met, form if fill is args else canonical_of(fill))


class Shallow(Protocol):
    """What is known about the type of some args."""

    @property
    def deep(self) -> tuple[str, ...]:
        """The attributes of members that may hold more than a string, a number or a boolean."""
        ...


def fixed_template(args: Any, form: bytes, kind: Shallow) -> Template:
    """The template of args that are used unchanged, because no string holds the beginning of a reference."""
    if not isinstance(args, Struct) or len(form) <= 2:
        return _walked(args, form)
    met = LITERAL
    for attr in kind.deep:
        inner = getattr(args, attr)
        if inner is UNSET:
            continue
        if not is_list(inner) or set(map(type, inner)) != {str} or "" in inner:
            return _walked(args, form)
        met |= PLAIN_TEXT
    values = astuple(args)
    if False in values or "" in values:
        met |= f.FALSY_LEAF
    if b'":"' in form:
        met |= f.TEXT_LEAF
    if b"$" in form or form.find(b"{", 1) > 0:
        met |= f.EXPANDABLE_LEAF
    return Template(met, form)


def _walked(args: Any, form: bytes) -> Template:
    work = _Work(None)
    _compiled(args, work)
    return Template(work.met, form)


def canonical_of(value: Any) -> bytes:
    """The canonical form of a value that has no fractional numbers.  Raises Unproved if the form is not certain."""
    form = sorted_form(value)
    # Names are sorted by code points here but by UTF-16 units in RFC 8785: for ASCII that is the same order.
    demand(form.isascii() or has_plain_names(value), "a member name that is not ASCII")
    return form


def has_plain_names(value: Any) -> bool:
    """Whether all member names in a value are ASCII, at any depth; those of structures always are."""
    if is_dict(value):
        if not "".join(value).isascii():
            return False
        inner: Any = value.values()
    elif isinstance(value, Struct):
        inner = astuple(value)
    else:
        inner = value if is_list(value) else ()
    return all(has_plain_names(each) for each in inner if type(each) not in _LEAVES)


def _compiled(template: Any, work: _Work) -> Any:
    """A constant, or a function that makes the value."""
    if isinstance(template, str):
        made = work.texts.get(template) or text_of(template, work.bindings)
        work.met |= made.met
        if made.fill is None:
            return made.literal
        work.references += made.references
        work.sole += made.sole
        return made.fill
    if isinstance(template, Struct):
        return _structure(template, work)
    if is_dict(template):
        return _object(template, work)
    if is_list(template):
        return _array(template, work)
    work.met |= LITERAL if template else LITERAL | f.FALSY_LEAF
    return template


def _structure(template: Struct, work: _Work) -> Any:
    fills: list[tuple[str, Fill]] = []
    made, met = template, 0
    for attr, inner in zip(template.__struct_fields__, astuple(template)):
        if inner is UNSET:
            continue
        if type(inner) is str and inner and "$" not in inner and "{" not in inner:
            met |= PLAIN_TEXT  # nearly every argument is such a string
            continue
        value = _compiled(inner, work)
        if callable(value):
            fills.append((attr, value))
        elif value is not inner:
            made = replace(made, **{attr: value})
    work.met |= met
    if not fills:
        return made

    def filled(values: Values) -> Struct:
        return replace(made, **{attr: fill(values) for attr, fill in fills})

    return filled


def _object(template: dict[str, Any], work: _Work) -> Any:
    names = "".join(template)
    demand(names.isascii() and "$" not in names and "{" not in names, "a member name that looks like a reference")
    demand(work.levels < _MOST_LEVELS, "deep args")
    work.levels += 1
    made = {name: _compiled(inner, work) for name, inner in template.items()}
    work.levels -= 1
    if any(map(callable, made.values())):

        def members(values: Values) -> dict[str, Any]:
            return {name: each(values) if callable(each) else each for name, each in made.items()}

        return members
    return template if made == template else made


def _array(template: list[Any], work: _Work) -> Any:
    demand(work.levels < _MOST_LEVELS, "deep args")
    work.levels += 1
    made = [_compiled(inner, work) for inner in template]
    work.levels -= 1
    if any(map(callable, made)):

        def elements(values: Values) -> list[Any]:
            return [each(values) if callable(each) else each for each in made]

        return elements
    return template if all(one is other for one, other in zip(made, template)) else made

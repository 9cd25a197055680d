"""Whether a value of one schema is of a type that another takes: types, lists, members and listed values.

Bounds and patterns are not compared, since a value may well satisfy them.
"""

from __future__ import annotations

from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.lint.reaching import Reached
from callproof.lint.value_forms import always
from callproof.lint.wording import listed, values_listed

_LEVELS = 8


def misfit(given: Reached, taken: Schema) -> str:
    """A clause that says why what is given may not fit; empty if it fits, or if the schemas do not say."""
    return _types(given.types, declared.types(taken)) or ("" if given.schema is None else _inside(given, taken))


def _inside(given: Reached, taken: Schema) -> str:
    assert given.schema is not None  # noqa: S101  an index has nothing inside
    if not given.lists:
        return _schemas(given.schema, taken, _LEVELS)
    element = declared.elements(taken)
    return "" if element is None else misfit(Reached(given.schema, given.lists - 1), element)


def _schemas(given: Schema, taken: Schema, levels: int) -> str:
    wrong = _types(declared.types(given), declared.types(taken))
    if wrong or not levels:
        return wrong
    return _values(given, taken) or _elements(given, taken, levels) or _members(given, taken, levels)


def _types(given: frozenset[str] | None, taken: frozenset[str] | None) -> str:
    if given is None or taken is None:
        return ""
    extra = given - taken - (frozenset({"integer"}) if "number" in taken else frozenset())
    return f"can be of the type {listed(sorted(extra))}, but must be of type {listed(sorted(taken))}" if extra else ""


def _values(given: Schema, taken: Schema) -> str:
    mine, permitted = declared.values(given), declared.values(taken)
    if mine is None or permitted is None:
        return ""
    wrong = declared.beyond(mine, permitted)
    return f"can be {values_listed(wrong)}, but must be one of {values_listed(permitted)}" if wrong else ""


def _elements(given: Schema, taken: Schema, levels: int) -> str:
    mine, theirs = declared.elements(given), declared.elements(taken)
    wrong = "" if mine is None or theirs is None else _schemas(mine, theirs, levels - 1)
    return f"has elements, each of which {wrong}" if wrong else ""


def _members(given: Schema, taken: Schema, levels: int) -> str:
    mine, theirs = declared.members(given), declared.members(taken)
    if not mine or not theirs:
        return ""
    missing = declared.required(taken) - always(given)
    if missing:
        return f"may lack the required {listed(sorted(missing))}"
    # A closed object may take more members than its properties: those of alternatives, conditions and patterns.
    known = declared.names(taken) if declared.is_closed(taken) else None
    further = mine.keys() - known if known is not None else frozenset[str]()
    if further:
        return f"has {listed(sorted(further))}, which the argument does not take"
    for name in (each for each in mine if each in theirs):
        wrong = _schemas(mine[name], theirs[name], levels - 1)
        if wrong:
            return f"has the member {name}, which {wrong}"
    return ""

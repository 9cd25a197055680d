"""In what form a value stands where another one was meant: its text, a flag or a default that was made of it.

``divergence`` asks this module whether a difference is one of form (REF-11), and ``swaps`` whether a value that another
iteration has may also be the iteration's own value in another form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from callproof.trace.materialised import Site
from callproof.trace.references import Reference, compact_text, integral_text, value_of
from callproof.trace.spellings import spells, standing
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import equal, is_array, is_number, is_object

# A template with this many parts is more than one reference: what it gives is text.
_LONGER = 2
# In a template with more parts nothing is looked for: each part may have several texts, at every place so far.
_MOST_PARTS = 100
# What many languages write for null.
_NULLS = ("None", "nil", "undefined")


def is_in_another_form(site: Site) -> bool:
    """Whether only the form of the values in a longer text differs: members reordered, or quoted texts (A62)."""
    if not isinstance(site.held, str) or len(site.parts) < _LONGER:
        return False
    texts = [part if isinstance(part, str) else (value_of(part, site.scope),) for part in site.parts]
    quoted = [write_json(each[0]) if isinstance(each, tuple) and isinstance(each[0], str) else each for each in texts]
    return any(spells(site.held, pieces, any_order=True) for pieces in (texts, quoted))


def is_its_text(site: Site) -> bool:
    """Whether the value of a sole reference is held as its text, in any spelling of numbers and order of members."""
    held, sole = site.held, site.sole is not None and bool(site.wanted)
    return sole and isinstance(held, str) and spells(held, [(site.wanted[0],)], any_order=True)


def culprit(site: Site, held: str) -> Reference | None:
    """The first reference whose text is not where it belongs; None if literal text was changed."""
    if not _literals_stand(site, held):
        return None
    pieces = [part if isinstance(part, str) else (value_of(part, site.scope),) for part in site.parts]
    reached = site.parts[: standing(held, pieces, any_order=True) + 1]
    return next((part for part in reversed(reached) if isinstance(part, Reference)), None)


def _literals_stand(site: Site, held: str) -> bool:
    """Whether the literal parts of a template stand in a text, each after the one before."""
    if not site.parts:
        return not held
    position = 0
    for number, part in enumerate(site.parts):
        if isinstance(part, Reference):
            continue
        at = held.find(part, position) if number else 0
        if at < 0 or not held.startswith(part, at):
            return False
        position = at + len(part)
    last = site.parts[-1]
    return isinstance(last, Reference) or held.endswith(last)


def is_truthy(value: Json) -> bool:
    """Whether a value is none of those that may count as missing: false, 0, the empty text, null, the empty array."""
    return not (value is None or value is False or value in ("", 0) or (is_array(value) and not value))


def is_same_type(left: Json, right: Json) -> bool:
    """Whether two values have one JSON type."""
    kinds: tuple[Callable[[object], bool], ...] = (is_number, is_object, is_array)
    if any(isinstance(each, bool) or each is None or isinstance(each, str) for each in (left, right)):
        return type(left) is type(right)
    return any(kind(left) and kind(right) for kind in kinds)


def is_another_value(held: Json, wanted: Json) -> bool:
    """Whether a value of another type is no form of the wanted one: an object or array that does not just wrap it."""
    if _wraps(held, wanted) or _wraps(wanted, held):
        return False
    return is_object(held) or is_array(held) or (is_number(held) and (is_object(wanted) or is_array(wanted)))


def _wraps(one: Json, other: Json) -> bool:
    """Whether a value is an array that has the other one as its only element."""
    return is_array(one) and len(one) == 1 and equal(one[0], other)


def is_perhaps_its_own(site: Site) -> bool:
    """Whether what stands in place of an item, or around it in a text, may have been made of that item itself."""
    if site.sole is not None:
        return _may_have_become(site.wanted[0], site.held)
    if len(site.parts) > _MOST_PARTS:
        return False
    at = {0}
    for part in site.parts if isinstance(site.held, str) else ():
        texts = (part,) if isinstance(part, str) else tuple(_texts_of(value_of(part, site.scope)))
        at = {each + len(text) for each in at for text in texts if str(site.held).startswith(text, each)}
    return isinstance(site.held, str) and len(site.held) in at


def _may_have_become(own: Json, held: Json) -> bool:
    """Whether a system may have made the one value of the other: a default in place of nothing, a flag, its text."""
    if is_same_type(own, held):
        return False
    if _is_nothing(own) and _is_nothing(held):
        return True
    if is_another_value(held, own):
        return False
    if isinstance(held, bool):
        flagged = held == is_truthy(own)
    else:
        flagged = isinstance(own, bool) and is_number(held) and held == own
    return flagged or any(_wraps(*each) or _is_text_of(*each) for each in ((held, own), (own, held)))


def _is_text_of(text: Json, value: Json) -> bool:
    """Whether a text is that of a value, in any spelling of numbers and in letters of any case."""
    if not isinstance(text, str):
        return False
    return spells(text, [(value,)], any_order=True) or text.casefold() == compact_text(value).casefold()


def _texts_of(value: Json) -> Iterator[str]:
    """What systems make of a value inside longer text, lawful or not."""
    yield from (compact_text(value), integral_text(value))
    if _is_nothing(value):
        yield from ("", "null")
    if value is None:
        yield from _NULLS
    if value is None or isinstance(value, bool):
        yield write_json(value).capitalize()
    if isinstance(value, bool) or value in (0, 1):
        yield from ("1", "true", "True") if value else ("0", "false", "False")
    if (is_object(value) or is_array(value)) and not value:
        yield from ("{}", "[]")


def _is_nothing(value: Json) -> bool:
    """Whether a value counts as nothing in some language."""
    return not is_truthy(value) or (is_object(value) and not value)

"""What changed statements break: defaults, risk, side effects, hints, availability, and texts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from callproof.lint import declared
from callproof.lint.breaking.changes import Change
from callproof.lint.breaking.schema_changes import Versions
from callproof.lint.definition import Definition, Schema
from callproof.lint.document import Pointer
from callproof.lint.found import strings
from callproof.lint.wording import listed, shown
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_array, is_object

_LEVELS = ("read-only", "writes", "commands")
# A hint of MCP: its value if it is not given, and the value that promises less.
_HINTS = (("readOnlyHint", False, False), ("destructiveHint", True, True), ("idempotentHint", False, False))
_DEPTH = 12
# At most this many schemas are looked at, since many paths may lead to shared definitions.
_MOST = 5_000
# The schemas of members by the path to them.
_Places: TypeAlias = Mapping[str, Sequence[Schema]]


def default_changes(versions: Versions) -> Iterator[Change]:
    """Arguments whose value changes if a caller leaves them out."""
    places = _places(versions.old.input), _places(versions.new.input)
    for path in sorted(places[0].keys() & places[1].keys()):
        old, new = (_annotated(each[path], "default") for each in places)
        if not old and _is_required(places[0], path):
            continue
        if _differ(old, new):
            told = f"the default was {_shown(old)} and is {_shown(new)}"
            yield versions.change("BRK009", f"input{path}", told, places[1][path][0])


def risk_changes(versions: Versions) -> Iterator[Change]:
    """A tool that may do more than before, or is available less often."""
    old, new = versions.old, versions.new
    levels = old.get("riskLevel"), new.get("riskLevel")
    if _risk(old) < _risk(new):
        yield versions.change("BRK010", "riskLevel", f"it was {_said(levels[0])} and is {_said(levels[1])}")
    yield from _side_effects(versions)
    for hint, unsaid, worse in _HINTS:
        if hint != "readOnlyHint" and _hint(new, "readOnlyHint", unsaid=False):
            continue  # for a tool that only reads, MCP gives the other hints no meaning
        before, after = (_hint(each, hint, unsaid=unsaid) for each in (old, new))
        if before is not worse and after is worse:
            yield versions.change("BRK010", f"annotations.{hint}", f"it was {shown(before)} and is {shown(after)}")
    yield from _availability(versions)


def _side_effects(versions: Versions) -> Iterator[Change]:
    """New side effects; a removed list promises nothing any more (TD005), so what it left out may happen."""
    before, after = (each.get("sideEffects") for each in (versions.old, versions.new))
    if not is_array(before):
        return  # a first statement is not a change of the tool
    if not is_array(after):
        yield versions.change("BRK010", "sideEffects", f"it was {shown(before)} and is {_said(after)}")
    elif more := [each for each in strings(after) if each not in strings(before)]:
        yield versions.change("BRK010", "sideEffects", f"it now also lists {listed(more)}")


def _availability(versions: Versions) -> Iterator[Change]:
    old, new = (each.get("availability") for each in (versions.old, versions.new))
    if equal(old, new) or not is_object(new) or not is_object(old):
        return  # a first statement is not a change of the tool
    for name, after in new.items():
        was = old.get(name)
        more = [each for each in strings(after) if each not in strings(was)]
        if is_array(after) and (is_array(was) or was is None):
            if more:
                yield versions.change("BRK010", f"availability.{name}", f"it now also lists {listed(more)}")
        elif not equal(was, after):
            told = f"it was {_said(was)} and is {_said(after)}; it was not decided what this means for callers"
            yield versions.change("BRK012", f"availability.{name}", told)


def text_changes(versions: Versions) -> Iterator[Change]:
    """Texts that a model reads."""
    for name in ("title", "description"):
        before, after = versions.old.get(name), versions.new.get(name)
        if not equal(before, after):
            yield versions.change("BRK011", name, _text_change(before, after))
    for role in ("input", "output"):
        old, new = (each.input if role == "input" else each.output for each in (versions.old, versions.new))
        places = _places(old), _places(new)
        both = places[0].keys() & places[1].keys()
        texts = {path: [_annotated(each[path], "description") for each in places] for path in both}
        changed = sorted(path for path, (before, after) in texts.items() if _differ(before, after))
        if changed:
            names = listed(path.removeprefix(".") or "the schema itself" for path in changed)
            yield versions.change("BRK011", role, f"the descriptions of {names} changed", new)


def _text_change(before: Json, after: Json) -> str:
    if before is None or after is None:
        return "it is new" if before is None else "it is gone"
    return f"it was {shown(before)} and is {shown(after)}"


def _risk(tool: Definition) -> int:
    """How much a tool may do; one that does not say may do everything."""
    level = tool.get("riskLevel")
    return _LEVELS.index(level) if isinstance(level, str) and level in _LEVELS else len(_LEVELS) - 1


def _hint(tool: Definition, name: str, *, unsaid: bool) -> bool:
    told = tool.get("annotations")
    value = told.get(name) if is_object(told) else None
    return value if isinstance(value, bool) else unsaid


def _places(schema: Schema | None) -> _Places:
    """The schemas of a value's members by the path to them, ``.items[].path``; several if it has several forms."""
    found: dict[str, list[Schema]] = {}
    waiting = deque([] if schema is None else [("", schema, frozenset[Pointer]())])
    left = _MOST
    while waiting and left > 0:
        path, here, around = waiting.popleft()
        found.setdefault(path, []).append(here)
        parts = [each for each in declared.everywhere(here) if each.pointer not in around]
        left -= 1 + len(parts)
        if path.count(".") > _DEPTH:
            continue
        inside = around.union(each.pointer for each in parts)
        for part in parts:
            waiting += [(f"{path}.{name}", each, inside) for name, each in part.properties.items()]
            waiting += [(f"{path}[]", part.items, inside)] if part.items is not None else []
    return found


def _is_required(places: _Places, path: str) -> bool:
    """Whether a member was required, so that no call ever left its value to a default."""
    around, _, name = path.rpartition(".")
    return any(name in declared.required(each) for each in places.get(around, ()))


def _annotated(schemas: Sequence[Schema], keyword: str) -> list[Json]:
    """The values of a keyword, beside a reference or behind it, in any part of each schema."""
    holding = (declared.holding(each, keyword) for each in schemas)
    return [each.get(keyword) for each in holding if each is not None]


def _differ(old: Sequence[Json], new: Sequence[Json]) -> bool:
    """Whether a value was added, removed or replaced; one more form, or one less, does not replace the others."""
    if not old or not new:
        return bool(old) != bool(new)
    return bool(declared.beyond(old, new) and declared.beyond(new, old))


def _shown(values: Sequence[Json]) -> str:
    return listed(dict.fromkeys(map(shown, values))) if values else "absent"


def _said(value: Json) -> str:
    return "not stated" if value is None else shown(value)

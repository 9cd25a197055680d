"""What a changed statement breaks: defaults, risk, side effects, hints, availability, and texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.lint.breaking.changes import Change
from callproof.lint.breaking.schema_changes import Versions
from callproof.lint.definition import Definition, Schema
from callproof.lint.document import Pointer
from callproof.lint.found import strings
from callproof.lint.wording import listed, shown
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_array, is_object

_LEVELS = ("read-only", "writes", "commands")
# A hint of MCP: what it is where nobody says anything, and the value that promises less.
_HINTS = (("readOnlyHint", False, False), ("destructiveHint", True, True), ("idempotentHint", False, False))
_DEPTH = 12


def default_changes(versions: Versions) -> Iterator[Change]:
    """Arguments that mean another value where a caller leaves them out."""
    old, new = _annotated(versions.old.input, "default"), _annotated(versions.new.input, "default")
    places = _places(versions.old.input), _places(versions.new.input)
    for path in sorted(places[0].keys() & places[1].keys()):
        if path not in old and _is_required(places[0], path):
            continue
        if (path in old) != (path in new) or not equal(old.get(path), new.get(path)):
            told = f"the default was {_shown(old, path)} and is {_shown(new, path)}"
            yield versions.change("BRK009", f"input{path}", told, places[1][path])


def risk_changes(versions: Versions) -> Iterator[Change]:
    """A tool that may do more than it might, or is there less often."""
    old, new = versions.old, versions.new
    levels = old.get("riskLevel"), new.get("riskLevel")
    if _risk(old) < _risk(new):
        yield versions.change("BRK010", "riskLevel", f"it was {_said(levels[0])} and is {_said(levels[1])}")
    more = [each for each in strings(new.get("sideEffects")) if each not in strings(old.get("sideEffects"))]
    if more and is_array(old.get("sideEffects")):
        yield versions.change("BRK010", "sideEffects", f"it has more: {listed(more)}")
    for hint, unsaid, worse in _HINTS:
        if hint != "readOnlyHint" and _hint(new, "readOnlyHint", unsaid=False):
            continue  # of a tool that only reads the others say nothing, as MCP has it
        before, after = (_hint(each, hint, unsaid=unsaid) for each in (old, new))
        if before is not worse and after is worse:
            yield versions.change("BRK010", f"annotations.{hint}", f"it was {shown(before)} and is {shown(after)}")
    yield from _availability(versions)


def _availability(versions: Versions) -> Iterator[Change]:
    old, new = (each.get("availability") for each in (versions.old, versions.new))
    if equal(old, new) or not is_object(new) or not is_object(old):
        return  # what is said for the first time is no change of the tool
    for name, after in new.items():
        was = old.get(name)
        more = [each for each in strings(after) if each not in strings(was)]
        if is_array(after) and (is_array(was) or was is None):
            if more:
                yield versions.change("BRK010", f"availability.{name}", f"it has more: {listed(more)}")
        elif not equal(was, after):
            told = f"it was {_said(was)} and is {_said(after)}: what that means to callers was not decided"
            yield versions.change("BRK012", f"availability.{name}", told)


def text_changes(versions: Versions) -> Iterator[Change]:
    """Texts that a model reads."""
    for name in ("title", "description"):
        before, after = versions.old.get(name), versions.new.get(name)
        if not equal(before, after):
            yield versions.change("BRK011", name, _text_change(before, after))
    for role in ("input", "output"):
        old, new = (each.input if role == "input" else each.output for each in (versions.old, versions.new))
        before_texts, after_texts = _annotated(old, "description"), _annotated(new, "description")
        both = _places(old).keys() & _places(new).keys()
        changed = sorted(path for path in both if not equal(before_texts.get(path), after_texts.get(path)))
        if changed:
            names = listed(path.removeprefix(".") or "the whole" for path in changed)
            yield versions.change("BRK011", role, f"the descriptions changed of {names}", new)


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


def _places(schema: Schema | None) -> Mapping[str, Schema]:
    """The schemas of a value's members by the way to them: ``.items[].path``."""
    found: dict[str, Schema] = {}
    met: set[Pointer] = set()
    waiting = [] if schema is None else [("", schema)]
    while waiting:
        path, here = waiting.pop(0)
        found.setdefault(path, here)
        real = here.resolved
        if real.pointer in met or path.count(".") > _DEPTH:
            continue
        met.add(real.pointer)
        waiting += [(f"{path}.{name}", each) for name, each in real.properties.items()]
        if real.items is not None:
            waiting.append((f"{path}[]", real.items))
    return found


def _is_required(places: Mapping[str, Schema], path: str) -> bool:
    """Whether a member had to be there, so that no call ever left its value to a default."""
    around, _, name = path.rpartition(".")
    return around in places and name in places[around].resolved.required


def _annotated(schema: Schema | None, keyword: str) -> dict[str, Json]:
    """The values of a keyword by the way to the schemas that have it, beside a reference or behind it."""
    found: dict[str, Json] = {}
    for path, here in _places(schema).items():
        for each in (here, here.resolved):
            if each.has(keyword):
                found.setdefault(path, each.get(keyword))
    return found


def _shown(values: Mapping[str, Json], path: str) -> str:
    return shown(values[path]) if path in values else "absent"


def _said(value: Json) -> str:
    return "not said" if value is None else shown(value)

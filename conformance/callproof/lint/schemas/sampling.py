"""Values that a schema probably accepts, most of them at its edges: candidates for one that another schema refuses.

A sample is only a proposal; the caller checks it with a validator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from callproof.lint.schemas.patterns.automaton import automaton
from callproof.lint.schemas.patterns.failing import matching_text
from callproof.lint.schemas.patterns.reading import NotAPattern, TooMuch, read_pattern
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_number, is_object

# Gives the node that a node stands for, with references followed.
Follow: TypeAlias = Callable[[Json], Json]
Keywords: TypeAlias = Mapping[str, Json]
_NONE: Keywords = {}
_DEPTH = 4
_FEW = 6
_LONGEST = 2_000
OTHER_NAME = "another-name"
_ONE_OF_EACH: tuple[Json, ...] = ("a", 1, 1.5, True, None, [], {}, "", 0, -1, ["a"], {"a": 1})


def samples(nodes: Iterable[Json], follow: Follow, hints: Iterable[Json] = ()) -> Iterator[Json]:
    """Values for a schema that combines all the nodes; hints are other schemas whose edges matter."""
    conditions = [follow(node) for node in nodes]
    edges = [follow(node) for node in hints]
    yield from _values(_merged([*conditions]), follow, 0)
    yield from _values(_merged([*conditions, *edges]), follow, 0)
    for edge in edges:
        yield from _values(edge, follow, 1)
    yield from _ONE_OF_EACH


def _merged(nodes: list[Json]) -> Keywords:
    merged: dict[str, Json] = {}
    for node in nodes:
        if not is_object(node):
            continue
        for keyword, value in node.items():
            earlier = merged.get(keyword)
            if keyword == "required" and is_array(earlier) and is_array(value):
                merged[keyword] = [*earlier, *value]
            elif keyword == "properties" and is_object(earlier) and is_object(value):
                merged[keyword] = {**value, **earlier}
            else:
                merged.setdefault(keyword, value)
    return merged


def _values(node: Json, follow: Follow, depth: int) -> Iterator[Json]:
    node = follow(node)
    if not is_object(node):
        yield from _ONE_OF_EACH[:_FEW] if node is not False else ()
        return
    if "const" in node:
        yield node["const"]
    for keyword in ("enum", "examples"):
        listed = node.get(keyword)
        if is_array(listed):
            yield from listed[:200]
    if "default" in node:
        yield node["default"]
    if depth < _DEPTH:
        for keyword in ("anyOf", "oneOf", "allOf"):
            listed = node.get(keyword)
            for branch in listed if is_array(listed) else ():
                rest = {name: value for name, value in node.items() if name != keyword}
                yield from islice(_values(_merged([follow(branch), rest]), follow, depth + 1), 12)
    for name in _types(node):
        yield from _OF_TYPE[name](node, follow, depth)


def _types(node: Keywords) -> list[str]:
    said = node.get("type")
    names = [said] if isinstance(said, str) else [*said] if is_array(said) else [*_OF_TYPE]
    return [str(name) for name in names if name in _OF_TYPE]


def _numbers(node: Keywords, follow: Follow, depth: int, *, whole: bool = False) -> Iterator[Json]:
    edges = [node[name] for name in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") if name in node]
    step = node.get("multipleOf")
    for edge in (*edges, 0, 1):
        if is_number(edge):
            yield from (edge, edge + 1, edge - 1) if whole else (edge, edge + 1, edge - 1, edge + 0.5, edge - 0.5)
    if is_number(step):
        yield from (step, -step, 2 * step, 3 * step)
    yield from (1_000_003, -1_000_003) if whole else (0.5, 1e6 + 0.25, -1e6)


def _integers(node: Keywords, follow: Follow, depth: int) -> Iterator[Json]:
    return _numbers(node, follow, depth, whole=True)


def _strings(node: Keywords, follow: Follow, depth: int) -> Iterator[Json]:
    pattern = node.get("pattern")
    if isinstance(pattern, str):
        yield from _matching(pattern)
    lengths = [node[name] for name in ("minLength", "maxLength") if is_number(node.get(name))]
    for length in (*lengths, 1, 0, 3):
        if is_number(length) and length <= _LONGEST:
            yield from ("a" * max(0, int(length) + more) for more in (0, 1, -1))
    yield from ("A", "0", "-", " ", "é", "a" * 50)


def _matching(pattern: str) -> Iterator[str]:
    try:
        made = automaton(read_pattern(pattern, unicode=False))
    except (NotAPattern, TooMuch):
        return
    text = matching_text(made)
    if text is not None:
        yield text
        yield from (text + "a", text + "!", "a" + text, text * 2)


def _arrays(node: Keywords, follow: Follow, depth: int) -> Iterator[Json]:
    items = list(islice(_values(node.get("items", True), follow, depth + 1), 12)) if depth < _DEPTH else []
    first = node.get("prefixItems")
    start = [next(_values(each, follow, depth + 1), None) for each in first] if is_array(first) else []
    bounds = [node[name] for name in ("minItems", "maxItems") if is_number(node.get(name))]
    for length in (*bounds, len(start), 1, 2):
        for more in (0, 1, -1):
            wanted = int(length) + more if is_number(length) else 0
            if 0 <= wanted <= _LONGEST:
                yield [*start[:wanted], *(items[number % len(items)] for number in range(wanted - len(start)) if items)]
    yield from ([*start, each] for each in items)
    yield []


def _objects(node: Keywords, follow: Follow, depth: int) -> Iterator[Json]:
    named = node.get("properties")
    properties = named if is_object(named) else _NONE
    listed = node.get("required")
    required = [name for name in listed if isinstance(name, str)] if is_array(listed) else []
    if depth >= _DEPTH:
        yield {}
        return
    extra = node.get("additionalProperties", True)
    members = {name: list(islice(_values(each, follow, depth + 1), _FEW * 2)) for name, each in properties.items()}
    others = list(islice(_values(extra, follow, depth + 1), 2))
    patterns = node.get("patternProperties")
    matching = {
        name: each
        for pattern, each in (patterns if is_object(patterns) else _NONE).items()
        for name in islice(_matching(pattern), 1)
    }
    base = {name: (members.get(name) or others or [None])[0] for name in required}
    yield base
    yield {**{name: values[0] for name, values in members.items() if values}, **base}
    for name, values in members.items():
        yield from ({**base, name: value} for value in (*values, *_ONE_OF_EACH[: _FEW if depth == 0 else 0]))
    yield from ({**base, OTHER_NAME: value} for value in others)
    for name, each in matching.items():
        fitting = islice(_values(each, follow, depth + 1), _FEW)
        yield from ({**base, name: value} for value in (*fitting, *_ONE_OF_EACH[:_FEW]))
    yield from ({**base, **{f"{OTHER_NAME}-{number}": None for number in range(count)}} for count in (1, 2, 5, 11))
    yield {name: value for name, value in base.items() if name != (required[0] if required else None)}


_OF_TYPE: dict[str, Callable[[Keywords, Follow, int], Iterator[Json]]] = {
    "object": _objects,
    "string": _strings,
    "integer": _integers,
    "number": _numbers,
    "array": _arrays,
    "boolean": lambda node, follow, depth: iter((True, False)),
    "null": lambda node, follow, depth: iter((None,)),
}

"""Smaller cases than a given one: each part left out, then each value made plain, the biggest first.

Works on the JSON of a case, so that no part is forgotten.  A case that is impossible
afterwards is mended if that is easy, and otherwise not offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import combinations
from typing import Any, TypeAlias

from callproof.generated.doomed import with_codes
from callproof.generated.features import with_features
from callproof.generated.lawful import is_lawful
from callproof.generated.mending import mend
from callproof.live.case import Case
from callproof.replay.codec import Misfit, from_json, to_json
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# Here cases are plain JSON, which may be changed freely.
Tree: TypeAlias = Any
Path: TypeAlias = tuple[str | int, ...]

# The parts of a case that a run depends on; the rest is the suite's knowledge about the case.
_PARTS = ("company", "hook", "folder", "confirmationTimeoutMs", "timeline", "tools", "policy", "plan")

# Half the time that a tool works if a cancellation must come during its work.
_MEANWHILE_MS = 50


def smaller(case: Case, tried: frozenset[Path] = frozenset()) -> Iterator[tuple[Path, Case]]:
    """Every lawful case that has one part less, with the path of that part; bigger parts first."""
    tree: Tree = to_json(case)
    for path in _paths(tree, tried):
        without = deepcopy(tree)
        _remove(without, path)
        yield from _offered(path, without)


def plainer(case: Case, tried: frozenset[Path] = frozenset()) -> Iterator[tuple[Path, Case]]:
    """Every lawful case with one value in it made plain, with the path of that value."""
    tree: Tree = to_json(case)
    for path in _paths(tree, tried):
        for plain in _plain(_at(tree, path)):
            other = deepcopy(tree)
            _at(other, path[:-1])[path[-1]] = plain
            yield from _offered(path, other)


def in_two_steps(case: Case, tried: frozenset[Path] = frozenset()) -> Iterator[tuple[Path, Case]]:
    """
    Every lawful case with only two of its three or more steps, with a path that names the two.

    If the run is cancelled, each also comes with time for that: the tools work for a while, and the cancellation comes
    in the middle.  Often the only use of a third step is that without it the cancellation would come too late.
    """
    steps: Tree = case.plan.get("steps")
    for pair in combinations(range(len(steps)), 2) if is_array(steps) and len(steps) > 2 else ():
        for place, change in enumerate((_as_it_is, _with_time_to_cancel)):
            path = ("plan", "steps", *pair, place)
            tree: Tree = to_json(case)
            tree["plan"]["steps"] = [tree["plan"]["steps"][each] for each in pair]
            change(tree)
            if path not in tried:
                yield from _offered(path, tree)


def _as_it_is(_tree: Tree) -> None:
    """Change nothing: the steps alone are fewer."""


def _with_time_to_cancel(tree: Tree) -> None:
    cancels = [each for each in tree.get("timeline", ()) if each["act"] == "cancel"]
    for each in cancels:
        each |= {"cue": "start", "afterMs": _MEANWHILE_MS}
    for reply in (each for tool in tree["tools"] for each in tool["behaviour"]["replies"] if cancels):
        reply["afterMs"] = 2 * _MEANWHILE_MS


def _offered(path: Path, tree: Tree) -> Iterator[tuple[Path, Case]]:
    try:
        from_json(Case, tree)  # raises Misfit if even the outer shape is wrong: then nothing can be mended
        mend(tree)
        made = with_codes(with_features(from_json(Case, tree)))
    except Misfit:
        return
    if is_lawful(made):
        yield path, made


def _paths(tree: Tree, tried: frozenset[Path]) -> list[Path]:
    """Every path in the parts except those tried: the one with most below it first, and of equals the last first."""
    found = [(path, size) for part in _PARTS if part in tree for path, size in _walk(tree[part], (part,))]
    found.reverse()
    return [path for path, _ in sorted(found, key=lambda each: -each[1]) if path not in tried]


def _walk(value: Json, path: Path) -> Iterator[tuple[Path, int]]:
    """Every path in a value, that of the value itself last, and how much lies below it."""
    size = 1
    for name, each in _inner(value):
        for place, below in _walk(each, (*path, name)):
            yield place, below
            size += below if len(place) == len(path) + 1 else 0
    yield path, size


def _inner(value: Json) -> Iterable[tuple[str | int, Json]]:
    return value.items() if is_object(value) else enumerate(value) if is_array(value) else ()


def _plain(value: Json) -> Iterator[Tree]:
    if isinstance(value, bool) or value is None:
        yield from [False] if value else []
        return
    if isinstance(value, str):
        yield from ["x"] if len(value) > 1 else []
    elif isinstance(value, int | float):
        yield from (each for each in (0, 1, 2, 50, 100) if each < value)
    elif value:
        yield {} if is_object(value) else []


def _at(tree: Tree, path: Path) -> Tree:
    for name in path:
        tree = tree[name]
    return tree


def _remove(tree: Tree, path: Path) -> None:
    del _at(tree, path[:-1])[path[-1]]

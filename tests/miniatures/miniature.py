"""What a miniature and a lawful variation are, and the lists of them all.

Does not know how the reference works or how it is judged."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from callproof.spec.blocks import Requirement
from callproof.spec.yaml_blocks import examples_of

from miniatures.points import Patch

Breaking = Callable[[Patch], None]


@dataclass(frozen=True, slots=True)
class Miniature:
    """
    An executor that is broken in one named way.

    ``also`` are the further requirements that the same fault inevitably breaks: no others may fail.
    ``seen_in`` is the case or the scenario that shows it, if few of the cases that aim at the requirement show it.
    """

    name: str
    says: str
    requirement: str
    also: tuple[str, ...]
    seen_in: str
    apply: Breaking


@dataclass(frozen=True, slots=True)
class Variation:
    """An executor that differs from the reference in a way that the specification permits."""

    name: str
    says: str
    apply: Breaking


_FOUND: dict[str, Miniature] = {}
_LAWFUL: dict[str, Variation] = {}


def miniature(
    name: str, *, breaks: str, also: tuple[str, ...] = (), seen_in: str = ""
) -> Callable[[Breaking], Breaking]:
    """Enter a function as a miniature; its docstring says what is wrong.  Raises ValueError for a name used twice."""

    def enter(apply: Breaking) -> Breaking:
        if name in _FOUND:
            raise ValueError(f"two miniatures are called {name!r}")
        _FOUND[name] = Miniature(name, (apply.__doc__ or "").strip(), breaks, tuple(sorted(also)), seen_in, apply)
        return apply

    return enter


def lawful(name: str) -> Callable[[Breaking], Breaking]:
    """Enter a function as a variation; its docstring says what differs.  Raises ValueError for a name used twice."""

    def enter(apply: Breaking) -> Breaking:
        if name in _LAWFUL:
            raise ValueError(f"two variations are called {name!r}")
        _LAWFUL[name] = Variation(name, (apply.__doc__ or "").strip(), apply)
        return apply

    return enter


@cache
def variations() -> tuple[Variation, ...]:
    """All lawful variations, by name."""
    for module in ("variations", "partial"):
        importlib.import_module(f"miniatures.{module}")
    return tuple(_LAWFUL[name] for name in sorted(_LAWFUL))


@cache
def miniatures() -> tuple[Miniature, ...]:
    """All miniatures, by name."""
    from miniatures import executors

    for module in pkgutil.iter_modules(executors.__path__):
        importlib.import_module(f"{executors.__name__}.{module.name}")
    return tuple(_FOUND[name] for name in sorted(_FOUND))


def beside(requirement: Requirement) -> Iterator[frozenset[str]]:
    """What else may fail, for every miniature that aims at a requirement: first broken executors, then broken logs."""
    yield from (frozenset(each.also) for each in miniatures() if each.requirement == requirement.id)
    yield from (frozenset(each.also) for each in examples_of(requirement))

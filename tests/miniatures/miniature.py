"""What a miniature is, and the list of them all.  Knows neither how the reference works nor how it is judged."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from miniatures.points import Patch

Breaking = Callable[[Patch], None]


@dataclass(frozen=True, slots=True)
class Miniature:
    """
    An executor that is broken in one named way.

    ``also`` are the further requirements that the same fault inevitably breaks: nothing outside of both may fail.
    ``seen_in`` is the scenario that shows it, where only few of the cases that aim at the requirement do.
    """

    name: str
    says: str
    requirement: str
    also: tuple[str, ...]
    seen_in: str
    apply: Breaking


_FOUND: dict[str, Miniature] = {}


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


@cache
def miniatures() -> tuple[Miniature, ...]:
    """All of them, by name."""
    from miniatures import executors

    for module in pkgutil.iter_modules(executors.__path__):
        importlib.import_module(f"{executors.__name__}.{module.name}")
    return tuple(_FOUND[name] for name in sorted(_FOUND))

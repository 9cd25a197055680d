"""Whether a pattern matches a certain name, as far as automata can read the pattern."""

from __future__ import annotations

from functools import lru_cache

from callproof.lint.schemas.patterns.inclusion import included, text_not_matched


@lru_cache(maxsize=1_024)
def matches(pattern: str, name: str) -> bool:
    """Whether a pattern matches a name; false if this was not decided."""
    alone = _only(name)
    return alone is not None and included(alone, pattern)


@lru_cache(maxsize=1_024)
def misses(pattern: str, name: str) -> bool:
    """Whether a pattern does not match a name; false if this was not decided."""
    alone = _only(name)
    return alone is not None and text_not_matched(alone, pattern) is not None


def _only(name: str) -> str | None:
    """The pattern that matches only this name; None if there is none that automata read."""
    if any(ord(letter) > 0xFFFF for letter in name):
        return None
    return "^" + "".join(f"\\u{ord(letter):04x}" for letter in name) + "$"

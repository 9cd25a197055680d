"""Sets of characters as ranges of code points, and the sets that ECMA-262 has names for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

# Ranges of code points, both ends inclusive, in order and apart from each other.
Ranges: TypeAlias = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
EVERYTHING: Ranges = ((0, LAST),)


def joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The same characters in order, with ranges that touch joined into one."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def all_but(ranges: Ranges) -> Ranges:
    """Every other character."""
    found: list[tuple[int, int]] = []
    start = 0
    for low, high in ranges:
        if low > start:
            found.append((start, low - 1))
        start = high + 1
    return tuple(found) if start > LAST else (*found, (start, LAST))


def one(character: int) -> Ranges:
    """A single character."""
    return ((character, character),)


DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE: Ranges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
# The characters that a dot does not match.
LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
NAMED = {
    "d": DIGITS,
    "D": all_but(DIGITS),
    "w": WORD,
    "W": all_but(WORD),
    "s": SPACE,
    "S": all_but(SPACE),
}
CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D, "0": 0x00}

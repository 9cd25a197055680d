"""Odd but legal strings, numbers, names and paths: what a plan may hold and an executor may stumble over.

Braces in literal text never hold a name of ``ITEM_NAMES`` or ``INDEX_NAMES``: outside a loop
such a name makes the system refuse the run (A60).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from callproof.generated.chances import between, chance, one_of
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

STEP_IDS = ("s1", "second", "Third-3", "constructor", "x_5", "T6")
ITEM_NAMES = ("item", "row", "_e", "note-1")
INDEX_NAMES = ("index", "i", "at", "position_2")
VARIABLES = ("v", "notes", "_last", "toString")
TOOL_NAMES = ("notes.read", "w.echo", "tool", "Zähler.stand", "web.get-page", "notes.Read")

TEXTS = (
    "plain",
    "",
    " ",
    "Zürich",
    "e\u0301",
    "日本語",
    "🙂",
    "a\u2028b",
    "tab\tline\n",
    "nul\u0000",
    "$5.00 {zz}",
    "\\frac{q}{p} {}",
    "{{x}} $$5",
    "$stepsize",
    "null",
    "<script>alert(1)</script>",
    "\u202eabc",
    '"quoted" \\ /',
    "-0",
    "1e400",
)
NUMBERS: tuple[int | float, ...] = (0, 1, -1, 7, 2**53 + 1, 10**20, -(2**63), 0.5, -2.25, 1.0, 1e-7, 1.5e300, -0.0)
# Inside longer text a number is spelt as the system's language spells it; all languages spell these alike (A62).
_PLAIN_NUMBERS = frozenset({0, 1, -1, 7, 0.5, -2.25})
_USUAL: tuple[Json, ...] = ("plain", 1, "other", True)
SCALARS: tuple[Json, ...] = (*TEXTS, *NUMBERS, True, False, None)

# Paths that every host accepts, and paths that every host refuses.
INNOCENT_PATHS = (
    "Notes/a.md",
    "Notes/a..b.md",
    "Notes/Übersicht.md",
    "Notes/e\u0301.md",
    "Notes/two words.md",
    "Notes/🙂.md",
)
OFFENDING_PATHS = ("../up.md", "Notes/../a.md", "/abs.md", "file:///Notes/a.md", "Other/a.md")

# Names of files and folders, which differ even on a disk that ignores case and Unicode form, and contents of files.
FILE_NAMES = (
    *("a.md", "two words.md", "Übersicht.md", "e\u0301.md", "日本語", "🙂.md", ".hidden", "-dash.md"),
    *("100%25.md", "it's [x] #1.txt", "no extension", "a..b.md", "LOUD.MD"),
)
FOLDER_NAMES = ("Notes", "Old things", "日記", ".config", "Notes")
EMPTY_FOLDERS = ("Empty", "Über", "Notes/hollow")
_PAGE = "a page of a long note, " * 3_000
# Each pair differs little: in bytes but not in size, in line ends, in a byte order mark, in the last character of many.
ALIKE = (
    *(("plain\n", "other\n"), ("plain\n", "plain"), ("", "x"), ("", "\n"), ("a\nb\n", "a\r\nb\r\n")),
    *(("plain\n", "\ufeffplain\n"), ("Zu\u0308rich 🙂\n", "Zürich 🙂\n"), ("x\n", "x\u0000\n"), ("plain\n", "Plain\n")),
    (f"{_PAGE}a", f"{_PAGE}b"),
)

_MEMBERS = ("v", "name", "length", "a.b", "0", "naïve")


def scalar(dice: Random) -> Json:
    """A string, a number, a boolean or null; half of the time a usual one."""
    return one_of(dice, _USUAL) if chance(dice, 50) else one_of(dice, SCALARS)


def value(dice: Random, depth: int = 2) -> Json:
    """Any JSON value of small size."""
    shape = between(dice, 0, 5) if depth else 0
    if shape == 5:
        return [value(dice, depth - 1) for _ in range(between(dice, 0, 3))]
    if shape == 4:
        return {one_of(dice, _MEMBERS): value(dice, depth - 1) for _ in range(between(dice, 0, 2))}
    return scalar(dice)


def is_plain(value: Json) -> bool:
    """Whether all languages write the value as the same compact JSON text."""
    if is_array(value):
        return all(map(is_plain, value))
    if is_object(value):
        return all(map(is_plain, value.values()))
    if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool)):
        return value in _PLAIN_NUMBERS and str(value) != "-0.0"
    return True


def example(dice: Random, paths: int) -> Mapping[str, Json]:
    """
    The output of a source: lists to loop over, text, and members with names that need quoting.

    ``paths`` is the chance of a list of paths in which a later path is one that every host refuses.
    """
    items = [value(dice, 1) for _ in range(one_of(dice, (3, 1, 2, 0, 4)))]
    if chance(dice, 30):
        items = [{"name": one_of(dice, TEXTS), "n": place} for place in range(between(dice, 1, 4))]
    if items and chance(dice, 15):
        items = [*items, items[0]]  # equal items are iterations of their own (LOOP-12)
    output: dict[str, Json] = {"items": items, "text": one_of(dice, TEXTS), "n": one_of(dice, NUMBERS)}
    if chance(dice, 40):
        output["deep"] = {"list": [{"v": scalar(dice)}], "flag": False}
    if chance(dice, 20):
        output[one_of(dice, ("a.b", "0", "length", "constructor"))] = scalar(dice)
    if chance(dice, paths):
        output["paths"] = [*INNOCENT_PATHS[:2], one_of(dice, OFFENDING_PATHS), one_of(dice, INNOCENT_PATHS)]
    return output

"""The page of a rule: what it says to people, and the table that says how binding the rule is.

A page is Markdown beside the rules, ``pages/<ID>.md``; its examples are run by the tests.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_HEAD = re.compile(r"# (?P<id>\w+) · (?P<title>[^\n]+)\n")
_TABLE = re.compile(r"^\| level \| certainty \| default \| fix \| source \|\n\|[-| ]+\|\n\|(?P<cells>[^\n]+)\|$", re.M)
_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.M | re.S)
_WHY = re.compile(r"^## Why\n\n(.*?)(?=\n\n(?:#|```|\|)|\Z)", re.M | re.S)
_NUMBER = re.compile(r"([A-Z]+)(\d+n?)")


class Severity(Enum):
    """How much a finding weighs, the heaviest first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


_SEVERITIES = {"MUST": Severity.ERROR, "SHOULD": Severity.WARNING, "MAY": Severity.NOTE, "NOTE": Severity.NOTE}
_CERTAINTIES = ("decided", "heuristic")
_FIXES = ("safe", "unsafe", "none")


class BrokenPage(ValueError):
    """A page is not written as pages are: says which, and what is missing."""


class UnknownRule(LookupError):
    """No rule has this id; names the nearest ones."""

    def __init__(self, wanted: str, near: tuple[str, ...]) -> None:
        self.nearest = near
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        super().__init__(f"No rule is called {wanted!r}.{hint} `callproof rules` lists them all.")


@dataclass(frozen=True, slots=True)
class Example:
    """A block of a page that holds definitions: its words (``bad``, ``good``, ``profile=openai``) and its text."""

    words: tuple[str, ...]
    text: str

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles for which it is an example; empty for the default one."""
        return tuple(each.partition("=")[2] for each in self.words if each.startswith("profile="))


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says.  ``text`` is the whole of it, as ``callproof explain`` prints it."""

    id: str
    title: str
    level: str
    certainty: str
    on: bool
    fix: str
    source: str
    text: str

    @property
    def group(self) -> str:
        """The letters before the number."""
        return self.id.rstrip("0123456789n")

    @property
    def severity(self) -> Severity:
        """What its findings weigh: those of a heuristic rule are warnings at most, since they may be wrong."""
        weight = _SEVERITIES[self.level]
        return Severity.WARNING if weight is Severity.ERROR and self.certainty == "heuristic" else weight

    @property
    def examples(self) -> tuple[Example, ...]:
        """Its blocks of JSON, in order."""
        found = ((match["info"].split(), match["text"]) for match in _FENCE.finditer(self.text))
        return tuple(Example(tuple(words[1:]), text) for words, text in found if words[:1] == ["json"])

    @property
    def why(self) -> str:
        """The reason that the page gives; empty if it gives none."""
        found = _WHY.search(self.text)
        return "" if found is None else " ".join(found[1].split())

    @property
    def says(self) -> str:
        """The first paragraph after the table: what the rule does."""
        return " ".join(self.text.split("\n\n")[2].split())


def read_page(name: str, text: str) -> Page:
    """The page of a rule.  Raises BrokenPage."""
    head, table = _HEAD.match(text), _TABLE.search(text)
    if head is None or head["id"] != name:
        raise BrokenPage(f"pages/{name}.md starts with `# {name} · ` and a title")
    if table is None:
        raise BrokenPage(f"pages/{name}.md has a table of level, certainty, default, fix and source")
    cells = [each.strip() for each in table["cells"].split("|")]
    if len(cells) != 5:
        raise BrokenPage(f"pages/{name}.md has {len(cells)} cells in its table; permitted: 5")
    level, certainty, default, fix, source = cells
    for value, permitted in (
        (level, tuple(_SEVERITIES)),
        (certainty, _CERTAINTIES),
        (default, ("on", "off")),
        (fix, _FIXES),
    ):
        if value not in permitted:
            raise BrokenPage(f"pages/{name}.md says {value!r}; permitted: {', '.join(permitted)}")
    return Page(name, head["title"].strip(), level, certainty, default == "on", fix, source, text)


@cache
def pages() -> Mapping[str, Page]:
    """Every page by the id of its rule, in order."""
    folder: Traversable = files("callproof.lint") / "pages"
    named = {each.name.removesuffix(".md"): each for each in folder.iterdir() if each.name.endswith(".md")}
    return {name: read_page(name, named[name].read_text(encoding="utf-8")) for name in sorted(named)}


def page(wanted: str) -> Page:
    """The page of a rule, whatever the case of its id.  Raises UnknownRule, which names the nearest ids."""
    known = pages()
    name = wanted.strip().upper()
    found = known.get(name) or known.get(wanted.strip())
    if found is None:
        raise UnknownRule(wanted, near(name))
    return found


def near(wanted: str) -> tuple[str, ...]:
    """The ids that a user who wrote this can have meant."""
    known = pages()
    match = _NUMBER.fullmatch(wanted.replace("-", ""))
    if match is not None and (padded := f"{match[1]}{match[2].zfill(3)}") in known:
        return (padded,)
    members = tuple(name for name, each in known.items() if each.group == wanted)
    return members or tuple(difflib.get_close_matches(wanted, known, n=3, cutoff=0.6))

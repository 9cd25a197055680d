"""Chapters read from Markdown.

The grammar is small and strict: a requirement is a level-three heading
``ID · Title``, a four-column table, one normative paragraph, ``*Why.*``, and what
else the reader needs; a shape and an example are fenced blocks of YAML.  A chapter
that breaks the grammar is refused with its file and line.  Otherwise the suite would
not check a requirement that it did not understand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from callproof.spec.blocks import BrokenChapter, Chapter, Fence, Implied, Level, Need, Place, Requirement

REQUIREMENT_HEADING = re.compile(r"^([A-Z]+-\d{2,}) · (\S.*)$")
_EXCLUDED = re.compile(r"^\*Excluded\.\*\s+(.*)", re.DOTALL)
_IMPLIED = re.compile(r"^\*Implied by\.\*\s+([A-Z]+-\d{2,}): (\S.*)", re.DOTALL)
_COLUMNS = ("level", "needs", "feature", "origin")


@dataclass(frozen=True, slots=True)
class Section:
    """The tokens under one requirement heading, with the block's own Markdown."""

    id: str
    title: str
    tokens: Sequence[Token]
    text: str
    place: Place


def read_chapter(name: str, text: str) -> Chapter:
    """
    The chapter in a Markdown text.

    Raises BrokenChapter if the text does not follow the grammar.
    """
    path = f"spec/{name}.md"
    tokens = tokens_of(text)
    title = next((tokens[i + 1].content for i, t in enumerate(tokens) if t.tag == "h1" and t.nesting == 1), "")
    if not title:
        raise BrokenChapter(Place(path, 1), "a chapter must begin with a level-one heading")
    return Chapter(
        name=name,
        title=title,
        requirements=tuple(_requirement(section) for section in sections(path, tokens, text, REQUIREMENT_HEADING)),
        fences=fences_in(path, tokens),
        text=text,
    )


def tokens_of(text: str) -> Sequence[Token]:
    """The tokens of a chapter's Markdown; markup within a line is left as it is."""
    return _parser().parse(text)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").disable("inline")


def sections(path: str, tokens: Sequence[Token], text: str, form: re.Pattern[str]) -> Iterator[Section]:
    """
    The blocks under the level-three headings that have the form of an id and a title.

    Raises BrokenChapter for a heading that begins with an id and does not have this form.
    """
    lines = text.splitlines()
    headings = [i for i, t in enumerate(tokens) if t.type == "heading_open" and t.tag in {"h1", "h2", "h3"}]
    for position, start in enumerate(headings):
        if tokens[start].tag != "h3":
            continue
        place = Place(path, _line(tokens[start]))
        match = form.match(tokens[start + 1].content)
        if match is None:
            if re.match(r"^[A-Z]{2,}-?\d", tokens[start + 1].content):
                raise BrokenChapter(place, "a requirement's heading must have the form 'ID · Title'")
            continue
        end = headings[position + 1] if position + 1 < len(headings) else len(tokens)
        last = _line(tokens[end]) - 1 if end < len(tokens) else len(lines)
        block = "\n".join(lines[place.line - 1 : last]).strip()
        yield Section(match[1], match[2], tokens[start + 3 : end], block, place)


def _requirement(section: Section) -> Requirement:
    cells = table(section, _COLUMNS)
    paragraphs = law(section)
    excluded = next((match[1] for p in paragraphs if (match := _EXCLUDED.match(p))), None)
    return Requirement(
        id=section.id,
        title=section.title,
        level=level(section, cells[0]),
        needs=tuple(_need(section, letter) for letter in cells[1].split()),
        features=() if cells[2] in {"—", "-", ""} else tuple(cells[2].split()),
        origin=cells[3],
        sentence=" ".join(paragraphs[0].split()),
        excluded=" ".join(excluded.split()) if excluded else None,
        fences=fences_in(section.place.path, section.tokens),
        text=section.text,
        place=section.place,
        implied_by=_implied_by(section, paragraphs),
    )


def _implied_by(section: Section, paragraphs: Sequence[str]) -> Implied | None:
    for text in (each for each in paragraphs if each.startswith("*Implied by.*")):
        match = _IMPLIED.match(text)
        if match is None:
            raise BrokenChapter(section.place, "'*Implied by.*' must be followed by 'ID: ' and the reason")
        return Implied(match[1], " ".join(match[2].split()))
    return None


def law(section: Section) -> Sequence[str]:
    """
    The paragraphs of a block; the first is the law.

    Raises BrokenChapter if the first states no law, or if no paragraph says why.
    """
    paragraphs = [
        section.tokens[i + 1].content
        for i, token in enumerate(section.tokens)
        if token.type == "paragraph_open" and token.level == 0
    ]
    if not paragraphs or not re.search(r"\b(MUST|SHOULD|MAY)\b", paragraphs[0]):
        raise BrokenChapter(section.place, "the paragraph after the table must state the law, with MUST, SHOULD or MAY")
    if not any(p.startswith("*Why.*") for p in paragraphs):
        raise BrokenChapter(section.place, "a requirement needs a paragraph that begins with '*Why.*'")
    return paragraphs


def table(section: Section, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The cells of the table that a block begins with.  Raises BrokenChapter if it has other columns."""
    cells = [t.content for t in section.tokens if t.type == "inline"][: 2 * len(columns)]
    if tuple(cells[: len(columns)]) != columns or len(cells) != 2 * len(columns):
        raise BrokenChapter(section.place, f"{section.id} must begin with a table of the columns {', '.join(columns)}")
    return tuple(cell.strip() for cell in cells[len(columns) :])


def level(section: Section, text: str) -> Level:
    """The level that a cell names.  Raises BrokenChapter if there is no such level."""
    try:
        return Level(text)
    except ValueError:
        raise BrokenChapter(
            section.place, f"{section.id} has the level {text!r}; permitted: MUST, SHOULD, MAY"
        ) from None


def _need(section: Section, letter: str) -> Need:
    try:
        return Need[letter]
    except KeyError:
        permitted = " ".join(need.name for need in Need)
        raise BrokenChapter(section.place, f"{section.id} needs {letter!r}; permitted: {permitted}") from None


def fences_in(path: str, tokens: Iterable[Token]) -> tuple[Fence, ...]:
    """The fenced blocks among some tokens of a file, in their order."""
    fences = (each for each in tokens if each.type == "fence")
    return tuple(Fence(tuple(each.info.split()), each.content, Place(path, _line(each))) for each in fences)


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1

"""The chapters of the conventions: how they are read, how a broken one is refused, and what they contain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from callproof.cli import cli
from callproof.spec.blocks import BrokenChapter, Level
from callproof.spec.conventions import Convention, Conventions, DecidedBy, conventions, read_tool_chapter
from callproof.spec.registry import specification
from click.testing import CliRunner

CHAPTER = """# Inputs

### IN001 · The input is an object

| level | decided by | origin |
| --- | --- | --- |
| MUST | definition | seed 001 §1.1 |

An input MUST be
an object.

*Why.* Because.

### vault.peek

```yaml tool=vault.peek
description: Look.
```

```yaml shape=vault.peek.input
type: object
```
"""
LAWS = tuple(conventions().by_id.values())
EVERY_TEXT = {chapter.name: chapter.text for chapter in conventions().chapters}


def test_a_chapter_of_the_conventions_is_read_whole() -> None:
    """Laws with every member, shapes, and tools; a heading without an id is prose."""
    chapter = read_tool_chapter("inputs", CHAPTER)
    (law,) = chapter.conventions
    assert (law.id, law.group, law.title) == ("IN001", "IN", "The input is an object")
    assert (law.level, law.decided_by, law.origin) == (Level.MUST, DecidedBy.DEFINITION, "seed 001 §1.1")
    assert law.sentence == "An input MUST be an object."
    assert str(law.place) == "spec/tools/inputs.md:3"
    assert [shape.name for shape in chapter.shapes] == ["vault.peek.input"]
    assert [(tool.name, tool.said) for tool in chapter.tools] == [("vault.peek", {"description": "Look."})]


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("IN001 · The", "IN001: The", "ID · Title"),
        ("| MUST |", "| OUGHT |", "'OUGHT'"),
        ("| definition |", "| guessing |", "IN001 is decided by 'guessing'; permitted: definition, registry"),
        ("| level | decided by |", "| level | needs |", "table of the columns level, decided by, origin"),
        ("MUST be\nan", "is\nan", "MUST, SHOULD or MAY"),
        ("*Why.* Because.", "Because.", "'*Why.*'"),
        ("type: object", "type: [object", "not YAML"),
    ],
)
def test_a_broken_chapter_of_the_conventions_is_refused_with_its_place(wrong: str, right: str, says: str) -> None:
    """If the reader let pass a law that it does not understand, nobody would check that law."""
    with pytest.raises(BrokenChapter) as refused:
        read_tool_chapter("inputs", CHAPTER.replace(wrong, right, 1))
    assert says in str(refused.value)
    assert str(refused.value).startswith("spec/tools/inputs.md:")


def test_an_id_that_is_used_twice_is_refused_with_both_places() -> None:
    """A law stands in one place only; so do a shape and a tool."""
    twice = Conventions((read_tool_chapter("inputs", CHAPTER), read_tool_chapter("outputs", CHAPTER)))
    for names in (lambda: twice.by_id, lambda: twice.shapes, lambda: twice.tools):
        with pytest.raises(
            BrokenChapter, match=r"spec/tools/outputs\.md:\d+: .* is already defined at spec/tools/inputs\.md:"
        ):
            names()


def test_the_envelope_knows_nothing_of_the_conventions() -> None:
    """The two registries share no id and no shape: a log is never judged by what the author of a tool wrote."""
    assert not conventions().by_id.keys() & specification().requirements.keys()
    assert not conventions().shapes.keys() & specification().shapes.keys()


def test_ids_count_upwards_in_their_chapter() -> None:
    """A reader finds IDEM003 after IDEM002, and all of a group in one chapter."""
    for group in {law.group for law in LAWS}:
        of_the_group = [law for law in LAWS if law.group == group]
        assert [law.id for law in of_the_group] == sorted(law.id for law in of_the_group)
        assert len({law.place.path for law in of_the_group}) == 1


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.id)
def test_the_law_has_the_word_of_its_level_and_a_section_of_the_seed(law: Convention) -> None:
    """The level in the table is the word in the sentence, and the origin shows where the law comes from."""
    assert set(re.findall(r"\b(MUST|SHOULD|MAY)\b", law.sentence)) == {law.level.value}
    assert re.search(r"seed 00[01](,| §\d)", law.origin)


def test_the_nineteen_tools_have_both_shapes() -> None:
    """The input and the output of each tool have a shape, and each such shape belongs to a tool."""
    tools, shapes = conventions().tools, conventions().shapes
    assert len(tools) == 19
    of_tools = {name.rpartition(".")[0] for name in shapes if name.endswith((".input", ".output"))}
    assert of_tools == set(tools)
    assert {"FileEntry", "SearchMatch", "EditorRange", "CommandDescriptor", "FilePatch"} <= shapes.keys()


def test_every_question_is_settled_and_every_citation_leads_to_one() -> None:
    """A question has a number, a reason and the laws that rest on it; a law cites only questions that exist."""
    settled = {int(number): names for number, names in _QUESTIONS.findall(EVERY_TEXT["open-questions"])}
    assert list(settled) == list(range(1, len(settled) + 1))
    assert {name for names in settled.values() for name in names.split(", ")} <= conventions().by_id.keys()
    cited = {int(each) for law in LAWS for each in re.findall(r"question (\d+)", law.origin)}
    assert cited <= settled.keys()


def test_every_question_that_a_law_cites_names_that_law_or_its_reason() -> None:
    """The way back: the settled question names every law that cites it."""
    settled = {int(number): names.split(", ") for number, names in _QUESTIONS.findall(EVERY_TEXT["open-questions"])}
    lost = [
        (law.id, number)
        for law in LAWS
        for number in map(int, re.findall(r"question (\d+)", law.origin))
        if law.id not in settled[number]
    ]
    assert lost == []


def test_the_six_lines_of_the_checklist_name_laws() -> None:
    """A reader can try each line: it names rules, with the chapter of each."""
    lines = re.findall(r"^\d\. .*$", EVERY_TEXT["checklist"], flags=re.MULTILINE)
    assert len(lines) == 6
    for line in lines:
        named = re.findall(r"\[([A-Z]+\d{3})\]\(([a-z]+)\.md\)", line)
        assert named
        assert all(conventions().by_id[name].place.path == f"spec/tools/{chapter}.md" for name, chapter in named)


def test_every_id_that_a_chapter_names_exists() -> None:
    """Each is an id of the conventions or of the envelope, so that a reader who looks it up finds it."""
    known = conventions().by_id.keys() | specification().requirements.keys()
    named = {each for text in EVERY_TEXT.values() for each in re.findall(r"\b[A-Z]{2,}(?:\d{3}|-\d{2})\b", text)}
    assert named - {"RFC-21", "ISO-86"} <= known


_QUESTIONS = re.compile(r"^\*\*(\d+)\. .*?\(((?:[A-Z]+\d{3}(?:, )?)+)\)\s*$", re.MULTILINE | re.DOTALL)


def test_the_command_of_the_checklist_runs() -> None:
    """It runs as printed, and finds nothing in the canonical tools."""
    (command,) = re.findall(r"`callproof (lint --select \S+)`", EVERY_TEXT["checklist"])
    canon = Path(__file__).parents[2] / "schemas" / "tools" / "canon"
    ran = CliRunner().invoke(cli, [*command.split(), str(canon)])
    assert (ran.exit_code, ran.output) == (0, "19 tools, no findings\n")

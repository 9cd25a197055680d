"""PRE: what a person reads before a step is carried out."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint.preview_words import VERBS, base_form, is_english, is_verb
from hypothesis import given
from hypothesis import strategies as st
from tool_catalogues import canonical, catalogue, closed, faults, ids, plan, reading, step

TOOLS = [
    *map(canonical, ("vault.readFile", "vault.rename", "vault.searchText", "commands.run", "editor.insertAtCursor")),
    reading("text.count", closed({"text": {"type": "string"}}), closed({"words": {"type": "integer"}})),
    reading("palette.press", closed({"id": {"type": "string"}}), closed({}), riskLevel="commands"),
    reading("palette.show", closed({"id": {"type": "string"}}), closed({})),
    reading("search", closed({"query": {"type": "string"}}), closed({})),
]
LOOP = {"foreach": {"from": "$steps.find.matches", "itemName": "item"}}


def found(
    rule: str, preview: Any, args: dict[str, Any] | None = None, tool: str = "vault.readFile", **more: Any
) -> bool:
    """Whether a rule reports a step with this preview."""
    first = step("find", "vault.searchText", {"query": "garden"})
    one = step("it", tool, {"path": "Notes/garden.md"} if args is None else args, preview, **more)
    return ids(catalogue(*TOOLS, plan=plan(first, one)), rule) == [rule]


@pytest.mark.parametrize(
    "preview",
    [
        "Read Notes/garden.md",
        "read Notes/garden.md",
        "“Read” Notes/garden.md",
        "Slugify the first match",
        "Alphabetise the notes",
        "Lese die Notiz garden.md",
        "Lire Notes/garden.md",
        "読む Notes/garden.md",
        "読む the note of the garden",
        "🗑️ Delete garden.md",
        "",
    ],
)
def test_a_verb_comes_first_or_the_language_is_another(preview: str) -> None:
    """What depends on English is decided only for English."""
    assert not found("PRE001", preview)


@pytest.mark.parametrize(
    ("preview", "better"),
    [
        ("Reading Notes/garden.md", "Read"),
        ("Reads Notes/garden.md", "Read"),
        ("Creates a note", "Create"),
        ("Created the note", "Create"),
        ("Copies the note", "Copy"),
        ("Trimming the text", "Trim"),
        ("The file garden.md is read", ""),
        ("Notes/garden.md: read the file", ""),
        ("New file for the garden", ""),
    ],
)
def test_another_form_or_no_verb_is_told(preview: str, better: str) -> None:
    """The finding gives the imperative if the word is a form of it."""
    one = step("it", "vault.readFile", {"path": "Notes/garden.md"}, preview)
    (fault,) = faults("PRE001", catalogue(*TOOLS, plan=plan(one)))
    assert fault.help == (f"write {better}" if better else "say first what is about to happen")
    assert fault.observed == f'the preview starts with "{preview.replace("/", " ").split()[0].lower()}"'


@given(st.sampled_from(sorted(VERBS)))
def test_a_verb_is_a_verb_and_its_forms_are_none(verb: str) -> None:
    """This holds for each word that is known."""
    assert is_verb(verb)
    assert is_english(f"{verb} it")
    progressive = verb.removesuffix("e") + "ing"
    assert is_verb(progressive) or base_form(progressive) in VERBS


@pytest.mark.parametrize(
    ("args", "tool", "preview", "wrong"),
    [
        ({"path": "Notes/garden.md"}, "vault.readFile", "Read garden.md", False),
        ({"path": "Notes/garden.md"}, "vault.readFile", "Read the note Garden", False),
        ({"path": "Notes/garden.md"}, "vault.readFile", "Read a note", True),
        ({"path": "Archive/"}, "vault.readFile", "Look through Archive", False),
        ({"fromPath": "a.md", "toPath": "old/b.md"}, "vault.rename", "Move a.md away", False),
        ({"fromPath": "alpha.md", "toPath": "old/b.md"}, "vault.rename", "Move it away", True),
        ({"query": "x", "paths": ["Notes/garden.md"]}, "vault.searchText", "Search for x", True),
        ({"path": "$steps.find.matches[0].path"}, "vault.readFile", "Read the first match", False),
        ({"id": "app:toggle-sidebar"}, "commands.run", "Toggle the sidebar", False),
        ({"id": "app:toggle-sidebar"}, "commands.run", "Run a command", True),
        ({"id": "$vars.id"}, "commands.run", "Run the command that was found", False),
        ({"text": "x"}, "text.count", "Count words", False),
        ({"path": "Notes/garden.md"}, "vault.readFile", None, False),
        ({"path": "Notes/garden.md"}, "vault.readFile", "", False),
        ({"path": "Notes/garden.md"}, "vault.readFile", "  ", False),  # PRE007 reports it
        ({"id": "note-7", "text": "x"}, "text.count", "Count words", False),
        ({"id": "app:toggle-sidebar"}, "palette.press", "Run a command", True),
        ({"id": "app:toggle-sidebar"}, "palette.show", "Show a command", False),
        ({"id": 7}, "commands.run", "Run a command", False),
    ],
)
def test_a_path_or_a_command_that_is_known_is_named(args: dict[str, Any], tool: str, preview: Any, wrong: bool) -> None:
    """Its last segment, with or without the extension, or a word of its id is enough; so is one of several."""
    assert found("PRE002", preview, args, tool) is wrong


@pytest.mark.parametrize(
    ("preview", "wrong"),
    [
        ("Read garden.md", False),
        ("Read garden.md with vault.readFile", True),
        ("Read garden.md as JSON", True),
        ("Read {garden}", True),
        ("Search with a regex", True),
        ("Write if the etag still matches", True),
        ("Read from offset 120 on", True),
        ("Read {item.path}", False),  # PRE005 reports it
        ("Read Notes/garden.md, the regexp note", True),
    ],
)
def test_how_it_is_done_is_told(preview: str, wrong: bool) -> None:
    """Names of tools, formats, braces, expressions, etags and offsets tell how it is done."""
    assert found("PRE003", preview) is wrong


def test_the_command_of_a_catalogue_without_its_tool_is_named_all_the_same() -> None:
    """Every system has `commands.run`."""
    one = step("it", "commands.run", {"id": "app:toggle-sidebar"}, "Run a command")
    assert ids(catalogue(plan=plan(one)), "PRE002") == ["PRE002"]


def test_the_name_of_a_tool_that_is_a_word_is_no_detail() -> None:
    """A name without a dot says what the tool does; a name that is not a text cannot occur in a preview."""
    assert not found("PRE003", "Look for the garden in a search", {"query": "garden"}, "search")
    one = {**step("it", "search", {"query": "garden"}, "Search for garden"), "tool": 7}
    assert ids(catalogue(*TOOLS, plan=plan(one)), "PRE003") == []


def test_words_of_the_arguments_are_no_details() -> None:
    """A user who looks for JSON reads that word; this holds also if one argument occurs in another."""
    assert not found("PRE003", "Search for JSON schema", {"query": "JSON schema"}, "vault.searchText")
    assert not found("PRE003", "Read data/api.json", {"path": "data/api.json"})
    within = {"query": "data", "paths": ["data/api.json"]}
    assert not found("PRE003", "Search for data in data/api.json", within, "vault.searchText")


@pytest.mark.parametrize(
    ("preview", "wrong"),
    [
        ("Read the note, for each match", False),
        ("Read every note that matches", False),
        ("Create one note per bullet", False),
        ("Send a mail to all of them", False),
        ("Mail everybody on the list", False),
        ("Send the mails one by one", False),
        ("Send the mail to one of them", True),
        ("Read the note of the match", True),
        ("Lese die Notiz des Treffers", False),
    ],
)
def test_a_loop_says_each(preview: str, wrong: bool) -> None:
    """Only an English preview is judged; a step without a loop need not say it."""
    assert found("PRE004", preview, {"path": "{item.path}"}, **LOOP) is wrong
    assert not found("PRE004", preview)


@pytest.mark.parametrize(
    "preview", ["Read {item.path}", "Read note {index}", "Read $steps.find.matches[0].path", "Read {$vars.note}"]
)
def test_a_reference_in_a_preview_is_told(preview: str) -> None:
    """No system resolves it."""
    assert found("PRE005", preview, {"path": "{item.path}"}, **LOOP)


@pytest.mark.parametrize("preview", ["Pay $5.00", "Read {garden}", "Read the item", "Write {}"])
def test_what_is_no_reference_is_text(preview: str) -> None:
    """The grammar of the envelope decides what is a reference."""
    assert not found("PRE005", preview)


@pytest.mark.parametrize(
    ("args", "preview", "wrong"),
    [
        ({"path": "Notes/garden.md"}, "Read Notes/garden.md", False),
        ({"path": "Notes/garden.md"}, "Read garden.md.", False),
        ({"path": "Notes/garden.md", "as": "text"}, "Read Notes/garden.md", False),
        ({"path": "Notes/garden.md"}, "Read the garden note", False),
        ({"path": "Notes/garden.md"}, "Read Notes/taxes.md", True),
        ({"path": "Notes/garden.md"}, "Read ‘taxes.md’", True),
        ({"path": "Meeting notes.md"}, "Read Meeting notes.md", False),
        ({"path": "$steps.find.matches[0].path"}, "Read Notes/garden.md", True),
        ({"path": "Notes/{$steps.find.name}.md"}, "Read a note in Notes/", False),
        ({"path": "Notes/garden.md"}, "Read garden.md, and/or wait 1.5 s, see https://a.b/c.md", False),
        ({"path": "Notes/garden.md"}, "Read Notes/garden.md with vault.readFile", False),
        (
            {"path": "Notes/garden.md"},
            "Read the input/output of garden, e.g. on 12/24/2026, Yes/No, from example.org",
            False,
        ),
        ({"path": "Notes/garden.md"}, "Read all below Notes/2026/May", True),
        ({"path": "Notes/garden.md"}, "Read all below Notes/2026/May/", True),
        ({"path": "Notes/2026/May"}, "Read all below Notes/2026/May/", False),
        ({"path": "Notes/2026/May/"}, "Read all below Notes/2026/May", False),
        ({"path": "Notes/2026/May/{$steps.find.name}.md"}, "Read a note in Notes/2026/May/", False),
        ({"path": "Notes/2026/May/{$steps.find.name}.md"}, "Read a note in Notes/2026/June/", True),
        ({"text": "see taxes.md"}, "Insert a link to other.md", False),
    ],
)
def test_a_path_in_a_preview_is_one_of_the_arguments(args: dict[str, Any], preview: str, wrong: bool) -> None:
    """This is so if the step has a path among them; another path contradicts it, or was made up."""
    assert found("PRE006", preview, args) is wrong


@pytest.mark.parametrize(
    ("preview", "observed"),
    [("Read Notes/garden.md", None), ("Read Notes/taxes.md", 'the preview names "Notes/taxes.md", but the path')],
)
def test_a_path_that_an_earlier_step_gives_back_counts_as_known(preview: str, observed: str | None) -> None:
    """That step was given it; for any other path the finding says that it is not known until the plan runs."""
    first = step("look", "vault.readFile", {"path": "Notes/garden.md"})
    one = step("it", "vault.readFile", {"path": "$steps.look.path"}, preview)
    told = faults("PRE006", catalogue(*TOOLS, plan=plan(first, one)))
    assert [each.observed.removesuffix(" is not known until the plan runs") for each in told] == (
        [observed] if observed else []
    )


def test_a_path_that_the_arguments_contradict_is_told_with_theirs() -> None:
    """The reader of the finding sees which of the two was meant."""
    one = step("it", "vault.readFile", {"path": "Notes/garden.md"}, "Read Notes/taxes.md")
    (fault,) = faults("PRE006", catalogue(*TOOLS, plan=plan(one)))
    assert fault.observed == 'the preview names "Notes/taxes.md", but the arguments name Notes/garden.md'
    assert fault.permitted == "the paths of the arguments"


def test_paths_that_are_made_of_each_other_many_times_over_are_judged_all_the_same() -> None:
    """A hundred references in each of ten steps in a row lead back to more places than a rule can visit."""
    names = [f"s{number}" for number in range(10)]
    texts = ["Notes/a.md", *(f"{{$steps.{name}.path}}" * 100 for name in names[:-1])]
    steps = [step(name, "vault.readFile", {"path": text}, "Read Notes/x/b.md") for name, text in zip(names, texts)]
    assert ids(catalogue(*TOOLS, plan=plan(*steps)), "PRE006") == ["PRE006"] * 10


@pytest.mark.parametrize(
    ("preview", "wrong"),
    [
        ("Read it", False),
        ("", True),
        ("  ", True),
        ("Read\nit", True),
        ("R" * 120, False),
        ("R" * 121, True),
        (7, False),
    ],
)
def test_a_preview_is_one_line_of_some_length(preview: Any, wrong: bool) -> None:
    """At most 120 characters."""
    assert found("PRE007", preview) is wrong


@given(st.text(max_size=200))
def test_any_text_is_survived(preview: str) -> None:
    """For any text the rules end, and find the same twice."""
    held = catalogue(*TOOLS, plan=plan(step("it", "vault.readFile", {"path": "Notes/garden.md"}, preview, **LOOP)))
    assert ids(held, "PRE") == ids(held, "PRE")

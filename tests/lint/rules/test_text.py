"""DOC: what counts as said in a definition, and what does not."""

from __future__ import annotations

import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.page import pages
from callproof.lint.rule import all_rules
from callproof.lint.sources.files import gathered

RULES = {each.id: each for each in all_rules() if each.group == "DOC"}


def fired(definition: object) -> set[str]:
    """The rules that are on by default and find a fault."""
    read = gathered([document_of("tools.json", definition)])
    held = Catalogue(read.documents, read.found, read.plans)
    on = {name: rule for name, rule in RULES.items() if pages()[name].on}
    return {name for name, rule in on.items() if any([*rule.examine(subject)] for subject in rule.each(held))}


def tool(description: object = "Count the words of a text.", name: str = "count_words", **parameters: object) -> dict:
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": parameters}}


@pytest.mark.parametrize("description", [None, "", "   ", 7])
def test_a_description_is_text(description: object) -> None:
    """Blanks do not count."""
    assert fired(tool(description)) == {"DOC001"}


@pytest.mark.parametrize("description", ["Count words.", "Counts the words", "count_words", "A tool to count words"])
def test_the_name_in_other_words_is_no_description(description: str) -> None:
    """One finding says so, and there is no second one about the length."""
    assert fired(tool(description)) == {"DOC002"}


@pytest.mark.parametrize(
    "description",
    ["读取一个文件的内容并且返回它的全部文本给调用者", "Прочитать содержимое файла", "Zählt Wörter im Text, alle."],
)
def test_a_description_in_another_script_is_no_repetition_of_the_name(description: str) -> None:
    """Its words count, although no name of a tool could contain them."""
    assert fired(tool(description)) == set()


@pytest.mark.parametrize(("length", "found"), [(19, True), (20, False), (1_024, False), (1_025, True)])
def test_a_description_has_a_fair_length(length: int, found: bool) -> None:
    """It has more than a word or two and less than a page."""
    assert (fired(tool("x" * length)) == {"DOC003"}) is found


@pytest.mark.parametrize(("length", "help_"), [(19, "say what the tool works on"), (1_025, "say what decides whether")])
def test_a_short_description_is_told_otherwise_than_a_long_one(length: int, help_: str) -> None:
    """DOC003: one needs more words, the other fewer."""
    read = gathered([document_of("tools.json", {**tool("x" * length)})])
    (subject,) = Catalogue(read.documents, read.found, read.plans).definitions
    assert [each.help.startswith(help_) for each in RULES["DOC003"].examine(subject)] == [True]


@pytest.mark.parametrize(
    ("text", "found"), [("都市の気温を調べる。", False), ("気温を調べる。", True), ("気" * 1_024, False)]
)
def test_a_wide_character_says_as_much_as_two_letters(text: str, found: bool) -> None:
    """Ten such characters may be a full sentence; for the upper limit each counts only once."""
    assert (fired(tool(text)) == {"DOC003"}) is found


def test_what_is_counted_agrees_in_number() -> None:
    """The finding writes one character and one parameter in the singular."""
    read = gathered([document_of("tools.json", {**tool("x", a={"type": "string"})})])
    subject = next(iter(Catalogue(read.documents, read.found, read.plans).definitions))
    assert [each.observed for each in RULES["DOC003"].examine(subject)] == ["the description is 1 character long"]
    assert [each.observed for each in RULES["DOC004"].examine(subject.input)] == [
        "no description for 1 of 1 parameter: a"
    ]


@pytest.mark.parametrize("keyword", ["allOf", "oneOf"])
def test_a_part_may_say_what_a_parameter_is(keyword: str) -> None:
    """An author who closes an object over its parts names their members, and describes them in the parts."""
    part = {"properties": {"a": {"type": "string", "description": "The text to count in."}}}
    bare = {"properties": {"a": {"type": "string"}}}
    whole = tool(a={})
    for parts, rules in (([part], set()), ([bare], {"DOC004"})):
        whole["inputSchema"] = {**whole["inputSchema"], keyword: parts}
        assert fired(whole) == rules


def test_a_reference_may_say_what_a_parameter_is() -> None:
    """The description of the schema that is referred to counts."""
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}
    said = {**schema, "$defs": {"A": {"type": "string", "description": "What to count."}}}
    silent = {**schema, "$defs": {"A": {"type": "string"}}}
    assert fired({**tool(), "inputSchema": said}) == set()
    assert fired({**tool(), "inputSchema": silent}) == {"DOC004"}


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
@pytest.mark.parametrize(("second", "found"), [({"type": "null"}, False), ({"type": "string"}, True)])
def test_references_in_a_choice_may_say_what_a_parameter_is(keyword: str, second: object, found: bool) -> None:
    """pydantic writes an optional model so; null needs no description, and any other choice does."""
    described = {"A": {"type": "string", "enum": ["a"], "description": "What to count."}}
    choice = {keyword: [{"$ref": "#/$defs/A"}, second]}
    schema = {"type": "object", "properties": {"a": choice}, "$defs": described}
    assert ("DOC004" in fired({**tool(), "inputSchema": schema})) is found


@pytest.mark.parametrize(
    "said",
    [
        "The unit (default: 'km').",
        "Defaults to 50.",
        "Default is true",
        'How many, default = "all"',
        "An ISO 8601 date.",
    ],
)
def test_a_value_that_only_the_text_names_is_found(said: str) -> None:
    """A schema has a keyword for such a value."""
    assert fired(tool(a={"type": "string", "description": said})) == {"DOC005"}


@pytest.mark.parametrize(
    ("said", "observed"),
    [
        ({"a": "Defaults to 50.", "b": "Defaults to 7."}, "a default is only in the description of a, b"),
        (
            {"a": "Defaults to 50.", "b": "An ISO 8601 date.", "c": "Defaults to 7."},
            "a default is only in the description of a, c, and the form of a date is only in the description of b",
        ),
        ({"a": "An ISO 8601 date."}, "the form of a date is only in the description of a"),
    ],
)
def test_a_text_is_told_with_what_it_speaks_of(said: dict[str, str], observed: str) -> None:
    """DOC005: a default of one parameter and the form of another one are told apart."""
    held = document_of(
        "tools.json", tool(**{name: {"type": "string", "description": each} for name, each in said.items()})
    )
    read = gathered([held])
    catalogue = Catalogue(read.documents, read.found, read.plans)
    (fault,) = [fault for subject in RULES["DOC005"].each(catalogue) for fault in RULES["DOC005"].examine(subject)]
    assert fault.observed == observed


def test_what_has_to_be_given_has_a_form_and_no_default() -> None:
    """The form of a date is checked for a required value, too; a default of it would never be used."""
    for said, rules in ("An ISO 8601 date.", {"DOC005"}), ("The unit (default: 'km').", set()):
        told = tool(a={"type": "string", "description": said})
        told["inputSchema"]["required"] = ["a"]
        assert fired(told) == rules


@pytest.mark.parametrize("said", ["The branch; defaults to the current one.", "By default nothing is left out."])
def test_a_default_that_is_decided_later_is_let_pass(said: str) -> None:
    """A schema cannot contain it."""
    assert fired(tool(a={"type": "string", "description": said})) == set()


@pytest.mark.parametrize("said", ["Comma-separated ids.", "A JSON string with the options.", "Stringified JSON."])
def test_a_list_in_a_text_is_found(said: str) -> None:
    """A parameter that is an array already is let pass."""
    assert fired(tool(a={"type": "string", "description": said})) == {"DOC006"}
    assert fired(tool(a={"type": "array", "items": {"type": "string"}, "description": said})) == set()


@pytest.mark.parametrize(
    "text", ["Count words. TODO: say which.", "lorem ipsum dolor sit amet", "Description goes here."]
)
def test_a_placeholder_is_found(text: str) -> None:
    """It may stand in any text of the definition."""
    assert "DOC007" in fired(tool(text))
    assert fired(tool(a={"type": "string", "description": text})) == {"DOC007"}


def test_a_tool_for_todos_is_no_placeholder() -> None:
    """A list of TODOs is a subject like any other."""
    assert fired(tool("Add an entry to the list of todos.")) == set()


def test_twins_are_told_apart_by_their_parameters() -> None:
    """The same text with other parameters is enough."""
    one, other = tool(name="count_all"), tool(name="count_some")
    assert fired({"tools": [one, other]}) == {"DOC008"}
    other["inputSchema"] = {"properties": {"a": {"description": "What to leave out."}}}
    assert fired({"tools": [one, other]}) == set()


def test_one_casing_is_enough() -> None:
    """A single word has no casing of its own."""
    said = {"description": "Some parameter."}
    assert fired(tool(per_page=said, page=said)) == set()
    assert fired(tool(per_page=said, perPage=said)) == {"DOC010"}
    assert fired(tool(per_page=said, URL=said, N=said, Title=said)) == set()


@pytest.mark.parametrize(
    ("rule", "said"),
    [("DOC005", "The day, as YYYY-MM-DD."), ("DOC006", "Comma-separated list of ids."), ("DOC004", "")],
)
def test_what_is_told_of_several_parameters_is_told_at_the_first(rule: str, said: str) -> None:
    """It is reported where that parameter is described, even by reference; the finding names all of them."""
    parameters = {name: {"type": "string", "description": said} for name in ("first", "second")}
    described = {"type": "object", "properties": {"word": {"type": "string", "description": "A word."}, **parameters}}
    behind = {"$ref": "#/$defs/all", "$defs": {"all": described}}
    for takes, place in ((described, ()), (behind, ("$defs", "all"))):
        read = gathered([document_of("tools.json", {**tool(), "inputSchema": takes})])
        (subject,) = RULES[rule].each(Catalogue(read.documents, read.found, read.plans))
        (found,) = RULES[rule].examine(subject)
        assert found.at == (*place, "properties", "first")
        assert "first, second" in found.observed


@pytest.mark.parametrize("keyword", [{"format": "date"}, {"pattern": "^[0-9-]{10}$"}])
def test_a_date_whose_form_the_schema_has_is_said_twice(keyword: dict) -> None:
    """DOC005: a pattern checks the form as a format does."""
    assert fired(tool(day={"type": "string", "description": "The day, as YYYY-MM-DD.", **keyword})) == set()


def test_what_is_no_definition_lacks_no_description() -> None:
    """DOC001: another rule reports it."""
    assert fired({"tools": [7]}) == set()

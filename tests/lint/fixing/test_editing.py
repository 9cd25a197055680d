"""Edits of JSON texts: they do what they say, and change nothing else."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from callproof.lint.document import Document, Pointer, read_document, value_at
from callproof.lint.fixing.differing import diff
from callproof.lint.fixing.editing import Editing
from callproof.lint.rule import Drop, Edit, Fix, Put, Rename, Replace
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

# A busy machine must not fail these tests: they do not judge how long a case takes.
UNHURRIED = settings(deadline=None, suppress_health_check=list(HealthCheck))

NAMES = st.text('abc"\\é', min_size=1, max_size=3)
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=10,
)
LAYOUTS: Any = st.sampled_from(
    [
        {"indent": 2},
        {"indent": "\t"},
        {},
        {"separators": (",", ":")},
        {"indent": 4, "separators": (" ,", " : "), "ensure_ascii": False},
    ]
)


def edited(document: Document, *edits: Edit) -> Document | None:
    """The document after some edits; None if they cannot be made."""
    editing = Editing(document)
    if not editing.accept((), Fix(edits, safe=True, says="")):
        return None
    return read_document(document.name, editing.text().encode())


def applied(value: Any, edit: Edit) -> Any:
    """The value after the same edit: what the text must say afterwards."""
    value = copy.deepcopy(value)
    if isinstance(edit, Put):
        value_at(value, edit.at)[edit.key] = edit.value  # type: ignore[index,call-overload]
        return value
    if not edit.at:
        assert isinstance(edit, Replace)
        return edit.value
    container: Any = value_at(value, edit.at[:-1])
    last: Any = edit.at[-1]
    if isinstance(edit, Replace):
        container[last] = edit.value
    elif isinstance(edit, Drop):
        del container[last]
    else:
        members = [(edit.name if name == last else name, each) for name, each in container.items()]
        container.clear()
        container.update(members)
    return value


def everywhere(value: Any, at: Pointer = ()) -> list[Pointer]:
    """The pointers of a value and of every value inside it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(each for name, below in inner for each in everywhere(below, (*at, name)))]


def drawn_edit(data: st.DataObject, value: Any) -> Edit | None:
    """An edit that could be made to a value; None if the drawn kind does not fit the drawn place."""
    at = data.draw(st.sampled_from(everywhere(value)))
    here: Any = value_at(value, at)
    kind = data.draw(st.sampled_from(["put", "replace", "rename", "drop"]))
    if kind == "put":
        return Put(at, data.draw(NAMES), data.draw(VALUES)) if isinstance(here, dict) else None
    if kind == "replace":
        return Replace(at, data.draw(VALUES))
    if not at:
        return None
    if kind == "drop":
        return Drop(at)
    around: Any = value_at(value, at[:-1])
    name = data.draw(NAMES)
    return Rename(at, name) if isinstance(around, dict) and name not in around else None


@UNHURRIED
@given(st.data(), VALUES, LAYOUTS)
def test_an_edit_of_the_text_is_the_edit_of_the_value(data: st.DataObject, value: Any, layout: Any) -> None:
    """This holds in every layout."""
    edit = drawn_edit(data, value)
    if edit is None:
        return
    after = edited(read_document("a.json", json.dumps(value, **layout).encode()), edit)
    assert after is not None
    wanted = applied(value, edit)
    assert after.value == wanted
    assert json.dumps(after.value) == json.dumps(wanted)  # including the order of the members


@UNHURRIED
@given(st.data(), VALUES, LAYOUTS, st.integers(2, 6))
def test_fixes_that_are_taken_together_are_made_together(
    data: st.DataObject, value: Any, layout: Any, number: int
) -> None:
    """Fixes that touch one another wait for the next round; the text after the accepted ones can be read."""
    document = read_document("a.json", json.dumps(value, **layout).encode())
    editing = Editing(document)
    taken = []
    for _ in range(number):
        edit = drawn_edit(data, value)
        if edit is not None and editing.accept((), Fix((edit,), safe=True, says="")):
            taken.append(edit)
    made = read_document("a.json", editing.text().encode())
    assert made.duplicates == ()
    after = made.value
    if len(taken) == 1:
        assert after == applied(value, taken[0])
    for edit in taken:
        if isinstance(edit, Put) and isinstance(value_at(after, edit.at), dict) and stable(taken):
            assert value_at(after, (*edit.at, edit.key)) == edit.value


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Rename(("a",), "c"), Put((), "c", 3)),
        (Put((), "c", 3), Rename(("a",), "c")),
        (Rename(("a",), "c"), Rename(("b",), "c")),
    ],
)
def test_no_two_fixes_give_one_name(first: Edit, second: Edit) -> None:
    """Otherwise an object would name a member twice, and a reader would lose one of them (SCH020)."""
    document = read_document("a.json", b'{"a": 1, "b": 2}')
    editing = Editing(document)
    assert editing.accept((), Fix((first,), safe=True, says=""))
    assert not editing.accept((), Fix((second,), safe=True, says=""))
    assert not Editing(document).accept((), Fix((first, second), safe=True, says=""))


def stable(edits: list[Edit]) -> bool:
    """Whether every pointer leads to the same place after some edits: nothing is removed and no name changes."""
    return not any(isinstance(each, Drop | Rename) for each in edits)


INDENTED = """\
{
    "name": "a",
    "inputSchema": {
        "type": "object",
        "required": ["a",  "b"],
        "empty": {}
    }   ,
    "last": [
        1,
        2
    ]
}
"""


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        (Put((), "x", True), "        2\n    ]\n}", '        2\n    ],\n    "x": true\n}'),
        (Put(("inputSchema",), "x", []), '"empty": {}\n', '"empty": {},\n        "x": []\n'),
        (Put(("inputSchema", "empty"), "x", 1), '"empty": {}', '"empty": {"x": 1}'),
        (
            Put(("inputSchema",), "x", {"a": {"b": 1}}),
            '"empty": {}\n',
            '"empty": {},\n        "x": {\n            "a": {\n                "b": 1\n            }\n        }\n',
        ),
        (Put(("inputSchema",), "type", "array"), '"type": "object"', '"type": "array"'),
        (Replace(("inputSchema", "type"), None), '"type": "object"', '"type": null'),
        (Rename(("inputSchema", "type"), "kind"), '"type"', '"kind"'),
        (Drop(("inputSchema", "required", 1)), '["a",  "b"]', '["a"]'),
        (Drop(("inputSchema", "required", 0)), '["a",  "b"]', '["b"]'),
        (Drop(("last",)), '   ,\n    "last": [\n        1,\n        2\n    ]\n}', "\n}"),
        (Drop(("name",)), '    "name": "a",\n    "inputSchema"', '    "inputSchema"'),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_everything_else_stays_as_it_stood(edit: Edit, before: str, after: str, end: str) -> None:
    """Spaces, order, indent and line ends stay."""
    text = INDENTED.replace("\n", end)
    done = edited(read_document("a.json", text.encode()), edit)
    assert done is not None
    if before.startswith("   ,"):
        assert done.text.endswith(f"    }}{after}\n".replace("\n", end))
        return
    assert done.text == text.replace(before.replace("\n", end), after.replace("\n", end))


@pytest.mark.parametrize(
    "edit",
    [
        Put(("name",), "x", 1),
        Put(("none",), "x", 1),
        Replace(("none",), 1),
        Rename(("name",), "last"),
        Rename(("last", 0), "x"),
        Drop(("none",)),
        Drop(()),
    ],
)
def test_an_edit_that_means_nothing_is_not_made(edit: Edit) -> None:
    """A fix is made as a whole or not at all."""
    document = read_document("a.json", INDENTED.encode())
    assert edited(document, Put((), "x", 1), edit) is None


def test_a_name_that_stands_twice_is_not_edited() -> None:
    """It is unclear which of them is meant."""
    assert edited(read_document("a.json", b'{"a": 1, "a": 2}'), Replace(("a",), 3)) is None


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{\n\t"a": 1,\n\t"b": 1\n}\n', [" {", '-\t"a": 1,', '+\t"a": 2,', ' \t"b": 1', " }"]),
        ('{\r\n"a": 1,\r\n"b": 1\r\n}\r\n', [" {\r", '-"a": 1,\r', '+"a": 2,\r', ' "b": 1\r', " }\r"]),
        ('{"b": "\u2028\x85",\n"a": 1}\n', [' {"b": "\\u2028\\x85",', '-"a": 1}', '+"a": 2}']),
        (
            '{"b": "' + 2_000 * "\u202e" + '",\n"a": 1}\n',
            [' {"b": "' + 2_000 * "\\u202e" + '",', '-"a": 1}', '+"a": 2}'],
        ),
    ],
)
def test_a_difference_has_the_tabs_and_the_line_ends_of_the_text(text: str, lines: list[str]) -> None:
    """Otherwise patch and git do not find the lines; only a line feed ends a line, and no line is cut short."""
    before = read_document("a.json", text.encode())
    after = edited(before, Replace(("a",), 2))
    assert after is not None
    assert [*diff(before, after)][3:] == lines


def test_a_difference_can_be_applied() -> None:
    """It names the file twice and shows the lines unchanged; a missing line break at the end is marked."""
    before = read_document("a\x1b.json", b'{\n  "a": 1\n}')
    after = edited(before, Replace(("a",), 2))
    assert after is not None
    assert [*diff(before, after)] == [
        "--- a/a\\x1b.json",
        "+++ b/a\\x1b.json",
        "@@ -1,3 +1,3 @@",
        " {",
        '-  "a": 1',
        '+  "a": 2',
        " }",
        "\\ No newline at end of file",
    ]

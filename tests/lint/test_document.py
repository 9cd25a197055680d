"""Documents: where each value stands in JSON and in YAML, and what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from callproof.lint.document import Document, NotReadable, Pointer, document_of, pointer_text, read_document, value_at
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

# A busy machine must not fail these tests: they do not judge how long a case takes.
UNHURRIED = settings(deadline=None, suppress_health_check=list(HealthCheck))

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | NAMES
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12
)


def pointers(value: Any, at: Pointer = ()) -> Iterator[tuple[Pointer, Any]]:
    """Every value inside a value, with its pointer."""
    yield at, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield from pointers(each, (*at, name))


def said(document: Document, pointer: Pointer) -> str:
    """The text of the value at a pointer."""
    span = document.span(pointer)
    return document.text[span.start : span.end]


@UNHURRIED
@given(VALUES, st.sampled_from([None, 1, 4, "\t"]), st.booleans(), st.sampled_from(["", "\n", " \r\n"]))
def test_every_value_of_a_json_text_is_where_its_span_says(
    value: Any, indent: int | str | None, ascii_only: bool, around: str
) -> None:
    """In every layout, the text of a span reads as the value."""
    text = around + json.dumps(value, indent=indent, ensure_ascii=ascii_only) + around
    document = read_document("a.json", text.encode())
    for pointer, each in pointers(value):
        assert json.loads(said(document, pointer)) == each


@UNHURRIED
@given(VALUES)
def test_places_are_lines_and_columns_of_characters(value: Any) -> None:
    """Lines and columns are counted from one; the end is exclusive."""
    document = document_of("a.json", value)
    lines = document.text.split("\n")
    for pointer, _ in pointers(value):
        span, place = document.label_span(pointer), document.place(pointer)
        before = lines[: place.line - 1]
        assert sum(len(each) + 1 for each in before) + place.column - 1 == span.start
        assert document.line(place.line) == lines[place.line - 1]


def test_a_tool_is_pointed_out_by_its_name() -> None:
    """A scalar is pointed out itself, an object or array by its key."""
    document = read_document("a.json", b'[{"name": "x.y", "inputSchema": {"type": "object"}}]')
    spans = [document.label_span(each) for each in ((0,), (0, "inputSchema"), (0, "inputSchema", "type"))]
    assert [document.text[each.start : each.end] for each in spans] == ['"x.y"', '"inputSchema"', '"object"']


def test_what_is_not_there_is_at_the_nearest_value_around_it() -> None:
    """A rule about something missing needs a place, too."""
    document = read_document("a.json", b'{"a": {"b": 1}}')
    assert document.span(("a", "c", "d")) == document.span(("a",))


def test_members_that_share_a_name_are_told() -> None:
    """The place is that of the later one, whose value counts."""
    document = read_document("a.json", b'{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}')
    assert document.value == {"a": 3, "b": {"c": 2}}
    assert [pointer_text(each.pointer) for each in document.duplicates] == ["/b/c", "/a"]
    assert said(document, ("a",)) == "3"


def test_a_document_without_repeated_names_is_not_searched_for_them() -> None:
    """It has none, although a name may stand in two different objects."""
    assert read_document("a.json", b'{"a": [{"a": 1}]}').duplicates == ()


YAML = """\
# tools of the vault
tools:
  - name: vault.readFile
    inputSchema: {type: object, required: [path]}
    on: yes
    since: 2026-01-01
    size: 12
    ratio: 1.5
    none: ~
    quoted: "12"
"""


def test_yaml_has_the_values_of_json() -> None:
    """Dates and the words yes and no stay text."""
    document = read_document("a.yaml", YAML.encode(), "yaml")
    assert document.value == {
        "tools": [
            {
                "name": "vault.readFile",
                "inputSchema": {"type": "object", "required": ["path"]},
                "on": "yes",
                "since": "2026-01-01",
                "size": 12,
                "ratio": 1.5,
                "none": None,
                "quoted": "12",
            }
        ]
    }
    assert not document.editable


def test_values_of_yaml_have_places() -> None:
    """In block style and in flow style."""
    document = read_document("a.yaml", YAML.encode(), "yaml")
    assert document.place(("tools", 0))[:2] == (3, 11)
    assert document.place(("tools", 0, "inputSchema"))[:2] == (4, 5)
    assert said(document, ("tools", 0, "inputSchema", "required", 0)) == "path"
    assert said(document, ("tools", 0, "size")) == "12"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: *nothing", "not YAML"),
        ("? [1, 2]\n: 3", "uses an object or an array as the name of a member"),
        ("a: !!python/object:os.system {}", "tag"),
        ("a: !secret x", "tag"),
        ("[" * 200_000, "nested deeper"),
        ("{a: " * 1_500, "nested deeper"),
        ("- " * 1_500, "nested deeper"),
        ("".join(" " * each + "a:\n" for each in range(200)), "nested deeper"),
        ("a: 1\n---\nb: 2\n", "not YAML.* a file holds one value: put several definitions into one array"),
        ("&a [*a]", "nested deeper"),
    ],
)
def test_yaml_that_is_no_json_is_refused(text: str, says: str) -> None:
    """The refusal gives the reason, and does not end the process."""
    with pytest.raises(NotReadable, match=says):
        read_document("a.yaml", text.encode(), "yaml")


@pytest.mark.many
def test_aliases_that_multiply_are_bounded() -> None:
    """A few lines can stand for more values than memory can hold."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{each}: &a{each} [{', '.join([f'*a{each - 1}'] * 10)}]" for each in range(1, 9)]
    with pytest.raises(NotReadable, match="values") as refused:
        read_document("a.yaml", "\n".join(lines).encode(), "yaml")
    assert refused.value.limit == "YAML nodes"


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"{", "not JSON"),
        (b"\xff{}", "not JSON: is not UTF-8 at byte 0; save it as UTF-8"),
        (b" \n", "is empty"),
        (b"[" * 300, "nested deeper"),
        (b'{"a": NaN}', "not JSON"),
        (b"{}\n{}\n", "at line 2, column 1; a file holds one value: put several definitions into one array"),
    ],
)
def test_json_that_is_none_is_refused(raw: bytes, says: str) -> None:
    """The message names the document and the reason."""
    with pytest.raises(NotReadable, match=f"a.json: .*{says}"):
        read_document("a.json", raw)


def test_a_python_module_is_no_json_and_has_an_option_of_its_own() -> None:
    """The linter imports no module unless the user asks for it."""
    with pytest.raises(NotReadable, match=r"name a Python module with --module package\.module:TOOLS"):
        read_document("tools.py", b"TOOLS = []")


def test_where_every_number_can_be_held_no_position_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The linter asks this of each of a thousand tools, so the usual answer must be cheap."""
    document = read_document("a.json", b'[{"minimum": 1}]')
    monkeypatch.setattr(Document, "_member", None)
    assert document.unheld_number((0,)) is None


def test_a_number_that_cannot_be_held_is_found_by_its_pointer() -> None:
    """It is found inside the value that was asked for, and its value is null; in a text it is not a number."""
    for number in ("9" * 1_025, "-1e999"):
        document = read_document("a.json", f'[{{"n": [1, {number}]}}, {{"n": "{number}"}}]'.encode())
        found = document.unheld_number((0,))
        assert found is not None
        assert (found.pointer, document.value) == ((0, "n", 1), [{"n": [1, None]}, {"n": number}])
        assert document.unheld_number((1,)) is None


def test_a_value_that_is_not_there_is_none() -> None:
    """Whichever part of the pointer leads nowhere."""
    assert value_at({"a": [1]}, ("a", 0)) == 1
    assert value_at({"a": [1]}, ("a", 1)) is None
    assert value_at({"a": [1]}, ("a", "b")) is None


def test_a_pointer_is_written_as_json_pointers_are() -> None:
    """The two escapes of JSON Pointer are used."""
    assert pointer_text(("a/b", 0, "c~d")) == "/a~1b/0/c~0d"

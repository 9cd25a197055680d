"""Logs that are one JSON document: read as the lines that their elements would be, each with its place."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from callproof import limits
from callproof.protocols.entries import Entries, entries_in, read_entries
from callproof.protocols.known import protocol_of
from callproof.trace.run import FlawKind
from hypothesis import given
from hypothesis import strategies as st
from protocols.loops import broken, judged
from protocols.transcripts import ASKS, calls, tool

BASES = Path(__file__).parents[2] / "spec" / "protocols" / "examples"
TALK = [ASKS, calls(("a", "{}")), tool("a"), calls()]
LOST = [ASKS, calls(("a", "{}")), ASKS, calls()]


def read(text: str) -> Entries:
    """A text, read as a log."""
    return entries_in(io.BytesIO(text.encode()), "log.json", "log.json")


def values(log: Entries) -> list[Any]:
    """What its entries are."""
    return [dict(each.value) for each in log.entries]


def lines_of(log: Entries) -> list[int]:
    """Where its entries stand."""
    return [each.source.line for each in log.entries]


@pytest.mark.parametrize("base", sorted(each.name for each in BASES.iterdir() if (each / "log.jsonl").is_file()))
@pytest.mark.parametrize("indent", [None, 0, 2])
def test_a_document_is_judged_as_its_lines_are(base: str, indent: int | None) -> None:
    """Every log of the chapters, written as one array, is of the same protocol and keeps and breaks the same."""
    lines = read_entries(BASES / base / "log.jsonl")
    log = read(json.dumps(values(lines), indent=indent))
    assert values(log) == values(lines)
    assert log.flaws == ()
    assert protocol_of(log) is protocol_of(lines)


@given(
    st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=3) | st.none(), max_size=2), max_size=6), st.data()
)
def test_an_element_stands_where_it_begins(elements: list[dict[str, Any]], data: st.DataObject) -> None:
    """Whatever blanks stand between elements, each one's place is the line of its first sign."""
    blanks = st.text(" \n\r\t", max_size=3)
    text, places = "[", list[int]()
    for at, each in enumerate(elements):
        text += ("," if at else "") + data.draw(blanks)
        places.append(text.count("\n") + 1)
        text += json.dumps(each, indent=data.draw(st.sampled_from([None, 0, 1]))) + data.draw(blanks)
    log = read(text + data.draw(blanks) + "]" + data.draw(blanks))
    assert (values(log), lines_of(log), log.flaws) == (elements, places, ())


@pytest.mark.parametrize("name", ["messages", "contents"])
def test_a_request_has_its_messages_and_its_tools(name: str) -> None:
    """Of an object that goes on in the next line the elements are read, and its tools as those that a capture notes."""
    log = read(json.dumps({"model": "m", "tools": [{"name": "read"}], name: TALK, "more": 1}, indent=1))
    assert values(log) == [{"kind": "meta", "tools": [{"name": "read"}]}, *TALK]
    assert lines_of(log)[1] > 5


def test_what_was_asked_without_what_it_needs_is_found_by_the_tools_of_the_request() -> None:
    """The schemas of a request's own tools are what its calls are held against, where results tell of failures."""
    schema = {"type": "object", "required": ["path"]}
    asked = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}]}
    given_back = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "ok"}]}
    request = {"tools": [{"name": "read", "input_schema": schema}], "messages": [ASKS, asked, given_back]}
    log = read(json.dumps(request, indent=2))
    assert set(broken(judged(values(log)))) == {"HOST-12"}


def test_a_whole_conversation_may_be_an_element() -> None:
    """An array of conversations is judged one by one, as lines of them are."""
    log = read(json.dumps([{"messages": TALK}, {"messages": LOST}], indent=1))
    results = judged(values(log))
    assert set(broken(results)) == {"HOST-01"}
    assert broken(judged(values(read(json.dumps([{"messages": TALK}] * 2))))) == {}


@pytest.mark.parametrize(
    ("text", "count", "flaws"),
    [
        # An element that is no object may have been anything.
        (json.dumps([TALK[0], 3, TALK[1]], indent=1), 2, [6]),
        # One object over several lines is one record.
        (json.dumps(TALK[1], indent=1), 1, []),
        # JSON lines whose first line is no record are lines all the same.
        ("[1]\n" + "".join(json.dumps(each) + "\n" for each in TALK), 4, [1]),
        ("{\n" + "".join(json.dumps(each) + "\n" for each in TALK), 4, [1]),
        # A member that is there twice is one to strict readers only, and nothing of the document is read.
        ('[{"role": "user", "role": "tool"}]', 0, [1]),
        ('[\n{"role": "user", "role": "tool"},\n{"role": "user"}\n]', 0, [1]),
        # So is a number that no double can hold.
        ('[\n{"role": "user", "n": 1e999},\n{"role": "user"}\n]', 0, [1]),
        ("[]", 0, []),
        ("\n\n [\n]\n", 0, []),
        ("", 0, []),
        ("\n\n", 0, []),
    ],
)
def test_what_is_read_of_a_document_and_what_is_not(text: str, count: int, flaws: list[int]) -> None:
    """Nothing is left out in silence: what is no record is a flaw at its line."""
    log = read(text)
    assert len(log.entries) == count
    assert [each.source.line for each in log.flaws] == flaws


def test_an_object_in_one_line_is_a_line() -> None:
    """Whatever is in it: of a whole conversation in one line nothing but its messages is read."""
    line = {"messages": TALK, "tools": [{"name": "read"}]}
    assert values(read(json.dumps(line))) == [line]


def test_a_request_without_tools_is_one_of_messages_alone() -> None:
    """Null is no list of tools, and nothing that a capture noted."""
    log = read(json.dumps({"tools": None, "messages": TALK}, indent=1))
    assert (values(log), log.flaws) == (TALK, ())


@pytest.mark.parametrize(("before", "line"), [("", 1), ("\n", 2), (" \n\r\n\t", 3)])
def test_what_stands_before_a_document_is_counted(before: str, line: int) -> None:
    """Blank lines are lines, before one record as before an array of them."""
    assert lines_of(read(before + json.dumps(ASKS, indent=1))) == [line]
    assert lines_of(read(before + json.dumps([ASKS]))) == [line]


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_no_line_of_a_document_is_left_out(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is too long stays unread, and what is left of the document is not taken for the whole."""
    monkeypatch.setattr(limits, "LINE_BYTES", 100)
    rows = ["[", json.dumps(ASKS), "]"]
    rows[at:at] = [f", {json.dumps({**ASKS, 'content': 'x' * 100})}"]
    log = read("\n".join(rows) + "\n")
    assert at + 1 in {each.source.line for each in log.flaws if each.kind is FlawKind.LIMIT}
    assert len(log.flaws) > 1


ODD: Any = [
    {"role": "user", "content": 'a "q" \u00e9\\ \U0001f426 \n'},
    {"n": -1.5e10, "t": True, "x": None, "e": {}, "l": []},
]


@pytest.mark.parametrize("whole", [TALK, ODD, {"model": "m", "messages": ODD}], ids=["talk", "odd", "request"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_document_that_breaks_off_says_so_and_in_which_line(*, whole: Any, ascii_only: bool) -> None:
    """Cut at any place, within a character too, it has one flaw, in the line in which it ends, and nothing is read."""
    text = json.dumps(whole, indent=1, ensure_ascii=ascii_only).encode()
    for at in range(1, len(text)):
        # Whoever looked into it may have saved it with an end of its last line.
        cut = text[:at] + (b"", b"\n", b"\n \n")[at % 3]
        log = entries_in(io.BytesIO(cut), "log.json", "log.json")
        line = text[:at].rstrip().count(b"\n") + 1
        assert (log.entries, [(each.says, each.source.line) for each in log.flaws]) == (
            (),
            [(f"the document breaks off in line {line}", line)],
        ), cut


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        # Lines of which the first is none, whether the last one is whole or not.
        ('[\n{"role": "user"}\n{"role": "user"}\n', [1]),
        ('{\n{"role": "user"}\n{"role": "us', [1, 3]),
        ('[1]\n{"role": "us', [1, 2]),
        ("[1]\n2", [1, 2]),
        # What is no JSON before its end does not break off there.
        ("[12:30:01 started\n", [1]),
        ("[\n1,,\n", [1, 2]),
        # Nobody looks so deep for an end.
        ("[" * 100_000, [1]),
        ("[\n" + '{"a":' * 100_000, [1, 2]),
    ],
)
def test_what_is_no_beginning_of_a_document_does_not_break_off(text: str, lines: list[int]) -> None:
    """It is read as lines, each told by itself."""
    log = read(text)
    assert [each.source.line for each in log.flaws] == lines
    assert not any("breaks off" in each.says for each in log.flaws)


def test_a_document_may_be_compressed_and_hold_halves_of_characters(tmp_path: Path) -> None:
    """It is unpacked as lines are, and read with U+FFFD in the place of half of a character."""
    path = tmp_path / "log.json.gz"
    path.write_bytes(gzip.compress(b'[{"role": "user",\n"content": "\\ud83d"}]'))
    assert values(read_entries(path)) == [{"role": "user", "content": "\ufffd"}]


def test_a_document_is_no_longer_than_a_log_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the limit it is read; one byte more, and it is told that the rest was not."""
    text = json.dumps(TALK, indent=1)
    size = len(text) - text.count("\n")
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", size)
    assert values(read(text)) == TALK
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", size - 1)
    assert FlawKind.LIMIT in {each.kind for each in read(text).flaws}

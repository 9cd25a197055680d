"""Logs that are one JSON document: each element is read like a line of a log, with its place."""

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
    """The values of a log's entries."""
    return [dict(each.value) for each in log.entries]


def lines_of(log: Entries) -> list[int]:
    """The lines of a log's entries."""
    return [each.source.line for each in log.entries]


@pytest.mark.parametrize("base", sorted(each.name for each in BASES.iterdir() if (each / "log.jsonl").is_file()))
@pytest.mark.parametrize("indent", [None, 0, 2])
def test_a_document_is_judged_as_its_lines_are(base: str, indent: int | None) -> None:
    """Every log of the chapters, written as one array, has the same protocol and the same results."""
    lines = read_entries(BASES / base / "log.jsonl")
    log = read(json.dumps(values(lines), indent=indent))
    assert values(log) == values(lines)
    assert log.flaws == ()
    assert protocol_of(log) is protocol_of(lines)


@given(
    st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=3) | st.none(), max_size=2), max_size=6), st.data()
)
def test_an_element_stands_where_it_begins(elements: list[dict[str, Any]], data: st.DataObject) -> None:
    """The place of each element is the line of its first character, with any blanks between the elements."""
    blanks = st.text(" \n\r\t", max_size=3)
    text, places = "[", list[int]()
    for at, each in enumerate(elements):
        text += ("," if at else "") + data.draw(blanks)
        places.append(text.count("\n") + 1)
        text += json.dumps(each, indent=data.draw(st.sampled_from([None, 0, 1]))) + data.draw(blanks)
    log = read(text + data.draw(blanks) + "]" + data.draw(blanks))
    assert (values(log), lines_of(log), log.flaws) == (elements, places, ())


@pytest.mark.parametrize("name", ["messages", "contents", "input"])
def test_a_request_has_its_messages_and_its_tools(name: str) -> None:
    """The elements of a request over several lines are read, and its tools count like those that a capture notes."""
    log = read(json.dumps({"model": "m", "tools": [{"name": "read"}], name: TALK, "more": 1}, indent=1))
    assert values(log) == [{"kind": "meta", "tools": [{"name": "read"}]}, *TALK]
    assert lines_of(log)[1] > 5


@pytest.mark.parametrize("name", ["role", "type", "kind"])
def test_an_input_of_a_record_is_no_conversation(name: str) -> None:
    """A document that says what it is, is one record, even if its input is an array."""
    record = {name: "call", "input": [ASKS]}
    assert values(read(json.dumps(record, indent=1))) == [record]


def test_what_was_asked_without_what_it_needs_is_found_by_the_tools_of_the_request() -> None:
    """Calls are checked against the schemas of the request's own tools if the results report failures."""
    schema = {"type": "object", "required": ["path"]}
    asked = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}]}
    given_back = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "ok"}]}
    request = {"tools": [{"name": "read", "input_schema": schema}], "messages": [ASKS, asked, given_back]}
    log = read(json.dumps(request, indent=2))
    assert set(broken(judged(values(log)))) == {"HOST-12"}


def test_a_whole_conversation_may_be_an_element() -> None:
    """The conversations of an array are judged one by one, like conversations in lines."""
    log = read(json.dumps([{"messages": TALK}, {"messages": LOST}], indent=1))
    results = judged(values(log))
    assert set(broken(results)) == {"HOST-01"}
    assert broken(judged(values(read(json.dumps([{"messages": TALK}] * 2))))) == {}


@pytest.mark.parametrize(
    ("text", "count", "flaws"),
    [
        # An element that is not an object may have been anything.
        (json.dumps([TALK[0], 3, TALK[1]], indent=1), 2, [6]),
        # One object over several lines is one record.
        (json.dumps(TALK[1], indent=1), 1, []),
        # JSON lines whose first line is not a record are still lines.
        ("[1]\n" + "".join(json.dumps(each) + "\n" for each in TALK), 4, [1]),
        ("{\n" + "".join(json.dumps(each) + "\n" for each in TALK), 4, [1]),
        # Only a strict reader refuses a member that is there twice; then nothing of the document is read.
        ('[{"role": "user", "role": "tool"}]', 0, [1]),
        ('[\n{"role": "user", "role": "tool"},\n{"role": "user"}\n]', 0, [1]),
        # The same holds for a number that no double can hold.
        ('[\n{"role": "user", "n": 1e999},\n{"role": "user"}\n]', 0, [1]),
        ("[]", 0, []),
        ("\n\n [\n]\n", 0, []),
        ("", 0, []),
        ("\n\n", 0, []),
    ],
)
def test_what_is_read_of_a_document_and_what_is_not(text: str, count: int, flaws: list[int]) -> None:
    """Nothing is left out silently: what is not a record is a flaw at its line."""
    log = read(text)
    assert len(log.entries) == count
    assert [each.source.line for each in log.flaws] == flaws


def test_an_object_in_one_line_is_a_line() -> None:
    """An object in one line is not read as a document: of a whole conversation in it, only the messages are read."""
    line = {"messages": TALK, "tools": [{"name": "read"}]}
    assert values(read(json.dumps(line))) == [line]


def test_a_request_without_tools_is_one_of_messages_alone() -> None:
    """Null is not a list of tools, so it does not count as a note of a capture."""
    log = read(json.dumps({"tools": None, "messages": TALK}, indent=1))
    assert (values(log), log.flaws) == (TALK, ())


@pytest.mark.parametrize(("before", "line"), [("", 1), ("\n", 2), (" \n\r\n\t", 3)])
def test_what_stands_before_a_document_is_counted(before: str, line: int) -> None:
    """Blank lines count, both before one record and before an array of records."""
    assert lines_of(read(before + json.dumps(ASKS, indent=1))) == [line]
    assert lines_of(read(before + json.dumps([ASKS]))) == [line]


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_no_line_of_a_document_is_left_out(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If one line is too long and stays unread, the rest is not taken for the whole document."""
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
    """A document that is cut anywhere, even within a character, has one flaw, in its last line, and no entries."""
    text = json.dumps(whole, indent=1, ensure_ascii=ascii_only).encode()
    for at in range(1, len(text)):
        # An editor may have saved the file with a newline at its end.
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
        # JSON lines whose first line is not one, with a whole or an incomplete last line.
        ('[\n{"role": "user"}\n{"role": "user"}\n', [1]),
        ('{\n{"role": "user"}\n{"role": "us', [1, 3]),
        ('[1]\n{"role": "us', [1, 2]),
        ("[1]\n2", [1, 2]),
        # A text that is invalid JSON before its end does not break off at its end.
        ("[12:30:01 started\n", [1]),
        ("[\n1,,\n", [1, 2]),
        # The reader does not look so deep for an end.
        ("[" * 100_000, [1]),
        ("[\n" + '{"a":' * 100_000, [1, 2]),
    ],
)
def test_what_is_no_beginning_of_a_document_does_not_break_off(text: str, lines: list[int]) -> None:
    """Such a text is read as lines, and each line has its own flaw."""
    log = read(text)
    assert [each.source.line for each in log.flaws] == lines
    assert not any("breaks off" in each.says for each in log.flaws)


def test_a_document_may_be_compressed_and_hold_halves_of_characters(tmp_path: Path) -> None:
    """A document is unpacked like lines, and U+FFFD replaces half of a character."""
    path = tmp_path / "log.json.gz"
    path.write_bytes(gzip.compress(b'[{"role": "user",\n"content": "\\ud83d"}]'))
    assert values(read_entries(path)) == [{"role": "user", "content": "\ufffd"}]


def test_a_document_is_no_longer_than_a_log_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the limit a document is read; with one byte more, the log says that the rest was not read."""
    text = json.dumps(TALK, indent=1)
    size = len(text) - text.count("\n")
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", size)
    assert values(read(text)) == TALK
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", size - 1)
    assert FlawKind.LIMIT in {each.kind for each in read(text).flaws}

"""A system that does not read or write UTF-8: the report says so, beside the laws that this breaks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from callproof.adapters.encoding import Encoding
from hypothesis import given
from hypothesis import strategies as st

RELAY = Path(__file__).with_name("otherwise_encoded.py")
# The cases that are played of each protocol: in them the system repeats texts beyond ASCII.
PLAYED = {
    "test": ("stdio", ["-k", "SC-16"]),
    "loop": ("loop", ["--case", "AL-01/odd-text"]),
    "pipeline": ("pipeline", ["--case", "PL-01/odd-ids"]),
    "invocation": ("invocation", ["--case", "IV-09/odd-text"]),
}
WRITES = "it does not write its output in UTF-8"
READS = "it does not read its input in UTF-8"
LOSSES = [
    ("utf-8", "ascii", f"gives `?` for each character beyond ASCII: {WRITES}"),
    ("ascii", "utf-8", f"gives U+FFFD for each byte beyond ASCII: {READS}"),
    ("ascii", "ascii", f"gives `?` for each byte beyond ASCII: {READS}, and {WRITES}"),
    ("latin-1", "utf-8", f"gives several characters for each beyond ASCII: {READS}"),
    ("cp1252", "utf-8", f"gives several characters for each beyond ASCII: {READS}"),
]


def report_on(command: str, reads: str, writes: str) -> dict[str, Any]:
    """The report of a command on the reference behind other encodings."""
    system, options = PLAYED[command]
    address = f"stdio:{sys.executable} {RELAY} {reads} {writes} callproof-reference {system}"
    run = subprocess.run(
        [sys.executable, "-m", "callproof", command, address, *options, "--format", "json"],
        capture_output=True,
        text=True,
    )
    report: dict[str, Any] = json.loads(run.stdout)
    return report


def told_of_encodings(report: dict[str, Any]) -> list[str]:
    """The notes on the system that are about its encoding."""
    return [each for each in report["subject"].get("notes", ()) if "ASCII" in each]


@pytest.mark.parametrize("command", PLAYED)
@pytest.mark.parametrize(("reads", "writes", "says"), LOSSES)
def test_an_encoding_that_loses_characters_is_told_beside_what_it_breaks(command, reads, writes, says):
    """It breaks dozens of laws, and none of their findings names the cause."""
    report = report_on(command, reads, writes)
    assert report["outcome"] in {"violations", "error"}
    (note,) = told_of_encodings(report)
    assert note == f"{says}; set the encoding in the system itself, because a locale may name another"


@pytest.mark.parametrize("command", PLAYED)
def test_of_a_system_that_loses_nothing_nothing_is_told(command):
    """The same system in UTF-8 gets no note."""
    report = report_on(command, "utf-8", "utf-8")
    assert told_of_encodings(report) == []
    assert report["outcome"] not in {"violations", "error"}


@given(st.lists(st.text(), min_size=1), st.data())
def test_what_comes_back_as_it_was_sent_is_never_told(texts, data):
    """The suite may itself send a question mark, or a text that looks like another text with losses."""
    encoding = Encoding()
    encoding.send({"texts": texts})
    for text in data.draw(st.lists(st.sampled_from(texts))):
        encoding.take({"text": text})
    assert encoding.garbled == ""


def test_the_first_text_that_comes_back_settles_it():
    """A system that sends one text back intact has an encoding for it, so other losses have another cause."""
    encoding = Encoding()
    encoding.send(["Vögel im Garten", "Bäume"])
    encoding.take(["Vögel im Garten"])
    encoding.take(["B?ume"])
    assert encoding.garbled == ""


@pytest.mark.parametrize("text", ["é", "éé", "\u2028\U0001f426é"])
def test_a_text_of_which_nothing_is_left_settles_nothing(text):
    """A question mark alone may come from anywhere."""
    encoding = Encoding()
    encoding.send([text])
    encoding.take(["?" * len(text)])
    assert encoding.garbled == ""


def test_a_character_of_two_units_may_come_as_two_question_marks():
    """A language whose texts are units of UTF-16 writes it like that."""
    for came in ("a bird: ?", "a bird: ??"):
        encoding = Encoding()
        encoding.send(["a bird: \U0001f426"])
        encoding.take([came])
        assert encoding.garbled.startswith("gives `?` for each character")


def test_half_a_character_is_no_trouble():
    """A tool may return one (RES-22), and no encoding has it; the check must cope with that."""
    encoding = Encoding()
    encoding.send(["half \ud83d of it"])
    encoding.take(["half ? of it"])
    assert encoding.garbled.startswith("gives `?`")

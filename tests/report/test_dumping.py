"""JSON text of reports that every reader accepts, whatever the names of the files in a report are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from callproof.commands.audit import Audit, audit
from callproof.report.document import document, json_text
from callproof.report.dumping import dumped
from callproof.report.lines import json_lines
from callproof.values.jsontext import read_json
from hypothesis import given
from hypothesis import strategies as st
from log_edits import copy_of

HALVES = st.characters(categories=["Cs"])
VALUES: Any = st.recursive(
    st.none() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(VALUES)
def test_what_is_text_is_kept(value: Any) -> None:
    """Reading the text gives the same value again, also with characters beyond the first plane."""
    assert read_json(dumped(value).encode("ascii")) == value


@given(st.text(), HALVES, st.text())
def test_half_a_character_is_told_by_its_escape(before: str, half: str, after: str) -> None:
    """This holds in a value and in a name, and the text around it does not change."""
    told = f"{before}\\u{ord(half):04x}{after}"
    assert read_json(dumped({before + half + after: [before + half + after]}).encode("ascii")) == {told: [told]}


def test_a_report_on_a_folder_without_a_name_in_utf_8_is_read_again(tmp_path: Path) -> None:
    """The report can be read like any other, as a document and line by line."""
    os.rename(copy_of("linear", tmp_path / "run"), os.fsencode(tmp_path) + b"/run-\xff")
    report = document(audit(Audit((tmp_path,))))
    told: Any = read_json(json_text(report).encode("ascii"))
    assert told["runs"][0]["name"] == "run-\\udcff"
    assert all(read_json(line.encode("ascii")) for line in json_lines(report).splitlines())

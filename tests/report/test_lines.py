"""Reports as JSON Lines."""

from __future__ import annotations

import json
from typing import Any

import pytest
from callproof.report.lines import json_lines, read_report_text
from callproof.schema.validator import shape_validator
from callproof.values.jsontext import NotStrictJson
from reports import hostile_report, log_report, report

REQUIRED = {"runs", "requirements", "findings", "errors"}
NOTHING = report(runs=[], requirements=[], findings=[], testimonies=[])


@pytest.mark.parametrize("made", [report(), log_report(), hostile_report()], ids=["live", "log", "hostile"])
def test_every_line_has_the_shape_of_the_specification(made: dict[str, Any]) -> None:
    """Each line is one object in ASCII; the head is first and the end is last."""
    lines = json_lines(made).splitlines(keepends=True)
    told = [json.loads(line) for line in lines]
    assert all(line.isascii() and line.endswith("\n") for line in lines)
    assert [error for each in told for error in shape_validator("report-line").errors(each)] == []
    assert [told[0]["kind"], told[-1]["kind"]] == ["head", "end"]


@pytest.mark.parametrize(
    "made", [report(), log_report(), hostile_report(), NOTHING], ids=["live", "log", "hostile", "nothing"]
)
def test_the_report_is_put_together_again_from_its_lines(made: dict[str, Any]) -> None:
    """Nothing is lost except optional lists that are empty."""
    again = read_report_text(json_lines(made).encode("ascii"))
    assert again == {name: each for name, each in made.items() if each != [] or name in REQUIRED}


def test_lines_without_their_end_are_refused_wherever_they_were_cut_off() -> None:
    """A report that was cut off may have lost any number of findings."""
    raw = json_lines(log_report()).encode("ascii")
    whole = raw.removesuffix(b"\n")
    for end in range(len(whole)):
        with pytest.raises(NotStrictJson):
            read_report_text(whole[:end])
    assert read_report_text(whole) == read_report_text(raw)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"kind": "finding"', "a line 2 that is not JSON: .* column"),
        (b"[]", "a line 2 that is not an object with a kind and a record"),
        (b'{"kind": 5, "record": {}}', "a line 2 that is not an object with a kind and a record"),
        (b'{"kind": "finding"}', "a line 2 that is not an object with a kind and a record"),
        (b'{"kind": "findings", "record": {}}', 'a line 2 of the kind "findings"; permitted: head, run, .*end'),
        (b'{"kind": "end", "record": []}', 'a line 2 of the kind "end"'),
        (b'{"kind": "run", "kind": "run", "record": {}}', "a line 2 that .*twice"),
    ],
)
def test_a_line_that_is_none_is_told_by_its_number(line: bytes, says: str) -> None:
    """The error also says what is permitted."""
    head, *rest = json_lines(log_report()).encode("ascii").splitlines()
    with pytest.raises(NotStrictJson, match=says):
        read_report_text(b"\n".join((head, line, *rest)))


def test_two_reports_in_one_file_are_not_read_as_one() -> None:
    """Joined, they would have the findings of both but the outcome of the second, which may be that all is well."""
    bad, good = (json_lines(each).encode("ascii") for each in (log_report(), report(findings=[], exitCode=0)))
    end = bad.count(b"\n")
    with pytest.raises(NotStrictJson, match=f"goes on after line {end}, .* keep each report in a file of its own"):
        read_report_text(bad + good)
    head, *rest = good.splitlines(keepends=True)
    with pytest.raises(NotStrictJson, match=r"has a line 2 of the kind head, .* in a file of its own"):
        read_report_text(b"".join((head, head, *rest)))


def test_a_line_of_an_endless_kind_is_told_in_a_line() -> None:
    """A file that a user names by mistake must not fill the terminal."""
    line = json.dumps({"kind": "k" * 100_000, "record": {}}).encode("ascii")
    with pytest.raises(NotStrictJson) as refused:
        read_report_text(b'{"kind": "head", "record": {}}\n' + line)
    assert "a line 2 of the kind" in str(refused.value)
    assert len(str(refused.value)) < 300

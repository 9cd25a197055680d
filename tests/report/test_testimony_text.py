"""The testimonies as text: three columns that are readable with or without colours."""

from __future__ import annotations

from typing import Any

from callproof.report.testimony_text import WIDTH, side_by_side, wire_lines
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len


def row(
    by: str, says: str, call: str | None = "s1 attempt 1", at: int | None = 0, line: int | None = 1
) -> dict[str, Any]:
    """One row of a testimony."""
    told: dict[str, Any] = {"by": by, "says": says, "call": call, "atMs": at, "line": line}
    return {name: value for name, value in told.items() if value is not None}


def drawn(*rows: dict[str, Any], marked: tuple[int, ...] = (), clock: str = "virtual", left: int = 0) -> list[str]:
    """The lines of a testimony with these rows."""
    told = {"run": "SC-07/x", "clock": clock, "rows": list(rows), "left": left}
    return [line.plain for line in side_by_side(told, marked)]


def test_the_three_stand_side_by_side_in_the_order_of_the_wire() -> None:
    """A row goes on to the right as long as the next testimony is further right; otherwise a new line begins."""
    lines = drawn(
        row("suite", "the suite starts the run", call=None, line=0),
        row("claim", "step.started", line=7),
        row("deed", "is invoked", line=8),
        row("deed", "answers 1", at=50, line=9),
        row("claim", "result ok", at=50, line=11),
        row("folder", "a.md is new", at=None, line=None),
    )
    assert lines == [
        "  testimonies  SC-07/x   times on the virtual clock",
        "       wire       time  its records claim         the tools witnessed       the folder shows",
        "  the run",
        "          0      +0 ms                            the suite starts the run",
        "  s1 attempt 1",
        "        7-8      +0 ms  step.started              is invoked",
        "          9     +50 ms                            answers 1",
        "         11     +50 ms  result ok                                           a.md is new",
    ]


def test_the_rows_that_prove_a_finding_are_marked() -> None:
    """Both the witness of a finding and a row name the line of the message."""
    finding = {"witness": [{"file": "wire", "line": 8}, {"file": "calls.jsonl", "line": 3}]}
    marked = wire_lines(finding)
    assert marked == (8,)
    lines = drawn(row("claim", "a", line=3), row("claim", "b", line=8), marked=marked)
    assert [line.strip().startswith(">") for line in lines[-2:]] == [False, True]


def test_on_real_time_no_time_is_told() -> None:
    """Times would differ from run to run."""
    lines = drawn(row("claim", "a", at=None), clock="real")
    assert "in the order of the wire" in lines[0]
    assert not any(" ms" in line for line in lines)


def test_of_a_long_run_the_calls_that_matter_are_shown() -> None:
    """The text shows the calls that prove the finding, and the run itself, and counts the rest."""
    others = [row("claim", "x", call=f"s{number} attempt 1", line=number) for number in range(100, 150)]
    lines = drawn(
        row("suite", "cancels", call=None, line=1), *others, row("claim", "y", call="s9", line=9), marked=(9,), left=5
    )
    assert "  s9" in lines
    assert "  s100 attempt 1" not in lines
    assert lines[-1] == "  … and 55 more rows, in the JSON report"


@given(st.lists(st.text(max_size=60), min_size=1, max_size=4))
def test_hostile_text_does_nothing_and_no_line_is_too_wide(texts: list[str]) -> None:
    """This holds whatever a record says, and however wide its characters are."""
    for line in drawn(*(row("claim", text or "x", call=text) for text in texts)):
        assert not {"\x1b", "\n", "\r", "\u202e"} & set(line)
        assert cell_len(line) <= WIDTH or not line.startswith("   ")


def test_no_rows_are_no_table() -> None:
    """A run that was refused at once has no rows."""
    assert len(drawn()) == 2

"""Reports as JSON Lines."""

from __future__ import annotations

import json
from typing import Any

import pytest
from callproof.report.lines import json_lines
from callproof.schema.validator import shape_validator
from reports import hostile_report, log_report, report


@pytest.mark.parametrize("made", [report(), log_report(), hostile_report()], ids=["live", "log", "hostile"])
def test_every_line_has_the_shape_of_the_specification(made: dict[str, Any]) -> None:
    """One object a line, in ASCII, head first and end last."""
    lines = json_lines(made).splitlines(keepends=True)
    told = [json.loads(line) for line in lines]
    assert all(line.isascii() and line.endswith("\n") for line in lines)
    assert [error for each in told for error in shape_validator("report-line").errors(each)] == []
    assert [told[0]["kind"], told[-1]["kind"]] == ["head", "end"]


def test_the_lines_hold_what_the_report_holds() -> None:
    """The report can be put together again from them."""
    told = [json.loads(line) for line in json_lines(log_report()).splitlines()]
    by_kind: dict[str, list[Any]] = {}
    for each in told:
        by_kind.setdefault(each["kind"], []).append(each["record"])
    (head,), (end,) = by_kind.pop("head"), by_kind.pop("end")
    lists = {{"run": "runs", "requirement": "requirements"}.get(kind, f"{kind}s"): by_kind[kind] for kind in by_kind}
    assert {**head, **lists, **end, "errors": []} == log_report()

"""The adapter in Python, by the command of its README."""

from __future__ import annotations

from typing import Any


def test_the_adapter_in_python_conforms_to_its_modest_claim(judge: Any) -> None:
    """It claims no feature, sends no event, and is green for what every executor owes."""
    report = judge("adapter-python")
    assert (report["outcome"], report["findings"], report["errors"]) == ("conforms", [], [])
    assert report["subject"]["claims"] == []
    verdicts = {each["id"]: each["verdict"] for each in report["requirements"]}
    assert (verdicts["VAL-03"], verdicts["POL-04"], verdicts["RES-07"]) == ("pass", "pass", "pass")
    assert verdicts["EVT-01"] == verdicts["RETRY-03"] == "inapplicable"

"""How many findings a report counts but does not list: it lists the first ones of each law, and counts all exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any


def unlisted(report: Mapping[str, Any]) -> Mapping[str, int]:
    """By requirement, the number of findings that are not listed; without requirements of which all are listed."""
    listed = Counter(each["requirement"] for each in report["findings"])
    left = {each["id"]: each["findings"] - listed[each["id"]] for each in report["requirements"]}
    return {name: number for name, number in left.items() if number > 0}


def where_listed(missing: int) -> str:
    """The words with which a form says where the findings are that it leaves out; ``missing`` are listed nowhere."""
    return f"the JSON report lists all but {missing} of them" if missing else "the JSON report lists them"

"""How many findings a report counts and does not list: of each law it lists so many, and the number of all is exact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any


def unlisted(report: Mapping[str, Any]) -> Mapping[str, int]:
    """By requirement, the number of findings that are not listed; without those of which all are."""
    listed = Counter(each["requirement"] for each in report["findings"])
    left = {each["id"]: each["findings"] - listed[each["id"]] for each in report["requirements"]}
    return {name: number for name, number in left.items() if number > 0}


def where_listed(missing: int) -> str:
    """Where a form that leaves findings out says that they are, of which so many are nowhere."""
    return f"the JSON report lists all but {missing} of them" if missing else "the JSON report lists them"

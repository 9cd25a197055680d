"""What is kept of the findings of one law: the first ones, and the exact number of the others."""

from __future__ import annotations

from collections.abc import Iterable

from callproof import limits
from callproof.judge.judging import Located


class Kept:
    """
    The first findings of one law in their order, and how many ``more`` there are.

    Findings that follow from others and those that follow from none have a limit each: neither crowds out the other.
    """

    def __init__(self, findings: Iterable[Located] = ()) -> None:
        most = limits.FINDINGS_SHOWN_PER_REQUIREMENT
        self._room = {True: most, False: most}
        self.findings: list[Located] = []
        self.more = 0
        self.add(findings)

    def add(self, findings: Iterable[Located]) -> None:
        """Add findings, up to the limits."""
        for each in findings:
            is_root = each.root is None
            if self._room[is_root] > 0:
                self._room[is_root] -= 1
                self.findings.append(each)
            else:
                self.more += 1

"""Styles of generated cases: how likely each feature of a case is, and how often each style is drawn.

The weights are chosen so that each state of ``states`` is reached at least twenty times in a
thousand cases; docs/generated.md has the measured table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Style:
    """Percentages, except ``weight`` (how often) and ``least`` and ``most`` (how many steps)."""

    name: str
    weight: int
    least: int = 1
    most: int = 5
    refer: int = 50
    depend: int = 25
    capture: int = 25
    loop: int = 25
    retry: int = 20
    fail: int = 12
    flaky: int = 15
    skip: int = 35
    slow: int = 15
    hang: int = 0
    limit: int = 10
    rubbish: int = 4
    wide: int = 50
    clamp: int = 15
    deny: int = 4
    path: int = 10
    wrong: int = 5
    absent: int = 6
    write: int = 20
    bound: int = 10
    confirm: int = 5
    approve: int = 70
    cancel: int = 5
    spoil: int = 0
    # Whether the first step, on which most others depend, fails less often.
    steady: bool = True

    @property
    def at_first(self) -> Style:
        """The style of a first step."""
        if not self.steady:
            return self
        return replace(self, fail=self.fail // 3, flaky=self.flaky // 3, hang=self.hang // 3, rubbish=0)


_PLAIN = Style("plain", 6)
_CANCELS = Style(
    name="cancels",
    weight=10,
    least=3,
    cancel=100,
    slow=90,
    limit=10,
    bound=45,
    fail=3,
    flaky=5,
    refer=10,
    depend=8,
    loop=15,
)

STYLES: tuple[Style, ...] = (
    _PLAIN,
    Style("data", 7, refer=85, loop=45, fail=3, flaky=3, slow=5, rubbish=7, absent=10, skip=60),
    Style("retries", 9, most=3, retry=90, flaky=60, fail=35, clamp=85, slow=5, steady=False),
    Style("loops", 18, least=2, most=4, loop=85, retry=30, flaky=10, path=45, wrong=15, skip=70, wide=70, absent=8),
    Style("loops that retry", 17, least=2, most=3, refer=90, loop=95, retry=95, flaky=90, fail=3, skip=70, rubbish=0),
    Style("timeouts", 8, most=4, limit=80, slow=30, hang=35, retry=60, clamp=30, skip=60, bound=25, steady=False),
    Style("loops out of time", 11, least=2, most=3, limit=90, hang=60, loop=95, retry=50, fail=3, flaky=5, skip=70),
    _CANCELS,
    replace(_CANCELS, name="cancels in a crowd", weight=13, wide=95, bound=20),
    replace(
        _CANCELS, name="cancels of retries", weight=11, least=1, retry=100, flaky=90, slow=10, clamp=5, steady=False
    ),
    Style("graphs", 10, least=3, most=6, depend=70, refer=60, fail=30, skip=75, slow=30, wide=70, loop=12),
    Style("confirmations", 14, most=3, confirm=100, approve=25, write=75, cancel=55),
    Style("spoiled", 4, most=3, spoil=100, confirm=10),
)

_NEEDS = {
    "refer": "references",
    "capture": "references",
    "absent": "references",
    "wrong": "references",
    "retry": "retry",
    "limit": "timeout",
    "hang": "timeout",
    "cancel": "cancellation",
    "confirm": "confirmation",
    "wide": "concurrency",
}


def styles_for(features: Iterable[str]) -> tuple[Style, ...]:
    """The styles, reduced to what a system with these features supports, each as often as its weight says."""
    claimed = frozenset(features)
    return tuple(within for style in STYLES if (within := _within(style, claimed)) for _ in range(style.weight))


def _within(style: Style, claimed: frozenset[str]) -> Style:
    without: dict[str, Any] = {name: 0 for name, feature in _NEEDS.items() if feature not in claimed}
    if not {"references", "foreach"} <= claimed:
        without["loop"] = 0
    if "virtualClock" not in claimed:
        # If the suite cannot move the time, no case may depend on it: generated cases have no time margins.
        without |= {"slow": 0, "hang": 0, "limit": 0, "cancel": 0}
    return replace(style, **without)

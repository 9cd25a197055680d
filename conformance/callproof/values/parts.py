"""Generated cases in parts; each part is run, reported and handed to a worker by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# How many cases are one item of pytest: enough to be worth handing to a worker, few enough to be shared out evenly.
_PART: Final = 25


def parts_of(count: int) -> Mapping[str, range]:
    """The places of ``count`` cases, counted from one, in parts under the names of their items."""
    starts = range(1, count + 1, _PART)
    parts = (range(start, min(start + _PART, count + 1)) for start in starts)
    return {f"{part[0]}-{part[-1]}": part for part in parts}

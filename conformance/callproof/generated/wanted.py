"""What is asked of the generator, apart from the generator: whoever asks for no case does not import it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# Under this name the generated cases stand among the scenarios.
NAME = "GEN"
# So many cases are one item of pytest: enough to be worth handing to a worker, few enough to be shared out evenly.
_PART = 25


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many cases, by which seed; with ``strict`` advice counts like law."""

    count: int
    seed: int = 0
    strict: bool = False


def parts_of(count: int) -> Mapping[str, range]:
    """The places of so many cases, counted from one, in parts under the names of their items."""
    starts = range(1, count + 1, _PART)
    parts = (range(start, min(start + _PART, count + 1)) for start in starts)
    return {f"{part[0]}-{part[-1]}": part for part in parts}

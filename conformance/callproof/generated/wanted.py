"""What is asked of the generator, in its own module: a caller that asks for no case does not import the generator."""

from __future__ import annotations

from dataclasses import dataclass

# The name of the generated cases among the scenarios.
NAME = "GEN"


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many cases, from which seed; with ``strict`` advice counts like law."""

    count: int
    seed: int = 0
    strict: bool = False

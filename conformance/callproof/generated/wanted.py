"""What is asked of the generator, apart from the generator: whoever asks for no case does not import it."""

from __future__ import annotations

from dataclasses import dataclass

# Under this name the generated cases stand among the scenarios.
NAME = "GEN"


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many cases, by which seed; with ``strict`` advice counts like law."""

    count: int
    seed: int = 0
    strict: bool = False

"""How long a backtracking engine may take over a pattern, decided on its automaton.

If two different ways round a loop have the same text, the engine tries 2^n of them (exponential
degree of ambiguity).  If a way round, a way on and another way round all have the same
text, it tries n^2 or more (infinite degree of ambiguity).  After Weber and Seidl, and Allauzen,
Mohri and Rastogi.  Then a text is made on which every way fails in the end, since an
engine that succeeds does not try the others; without such a text there is no alarm.
The part that an engine tries first is judged in the same way, alone: it fails before the rest succeeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

from callproof.lint.schemas.patterns.automaton import Automaton, automaton
from callproof.lint.schemas.patterns.failing import Text, failing_text
from callproof.lint.schemas.patterns.loops import Budget, Word, chained_loops, double_loops
from callproof.lint.schemas.patterns.preferring import tried_first
from callproof.lint.schemas.patterns.syntax import Choice, Edge, Look, Pattern, Repeat, Sequence

Growth: TypeAlias = Literal["linear", "polynomial", "exponential"]
Loops: TypeAlias = Callable[[Automaton, Budget], Iterator[tuple[int, Word]]]
_ATTEMPTS = 12
# An enumeration of words has many alternatives, and none of them takes long.
_ALTERNATIVES = 12


@dataclass(frozen=True, slots=True)
class Backtracking:
    """
    How the time grows, and a text with which it does: a beginning, a part that is repeated, an end.

    ``certain`` is false if a part of the pattern was left out.  That part may forbid such a text; or, if the growth
    is linear, it may prevent a match, so that the engine tries the many ways of the pattern.
    """

    growth: Growth
    text: Text | None = None
    certain: bool = True


_WORSE: tuple[Growth, ...] = ("linear", "polynomial", "exponential")


def backtracking(pattern: Pattern) -> Backtracking:
    """The worst that a backtracking engine can meet with a pattern.  Raises TooMuch."""
    found = [_of_one(pattern, certain=True)]
    # A part of a lookaround, and a part that is tried first, are tried only at their own place, and nowhere further on.
    found += [_of_one(_here(part), certain=False) for part in _looked_for(pattern)]
    found += [_of_one(_here(part), certain=True) for part in islice(tried_first(pattern), _ALTERNATIVES)]
    return max(found, key=lambda each: (_WORSE.index(each.growth), each.growth == "linear" and not each.certain))


def _here(pattern: Pattern) -> Pattern:
    return Sequence((Edge("start"), pattern))


def _of_one(pattern: Pattern, *, certain: bool) -> Backtracking:
    made = automaton(pattern)
    budget = Budget()
    certain, ambiguous = certain and not made.simplified, False
    kinds: tuple[tuple[Growth, Loops], ...] = (("exponential", double_loops), ("polynomial", chained_loops))
    for growth, loops in kinds:
        found = list(islice(loops(made, budget), _ATTEMPTS))
        text = _first_failing(made, found)
        if text is not None:
            return Backtracking(growth, text, certain)
        ambiguous = ambiguous or bool(found)
    return Backtracking("linear", certain=not (ambiguous and made.simplified))


def _first_failing(made: Automaton, loops: Iterable[tuple[int, Word]]) -> Text | None:
    texts = (failing_text(made, position, word) for position, word in loops)
    return next((text for text in texts if text is not None), None)


def _looked_for(pattern: Pattern) -> Iterator[Pattern]:
    match pattern:
        case Look(part):
            yield part
            yield from _looked_for(part)
        case Repeat(part):
            yield from _looked_for(part)
        case Sequence(parts) | Choice(parts):
            for part in parts:
                yield from _looked_for(part)
        case _:
            return

"""Whether another pattern matches every text that one pattern matches, decided on their automata side by side."""

from __future__ import annotations

from functools import lru_cache

from callproof.lint.schemas.patterns.automaton import After, Automaton, automaton
from callproof.lint.schemas.patterns.reading import NotAPattern, TooMuch, read_pattern

_STATES = 3_000
# Where a search may be: its positions, and whether it has matched whatever follows, or if nothing follows.
_Search = tuple[frozenset[int], bool, bool]


@lru_cache(maxsize=1_024)
def text_between(one: str, other: str) -> str | None:
    """
    A text that one pattern matches and the other does not; None if there is none.

    Raises TooMuch if this was not decided, and NotAPattern.
    """
    patterns = read_pattern(one, unicode=False), read_pattern(other, unicode=False)
    left, right = automaton(patterns[0], beside=patterns[1]), automaton(patterns[1], beside=patterns[0])
    if right.simplified:
        raise TooMuch("parts of a pattern that were left out")
    start = _after([left.at_start]), _after([right.at_start])
    waiting: list[tuple[list[int], tuple[_Search, _Search]]] = [([], start)]
    met = {start}
    for letters, (here, there) in waiting:
        if (here[1] or here[2]) and not (there[1] or there[2]):
            if left.simplified:
                raise TooMuch("parts of a pattern that were left out")
            return "".join(left.letters[each] for each in letters)
        if there[1]:
            continue
        for letter in range(len(left.letters)):
            state = _step(left, here, letter), _step(right, there, letter)
            if state not in met:
                if len(met) > _STATES:
                    raise TooMuch("steps over two patterns")
                met.add(state)
                waiting.append(([*letters, letter], state))
    return None


def included(one: str, other: str) -> bool:
    """Whether the other pattern matches every text that one matches; false if this was not decided."""
    try:
        return text_between(one, other) is None
    except (TooMuch, NotAPattern):
        return False


def text_not_matched(one: str, other: str) -> str | None:
    """A text that one pattern matches and the other does not; None if there is none, or none was found."""
    try:
        return text_between(one, other)
    except (TooMuch, NotAPattern):
        return None


def _after(afters: list[After]) -> _Search:
    matched = any(each.matched for each in afters)
    positions = frozenset[int]() if matched else frozenset(position for each in afters for position in each.ways)
    return positions, matched, any(each.matched_at_end for each in afters)


def _step(made: Automaton, state: _Search, letter: int) -> _Search:
    if state[1]:
        return state
    return _after([made.after[each] for each in state[0] if made.reads[each] >> letter & 1])

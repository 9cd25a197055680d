"""A text on which a pattern fails in the end, though a part of it can be repeated any number of times.

Only the attempt at one start counts: an engine makes it in full before it tries the
next start, even if the search succeeds there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from callproof.lint.schemas.patterns.automaton import SEARCH, After, Automaton

_PREFERENCES = 6
_ROUNDS = 40
_STATES = 300


@dataclass(frozen=True, slots=True)
class Text:
    """A text: a beginning, a part that is repeated, and an end."""

    beginning: str
    repeated: str
    end: str

    def times(self, count: int) -> str:
        """The text with its middle repeated this many times."""
        return self.beginning + self.repeated * count + self.end


@dataclass(frozen=True, slots=True)
class _State:
    """Where an attempt may be after some text: its positions, and whether it has matched if nothing follows."""

    positions: frozenset[int]
    matched_at_end: bool


def failing_text(made: Automaton, position: int, word: tuple[int, ...]) -> Text | None:
    """A text that reaches a position, repeats a word there, and is refused; None if none was found."""
    for letters, state in _beginnings(made, position):
        for preference in range(_PREFERENCES):
            chosen = [_letter(mask, preference) for mask in word]
            end = _end(made, _repeated(made, state, chosen))
            if end is not None:
                return Text(_text(made, letters), _text(made, chosen), _text(made, end))
    return None


def _joined(afters: list[After]) -> _State | None:
    """The state that several points make together; None if the pattern has matched whatever follows."""
    if any(after.matched for after in afters):
        return None
    positions = frozenset(position for after in afters for position in after.ways if position != SEARCH)
    return _State(positions, any(after.matched_at_end for after in afters))


def _step(made: Automaton, state: _State | None, letter: int) -> _State | None:
    if state is None:
        return None
    bit = 1 << letter
    return _joined([made.after[each] for each in state.positions if made.reads[each] & bit])


def _beginnings(made: Automaton, position: int) -> Iterator[tuple[list[int], _State]]:
    """Letters after which an attempt is at a position, and has not matched."""
    start = _joined([made.at_start])
    if start is None:
        return
    if position == SEARCH:
        yield from _restarts(made, start)
        return
    waiting: list[tuple[list[int], _State]] = [([], start)]
    met = {start}
    for letters, state in waiting:
        if position in state.positions:
            yield letters, state
            return
        if len(met) > _STATES:
            return
        for letter, after in _steps(made, state):
            if after not in met:
                met.add(after)
                waiting.append(([*letters, letter], after))


def matching_text(made: Automaton) -> str | None:
    """A shortest text that the pattern matches from its first character to its last; None if none was found."""
    waiting: list[tuple[list[int], frozenset[int]]] = []
    met: set[frozenset[int]] = set()
    afters = [made.at_start]
    letters: list[int] = []
    while not any(after.matched_at_end for after in afters):
        positions = frozenset(each for after in afters for each in after.ways if each != SEARCH)
        if positions not in met and len(met) < _STATES:
            met.add(positions)
            waiting.extend(([*letters, letter], positions) for letter in range(len(made.letters)))
        if not waiting:
            return None
        letters, before = waiting.pop(0)
        afters = [made.after[each] for each in before if made.reads[each] >> letters[-1] & 1]
    return _text(made, letters)


def _restarts(made: Automaton, start: _State) -> Iterator[tuple[list[int], _State]]:
    """States that join the attempts at the first start and at a later one: both attempts must fail."""
    later = _joined([made.after[SEARCH]])
    if later is not None:
        yield [], _both(start, later)
        for letter, after in _steps(made, start):
            yield [letter], _both(after, later)


def _both(one: _State, other: _State) -> _State:
    return _State(one.positions | other.positions, one.matched_at_end or other.matched_at_end)


def _steps(made: Automaton, state: _State) -> Iterator[tuple[int, _State]]:
    for letter in range(len(made.letters)):
        after = _step(made, state, letter)
        if after is not None:
            yield letter, after


def _repeated(made: Automaton, state: _State | None, word: list[int]) -> _State | None:
    met: set[_State] = set()
    for _ in range(_ROUNDS):
        if state is None or state in met:
            break
        met.add(state)
        for letter in word:
            state = _step(made, state, letter)
    return state


def _end(made: Automaton, state: _State | None) -> list[int] | None:
    if state is None:
        return None
    waiting: list[tuple[list[int], _State]] = [([], state)]
    met = {state}
    for letters, here in waiting:
        if not here.matched_at_end:
            return letters
        if len(met) > _STATES:
            break
        for letter, after in _steps(made, here):
            if after not in met:
                met.add(after)
                waiting.append(([*letters, letter], after))
    return None


def _letter(mask: int, preference: int) -> int:
    bits = [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
    return bits[preference % len(bits)]


def _text(made: Automaton, letters: list[int]) -> str:
    return "".join(made.letters[each] for each in letters)

"""A pattern as an automaton: positions that read a character, and what may come after each.

A position stands for one set of characters at one place of the pattern; counts are written
out.  If two ways lead from one position to the next, a backtracking engine tries both.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from callproof.lint.schemas.patterns.characters import LAST, Ranges
from callproof.lint.schemas.patterns.reading import TooMuch
from callproof.lint.schemas.patterns.syntax import Characters, Choice, Edge, Look, Pattern, Repeat, Sequence

_STATES = 4_000
_FINAL = 0
# The position that looks for a start.
SEARCH = 0
_READABLE = frozenset(map(ord, "a0A!-"))


@dataclass(frozen=True, slots=True)
class After:
    """What may come after a point: positions with the number of ways to each (2 for more), and whether it may end."""

    ways: dict[int, int]
    # Whether the pattern has matched here whatever follows, and whether it has matched if nothing follows.
    matched: bool
    matched_at_end: bool


@dataclass(frozen=True, slots=True)
class Automaton:
    """
    Positions 0, 1, 2 …: the set of letters that each reads, and what comes after it.

    A letter stands for all characters that no set of the pattern tells apart: its number is a bit of a mask, and
    ``letters`` holds one character of each.  ``at_start`` is what comes at the start of a text, ``later`` what comes
    at a start further on; position 0 is the search for such a start.
    """

    letters: tuple[str, ...]
    reads: tuple[int, ...]
    after: tuple[After, ...]
    at_start: After
    # Whether some part was left out: a lookaround, a boundary of a word, a class of Unicode.
    simplified: bool


def automaton(pattern: Pattern, beside: Pattern | None = None) -> Automaton:
    """
    The automaton of a search for a pattern.

    Its letters also tell the sets of the other pattern apart, if one is given.  Raises TooMuch.
    """
    making = _Making()
    start = making.add(pattern, _FINAL)
    others = _Making()
    if beside is not None:
        others.add(beside, _FINAL)
    letters, masks = _letters([*making.sets, *others.sets])
    later = _after(making, start, at_start=False)
    # Position 0 reads anything and stays, so that the pattern may begin at any character.
    everything = (1 << len(letters)) - 1
    search = After({SEARCH: 1, **later.ways}, later.matched, later.matched_at_end)
    first = _after(making, start, at_start=True)
    return Automaton(
        letters,
        (everything, *masks[: len(making.sets)]),
        (search, *(_after(making, follows, at_start=False) for follows in making.follows)),
        After({SEARCH: 1, **first.ways}, first.matched, first.matched_at_end),
        making.simplified,
    )


@dataclass(slots=True)
class _Making:
    """Nodes that read nothing, each with where it leads.  A negative number leads to a position that reads."""

    leads: list[list[int]] = field(default_factory=lambda: [[]])
    only: dict[int, str] = field(default_factory=dict[int, str])
    sets: list[Ranges] = field(default_factory=list[Ranges])
    follows: list[int] = field(default_factory=list[int])
    simplified: bool = False

    def add(self, pattern: Pattern, then: int) -> int:
        """The node at which a pattern begins; after the pattern, it goes on with another node."""
        match pattern:
            case Characters(ranges, exact):
                self.simplified = self.simplified or not exact
                self.sets.append(ranges)
                self.follows.append(then)
                return self._node([-len(self.sets)])
            case Sequence(parts):
                for part in reversed(parts):
                    then = self.add(part, then)
                return then
            case Choice(parts):
                return self._node([self.add(part, then) for part in parts])
            case Repeat(part, least, most):
                return self._repeat(part, least, most, then)
            case Edge("start" | "end" as kind):
                node = self._node([then])
                self.only[node] = kind
                return node
            case Edge() | Look():
                self.simplified = True
                return then
            case _:
                raise TooMuch("references back to a group")

    def _node(self, leads: list[int]) -> int:
        if len(self.leads) > _STATES:
            raise TooMuch("states of a pattern")
        self.leads.append(leads)
        return len(self.leads) - 1

    def _repeat(self, part: Pattern, least: int, most: int | None, then: int) -> int:
        if _is_nothing(part):
            most = least  # an engine abandons an empty round beyond the required ones: it is no second way
        if most is None:
            # The node after a round differs from the node before the first, so an empty round is no second way.
            again = self._node([then])
            first = self.add(part, again)
            self.leads[again].insert(0, first)
            then = first if least else self._node([first, then])
            least = max(0, least - 1)
        else:
            skipped = then
            for _ in range(most - least):
                then = self._node([self.add(part, then), skipped])
        for _ in range(least):
            then = self.add(part, then)
        return then


def _is_nothing(pattern: Pattern) -> bool:
    """Whether a pattern consists only of groups that hold nothing."""
    match pattern:
        case Sequence(parts) | Choice(parts):
            return all(map(_is_nothing, parts))
        case Repeat(part):
            return _is_nothing(part)
        case _:
            return False


def _after(making: _Making, node: int, *, at_start: bool) -> After:
    ways: dict[int, int] = {}
    met: dict[tuple[int, bool], int] = {}
    matched = matched_at_end = False
    # A node, whether an end was passed on the way to it, and the nodes on that way.
    waiting: list[tuple[int, bool, frozenset[int]]] = [(node, False, frozenset())]
    while waiting:
        here, ended, way = waiting.pop()
        if here < 0:
            if not ended:
                ways[-here] = min(2, ways.get(-here, 0) + 1)
            continue
        if here == _FINAL:
            matched, matched_at_end = matched or not ended, True
            continue
        kind = making.only.get(here)
        times = met.get((here, ended), 0)
        if here in way or times > 1 or (kind == "start" and not at_start):
            continue
        met[here, ended] = times + 1
        waiting.extend((each, ended or kind == "end", way | {here}) for each in making.leads[here])
    return After(ways, matched, matched_at_end)


def _letters(sets: list[Ranges]) -> tuple[tuple[str, ...], list[int]]:
    """One character for each group of characters that no set tells apart, and the groups that each set holds."""
    edges = {0, *(low for ranges in sets for low, _ in ranges), *(high + 1 for ranges in sets for _, high in ranges)}
    # Readable characters come first, and represent their group if they are in it.
    starts = sorted((edges | _READABLE) - {LAST + 1}, key=lambda code: (code not in _READABLE, code))
    masks: dict[Ranges, int] = {}
    holders = list(dict.fromkeys(sets))
    signatures: dict[tuple[bool, ...], int] = {}
    letters: list[str] = []
    for start in starts:
        signature = tuple(any(low <= start <= high for low, high in ranges) for ranges in holders)
        if signature not in signatures:
            signatures[signature] = len(letters)
            letters.append(chr(start))
            for holder, inside in zip(holders, signature):
                masks[holder] = masks.get(holder, 0) | (inside << signatures[signature])
    return tuple(letters), [masks.get(ranges, 0) for ranges in sets]

"""A simple backtracking matcher that counts its steps: tests compare the verdicts on patterns with it."""

from __future__ import annotations

from collections.abc import Callable

from callproof.lint.schemas.patterns.syntax import Characters, Choice, Edge, Pattern, Repeat, Sequence

Then = Callable[[int], bool]


class Exhausted(Exception):
    """The matcher took more steps than allowed."""


class Backtracker:
    """Tries every way, in order, at every start."""

    def __init__(self, allowed: int) -> None:
        self._left = allowed
        self.steps = 0

    def search(self, pattern: Pattern, text: str) -> bool:
        """Whether the pattern is found.  Raises Exhausted if that takes more steps than allowed."""
        return any(self._tries(pattern, text, start, lambda _: True) for start in range(len(text) + 1))

    def _tries(self, pattern: Pattern, text: str, at: int, then: Then) -> bool:
        self.steps += 1
        if self.steps > self._left:
            raise Exhausted
        match pattern:
            case Characters(ranges):
                return at < len(text) and any(low <= ord(text[at]) <= high for low, high in ranges) and then(at + 1)
            case Sequence(parts):
                return self._in_turn(parts, text, at, then)
            case Choice(parts):
                return any(self._tries(part, text, at, then) for part in parts)
            case Edge(kind):
                return at == (0 if kind == "start" else len(text)) and then(at)
            case Repeat(part, least, most):
                return self._rounds(Repeat(part, least, most), text, at, then)
            case _:
                raise NotImplementedError(pattern)

    def _in_turn(self, parts: tuple[Pattern, ...], text: str, at: int, then: Then) -> bool:
        if not parts:
            return then(at)
        return self._tries(parts[0], text, at, lambda after: self._in_turn(parts[1:], text, after, then))

    def _rounds(self, repeat: Repeat, text: str, at: int, then: Then) -> bool:
        least = max(0, repeat.least - 1)
        most = None if repeat.most is None else repeat.most - 1
        again = repeat.most is None or repeat.most > 0

        def round_again(after: int) -> bool:
            # As in every engine, an empty round is not repeated.
            return (after > at or repeat.least > 0) and self._rounds(
                Repeat(repeat.part, least, most), text, after, then
            )

        if again and self._tries(repeat.part, text, at, round_again):
            return True
        return repeat.least == 0 and then(at)

"""Patterns read as ECMA-262 defines them.

With the ``u`` flag, as JSON Schema requires; without it if the caller asks for that.
"""

from __future__ import annotations

import re

from callproof import limits
from callproof.lint.schemas.patterns.characters import (
    CONTROLS,
    EVERYTHING,
    LINE_ENDS,
    NAMED,
    Ranges,
    all_but,
    joined,
    one,
)
from callproof.lint.schemas.patterns.syntax import (
    Backreference,
    Characters,
    Choice,
    Edge,
    Look,
    Pattern,
    Repeat,
    Sequence,
)

# A number of more digits than the longest pattern that is judged is not read; Python reads 4300 at most.
_COUNTS = re.compile(r"\{([0-9]{1,1000})(?:(,)([0-9]{1,1000})?)?\}")
_HEX = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}")
_NAME = re.compile(r"<([A-Za-z_$][\w$]*)>", re.ASCII)
_PROPERTY = re.compile(r"\{[A-Za-z0-9_=]+\}")
_SYNTAX = "^$\\.*+?()[]{}|/"
_LOOKS = ("?=", "?!", "?<=", "?<!")
_NESTING = 50


class NotAPattern(ValueError):
    """A text is not a pattern: why, and at which character of it."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(f"{reason} at character {at + 1}")
        self.reason = reason


class TooMuch(Exception):
    """A question about a pattern passes a limit, or asks for something that is not modelled; ``limit`` names it."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


def read_pattern(text: str, *, unicode: bool = True) -> Pattern:
    """
    A pattern as a tree.

    Raises NotAPattern, and TooMuch if it is longer or deeper than the limits.
    """
    if len(text) > limits.PATTERN_CHARACTERS:
        raise TooMuch("characters of a pattern")
    reader = _Reader(text, unicode)
    found = reader.choice(0)
    if reader.at < len(text):
        raise NotAPattern("a closing bracket without an opening one", reader.at)
    return found


class _Reader:
    def __init__(self, text: str, unicode: bool) -> None:
        self.text = text
        self.at = 0
        self._unicode = unicode
        # Whether every part of the set of characters that is being read is known.
        self._exact = True

    def choice(self, depth: int) -> Pattern:
        """The pattern up to the next closing bracket, or the end."""
        if depth > _NESTING:
            raise TooMuch("nesting of a pattern")
        parts = [self._sequence(depth)]
        while self._takes("|"):
            parts.append(self._sequence(depth))
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _takes(self, text: str) -> bool:
        if not self.text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def _sequence(self, depth: int) -> Pattern:
        parts: list[Pattern] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            start = self.at
            part = self._atom(depth)
            parts.append(self._repeated(part, start))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, part: Pattern, start: int) -> Pattern:
        counts = self._counts()
        if counts is None:
            return part
        if isinstance(part, Edge) or (isinstance(part, Look) and self._unicode):
            raise NotAPattern("a quantifier on something that has no length", start)
        lazy = self._takes("?")
        if self._counts() is not None:
            raise NotAPattern("a quantifier on a quantifier", self.at - 1)
        least, most = counts
        if most is not None and most < least:
            raise NotAPattern("counts that are out of order", start)
        return Repeat(part, least, most, lazy)

    def _counts(self) -> tuple[int, int | None] | None:
        for sign, counts in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._takes(sign):
                return counts
        found = _COUNTS.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        least = int(found[1])
        if found[2] is None:
            return least, least
        return least, None if found[3] is None else int(found[3])

    def _atom(self, depth: int) -> Pattern:
        character = self.text[self.at]
        if character == "(":
            return self._group(depth)
        self.at += 1
        if character in "^$":
            return Edge("start" if character == "^" else "end")
        if character == ".":
            return Characters(all_but(LINE_ENDS))
        if character == "[":
            self._exact = True
            ranges = self._class()
            return Characters(ranges, exact=True) if self._exact else Characters(EVERYTHING, exact=False)
        if character == "\\":
            return self._escape()
        if character in "*+?" or (character in "{}]" and self._unicode):
            raise NotAPattern(f"a stray {character}", self.at - 1)
        return Characters(one(ord(character)))

    def _group(self, depth: int) -> Pattern:
        start = self.at
        self.at += 1
        look = next((sign for sign in _LOOKS if self._takes(sign)), None)
        if look is None and self._takes("?") and not self._takes(":"):
            found = _NAME.match(self.text, self.at)
            if found is None:
                raise NotAPattern("a kind of group that ECMA-262 does not have", start)
            self.at = found.end()
        inner = self.choice(depth + 1)
        if not self._takes(")"):
            raise NotAPattern("a group that is not closed", start)
        return inner if look is None else Look(inner)

    def _escape(self) -> Pattern:
        start = self.at - 1
        character = self._next("a backslash with nothing after it")
        if character in "bB":
            return Edge("word")
        if character in "123456789" or character == "k":
            return self._backreference(character, start)
        if character in "pP" and self._unicode:
            self._property(start)
            return Characters(EVERYTHING, exact=False)
        if character in NAMED:
            return Characters(NAMED[character])
        return Characters(one(self._character(character, start, _SYNTAX)))

    def _backreference(self, character: str, start: int) -> Pattern:
        if character == "k":
            found = _NAME.match(self.text, self.at)
            if found is None:
                raise NotAPattern("a reference to a group without a name", start)
            self.at = found.end()
        else:
            while self.at < len(self.text) and self.text[self.at] in "0123456789":
                self.at += 1
        return Backreference()

    def _property(self, start: int) -> None:
        found = _PROPERTY.match(self.text, self.at)
        if found is None:
            raise NotAPattern("a class of Unicode without a name", start)
        self.at = found.end()

    def _next(self, reason: str) -> str:
        if self.at >= len(self.text):
            raise NotAPattern(reason, self.at - 1)
        self.at += 1
        return self.text[self.at - 1]

    def _character(self, character: str, start: int, identities: str) -> int:
        """The code point of an escape, after its backslash and first character have been read."""
        if character in CONTROLS:
            return CONTROLS[character]
        found = _HEX.match(self.text, start + 1)
        if found is not None:
            self.at = found.end()
            code = int(next(digits for digits in found.groups() if digits), 16)
            if code <= 0x10FFFF:
                return code
        if (
            character == "c"
            and self.at < len(self.text)
            and self.text[self.at].isascii()
            and self.text[self.at].isalpha()
        ):
            self.at += 1
            return ord(self.text[self.at - 1]) % 32
        if character in identities or (not self._unicode and not character.isalnum()):
            return ord(character)
        if not self._unicode and character not in "cxukpP":
            return ord(character)
        raise NotAPattern(f"an escape \\{character} that ECMA-262 does not have", start)

    def _class(self) -> Ranges:
        start = self.at - 1
        negated = self._takes("^")
        ranges: list[tuple[int, int]] = []
        while not self._takes("]"):
            if self.at >= len(self.text):
                raise NotAPattern("a set of characters that is not closed", start)
            ranges += self._class_range()
        found = joined(ranges)
        return all_but(found) if negated else found

    def _class_range(self) -> Ranges:
        start = self.at
        low = self._class_atom()
        if not (self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] not in {"]", ""}):
            return low
        self.at += 1
        high = self._class_atom()
        if len(low) != 1 or len(high) != 1 or low[0][0] != low[0][1] or high[0][0] != high[0][1]:
            if self._unicode:
                raise NotAPattern("a range that does not go from one character to another", start)
            return joined((*low, *one(ord("-")), *high))
        if high[0][0] < low[0][0]:
            raise NotAPattern("a range that is out of order", start)
        return ((low[0][0], high[0][0]),)

    def _class_atom(self) -> Ranges:
        start = self.at
        character = self._next("a set of characters that is not closed")
        if character != "\\":
            return one(ord(character))
        character = self._next("a backslash with nothing after it")
        if character == "b":
            return one(0x08)
        if character in "pP" and self._unicode:
            self._property(start)
            self._exact = False
            return EVERYTHING
        return NAMED.get(character) or one(self._character(character, start, _SYNTAX + "-"))

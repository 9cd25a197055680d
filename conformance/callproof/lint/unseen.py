"""Characters that a reader does not see but a model does, decided by the data of Unicode.

It knows nothing about definitions.  Some scripts and pictures cannot be written without such marks: a mark passes
where it does that work, and nowhere else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# What may be unseen, so that most texts are passed over at once: no other character is in these ranges.
_SUSPECTS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Letters and signs that are drawn as nothing, though their category does not say so.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINERS = frozenset("\u200c\u200d")
_FLAG, _TAG_END = "\U0001f3f4", "\U000e007f"
# The code of a region has at most six letters.
_LONGEST_FLAG = 8


def may_hide(text: str) -> bool:
    """Whether a text has a character that may be unseen; False means that it certainly has none."""
    return _SUSPECTS.search(text) is not None


def unseen(text: str) -> Iterator[int]:
    """The place of each character of a text that a reader does not see."""
    return (found.start() for found in _SUSPECTS.finditer(text) if _is_unseen(text, found.start()))


def called(character: str) -> str:
    """A character by its number and its name."""
    name = unicodedata.name(character, unicodedata.category(character))
    return f"U+{ord(character):04X} {name}"


def _is_unseen(text: str, at: int) -> bool:
    character = text[at]
    category = unicodedata.category(character)
    if character in _BLANK or category in {"Cc", "Zl", "Zp"}:
        return True
    if character in _JOINERS:
        return not _joins(text, at)
    if _is_tag(character):
        return not _in_flag(text, at)
    # Variation selectors are marks; the tags of the last plane are formats, and some of them are not assigned.
    return category in {"Cf", "Cn"} or (category == "Mn" and not _varies(text, at))


def _joins(text: str, at: int) -> bool:
    """Whether a joiner is between two parts of one picture, or between letters of a script that is written with it."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if not before or not after:
        return False
    if text[at] == "\u200d" and unicodedata.category(after) == "So":
        return unicodedata.category(before) in {"So", "Sk", "Mn"}
    joined = ord(before) > 0x58F and ord(after) > 0x58F
    return joined and all(unicodedata.category(each) in {"Lo", "Mn", "Mc"} for each in (before, after))


def _is_tag(character: str) -> bool:
    return "\U000e0020" <= character <= _TAG_END


def _in_flag(text: str, at: int) -> bool:
    """Whether a tag is part of the flag of a region: a black flag, some tags, and their end."""
    flag = text.rfind(_FLAG, max(at - _LONGEST_FLAG, 0), at)
    end = text.find(_TAG_END, at, at + _LONGEST_FLAG)
    return flag >= 0 and end >= 0 and all(_is_tag(each) for each in text[flag + 1 : end])


def _varies(text: str, at: int) -> bool:
    """Whether a selector follows a sign that has variants; a second selector never does."""
    before = text[at - 1 : at]
    return bool(before) and unicodedata.category(before) in {"So", "Sm", "Po", "Lo", "Nd"}

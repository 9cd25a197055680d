"""All text from outside passes through here before it reaches a terminal, a CI log or a page.

Control characters, bidirectional overrides, line and paragraph separators and lone
surrogates are shown as escapes; a text is cut to a readable length (SEC-08).
"""

from __future__ import annotations

import re

from callproof import limits

# C0, DEL, C1; soft hyphen; zero-width and bidi controls; U+2028/9; interlinear and tag characters; surrogates.
# U+FFFE and U+FFFF are no characters, and no XML may hold them.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def safe(text: str, most: int | None = None) -> str:
    """
    The text as one line without active characters.

    ``most`` is the number of characters that it is cut to; the default keeps sentences of findings whole.
    """
    shown = _HIDDEN.sub(_escaped, text)
    longest = most if most is not None else 4 * limits.EXCERPT_CHARACTERS
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def safe_lines(text: str) -> str:
    """A text with each of its lines made safe by itself."""
    return "\n".join(map(safe, text.splitlines()))


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

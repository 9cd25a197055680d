"""A text quoted so that a shell reads it as one word."""

from __future__ import annotations

import json
import shlex


def quoted(text: str) -> str:
    """The text in double quotes if it has no character that is special there; otherwise quoted by ``shlex``."""
    is_plain = text.isascii() and text.isprintable()
    return json.dumps(text) if is_plain and not {*'"\\$`!'} & {*text} else shlex.quote(text)

"""A text as a shell takes it for one word."""

from __future__ import annotations

import json
import shlex


def quoted(text: str) -> str:
    """The text in double quotes where nothing in it means anything there, and else in single ones."""
    is_plain = text.isascii() and text.isprintable()
    return json.dumps(text) if is_plain and not {*'"\\$`!'} & {*text} else shlex.quote(text)

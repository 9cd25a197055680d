"""Names that a log gives to its tools, steps and versions, as opposed to other text that stands in their place."""

from __future__ import annotations

import re

from callproof import limits

_NAME = re.compile(rf"[^\s\x00-\x1f\x7f]{{1,{limits.NAME_CHARACTERS}}}")


def as_name(value: object) -> str | None:
    """The value if it is a name: a short text without a blank; None for everything else."""
    return value if isinstance(value, str) and _NAME.fullmatch(value) else None

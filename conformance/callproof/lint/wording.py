"""The words of findings: values cut to a readable length, and the nearest of several names.

Nothing is escaped here; the code that prints does that.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence

from callproof import limits
from callproof.values.jsontext import Json

_SHOWN = 80
# How many names may be equally near.
_TIED = 16


def shown(value: Json, most: int = _SHOWN) -> str:
    """A value as compact JSON, cut to a readable length."""
    if isinstance(value, str) and len(value) > most:
        value = value[: most - 1] + "…"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most + 2 else text[: most - 1] + "…"


def listed(names: Iterable[str], most: int = 8) -> str:
    """Names in a row, only the first few of them."""
    told = [*names]
    more = f" and {len(told) - most} more" if len(told) > most else ""
    return f"{', '.join(told[:most])}{more}"


def values_listed(values: Sequence[Json], most: int = 8) -> str:
    """Values in a row, only the first few of them."""
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return f"{', '.join(map(shown, values[:most]))}{more}"


def nearest(name: str, permitted: Iterable[str]) -> str:
    """The nearest of the permitted names, the first listed of several; empty if none is near."""
    options = [*permitted][: limits.NAMES_SOUGHT]
    lowered = {each.lower(): each for each in options}
    found = difflib.get_close_matches(name.lower(), lowered, n=_TIED, cutoff=0.6)
    near = {each: difflib.SequenceMatcher(None, each, name.lower()).ratio() for each in found}
    return next((whole for each, whole in lowered.items() if near and near.get(each) == max(near.values())), "")

"""What somebody may have meant who names a file or folder that is not there."""

from __future__ import annotations

import difflib
import os
from itertools import islice
from pathlib import Path

from callproof import limits


def missing(path: Path) -> str:
    """What is wrong with a path at which nothing is found: a link may be there, and lead nowhere or to itself."""
    return f"{path} {'is a link that leads nowhere' if os.path.islink(path) else 'does not exist'}"


def nearest_path(wanted: str | Path) -> str:
    """
    The words ``; did you mean PATH?``, where a path leads nowhere and one like it is there; empty otherwise.

    The first name on the way that is not there is the one that somebody mistyped.
    """
    path = Path(wanted)
    if os.path.lexists(path):
        return ""
    while not os.path.lexists(path.parent):
        path = path.parent
    try:
        with os.scandir(path.parent) as entries:
            names = sorted(each.name for each in islice(entries, limits.NAMES_SOUGHT))
    except OSError:
        return ""
    near = difflib.get_close_matches(path.name, names, n=1)
    meant = path.with_name(near[0]) / Path(wanted).relative_to(path) if near else path
    return f"; did you mean {meant}?" if os.path.lexists(meant) else ""

"""Whether a file or folder that somebody names is there, and what may have been meant where it is not."""

from __future__ import annotations

import difflib
import errno
import os
from itertools import islice
from pathlib import Path

from callproof import limits

# How the system says that nothing stands at a path: a part of it is not there, is no folder, or leads in a circle.
_NOTHING_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


def is_there(path: Path) -> bool:
    """
    Whether anything is found at a path, links followed.

    Raises OSError where nobody can tell, as of a folder that may not be looked into or a name that is too long:
    ``Path.exists`` keeps that to itself since Python 3.14.
    """
    try:
        path.stat()
    except OSError as error:
        if error.errno in _NOTHING_THERE:
            return False
        raise
    except ValueError:  # no path has a null byte
        return False
    return True


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

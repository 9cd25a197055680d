"""Whether a file or folder that a user names exists, and which one the user may have meant if it does not."""

from __future__ import annotations

import difflib
import errno
import os
from itertools import islice
from pathlib import Path

from callproof import limits

# The errors that mean that nothing exists at a path: a part of it is missing, is no folder, or links to itself.
_NOTHING_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


def is_there(path: Path) -> bool:
    """
    Whether anything exists at a path, with links followed.

    Raises OSError if that cannot be told, as for a folder that may not be read or a name that is too long.
    ``Path.exists`` hides these errors since Python 3.14.
    """
    try:
        path.stat()
    except OSError as error:
        if error.errno in _NOTHING_THERE:
            return False
        raise
    except ValueError:  # a null byte, which no path can have
        return False
    return True


def missing(path: Path) -> str:
    """What is wrong with a path at which nothing exists; it may be a link that leads nowhere or to itself."""
    return f"{path} {'is a link that leads nowhere' if os.path.islink(path) else 'does not exist'}"


def nearest_path(wanted: str | Path) -> str:
    """
    The words ``; did you mean PATH?`` if a path leads nowhere and a similar one exists; empty otherwise.

    The first name in the path that does not exist is taken to be the mistyped one.
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

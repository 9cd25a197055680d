"""The two paths of a tool that moves a file, by the names of its arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.lint.names import is_path, words

_FROM = frozenset({"from", "source", "src", "old", "original", "current"})
_TO = frozenset({"to", "destination", "dest", "dst", "target", "new"})
_NUMBER = re.compile(r"[\W_]*[0-9]+\Z")


def ends_of_a_move(root: Schema, *, moves_files: bool) -> tuple[str | None, str | None]:
    """
    The texts from which and to which a tool moves, if their names are wrong; None for each that has no wrong name.

    In a tool that moves files, they may have names that do not tell one from the other.
    """
    texts = [name for name, told in root.properties.items() if declared.is_text(told)]
    # Beside fromPath and toPath, a title or another text may be new or old too; it is not a path of the move.
    known = root.properties.keys() & {"fromPath", "toPath"}
    start = None if "fromPath" in known else next((each for each in texts if _FROM & {*words(each)}), None)
    end = None if "toPath" in known else next((each for each in texts if _TO & {*words(each)}), None)
    if moves_files and not known and start is None and end is None and _are_a_pair(texts):
        return texts[0], texts[1]
    return start, end


def _are_a_pair(texts: Sequence[str]) -> bool:
    """Whether two texts are alike: two letters, or two names of a path."""
    if len(texts) != 2:
        return False
    return all(len(each) == 1 for each in texts) or all(is_path(_NUMBER.sub("", each)) for each in texts)

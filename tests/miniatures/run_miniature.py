"""Serve one miniature over standard input and output; several names at once; without a name, list them all.

callproof test "stdio:python tests/miniatures/run_miniature.py NAME" shows what it breaks.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from callproof_reference.wire import Wire, serve

from miniatures.miniature import miniatures, variations
from miniatures.points import Patch


def altered(names: list[str]) -> int:
    """Build the faults and variations of these names into the reference of this process; 2 for an unknown name."""
    known = {each.name: each.apply for each in (*miniatures(), *variations())}
    for name in names:
        if name not in known:
            like = ", ".join(difflib.get_close_matches(name, known, 3)) or "run it without a name to see them all"
            print(f"there is no miniature {name!r}: {like}", file=sys.stderr)
            return 2
        known[name](Patch())
    return 0


def main(arguments: list[str]) -> int:
    """The command; 2 for an unknown name."""
    if not arguments:
        for each in miniatures():
            print(f"{each.requirement:9} {each.name}: {each.says}")
        return 0
    if status := altered(arguments):
        return status
    serve(Wire())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

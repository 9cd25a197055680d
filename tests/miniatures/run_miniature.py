"""Serve one miniature over standard input and output; without a name, list them all.

callproof test "stdio:python tests/miniatures/run_miniature.py NAME" shows what it breaks.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from callproof_reference.wire import Wire, serve

from miniatures.miniature import miniatures
from miniatures.points import Patch


def main(arguments: list[str]) -> int:
    """The command; 2 for a name that there is not."""
    known = {each.name: each for each in miniatures()}
    if not arguments:
        for each in known.values():
            print(f"{each.requirement:9} {each.name}: {each.says}")
        return 0
    if arguments[0] not in known:
        like = ", ".join(difflib.get_close_matches(arguments[0], known, 3)) or "run it without a name to see them all"
        print(f"there is no miniature {arguments[0]!r}: {like}", file=sys.stderr)
        return 2
    known[arguments[0]].apply(Patch())
    serve(Wire())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``python tests/live_loops/serve.py NAME``: a broken or a varied loop on standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from altered_wire import Altered
from callproof_reference.loops.loop import Service

from live_loops.broken import BROKEN
from live_loops.varied import VARIED


def main(name: str) -> None:
    """Serve a loop by its name."""
    kind = {each.name: each for each in (*BROKEN, *VARIED)}[name]
    Service(Altered(kind.tells), kind.loop).peer.serve()


if __name__ == "__main__":
    main(sys.argv[1])

"""``python tests/live_invocations/serve.py NAME``: a broken or a varied system on standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from callproof_reference.invocations.service import Service
from callproof_reference.wire import Wire

from live_invocations.broken import BROKEN
from live_invocations.plain import serve
from live_invocations.varied import VARIED


def main(name: str) -> None:
    """Serve a system by its name."""
    if name == "plain":
        serve()
        return
    kind = {each.name: each for each in (*BROKEN, *VARIED)}[name]
    Service(Wire(), kind.gives, kind.features).peer.serve()


if __name__ == "__main__":
    main(sys.argv[1])

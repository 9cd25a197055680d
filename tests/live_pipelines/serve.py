"""``python tests/live_pipelines/serve.py NAME``: a broken or a varied pipeline on standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from altered_wire import Altered
from callproof_reference.pipelines.service import Service

from live_pipelines.broken import BROKEN
from live_pipelines.varied import VARIED


def main(name: str) -> None:
    """Serve a pipeline by its name."""
    kind = {each.name: each for each in (*BROKEN, *VARIED)}[name]
    service = Service(Altered(kind.tells), kind.batch)
    service.features = " ".join(each for each in service.features.split() if each not in kind.without)
    service.peer.serve()


if __name__ == "__main__":
    main(sys.argv[1])

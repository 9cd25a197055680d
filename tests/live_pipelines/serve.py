"""``python tests/live_pipelines/serve.py NAME``: a broken or a varied pipeline on standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from callproof_reference.pipelines.service import Service
from callproof_reference.wire import Wire

from live_pipelines.broken import BROKEN
from live_pipelines.kinds import Kind
from live_pipelines.varied import VARIED


class Altered:
    """A wire on which other messages go out than were sent; an answer of the suite is passed on as it is."""

    def __init__(self, kind: Kind) -> None:
        self._wire = Wire()
        self._tells = kind.tells() if kind.tells is not None else None

    def receive(self) -> dict[str, Any] | None:
        """The next message of the suite."""
        return self._wire.receive()

    def send(self, message: dict[str, Any]) -> None:
        """What the fault makes of a message, in its order."""
        for each in [message] if self._tells is None else self._tells(message):
            self._wire.send(each)


def main(name: str) -> None:
    """Serve a pipeline by its name."""
    kind = {each.name: each for each in (*BROKEN, *VARIED)}[name]
    service = Service(Altered(kind), kind.batch)
    service.features = " ".join(each for each in service.features.split() if each not in kind.without)
    service.peer.serve()


if __name__ == "__main__":
    main(sys.argv[1])

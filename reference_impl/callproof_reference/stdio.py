"""A wire over standard input and output: one JSON message a line, UTF-8, at most 16 MiB (adapter protocol, Framing)."""

from __future__ import annotations

import json
import sys
import threading
from typing import BinaryIO

from callproof_reference.jsontext import Json, write

FRAME_BYTES = 16 * 1024 * 1024


class StdioWire:
    """Messages over a pair of byte streams."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._lock = threading.Lock()

    def receive(self) -> dict[str, Json] | None:
        """The next message; what is none is answered with an error and passed over."""
        while line := self._source.readline(FRAME_BYTES + 2):
            if not line.endswith(b"\n") and len(line) > FRAME_BYTES:
                self._skip_line()
                self._complain(f"a line is longer than {FRAME_BYTES} bytes")
                continue
            try:
                # NaN and the like are read here, so that the call whose output they are can end with them (RES-22).
                message: Json = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError):
                self._complain("a line is no JSON in UTF-8")
                continue
            if isinstance(message, dict):
                return message
            self._complain("a line is no JSON object")
        return None

    def send(self, message: dict[str, Json]) -> None:
        """Send a message at once."""
        line = write(message).encode("utf-8") + b"\n"
        with self._lock:
            self._sink.write(line)
            self._sink.flush()

    def _skip_line(self) -> None:
        while (rest := self._source.readline(FRAME_BYTES)) and not rest.endswith(b"\n"):
            pass

    def _complain(self, why: str) -> None:
        self.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": why}})


def standard() -> StdioWire:
    """The wire over this process's own streams; whatever else is printed goes to standard error."""
    wire = StdioWire(sys.stdin.buffer, sys.stdout.buffer)
    sys.stdout = sys.stderr
    return wire

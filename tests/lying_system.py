"""A system that reports every failed call as ok, and otherwise behaves like the reference."""

from __future__ import annotations

from typing import Any

from callproof_reference import wire as reference


class _Lying:
    """The wire of the reference; every result goes out as ok."""

    def __init__(self, wire: Any) -> None:
        self._wire = wire

    def receive(self) -> Any:
        """The next message of the suite."""
        return self._wire.receive()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message of the reference, with a result changed to ok."""
        params = message.get("params", {})
        if message.get("method") == "record" and params["kind"] == "result":
            message = {**message, "params": {**params, "record": {**params["record"], "ok": True}}}
        self._wire.send(message)


def serve(wire: Any) -> None:
    """The factory: ``python:lying_system:serve``."""
    reference.serve(_Lying(wire))

"""A system that tells of every failed call that it was ok, and is the reference in everything else."""

from __future__ import annotations

from typing import Any

from callproof_reference import wire as reference


class _Lying:
    """The wire of the reference, with its results made better than they are."""

    def __init__(self, wire: Any) -> None:
        self._wire = wire

    def receive(self) -> Any:
        """What the suite says."""
        return self._wire.receive()

    def send(self, message: dict[str, Any]) -> None:
        """What the system says, or nearly."""
        params = message.get("params", {})
        if message.get("method") == "record" and params["kind"] == "result":
            message = {**message, "params": {**params, "record": {**params["record"], "ok": True}}}
        self._wire.send(message)


def serve(wire: Any) -> None:
    """The factory: ``python:lying_system:serve``."""
    reference.serve(_Lying(wire))

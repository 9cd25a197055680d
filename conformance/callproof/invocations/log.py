"""What the suite sees a system do in one response, as lines of a log of its protocol."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.driven.log import Log
from callproof.protocols.invocation.driven import META, PROBE, RECORD
from callproof.values.jsontext import Json


class InvocationLog(Log):
    """A note of the case, records of the system, and probes of the suite."""

    def __init__(self, case: str, start: Mapping[str, Json], intents: Json) -> None:
        told = {name: each for name, each in start.items() if name != "question"}
        super().__init__(case, {"kind": META, "case": case, "driven": True, **told, "intents": intents})

    def record(self, record: Json) -> None:
        """Write down what the system told."""
        self.line({"kind": RECORD, "record": record})

    def probe(self, name: str, members: Mapping[str, Json]) -> None:
        """Write down what the suite saw."""
        self.line({"kind": PROBE, "probe": name, **members})

"""Facts that are not recorded as they are: halves of characters, passwords, and when the user approved."""

from __future__ import annotations

import json
from typing import Any

from callproof_reference.wire import Wire

from miniatures.miniature import miniature
from miniatures.points import Patch, Point, Record

RECEIVE = Point(Wire, "receive")


@miniature("question-marks-for-half-characters", breaks="RES-22", also=("REF-01", "RES-21"), seen_in="SC-13")
def _(patch: Patch) -> None:
    """In every message that is received, half a character becomes a question mark."""

    def receive(original: Any, wire: Any) -> Any:
        message = original(wire)
        return json.loads(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace"))

    patch.around(RECEIVE, receive)


@miniature("passwords-starred-out", breaks="LOG-17", also=("CALL-20", "HASH-01", "LOG-06", "VAL-04"), seen_in="SC-22")
def _(patch: Patch) -> None:
    """A password is replaced in the record of its call, and nothing says so."""

    def change(record: Record) -> None:
        if "password" in record["args"]:
            record["args"]["password"] = "***"

    patch.record("call", change)


@miniature("consent-without-its-instant", breaks="LOG-18", also=("CONF-04", "CONF-14"), seen_in="SC-11")
def _(patch: Patch) -> None:
    """The run record says that the user approved, but not when; only the events say when."""
    patch.record("run", lambda record: record.get("confirmation", {}).pop("decidedAt", None))

"""The model of the testimonies in ``spec/replay.md``: what was seen of one live run, in one order."""

from __future__ import annotations

from typing import Literal

from callproof.models.members import Array, ClosedDocument, Count, Given, Integer, Text


class Row(ClosedDocument):
    """One message, or one look at the folder."""

    by: Literal["claim", "deed", "folder", "suite"]
    says: Text
    call: Given[str] = None
    at_ms: Given[Integer] = None
    line: Given[Count] = None


class Testimony(ClosedDocument):
    """Claims, deeds and the folder of one run, lined up."""

    run: str
    clock: Literal["virtual", "real"]
    rows: Array[Row]
    left: Count

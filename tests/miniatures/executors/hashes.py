"""HASH: hashes that do not prove what they should."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import (
    ARGS_HASH,
    CANONICAL,
    RECORD_CALL,
    Patch,
    Record,
)


def _sha256(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


@miniature("hash-of-the-template", breaks="HASH-01", also=("HASH-02", "HASH-03"))
def _(patch: Patch) -> None:
    """argsHash is over the arguments as the plan has them, with references that are not resolved."""
    template: list[Any] = []

    def call(original: Any, records: Any, subject: Any, args: Record, *rest: Any) -> None:
        template.append((args, subject.step.args))
        original(records, subject, args, *rest)
        template.clear()

    def digest(original: Any, value: Any) -> str:
        return str(original(template[-1][1] if template and value is template[-1][0] else value))

    patch.around(RECORD_CALL, call)
    patch.around(ARGS_HASH, digest)


@miniature("hash-in-the-order-of-writing", breaks="HASH-05", also=("HASH-01", "HASH-06"))
def _(patch: Patch) -> None:
    """Members are hashed in the order in which they stand in the value."""
    patch.around(
        ARGS_HASH, lambda original, value: _sha256(json.dumps(value, separators=(",", ":"), ensure_ascii=False))
    )


@miniature("hash-of-the-member-names", breaks="HASH-03", also=("HASH-01",))
def _(patch: Patch) -> None:
    """Arguments with the same members have the same hash."""
    patch.record("call", lambda record: record.update(argsHash=_sha256(json.dumps(sorted(record["args"])))))


@miniature("hash-with-pythons-numbers", breaks="HASH-05", also=("HASH-06",))
def _(patch: Patch) -> None:
    """Numbers are hashed as the language prints them, so that the hash of 1.0 is not that of 1."""
    patch.around(
        CANONICAL,
        lambda original, value: repr(value) if type(value) in {int, float} else original(value),
    )


@miniature("hash-without-a-name", breaks="HASH-04")
def _(patch: Patch) -> None:
    """A hash does not say which algorithm made it."""
    patch.around(ARGS_HASH, lambda original, value: str(original(value)).removeprefix("sha256:"))


@miniature("data-hash-of-something-else", breaks="HASH-06")
def _(patch: Patch) -> None:
    """dataHash is over the data and its status."""

    def change(record: Record) -> None:
        if "dataHash" in record:
            record["dataHash"] = _sha256(json.dumps([record["data"], record["status"]]))

    patch.record("result", change)


@miniature("hash-salted-by-attempt", breaks="HASH-02", also=("HASH-01",))
def _(patch: Patch) -> None:
    """Attempts with the same arguments have different hashes."""

    def change(record: Record) -> None:
        if record["attempt"] > 1:
            record["argsHash"] = _sha256(json.dumps([record["args"], record["attempt"]]))

    patch.record("call", change)

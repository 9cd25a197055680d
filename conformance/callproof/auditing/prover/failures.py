"""The laws about a result's error that depend only on it and the status: judged by the checks once, then remembered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from callproof.auditing.prover import features as f
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.checks.check import Check
from callproof.judge.judging import checks_by_requirement
from callproof.trace.records import Kind, Record, Source
from callproof.trace.run import HOOK_FAILED, REFUSAL_CODES, Run, finer_kind
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_object

_KEPT: Final = 1_024
# Deep values are left to the strict reader, which counts the depth from the beginning of the line.
_MOST_BRACKETS: Final = 64

# The laws that look at the status and the error of one result, and the feature that exercises each.
_LAWS: Final[Mapping[str, int]] = {
    "RES-09": f.FAILED,
    "RES-12": f.OWN_CODE,
    "RES-13": f.STATUS_ERROR,
    "RES-14": f.ERROR,
    "RES-15": f.ERROR,
    "RES-16": f.ERROR,
    "RES-22": f.UNSERIALISABLE,
    "VAL-14": f.PRECHECK,
    "ERR-01": f.MISSING,
    "ERR-02": f.COLLISION,
    "ERR-03": f.UNPREPARED,
    "ERR-05": f.UNEXPECTED,
    "ERR-10": f.OTHER_LAYER,
}


@dataclass(frozen=True, slots=True)
class ErrorFacts:
    """What proofs need to know of an error; ``met`` are the features of the laws that it keeps.

    ``kind`` is the reason in lower case.
    """

    met: int
    code: str
    message: Json
    details: Json
    reason: Json
    kind: str | None
    retryable: bool | None

    @property
    def calls_it_refused(self) -> bool:
        """Whether the error says that the call was refused, by its code or by a hook that failed."""
        return self.code in REFUSAL_CODES or (self.code == "INTERNAL_ERROR" and self.kind == HOOK_FAILED)


NO_ERROR: Final = ErrorFacts(0, "", None, None, None, None, None)

_MEMBERS: Final = frozenset({"code", "message", "details", "retryable"})
_known: dict[tuple[str, bytes], ErrorFacts] = {}


def error_facts(status: str, raw: bytes) -> ErrorFacts:
    """The error with these bytes in a result with this status.  Raises Unproved if it breaks a law."""
    key = (status, raw)
    known = _known.get(key)
    if known is None:
        if len(_known) >= _KEPT:
            _known.clear()
        known = _known[key] = _error_facts(status, raw)
    return known


def _error_facts(status: str, raw: bytes) -> ErrorFacts:
    demand(raw.count(b"[") + raw.count(b"{") <= _MOST_BRACKETS, "a deep error")
    try:
        error = read_json(raw)
    except NotStrictJson as fault:
        raise Unproved(fault.reason) from None
    if not is_object(error):
        raise Unproved("an error that is not an object")
    demand(error.keys() <= _MEMBERS, "a member of an error that may be another one misspelt")
    code, details, retryable = error.get("code"), error.get("details"), error.get("retryable")
    reason = details.get("reason") if is_object(details) else None
    kind = finer_kind(error)
    demand(kind != "hook_blocked", "a hook")
    if not isinstance(code, str):
        raise Unproved("an error without a code")
    met = _kept(Record(Kind.RESULT, {"status": status, "error": error}, Source("results.jsonl", 1)))
    return ErrorFacts(
        met, code, error.get("message"), details, reason, kind, retryable if isinstance(retryable, bool) else None
    )


def _kept(result: Record) -> int:
    """The features of the laws that a result keeps.  Raises Unproved if it breaks one."""
    run = Run("", None, (), (result,), None)
    met = 0
    for check, feature in _checks():
        subjects = tuple(check.each(run))
        if subjects:
            met |= feature
        found = any(True for each in subjects for _ in check.examine(run, each))
        demand(not found, f"an error breaks {check.requirement}")
    return met


@cache
def _checks() -> tuple[tuple[Check[Any], int], ...]:
    by_requirement: Mapping[str, Iterable[Check[Any]]] = checks_by_requirement()
    return tuple((each, bit) for name, bit in _LAWS.items() for each in by_requirement[name] if not each.needs)

"""What can go wrong, in the words that results and refusals carry: baseline codes, and a tool's own word kept."""

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from callproof.values.jsontext import NotStrictJson

from callproof_reference.jsontext import Json, Object, present, size

# What a tool may say of itself. TIMEOUT and CANCELLED have statuses of their own (RES-13).
_BASELINE = "VALIDATION_ERROR|POLICY_DENIED|NOT_FOUND|CONFLICT|PRECONDITION_FAILED|INTERNAL_ERROR"
_KEPT = re.compile(rf"{_BASELINE}|[A-Z][A-Z0-9_]*[.:/][A-Z][A-Z0-9_.:/]*")  # extensions have a namespace (RES-14)
_OTHER_LAYERS = {  # whatever is in neither list is an INTERNAL_ERROR (ERR-10)
    **dict.fromkeys(("unknown_tool", "schema_validation_failed", "invalid_arguments"), "VALIDATION_ERROR"),
    **dict.fromkeys(("blocked_tool", "sandbox_violation", "hook_blocked", "permission_denied"), "POLICY_DENIED"),
    **dict.fromkeys(("policy_blocked", "approval_rejected", "blocked"), "POLICY_DENIED"),
    **dict.fromkeys(("setup_required", "dependency_unavailable"), "PRECONDITION_FAILED"),
}


class Failure(Exception):
    """Why a call fails, or cannot be built, in the words of the baseline codes (ERR-01 to ERR-04, A2)."""

    def __init__(self, code: str, message: str, reason: str = "") -> None:
        super().__init__(code, message)
        self.code, self.message, self.reason = code, message, reason


class Fault(NamedTuple):
    """One thing that is wrong with a document: where, in a word for programs, in words for people."""

    pointer: str
    reason: str
    message: str

    def __str__(self) -> str:
        place = self.pointer or ("(the whole document)" if self.reason == "schema" else "")
        return f"{place}: {self.message}" if place else self.message


class Refused(Exception):
    """A run that must not start, with every reason (REF-03, VAL-05, DEP-09)."""

    def __init__(self, subject: str, faults: Iterable[Fault]) -> None:
        self.subject, self.faults = subject, tuple(faults)
        super().__init__(f"the {subject} cannot be used; " + "; ".join(map(str, self.faults)))


def error(code: str, message: str, reason: str, **details: Json) -> Object:
    """An error of the executor's own, whose finer kind is `details.reason`."""
    return {"code": code, "message": message, "details": {"reason": reason, **details}}


def never_ran(flaw: Exception) -> Object:
    """The error of what could not become a call (A2, REF-04), or of a flaw of our own (DEP-15)."""
    if isinstance(flaw, Failure):
        return error(flaw.code, flaw.message, flaw.reason)
    return error("INTERNAL_ERROR", f"the executor broke: {type(flaw).__name__}", "executor")


def broken() -> Object:
    """The error of a tool that broke. What it threw is not repeated: it may hold anything (MSG-07, ERR-05)."""
    return error("INTERNAL_ERROR", "the tool broke without saying why", "execution_failed")


def reported(told: Object) -> Object:
    """The error that a tool reported; a code that nobody knows is mapped, and kept in details (ERR-09, RES-16)."""
    own, said, retryable = str(told.get("code")), told.get("message"), told.get("retryable")
    code = own if _KEPT.fullmatch(own) else _OTHER_LAYERS.get(own, "INTERNAL_ERROR")
    details = plain_object(told.get("details")) or {}
    if code != own:
        details = {"reason": "unknown_code", **details, "toolCode": own}
    message = said if isinstance(said, str) and said.strip() else f"the tool reported {code}"
    word = retryable if isinstance(retryable, bool) else None
    return present({"code": code, "message": message, "details": details or None, "retryable": word})


def plain_object(value: Json) -> Object | None:
    """A value from outside, if it is an object that JSON can hold (RES-15)."""
    with suppress(NotStrictJson):
        return value if isinstance(value, dict) and size(value) else None
    return None

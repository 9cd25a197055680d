"""Errors as results carry them: baseline codes only, and the tool's own word kept (ERR-01 to ERR-10, A51)."""

from __future__ import annotations

import re

from callproof_reference.jsontext import Json, NotJson, Object, copied, refuse_unwritable

# What a tool may say of itself. TIMEOUT and CANCELLED have statuses of their own (RES-13).
_TOOLS_OWN = frozenset(
    {"VALIDATION_ERROR", "POLICY_DENIED", "NOT_FOUND", "CONFLICT", "PRECONDITION_FAILED", "INTERNAL_ERROR"}
)
_NAMESPACED = re.compile(r"[A-Z][A-Z0-9_]*[.:/][A-Z][A-Z0-9_.:/]*")
_OTHER_LAYERS = {
    **dict.fromkeys(("unknown_tool", "schema_validation_failed", "invalid_arguments"), "VALIDATION_ERROR"),
    **dict.fromkeys(
        ("blocked_tool", "sandbox_violation", "hook_blocked", "permission_denied", "policy_blocked", "blocked"),
        "POLICY_DENIED",
    ),
    **dict.fromkeys(("approval_rejected",), "POLICY_DENIED"),
    **dict.fromkeys(("setup_required", "dependency_unavailable"), "PRECONDITION_FAILED"),
}


def error(code: str, message: str, reason: str, **details: Json) -> Object:
    """An error of the executor's own, whose finer kind is `details.reason`."""
    return {"code": code, "message": message, "details": {"reason": reason, **details}}


def reported(data: Json) -> Object:
    """
    The error that a tool reported, in its own words where they may stand.

    A code that nobody knows is mapped, and kept in details (ERR-09). `retryable` is the tool's (RES-16).
    """
    told: Object = data if isinstance(data, dict) else {}
    own, message, details = str(told.get("code")), told.get("message"), told.get("details")
    kept = own in _TOOLS_OWN or _NAMESPACED.fullmatch(own) is not None
    code = own if kept else _OTHER_LAYERS.get(own, "INTERNAL_ERROR")
    extra: Object = {**(details if is_plain_object(details) and isinstance(details, dict) else {})}
    if not kept:
        extra = {"reason": "unknown_code", **extra, "toolCode": own}
    found: Object = {"code": code, "message": message if _is_text(message) else f"the tool reported {code}"}
    if extra:
        found["details"] = copied(extra)
    if isinstance(told.get("retryable"), bool):
        found["retryable"] = told["retryable"]
    return found


def is_plain_object(value: object) -> bool:
    """Whether a value is an object that JSON can hold (RES-15)."""
    try:
        refuse_unwritable(value)
    except NotJson:
        return False
    return isinstance(value, dict)


def _is_text(message: Json) -> bool:
    return isinstance(message, str) and bool(message.strip())

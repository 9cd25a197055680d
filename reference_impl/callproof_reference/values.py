"""What records are made of: JSON that fits into one, hashes that anybody can recompute, errors with baseline codes."""

import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import rfc8785
from callproof.values.jsontext import NotStrictJson, write_json

Object: TypeAlias = dict[str, Any]
Json: TypeAlias = None | bool | int | float | str | list[Any] | Object

NESTING = 100  # readers fail on deeper values: the suite reads 128 levels, and a record adds some (VAL-12)
LONGEST = 4 * 1024 * 1024  # bytes; with its args and its item a call has to fit into one frame of the wire (VAL-12)
# What a tool may say of itself. TIMEOUT and CANCELLED have statuses of their own (RES-13).
_BASELINE = "VALIDATION_ERROR|POLICY_DENIED|NOT_FOUND|CONFLICT|PRECONDITION_FAILED|INTERNAL_ERROR"
_KEPT = re.compile(rf"{_BASELINE}|[A-Z][A-Z0-9_]*[.:/][A-Z][A-Z0-9_.:/]*")  # extensions have a namespace (RES-14)
_OTHER_LAYERS = {  # a code in neither list is an INTERNAL_ERROR (ERR-10)
    **dict.fromkeys(("unknown_tool", "schema_validation_failed", "invalid_arguments"), "VALIDATION_ERROR"),
    **dict.fromkeys(("blocked_tool", "sandbox_violation", "hook_blocked", "permission_denied"), "POLICY_DENIED"),
    **dict.fromkeys(("policy_blocked", "approval_rejected", "blocked"), "POLICY_DENIED"),
    **dict.fromkeys(("setup_required", "dependency_unavailable"), "PRECONDITION_FAILED"),
}


def write(value: Json) -> str:
    """Compact JSON text, numbers and strings exact. Raises NotStrictJson: nothing is changed silently (A28)."""
    try:
        text = write_json(value)
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotStrictJson("holds a lone surrogate") from None
    except (TypeError, ValueError, RecursionError):
        raise NotStrictJson("holds what JSON does not have") from None
    return text


def size(value: Json) -> int:
    """How many bytes the text of a value from outside has. Raises NotStrictJson, also for what is nested too deeply."""
    if _too_deep(value, NESTING):
        raise NotStrictJson(f"is nested deeper than {NESTING} levels")
    return len(write(value).encode("utf-8"))


def _too_deep(value: Json, left: int) -> bool:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return left < 0 or any(_too_deep(each, left - 1) for each in inner)


def unfit(value: Json) -> tuple[str, str] | None:
    """Why a value from outside fits into no record, in a word and as a clause (VAL-12, RES-22)."""
    try:
        return ("result_too_large", f"is longer than {LONGEST} bytes") if size(value) > LONGEST else None
    except NotStrictJson as flaw:
        return "unserialisable", str(flaw)


def digest(value: Json) -> str:
    """The hash of a value's canonical text, with the name of the algorithm before a colon (HASH-01 to HASH-06)."""
    return sha256(canonical(value).encode("utf-8"))


def sha256(content: bytes) -> str:
    """The hash of bytes, and so the etag of a file, which changes exactly when its content does."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def canonical(value: Json) -> str:
    """The canonical text of a value: members by UTF-16 order, numbers by value (RFC 8785, A21)."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
        return str(int(value))  # the one extension: integral values keep all digits, and -0.0 is 0 (HASH-05, A64)
    return rfc8785.dumps(value).decode("utf-8")


def as_object(value: Json) -> Object:
    """An object as it is, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: Json) -> list[Object]:
    """The objects in what may be an array."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def token(name: str) -> str:
    """A member name as a token of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def present(record: Object) -> Object:
    """A record without the members that have no value: never null (RES-25, A30)."""
    return {name: value for name, value in record.items() if value is not None}


def strings(value: Json) -> list[str]:
    """The strings in what may be an array."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


class Failure(Exception):
    """Why a call fails, or cannot be built, in the words of the baseline codes (ERR-01 to ERR-04, A2)."""

    def __init__(self, code: str, message: str, reason: str = "") -> None:
        super().__init__(code, message)
        self.code, self.message, self.reason = code, message, reason


class Fault(NamedTuple):
    """One thing that is wrong with a document: its place, a word for programs, and words for people."""

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


def reported(told: Object) -> Object:
    """The error that a tool reported; an unknown code is mapped, and kept in details (ERR-09, RES-16)."""
    own, said, retryable = str(told.get("code")), told.get("message"), told.get("retryable")
    code = own if _KEPT.fullmatch(own) else _OTHER_LAYERS.get(own, "INTERNAL_ERROR")
    details = plain(told.get("details")) or {}
    if code != own:
        details = {"reason": "unknown_code", **details, "toolCode": own}
    message = said if isinstance(said, str) and said.strip() else f"the tool reported {code}"
    word = retryable if isinstance(retryable, bool) else None
    return present({"code": code, "message": message, "details": details or None, "retryable": word})


def plain(value: Json) -> Object | None:
    """A value from outside, if it is an object that JSON can hold (RES-15)."""
    with suppress(NotStrictJson):
        return value if isinstance(value, dict) and size(value) else None
    return None

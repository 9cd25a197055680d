"""The models of ``spec/tool-result.md``: one for each status, so that the structure expresses the invariants."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from callproof.models.effects import Effects
from callproof.models.error import Error
from callproof.models.members import Array, Document, Flag, Given, JsonObject, Number, Positive, Refused, Text
from callproof.models.tool_call import Iteration

_INTERRUPTIONS = ("TIMEOUT", "CANCELLED")
# White space as ECMA 262 defines it, because the schema's pattern means that.
_VISIBLE = re.compile(r"[^\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")


def _failure(error: Error) -> Error:
    if error.code in _INTERRUPTIONS:
        raise ValueError(f"{error.code} belongs to the status of that name (RES-13)")
    return error


def _timed_out(error: Error) -> Error:
    if error.code != "TIMEOUT":
        raise ValueError("status timeout must have the code TIMEOUT (RES-12)")
    return error


def _cancelled(error: Error) -> Error:
    if error.code != "CANCELLED":
        raise ValueError("status cancelled must have the code CANCELLED (RES-12)")
    return error


class _Result(Document):
    call_id: Text
    run_id: Text
    step_id: Text
    tool: Text
    attempt: Positive
    data_hash: str | None = None
    started_at: str
    ended_at: str
    duration_ms: Annotated[Number, Field(ge=0)]
    effects: Effects | None = None
    iteration: Iteration | None = None
    user_message: str | None = None
    debug_message: str | None = None
    redacted: Array[str] | None = None


class OkResult(_Result):
    """The tool did its job."""

    status: Literal["ok"]
    ok: Flag[Literal[True]]
    data: JsonObject
    error: Refused = None


class ErrorResult(_Result):
    """The call was refused, or the tool failed."""

    status: Literal["error"]
    ok: Flag[Literal[False]]
    data: Refused = None
    error: Annotated[Error, AfterValidator(_failure)]


class TimeoutResult(_Result):
    """The call ran past its limit."""

    status: Literal["timeout"]
    ok: Flag[Literal[False]]
    data: Refused = None
    error: Annotated[Error, AfterValidator(_timed_out)]


class CancelledResult(_Result):
    """The call was cancelled, before its dispatch or after."""

    status: Literal["cancelled"]
    ok: Flag[Literal[False]]
    data: Refused = None
    error: Annotated[Error, AfterValidator(_cancelled)]


class SkippedResult(_Result):
    """The call was never made."""

    status: Literal["skipped"]
    ok: Flag[Literal[False]]
    data: Refused = None
    error: Given[Error] = None

    @model_validator(mode="after")
    def _has_a_reason(self) -> Self:
        if self.error is None and not _VISIBLE.search(self.user_message or ""):
            raise ValueError("status skipped needs an error, or a reason in userMessage (RES-11)")
        return self


ToolResult: TypeAlias = Annotated[
    OkResult | ErrorResult | TimeoutResult | CancelledResult | SkippedResult, Field(discriminator="status")
]

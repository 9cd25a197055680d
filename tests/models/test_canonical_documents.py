"""The documents that the envelope's first description calls canonical, and every record of the base runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callproof.models.catalogue import MODELS
from callproof.models.tool_call import ToolCall
from callproof.models.tool_result import OkResult
from callproof.schema.validator import shape_validator
from pydantic import ValidationError

BASES = Path(__file__).parents[2] / "spec" / "examples"

CANONICAL_CALL: dict[str, Any] = {
    "callId": "uuid",
    "runId": "uuid",
    "stepId": "s5",
    "tool": "vault.createFile",
    "attempt": 1,
    "args": {"path": "XYZ/Foo.md", "content": "..."},
    "timeoutMs": 30000,
    "cancellable": True,
    "iteration": {"index": 3, "itemName": "item", "itemValue": {"path": "XYZ/Foo.md"}},
    "createdAt": "2025-12-16T18:12:00Z",
    "executorVersion": "1.0.0",
    "toolRegistryVersion": "1.0",
    "preview": "Create note “Foo” in folder XYZ",
    "riskLevel": "writes",
    "category": "vault",
    "policy": {
        "confirmationsRequired": True,
        "sandbox": {"enabled": True, "allowedRoots": ["/"], "denyPatterns": ["..", "://"]},
        "limits": {"maxConcurrency": 4},
    },
    "confirmationId": "uuid",
}
# Two things in it look like faults and are not: 240 ms between equal whole seconds (A6), and `mtime` (A22).
CANONICAL_RESULT: dict[str, Any] = {
    "callId": "uuid",
    "runId": "uuid",
    "stepId": "s5",
    "tool": "vault.createFile",
    "attempt": 1,
    "status": "ok",
    "ok": True,
    "data": {"path": "XYZ/Foo.md", "etag": "abc123", "mtime": 1734372720000},
    "startedAt": "2025-12-16T18:12:01Z",
    "endedAt": "2025-12-16T18:12:01Z",
    "durationMs": 240,
    "effects": {
        "sideEffectsObserved": ["create-file"],
        "created": [{"path": "XYZ/Foo.md", "kind": "file"}],
    },
    "userMessage": "Created XYZ/Foo.md",
}


def records() -> list[tuple[str, str, Any]]:
    """Every record of every base run, as its place, its shape and its value."""
    found = [
        (f"{path.parent.name}/run", "run-record", json.loads(path.read_text("utf-8")))
        for path in BASES.glob("*/run.json")
    ]
    for file, shape in (("calls", "tool-call"), ("results", "tool-result"), ("events", "execution-event")):
        for path in BASES.glob(f"*/{file}.jsonl"):
            lines = path.read_bytes().splitlines()
            found += [(f"{path.parent.name}/{file}:{n}", shape, json.loads(line)) for n, line in enumerate(lines, 1)]
    return found


def test_the_canonical_call_is_a_call() -> None:
    """Schema and model accept it, and the model returns it unchanged."""
    assert shape_validator("tool-call").errors(CANONICAL_CALL) == ()
    call = ToolCall.model_validate(CANONICAL_CALL)
    assert call.model_dump(mode="json", by_alias=True, exclude_unset=True) == CANONICAL_CALL


def test_the_canonical_result_is_a_result() -> None:
    """Schema and model accept it with its known oddities, and the model returns it unchanged."""
    assert shape_validator("tool-result").errors(CANONICAL_RESULT) == ()
    result = MODELS["tool-result"].validate_python(CANONICAL_RESULT)
    assert isinstance(result, OkResult)
    assert result.model_dump(mode="json", by_alias=True, exclude_unset=True) == CANONICAL_RESULT


def test_every_record_of_the_base_runs_fits_its_shape() -> None:
    """The examples edit these runs, which must have the shapes that the chapters define."""
    misfits = [place for place, shape, record in records() if shape_validator(shape).errors(record)]
    assert misfits == []
    for _, shape, record in records():
        MODELS[shape].validate_python(record)


def test_every_plan_of_the_base_runs_fits_its_shape() -> None:
    """The shape of a run record permits any plan; the plans of the base runs have the shape of a plan."""
    for _, shape, record in records():
        if shape == "run-record":
            assert shape_validator("plan").errors(record["plan"]) == ()
            MODELS["plan"].validate_python(record["plan"])


@pytest.mark.parametrize("member", ["data", "error"])
def test_a_null_outcome_is_not_an_absent_one(member: str) -> None:
    """Other optional members may be null; `data` and `error` may not (A30)."""
    record = {**CANONICAL_RESULT, member: None}
    assert shape_validator("tool-result").errors(record)
    with pytest.raises(ValidationError):
        MODELS["tool-result"].validate_python(record)


def test_a_model_cannot_be_changed() -> None:
    """A record is evidence, so nothing may change it."""
    call = ToolCall.model_validate(CANONICAL_CALL)
    with pytest.raises(ValidationError, match="frozen"):
        call.attempt = 2

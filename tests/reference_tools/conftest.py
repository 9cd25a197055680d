"""Fixtures for the reference's tools: a real folder, and a check of every call against the tool's own schemas."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from callproof_reference.tools import REGISTRY, WORK
from callproof_reference.values import Failure
from callproof_reference.vault import Vault, effects, snapshot
from jsonschema import Draft202012Validator

Use = Callable[..., tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture
def use(tmp_path: Path) -> Use:
    """`use(tool, **args)` gives data and effects, without the empty lists."""

    def call(tool: str, **args: object) -> tuple[dict[str, Any], dict[str, Any]]:
        descriptor: Any = REGISTRY[tool]
        Draft202012Validator(descriptor["inputSchema"]).validate(args)
        before = snapshot(tmp_path)
        data: Any = WORK[tool](Vault(tmp_path, lambda: None), args)  # type: ignore[arg-type]
        observed = effects(before, snapshot(tmp_path))
        Draft202012Validator(descriptor["outputSchema"]).validate(data)
        assert set(observed["sideEffectsObserved"]) <= set(descriptor["sideEffects"])
        return data, {name: listed for name, listed in observed.items() if listed and name != "sideEffectsObserved"}

    return call


@pytest.fixture
def refused(tmp_path: Path) -> Callable[..., str]:
    """`refused(tool, **args)` gives the code of the failure, after checking that nothing changed."""

    def call(tool: str, **args: object) -> str:
        before = snapshot(tmp_path)
        with pytest.raises(Failure) as caught:
            WORK[tool](Vault(tmp_path, lambda: None), args)  # type: ignore[arg-type]
        assert snapshot(tmp_path) == before
        return caught.value.code

    return call

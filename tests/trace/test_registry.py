"""Registries: the tools of a run; the runs of one log share the work that was done once."""

from __future__ import annotations

import json

import pytest
from callproof import limits
from callproof.trace.registry import registry_of
from callproof.values.jsontext import Json


def with_minimum(value: Json, note: str = "") -> Json:
    """A descriptor whose argument ``n`` has a lower bound."""
    schema = {"type": "object", "properties": {"n": {"exclusiveMinimum": value}}}
    return {"name": "util.count", "description": note, "inputSchema": schema}


@pytest.mark.parametrize("other", [0, False, 0.5, None])
def test_descriptors_that_are_alike_to_python_are_not_mixed_up(other: Json) -> None:
    """Python takes 0, 0.0 and false as equal; what was computed from one descriptor must not serve another one."""
    for bound in (0, other, 0):
        (tool,) = registry_of([with_minimum(bound)]).tools
        assert json.dumps(tool.value) == json.dumps(with_minimum(bound))
        accepted = tool.input_validator.accepts({"n": 0.25}) if tool.input_validator is not None else None
        assert accepted == {0: True, 0.5: False}[bound] if type(bound) in (int, float) else accepted is None


def test_a_tool_is_the_same_however_long_its_descriptor() -> None:
    """A descriptor that is too long to be kept is read like any other."""
    for note in ("", "x" * limits.SCHEMA_BYTES):
        (tool,) = registry_of([with_minimum(3, note)]).tools
        assert (tool.name, tool.member_names) == ("util.count", frozenset({"n"}))

"""The output of a tool that no JSON document can hold, as one line of the wire (RES-22)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

import pytest
from callproof.adapters.frames import write_answer, write_frame
from callproof.values.jsontext import Json


def test_what_json_can_hold_is_written_as_ever() -> None:
    """For such a message both writers give the same bytes."""
    message: Mapping[str, Json] = {"id": 1, "result": {"output": {"é": [1.5, None, "\0"]}}}
    assert write_answer(message) == write_frame(message)


def test_a_lone_surrogate_is_written_as_its_escape() -> None:
    """The line is ASCII, and therefore also UTF-8."""
    line = write_answer({"id": 1, "result": {"output": ["a\ud800z", "é"]}})
    assert b'["a\\ud800z","\\u00e9"]' in line
    assert json.loads(line)["result"]["output"] == ["a\ud800z", "é"]


def test_a_number_that_is_none_has_no_text() -> None:
    """No grammar of JSON has a text for NaN."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_answer({"id": 1, "result": {"output": math.nan}})

"""The outputs of the suite's tools, and what they make of these for the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from callproof.pipelines.case import Answer
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_array, is_object

_PICTURE: Final[Mapping[str, Json]] = {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}


def output_of(call: str, answer: Answer) -> Json:
    """What a tool gives in a call: the output of the case, or else an output that no other call has."""
    return {"text": f"this is what {call} gave"} if answer.output is None else answer.output


def mapped(output: Json) -> list[Json]:
    """What the model reads of an output: its pages and a picture, its text, or all of it as JSON."""
    said = output.get("text") if is_object(output) else None
    pages = output.get("pages") if is_object(output) else None
    if is_array(pages):
        return [*({"type": "text", "text": each} for each in pages), dict(_PICTURE)]
    blocks: list[Mapping[str, Json]] = [{"type": "text", "text": said if isinstance(said, str) else write_json(output)}]
    return [*blocks]

"""The model of a tool descriptor, of ``spec/adapter-protocol.md``."""

from __future__ import annotations

from typing import Literal

from callproof.models.members import Array, Document, Given, JsonObject, Text
from callproof.models.plan import RiskLevel


class ToolDescriptor(Document):
    """What the registry says about one tool."""

    name: Text
    description: Given[str] = None
    input_schema: JsonObject | bool
    output_schema: JsonObject | bool
    risk_level: Given[RiskLevel] = None
    category: Given[str] = None
    side_effects: Given[Array[str]] = None
    availability: Given[JsonObject] = None
    cancellable: Given[bool] = None
    aliases: Given[Array[Text]] = None
    host: Given[Literal["suite", "system"]] = None

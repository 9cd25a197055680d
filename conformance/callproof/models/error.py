"""The models of ``spec/error-codes.md``."""

from __future__ import annotations

from callproof.models.members import Document, Given, JsonObject, Text


class Error(Document):
    """Why a call did not end ok."""

    code: Text
    message: Text
    details: Given[JsonObject] = None
    retryable: Given[bool] = None

"""Tells plain JSON containers apart: the untyped parts of records, as msgspec and the strict reader make them."""

from __future__ import annotations

from typing import Any, TypeGuard


def is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is an array."""
    return isinstance(value, list)

"""What a tool is, and how it reads its arguments. Knows no single tool.

Arguments were judged by the tool's inputSchema before a tool sees them (VAL-01), so all that is left to settle here
is what an absent one means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from callproof_reference.errors import ToolFailure
from callproof_reference.jsontext import Json, as_object, strings
from callproof_reference.vault import Vault

__all__ = ["Args", "Data", "Json", "Tool", "ToolFailure", "as_object", "flag", "number", "strings", "text"]

Args: TypeAlias = Mapping[str, Json]
Data: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Tool:
    """A descriptor, as the registry publishes it, and what does the work: args in, data out, or ToolFailure."""

    descriptor: Mapping[str, object]
    run: Callable[[Vault, Args], Data]


def text(args: Args, name: str, default: str = "") -> str:
    """A string argument."""
    return cast("str", args.get(name, default))


def flag(args: Args, name: str, *, default: bool = False) -> bool:
    """A boolean argument."""
    return cast("bool", args.get(name, default))


def number(args: Args, name: str, default: int = 0) -> int:
    """An integer argument; to JSON Schema, and so to a plan, `5.0` is one."""
    return int(cast("float", args.get(name, default)))

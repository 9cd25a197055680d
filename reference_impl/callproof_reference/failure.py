"""How a tool says that it did not do its job. Knows nothing of results, retries or records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


# Not frozen: contextlib writes the traceback of an exception that passes through a context manager.
@dataclass(eq=False)
class ToolFailure(Exception):
    """A refusal or failure in the words of the baseline codes (ERR-01 to ERR-04); the engine makes it a result."""

    code: str
    message: str
    retryable: bool | None = None
    details: Mapping[str, object] | None = None

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

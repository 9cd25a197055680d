"""The results of calls, as the model reads them, for calls that succeeded and calls that failed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
# The status of a failure by its class; every other class has the status "failed".
_STATUS = {
    "canceled": "canceled",
    "sibling_canceled": "canceled",
    "timeout": "timed_out",
    "permission_denied": "denied",
    "policy_blocked": "denied",
    "approval_rejected": "rejected",
}


class Failed(Exception):
    """A call failed in one of its phases, with a class of failure and a message."""

    def __init__(self, phase: str, error_class: str, message: str) -> None:
        super().__init__(message)
        self.phase, self.error_class = phase, error_class

    def result(self) -> Json:
        """The result that the model gets instead of an output."""
        error = {"error_class": self.error_class, "phase": self.phase, "message": str(self)}
        status = _STATUS.get(self.error_class, "failed")
        return {"status": status, "is_error": True, "model_facing_content": [text(str(self))], "error": error}


@dataclass(frozen=True, slots=True)
class Preview:
    """The beginning of a content that is too large, with the bytes of text that are shown and that there were."""

    content: list[Json]
    shown: int
    size: int

    @classmethod
    def of(cls, content: list[Json], limit: int | None) -> Preview | None:
        """At most ``limit`` bytes of text; None if the content has no more than that."""
        size = sum(len(_text(block)) for block in content)
        if limit is None or size <= limit:
            return None
        blocks, left = list[Json](), limit
        for block in content:
            beginning = _text(block)[:left].decode(errors="ignore")
            left -= len(beginning.encode())
            blocks.append({**block, "text": beginning} if "text" in block else block)
        return cls(blocks, limit - left, size)

    def noted(self, where: str) -> list[Json]:
        """The preview, and a note about the rest."""
        return [*self.content, text(f"[{self.shown} bytes of {self.size} are shown; {where}]")]


def text(words: str) -> Json:
    """A text as a block of content."""
    return {"type": "text", "text": words}


def plain(output: Any) -> list[Json]:
    """What the model reads of an output if no mapper says that."""
    return [text(output if isinstance(output, str) else json.dumps(output, ensure_ascii=False))]


def _text(block: Json) -> bytes:
    words = block.get("text")
    return words.encode(errors="surrogatepass") if isinstance(words, str) else b""

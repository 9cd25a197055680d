"""Who runs a tool: whoever started the run, or this executor on its folder.

Both give the same answer: what the tool returned or how it failed, and what was seen to change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, cast

from callproof_reference.errors import ToolFailure, broken, plain_object, reported
from callproof_reference.jsontext import Json, Object, as_object
from callproof_reference.observe import effects, snapshot
from callproof_reference.registry import Tool, declared
from callproof_reference.tools import REGISTRY
from callproof_reference.turns import Promise
from callproof_reference.vault import Vault

_TOOL_FAILED = -32010


class Host(Protocol):
    """Whoever started the run, in the words of the adapter protocol."""

    def ask(self, method: str, params: Object) -> Promise[Object]:
        """Send a request; the promise is the whole answer, with its `result` or its `error`."""
        ...

    def tell(self, method: str, params: Object) -> None:
        """Send a notification."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from a tool; `output` counts where there is no error, and the tool did not stop when told to."""

    output: Json = None
    error: Object | None = None
    effects: Object | None = None
    stopped: bool = False


def suite_answer(message: Object) -> Answer:
    """What an answer to tool/invoke says. Another than the tool's own failure means that the tool broke."""
    if "result" in message:
        result = as_object(message["result"])
        return Answer(result.get("output"), effects=plain_object(result.get("observed")))
    failure = as_object(message.get("error"))
    data = plain_object(failure.get("data"))
    if failure.get("code") != _TOOL_FAILED or not data:
        return Answer(error=broken())
    return Answer(error=reported(data), effects=plain_object(data.get("observed")))


def run_own(tool: Tool, args: Object, root: Path, aborted: Callable[[], bool]) -> Answer:
    """
    Run one of our own tools to its end, and see what it changed (EFF-01, EFF-10).

    Nothing else of ours runs meanwhile, so that no sibling's changes are taken for its own (EFF-16).
    """
    before = snapshot(root)
    try:
        output = REGISTRY[tool.name].run(Vault(root, aborted), args)
        answer = Answer(declared(output, tool.descriptor["outputSchema"]))  # A69
    except ToolFailure as failure:
        answer = Answer(error=reported(cast("Object", vars(failure))), stopped=failure.code == "CANCELLED")
    except BaseException:  # noqa: BLE001 - whatever a tool throws becomes a result (ERR-06)
        answer = Answer(error=broken())
    return replace(answer, effects=cast("Object", effects(before, snapshot(root))))

"""Hooks that tell schemathesis which conversations are live, so that it posts to these and not only to unknown ones."""

from __future__ import annotations

import http.client
import os
from typing import Any
from urllib.parse import urlsplit

import schemathesis

_stopped: set[str] = set()


@schemathesis.hook
def before_call(context: Any, case: Any, _kwargs: Any) -> None:
    """Give the case its own conversation, unless the case is about the name, and listen to no live conversation."""
    if case.meta is None or case.meta.phase.name.value == "stateful":
        return
    modes = {str(place).rpartition(".")[2]: each.mode.value for place, each in case.meta.components.items()}
    operation = case.operation.definition.raw["operationId"]
    if operation != "begin" and modes.get("PATH") == "positive":
        # A stream ends with its conversation, and nothing here ends a conversation that a case listens to.
        case.path_parameters["conversation"] = "never-begun" if operation == "listen" else _begun()


@schemathesis.check
def nothing_is_taken_after_the_stop(_context: Any, response: Any, case: Any) -> None:
    """The check of schemathesis for resources used after their end does not cover posts."""
    conversation = (case.path_parameters or {}).get("conversation")
    if case.method.upper() == "DELETE" and response.status_code == 204:
        _stopped.add(conversation)
    elif conversation in _stopped and response.status_code == 202:
        raise AssertionError("a message was taken after the stop")


def _begun() -> str:
    connection = http.client.HTTPConnection(urlsplit(os.environ["CALLPROOF_ENTRY"]).netloc)
    connection.request("POST", "/")
    answer = connection.getresponse()
    connection.close()
    return str(answer.headers["Location"]).rpartition("/")[2]

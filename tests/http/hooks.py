"""What schemathesis cannot know: which conversations are live, so that posts meet those and not only unknown ones."""

from __future__ import annotations

import http.client
import os
from typing import Any
from urllib.parse import urlsplit

import schemathesis

_stopped: set[str] = set()


@schemathesis.hook
def before_call(context: Any, case: Any, _kwargs: Any) -> None:
    """Say it in a conversation of its own, unless the name is what the case is about, and listen to none that lives."""
    if case.meta is None or case.meta.phase.name.value == "stateful":
        return
    modes = {str(place).rpartition(".")[2]: each.mode.value for place, each in case.meta.components.items()}
    operation = case.operation.definition.raw["operationId"]
    if operation != "begin" and modes.get("PATH") == "positive":
        # A stream ends with its conversation, and nothing here ends one that somebody listens to.
        case.path_parameters["conversation"] = "never-begun" if operation == "listen" else _begun()


@schemathesis.check
def nothing_is_taken_after_the_stop(_context: Any, response: Any, case: Any) -> None:
    """Its own check of what is used after it was freed passes over posts."""
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

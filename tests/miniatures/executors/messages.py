"""MSG: messages that say too much, or something untrue."""

from __future__ import annotations

import os
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import (
    SUITE_ANSWER,
    Patch,
    Record,
)


@miniature("environment-in-the-debug-message", breaks="MSG-03")
def _(patch: Patch) -> None:
    """The debugMessage of a successful call lists the environment."""
    told = ", ".join(f"{name}={value}" for name, value in sorted(os.environ.items()))

    def change(record: Record) -> None:
        if record["status"] == "ok":
            record["debugMessage"] = told

    patch.record("result", change)


@miniature("traceback-for-the-user", breaks="MSG-01")
def _(patch: Patch) -> None:
    """The message of a failed call is a stack trace."""

    def change(record: Record) -> None:
        if record["status"] == "error":
            trace = 'Traceback (most recent call last): File "/usr/lib/python3/executor.py", line 7, in call'
            record["userMessage"] = trace

    patch.record("result", change)


@miniature("user-message-without-end", breaks="MSG-02")
def _(patch: Patch) -> None:
    """The message of a result fills pages."""
    patch.record("result", lambda record: record.update(userMessage="It went on. " * 400))


@miniature("failure-told-as-success", breaks="MSG-02")
def _(patch: Patch) -> None:
    """Every result tells the user that the tool is done."""
    patch.record("result", lambda record: record.update(userMessage=f"{record['tool']} is done."))


@miniature("where-the-vault-lies", breaks="MSG-06")
def _(patch: Patch) -> None:
    """An event tells the path of a folder of this machine."""

    def change(record: Record) -> None:
        if record["type"] == "step.started":
            record["message"] = f"working in /home/user/vault: {record['message']}"

    patch.record("event", change)


@miniature("the-error-quotes-what-was-thrown", breaks="MSG-07", seen_in="SC-22/leaks")
def _(patch: Patch) -> None:
    """The error of a call repeats whatever the tool said when it broke."""

    def suite_answer(original: Any, message: Record) -> Any:
        answer = original(message)
        if answer.error and answer.error["message"].startswith("the tool broke"):
            return answer._replace(error={**answer.error, "message": message["error"]["message"]})
        return answer

    patch.around(SUITE_ANSWER, suite_answer)

"""MSG: messages that say too much, or what is not so."""

from __future__ import annotations

import json

from miniatures.miniature import miniature
from miniatures.points import Patch, Record


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
    """The message of a failed call says that it is done."""

    def change(record: Record) -> None:
        if record["status"] == "error":
            record["userMessage"] = "Done."

    patch.record("result", change)


@miniature("where-the-vault-lies", breaks="MSG-06")
def _(patch: Patch) -> None:
    """An event tells the path of a folder of this machine."""

    def change(record: Record) -> None:
        if record["type"] == "step.started":
            record["message"] = f"working in /home/user/vault: {record['message']}"

    patch.record("event", change)


@miniature("the-error-quotes-the-arguments", breaks="MSG-07")
def _(patch: Patch) -> None:
    """The error of a call repeats the values that caused it."""
    args: dict[str, str] = {}

    def call(record: Record) -> None:
        args[record["callId"]] = json.dumps(record["args"])

    def result(record: Record) -> None:
        if "error" in record and record["callId"] in args:
            record["error"]["message"] += f" with {args[record['callId']]}"

    patch.record("call", call)
    patch.record("result", result)

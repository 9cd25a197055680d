"""The few lines that hostile adapters share: each greets properly before it misbehaves."""

from __future__ import annotations

import json
import sys

# A hostile adapter claims everything, so that the suite tries every scenario on it.
FEATURES = (
    *("references", "foreach", "retry", "timeout", "cancellation", "confirmation", "concurrency", "events"),
    *("effects", "argsHash", "dataHash", "hooks", "files", "auditLog", "virtualClock"),
)


def messages():
    """Every message of the suite, until the end of input."""
    for line in sys.stdin:
        yield json.loads(line)


def send(**members):
    """Send one message."""
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **members}) + "\n")
    sys.stdout.flush()


def answer(message, result):
    """Answer a request."""
    send(id=message["id"], result=result)


def greet(version="1", protocol="1.0", features=FEATURES):
    """Answer initialize as it is asked."""
    message = next(messages())
    implementation = {"name": "hostile", "version": version, "language": "python"}
    claims = {"profiles": ["envelope"], "features": list(features), "postures": {}}
    answer(message, {"protocolVersion": protocol, "implementation": implementation, "claims": claims})


def obey(message):
    """Answer any request as the protocol requires, and refuse every run."""
    if message["method"] == "run/start":
        data = {"code": "PRECONDITION_FAILED", "message": "not today"}
        send(id=message["id"], error={"code": -32001, "message": "refused", "data": data})
    elif message["method"] == "clock/advance":
        answer(message, {"now": "2026-01-01T00:00:00Z"})
    elif "id" in message:
        answer(message, {})

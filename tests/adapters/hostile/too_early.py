"""Sends a record before it has answered initialize."""

from greeting import messages, send

send(method="record", params={"runId": "r", "kind": "event", "record": {}})
for _ in messages():
    pass

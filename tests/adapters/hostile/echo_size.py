"""Not hostile at the limit: answers run/cancel with a line of as many bytes as its reason says."""

import json

from greeting import answer, greet, messages

greet()
for message in messages():
    wanted = int(message["params"].get("reason", 0))
    bare = len(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"padding": ""}}))
    answer(message, {"padding": "x" * max(wanted - bare, 0)})

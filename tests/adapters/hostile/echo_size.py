"""Not hostile up to the limit: answers run/cancel with a line of as many bytes as its reason says."""

import json

from greeting import answer, greet, messages

greet()
for message in messages():
    wanted = int(message["params"].get("reason", 0))
    bare = len(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"padding": ["", ""]}}))
    # In two strings, because one may have only half as many characters as a line may have bytes.
    some, more = divmod(max(wanted - bare, 0), 2)
    answer(message, {"padding": ["x" * some, "x" * (some + more)]})

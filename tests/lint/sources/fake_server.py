"""An MCP server over stdio that behaves as its first argument says; needs only the standard library."""

from __future__ import annotations

import json
import subprocess
import sys

TOOL = {"name": "count", "description": "Count what there is.", "inputSchema": {"type": "object"}}


def answer(request: dict, result: object) -> None:
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)


def refuse(request: dict, code: int, message: str) -> None:
    error = {"code": code, "message": message}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}), flush=True)


def opened(request: dict, mode: str) -> None:
    if mode == "noisy":
        print("listening …\n{not json", flush=True)
    if mode == "asks":
        print('{"jsonrpc": "2.0", "id": "p", "method": "ping"}', flush=True)
        assert json.loads(sys.stdin.readline()) == {"jsonrpc": "2.0", "id": "p", "result": {}}
        print('{"jsonrpc": "2.0", "id": 7, "method": "roots/list"}', flush=True)
        assert json.loads(sys.stdin.readline())["error"]["code"] == -32601
        print('{"jsonrpc": "2.0", "method": "notifications/message", "params": {}}', flush=True)
    if mode == "stateless":
        refuse(request, -32601, "no such method")
    elif mode == "unwilling":
        refuse(request, -32000, "no key")
    else:
        answer(request, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}})


def listed(request: dict, mode: str) -> None:
    cursor = request["params"].get("cursor")
    if mode == "stateless":
        assert request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    if mode == "paged":
        number = int(cursor or "1")
        more = {"nextCursor": str(number + 1)} if number < 3 else {}
        answer(request, {"tools": [{**TOOL, "name": f"count_{number}"}], **more})
    elif mode == "circular":
        answer(request, {"tools": [TOOL], "nextCursor": "again"})
    elif mode == "endless":
        answer(request, {"tools": [TOOL], "nextCursor": str(request["id"])})
    elif mode == "odd":
        tools = '[{"name": "a", "name": "b", "inputSchema": {"type": "string", "minimum": 1' + "0" * 5_000 + "}}, 7]"
        print(f'{{"jsonrpc":"2.0","id":{request["id"]},"result":{{"tools":{tools}}}}}', flush=True)
    elif mode == "deep":
        print(f'{{"jsonrpc":"2.0","id":{request["id"]},"result":{"[" * 200_000}', flush=True)
    elif mode == "toolless":
        refuse(request, -32601, "no such method")
    elif mode == "shapeless":
        answer(request, {"tool": []})
    elif mode == "empty":
        answer(request, {"tools": []})
    else:
        answer(request, {"tools": [TOOL]})


def main(mode: str) -> None:
    if mode == "dies":
        print("no key in the environment", file=sys.stderr)
        raise SystemExit(3)
    if mode == "leaves":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(str(child.pid))
    for line in sys.stdin:
        request = json.loads(line)
        if mode == "silent":
            continue
        if request.get("method") == "initialize":
            opened(request, mode)
        elif request.get("method") == "tools/list":
            listed(request, mode)


if __name__ == "__main__":
    main(sys.argv[1])

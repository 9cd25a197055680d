"""JSON-RPC over standard input and output, one message a line: what an adapter says, asks, and is asked."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

Json = dict[str, Any]
Answers = Mapping[str, Callable[[Json], Json]]
_LONGEST = 16 * 1024 * 1024 + 1  # bytes of a line, with its LF
_NO_SUCH_METHOD: Json = {"code": -32601, "message": "the method is not known"}


class Refused(Exception):
    """The other side answered a request with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(error["message"])
        self.data: Json = error.get("data") or {}


class Wire:
    """One conversation.  Each message is written before its call returns, so the lines are in the order of events."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._asked: dict[str, asyncio.Future[Json]] = {}

    def tell(self, method: str, **params: Any) -> None:
        """Send a message that needs no answer."""
        _write(method=method, params=params)

    async def ask(self, method: str, **params: Any) -> Json:
        """Send a request, and wait for its answer.  Raises Refused."""
        number = f"{method} {next(self._numbers)}"
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            _write(id=number, method=method, params=params)
            return await answer
        finally:
            del self._asked[number]

    async def listen(self, answers: Answers) -> None:
        """Handle the messages of the other side until it sends ``shutdown`` or ends the input."""
        lines = asyncio.StreamReader(limit=_LONGEST)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        async for line in lines:
            message: Json = json.loads(line)
            if "method" not in message:
                self._answered(message)
            else:
                _answer(message, answers)
            if message.get("method") == "shutdown":
                return

    def _answered(self, message: Json) -> None:
        answer = self._asked.get(message["id"])
        if answer is None or answer.done():
            return  # the asker no longer waits for this answer
        if "result" in message:
            answer.set_result(message["result"])
        else:
            answer.set_exception(Refused(message["error"]))


def _answer(message: Json, answers: Answers) -> None:
    known = answers.get(message["method"])
    outcome: Json = {"result": known(message.get("params", {}))} if known else {"error": _NO_SUCH_METHOD}
    if "id" in message:
        _write(id=message["id"], **outcome)


def _write(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()

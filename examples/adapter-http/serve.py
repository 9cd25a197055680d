"""Any adapter in Python behind HTTP: the binding of the adapter protocol, with the standard library alone.

``python serve.py package.module:factory [--port N]`` listens on the loopback only, since any client can run plans.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import select
import sys
import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from operator import attrgetter
from queue import Empty, Full, Queue, SimpleQueue
from typing import Any

Json = dict[str, Any]
_LONGEST = 16 * 1024 * 1024
_CHUNK = 64 * 1024
_OURS = "/conversations/"
_SOON = 0.2  # seconds after which a waiting thread checks whether it is still needed


class Conversation:
    """The wire of one conversation, and the factory that speaks over it in its own thread."""

    def __init__(self, factory: Callable[[Conversation], None]) -> None:
        self._heard = SimpleQueue[Json | None]()
        self._said = Queue[bytes | None](maxsize=64)  # when it is full, the factory waits, as it would at a full pipe
        self.reader = threading.Lock()  # the one reader takes it and never releases it
        self.deaf = threading.Event()  # nobody reads the factory's messages any more
        self.over = threading.Event()
        threading.Thread(target=self._hold, args=(factory,), daemon=True).start()

    def receive(self) -> Json | None:
        """The next message of the suite; None if no more will come."""
        message = self._heard.get()
        if message is None:
            self._heard.put(None)  # for the next call of receive
        return message

    def send(self, message: Json) -> None:
        """Send a message to the suite.  Raises ValueError if JSON cannot represent it."""
        self._say(json.dumps(message, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n")

    def hear(self, message: Json | None) -> None:
        """Take a message of the suite; None means *stop*."""
        self._heard.put(message)

    def stop(self) -> None:
        """End the input; nobody waits for more output."""
        self.deaf.set()
        self.hear(None)

    def next_line(self) -> bytes | None:
        """The next line for the suite; b"" if there is none yet, None if no more will come."""
        with suppress(Empty):
            return self._said.get(timeout=_SOON)
        return b""

    def _hold(self, factory: Callable[[Conversation], None]) -> None:
        try:
            factory(self)
        finally:
            self.over.set()
            self._say(None)

    def _say(self, line: bytes | None) -> None:
        while not self.deaf.is_set():
            with suppress(Full):
                self._said.put(line, timeout=_SOON)
                return


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of the binding; any other request gets the status for its fault and nothing else."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):  # every method, even one that HTTP does not have
            return self._answer
        raise AttributeError(name)

    def _answer(self) -> None:
        body, path = self._body(), self.path.partition("?")[0]
        held = {"POST": self._take, "GET": self._stream, "DELETE": self._stop}
        methods = {"/": {"POST": self._begin}}.get(path, held if path.startswith(_OURS) else {})
        conversation = self.server.conversations.get(path)
        if methods and self.command not in methods:
            self._reply(405, Allow=", ".join(methods))
        elif path == "/":
            self._begin()
        elif conversation is None:
            self._reply(404)
        else:
            held[self.command](conversation, body)

    def _begin(self) -> None:
        path = f"{_OURS}{uuid.uuid4().hex}"
        self.server.conversations[path] = Conversation(self.server.factory)
        self._reply(201, Location=path)

    def _take(self, conversation: Conversation, body: bytes | None) -> None:
        if self.headers.get_content_type() != "application/json":
            self._reply(415)
        elif body is None:
            self._reply(413)
        elif (message := _object(body)) is None:
            self._reply(400)
        elif conversation.over.is_set():
            self._reply(404)
        else:
            conversation.hear(message)
            self._reply(202)

    def _stream(self, conversation: Conversation, _body: bytes | None) -> None:
        if not conversation.reader.acquire(blocking=False):
            return self._reply(409)
        self._reply(200, Content_Type="application/jsonl", Transfer_Encoding="chunked")
        with suppress(OSError):
            while (line := conversation.next_line()) is not None:
                if line:
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(line), line))
                elif select.select([self.connection], [], [], 0)[0]:
                    self.close_connection = True  # the suite has disconnected, which also means *stop*
                    break
            else:
                self.wfile.write(b"0\r\n\r\n")
        self._forget(conversation)
        return conversation.stop()

    def _stop(self, conversation: Conversation, _body: bytes | None) -> None:
        if conversation.reader.acquire(blocking=False):
            conversation.deaf.set()
        conversation.hear(None)
        self._forget(conversation)
        self._reply(204)

    def _forget(self, conversation: Conversation) -> None:
        held = self.server.conversations
        for path in [path for path, each in list(held.items()) if each is conversation]:
            held.pop(path, None)

    def _body(self) -> bytes | None:
        """The body, by its declared length; None if it is too long, but even then it is read to its end."""
        told = self.headers.get("Content-Length", "0")
        length = int(told[:20]) if told.isdecimal() else 0  # int() refuses thousands of digits
        if "Transfer-Encoding" in self.headers or not told.isdecimal():
            self.close_connection = True  # there is no telling where the next request begins
        if length <= _LONGEST:
            return self.rfile.read(length)
        while length > 0 and (chunk := self.rfile.read(min(length, _CHUNK))):
            length -= len(chunk)
        return None

    def _reply(self, status: int, **headers: str) -> None:
        self.send_response(status)
        if self.close_connection:
            headers["Connection"] = "close"
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204 and "Transfer_Encoding" not in headers:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing: there are thousands of requests."""


class Server(ThreadingHTTPServer):
    """The open conversations by their paths."""

    daemon_threads = True

    def __init__(self, port: int, factory: Callable[[Conversation], None]) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.factory = factory
        self.conversations: dict[str, Conversation] = {}


def _object(body: bytes) -> Json | None:
    """The JSON object in a body; None if the body is not one."""
    try:
        message = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def main() -> None:
    """Serve until somebody ends the process; the first printed line is the address."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("factory", metavar="package.module:factory", help="a callable that takes a wire")
    words.add_argument("--port", type=int, default=0, help="the port to listen at; 0 takes a free one")
    told = words.parse_args()
    sys.path.insert(0, os.getcwd())
    module, _, name = told.factory.partition(":")
    with Server(told.port, attrgetter(name)(importlib.import_module(module))) as server:
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)  # noqa: T201
        with suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()

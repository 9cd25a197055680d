"""Small systems behind HTTP in a thread of the test: lawful ones, and others that differ from them in one request."""

from __future__ import annotations

import contextlib
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from typing import Any

CERTIFICATE = Path(__file__).parent / "adapters" / "loopback.pem"
GREETING = {
    "protocolVersion": "1.0",
    "implementation": {"name": "behind-http", "version": "1", "language": "python"},
    "claims": {"profiles": ["envelope"], "features": []},
}
# The suite's first request has this number, so a stream can begin with its answer before the request comes.
HELLO = {"jsonrpc": "2.0", "id": 1, "result": GREETING}
Behaviour = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One request; the server's behaviour for it answers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        (self.server.begin if self.path == "/entry" else self.server.say)(self)

    def do_GET(self) -> None:
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        self.server.listen(self)

    def do_DELETE(self) -> None:
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        self.server.stop(self)

    def reply(self, status: int, **headers: str) -> None:
        """Send a status with headers and an empty body."""
        self.send_response(status)
        for name, value in {"Content_Length": "0", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def open_stream(self, kind: str = "application/jsonl", *, chunked: bool = True) -> None:
        """Send the head of a stream."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header(*(("Transfer-Encoding", "chunked") if chunked else ("Connection", "close")))
        self.end_headers()

    def chunk(self, piece: bytes) -> None:
        """Send a piece of a chunked body."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))

    def line(self, message: dict[str, Any]) -> None:
        """Send a message, as a piece of a chunked body."""
        self.chunk(json.dumps(message).encode() + b"\n")

    def log_message(self, *_: object) -> None:
        """Print nothing to the terminal."""


class Server(ThreadingHTTPServer):
    """A system that answers everything and refuses nothing; ``asked`` has method, path and headers of every request."""

    daemon_threads = True

    def __init__(self, **behaviours: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.begin: Behaviour = lambda request: request.reply(201, Location="/talks/1")
        self.listen: Behaviour = answers
        self.say: Behaviour = takes
        self.stop: Behaviour = stops
        vars(self).update(behaviours)
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.said = SimpleQueue[dict[str, Any] | None]()
        self.ended = threading.Event()

    @property
    def entry(self) -> str:
        """The address of its entry."""
        return f"http://127.0.0.1:{self.server_port}/entry"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors: in these tests the suite hangs up on purpose."""


def takes(request: Request, **headers: str) -> None:
    """Accept a request of the suite, then answer it in the stream."""
    message = json.loads(request.body)
    request.reply(202, **headers)
    if "id" in message:
        result = GREETING if message["method"] == "initialize" else {}
        request.server.said.put({"jsonrpc": "2.0", "id": message["id"], "result": result})


def answers(request: Request) -> None:
    """Stream the answers, until the end of input."""
    request.open_stream()
    while (message := request.server.said.get()) is not None:
        request.line(message)
    request.chunk(b"")


def stops(request: Request) -> None:
    """The end of input."""
    request.server.said.put(None)
    request.reply(204)


def hangs(request: Request) -> None:
    """Give no answer until the test is over."""
    request.server.ended.wait()


@contextlib.contextmanager
def serving(*, secure: bool = False, **behaviours: Behaviour) -> Iterator[Server]:
    """A server with these behaviours instead of its own, for as long as the block lasts."""
    with Server(**behaviours) as server:
        if secure:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            server.said.put(None)
            server.shutdown()
            thread.join()

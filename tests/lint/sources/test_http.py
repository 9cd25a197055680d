"""Tools of an MCP server at an address: streamable HTTP in all its forms, and what is refused."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from callproof import limits
from callproof.adapters.deadlines import Deadlines
from callproof.lint.sources.http import listed_over_http
from callproof.lint.sources.listing import NotListed
from callproof.lint.sources.live import from_url

TOOL = {"name": "count", "inputSchema": {"type": "object"}}
PATIENCE = Deadlines(start=30.0, answer=30.0, shutdown=5.0)


class Server(ThreadingHTTPServer):
    """A server that behaves as the path says; it records each request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Endpoint)
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.ended = threading.Event()

    def url(self, mode: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{mode}"


class Endpoint(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        """Write nothing to the terminal."""

    def do_DELETE(self) -> None:
        self.server.asked.append(("DELETE", "", dict(self.headers)))
        self.reply(200, "text/plain", b"")

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        mode, method = self.path.strip("/"), request["method"]
        self.server.asked.append(("POST", method, dict(self.headers)))
        getattr(self, mode)(request, method)

    def reply(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def result(self, request: dict, method: str) -> bytes:
        opening = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {}}
        result = opening if method == "initialize" else {"tools": [TOOL]}
        return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()

    def plain(self, request: dict, method: str) -> None:
        if "id" not in request:
            self.reply(202, "text/plain", b"")
        else:
            self.reply(200, "application/json", self.result(request, method), Mcp_Session_Id="s-1")

    def stream(self, request: dict, method: str) -> None:
        if "id" not in request:
            self.reply(202, "text/plain", b"")
            return
        note = b'data: {"jsonrpc": "2.0", "method": "notifications/message"}\r\n\r\n'
        body = b": hello\r\n\r\n" + note + b"event: message\r\ndata: " + self.result(request, method) + b"\r\n\r\n"
        self.reply(200, "text/event-stream", body)

    def stateless(self, request: dict, method: str) -> None:
        if method == "initialize":
            error = {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "unknown"}}
            self.reply(404, "application/json", json.dumps(error).encode())
        else:
            assert request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
            self.reply(200, "application/json", self.result(request, method))

    def moved(self, _request: dict, _method: str) -> None:
        self.reply(307, "text/plain", b"", Location=self.server.url("plain"))

    def locked(self, _request: dict, _method: str) -> None:
        self.reply(401, "text/html", b"<h1>no</h1>")

    def vast(self, _request: dict, _method: str) -> None:
        self.reply(200, "application/json", b"[" + b" " * 2_000)

    def cut(self, _request: dict, _method: str) -> None:
        self.reply(200, "text/event-stream", b'data: {"jsonrpc": "2.0", "id": 1')

    def silent(self, _request: dict, _method: str) -> None:
        self.server.ended.wait(60)

    def drips(self, _request: dict, _method: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.drip(b" ")

    def drips_a_header(self, _request: dict, _method: str) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        self.drip(b"x")

    def drips_a_chunk(self, _request: dict, _method: str) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;")
        self.drip(b"x")

    def drips_heads(self, _request: dict, _method: str) -> None:
        self.drip(b"HTTP/1.1 100 Continue\r\n\r\n")

    def drip(self, piece: bytes) -> None:
        while not self.server.ended.wait(0.02):
            try:
                self.wfile.write(piece)
            except OSError:
                return

    def deaf(self, request: dict, method: str) -> None:
        if "id" in request:
            self.plain(request, method)
        else:
            self.reply(400, "text/plain", b"")


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that runs for one test."""
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        yield running
        running.ended.set()
        running.shutdown()
        thread.join()


def refusal(url: str, deadlines: Deadlines = PATIENCE) -> str:
    with pytest.raises(NotListed) as caught:
        listed_over_http(url, deadlines=deadlines)
    return str(caught.value)


@pytest.mark.parametrize("mode", ["plain", "stream", "stateless"])
def test_a_server_is_asked_for_its_tools(server: Server, mode: str) -> None:
    """It may answer in one piece or in events, and speak either revision."""
    (page,) = listed_over_http(server.url(mode), deadlines=PATIENCE).pages
    assert json.loads(page.text)["result"]["tools"] == [TOOL]
    assert page.name == server.url(mode)


def test_a_session_is_kept_and_ended(server: Server) -> None:
    """Its id goes with every later request, and with the one that ends it."""
    listed_over_http(server.url("plain"), deadlines=PATIENCE)
    asked = [(verb, method, headers.get("Mcp-Session-Id")) for verb, method, headers in server.asked]
    assert asked == [
        ("POST", "initialize", None),
        ("POST", "notifications/initialized", "s-1"),
        ("POST", "tools/list", "s-1"),
        ("DELETE", "", "s-1"),
    ]
    assert server.asked[2][2]["MCP-Protocol-Version"] == "2025-06-18"


def test_headers_of_the_user_go_with_every_request(server: Server) -> None:
    """Most servers need such a header to let the user in."""
    from_url(server.url("plain"), {"Authorization": "Bearer x"})
    assert {headers.get("Authorization") for _, _, headers in server.asked} == {"Bearer x"}


def test_a_redirect_is_refused(server: Server) -> None:
    """The address that it leads to gets no request."""
    assert "no redirect is followed" in refusal(server.url("moved"))
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        (
            "locked",
            "status 401 Unauthorized and no message of JSON-RPC (text/html)\nhelp: give the server credentials",
        ),
        ("cut", "it answered initialize with status 200 OK"),
        ("deaf", "it refused notifications/initialized with status 400"),
    ],
)
def test_a_server_that_gives_no_list_is_told(server: Server, mode: str, says: str) -> None:
    """The message says what it did instead, and what helps."""
    assert says in refusal(server.url(mode))


def test_an_answer_has_an_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of its bytes is limited."""
    monkeypatch.setattr(limits, "FRAME_BYTES", 1_000)
    assert "longer than 1000 bytes" in refusal(server.url("vast"))


@pytest.mark.parametrize("mode", ["silent", "drips", "drips_a_header", "drips_a_chunk", "drips_heads"])
def test_an_answer_has_its_time(server: Server, mode: str) -> None:
    """The limit is for the whole answer: a byte now and then does not extend it."""
    assert "it did not answer in time" in refusal(server.url(mode), Deadlines(start=0.4, shutdown=0.4))


def test_a_server_that_is_not_there_is_told(server: Server) -> None:
    """It is a problem, and with a problem nothing is clean."""
    gone = server.url("plain")
    server.shutdown()
    server.server_close()
    (problem,) = from_url(gone, {}).problems
    assert "the connection failed" in problem


def test_a_connection_that_is_not_secure_is_told(server: Server) -> None:
    """This is so if the address asks for a secure connection."""
    assert "no secure connection" in refusal(server.url("plain").replace("http:", "https:"))


@pytest.mark.parametrize("url", ["host/mcp", "ftp://host/", "http://", "http://host:99999/", "http://[1/"])
def test_a_text_that_is_no_address_is_refused(url: str) -> None:
    """It is refused before anything is sent."""
    assert "it is not an address of a server" in refusal(url)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("https://user:word@host/mcp", "its address holds credentials"),
        ("https://user:word@host:port/mcp", "it is not an address of a server"),
    ],
)
def test_an_address_with_credentials_is_refused(url: str, says: str) -> None:
    """Every finding and every refusal shows the address, so it must not contain them."""
    said = refusal(url)
    assert says in said
    assert "word" not in said

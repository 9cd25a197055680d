"""The adapter behind HTTP, by the commands of its README: started, judged by two suites at once, and stopped."""

from __future__ import annotations

import json
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from callproof import limits
from example_commands import ROOT, commands, run

PORT = "8080"
# The requirements that only cases that kill the system or fill its disk can decide.
ONLY_OF_A_PROCESS = ["DEP-15", "LOG-08", "LOG-15"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address that the first command prints, with a free port."""
    words = shlex.split(commands("adapter-http")[0])
    assert (words[0], words[-2:]) == ("python", ["--port", PORT])
    command = (sys.executable, *words[1:-1], "0")
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0


@contextmanager
def begun(address: str) -> Iterator[tuple[Callable[..., HTTPResponse], str]]:
    """A conversation: a function that sends each request over a new connection, and the conversation's path."""
    with ExitStack() as connections:

        def ask(method: str, path: str, body: bytes | None = None) -> HTTPResponse:
            connection = connections.enter_context(closing(HTTPConnection(urlsplit(address).netloc)))
            connection.request(method, path, body, {"Content-Type": "application/json"})
            return connection.getresponse()

        yield ask, str(ask("POST", "/").headers["Location"])


def judged(address: str, statement: Path) -> dict[str, Any]:
    """The report of the second command, which also writes a statement."""
    command = commands("adapter-http")[1]
    assert command == f"callproof test http://127.0.0.1:{PORT}/"
    done = run(f"{command.replace(f'http://127.0.0.1:{PORT}/', address)} --format json --report statement={statement}")
    assert done.returncode == 0, f"{done.stdout[-5000:]}\n{done.stderr}"
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_the_reference_conforms_over_http_to_two_suites_at_once(address: str, tmp_path: Path) -> None:
    """Everything is decided that does not need a process of the suite's own; report and statement name that lack."""
    statements = (tmp_path / "one", tmp_path / "other")
    with ThreadPoolExecutor(2) as suites:
        reports = list(suites.map(judged, (address, address), statements))
    assert reports[0] == reports[1]
    report = reports[0]
    assert (report["outcome"], report["findings"], report["errors"]) == ("conforms", [], [])
    verdicts = {each["id"]: each["verdict"] for each in report["requirements"]}
    assert sorted(name for name, verdict in verdicts.items() if verdict != "pass") == ONLY_OF_A_PROCESS
    assert {verdicts[name] for name in ONLY_OF_A_PROCESS} == {"inconclusive"}
    assert "was judged without a process that the suite started" in " ".join(report["subject"]["notes"])
    stated = json.loads((statements[0] / "statement.json").read_text(encoding="utf-8"))
    assert stated["lacks"] == ["a process that the suite started"]
    verified = run(f"callproof verify {shlex.quote(str(statements[0]))}")
    assert verified.returncode == 0, verified.stdout


def test_what_the_binding_does_not_permit_has_its_status(address: str) -> None:
    """The cases are a second reader, a message that is too long, and one for a conversation that is over."""
    with begun(address) as (ask, path):
        stream = ask("GET", path)
        assert (stream.status, stream.headers.get_content_type()) == (200, "application/jsonl")
        assert ask("GET", path).status == 409
        assert ask("POST", path, b" " * (limits.FRAME_BYTES + 1)).status == 413
        assert ask("POST", path, b'{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}').status == 202
        assert json.loads(stream.read())["id"] == 1
        assert ask("POST", path, b"{}").status == 404
        assert ask("DELETE", path).status == 404


@pytest.mark.parametrize(
    ("header", "status"), [("Content-Length: " + "9" * 5_000, 413), ("Transfer-Encoding: chunked", 400)]
)
def test_a_body_of_no_known_length_has_its_status_and_ends_the_connection(
    header: str, status: int, address: str
) -> None:
    """A server that ends a connection must say so in its answer."""
    with begun(address) as (ask, path), socket.create_connection(("127.0.0.1", urlsplit(address).port or 0)) as raw:
        raw.sendall(f"POST {path} HTTP/1.1\r\nContent-Type: application/json\r\n{header}\r\n\r\n".encode())
        raw.shutdown(socket.SHUT_WR)
        answer = HTTPResponse(raw)
        answer.begin()
        assert (answer.status, answer.headers["Connection"]) == (status, "close" if status == 400 else None)
        assert ask("DELETE", path).status == 204


def test_a_suite_that_has_gone_means_stop(address: str) -> None:
    """The end of the stream's connection ends the conversation."""
    with begun(address) as (ask, path):
        stream = ask("GET", path)
        stream.close()
    with begun(address) as (ask, _):
        # The server only checks the connection from time to time; this loop ends when it has noticed.
        while ask("POST", path, b"[]").status == 400:
            pass


def test_the_readme_names_what_remains_undecided() -> None:
    """The README names the same requirements as the run."""
    text = (ROOT / "examples" / "adapter-http" / "README.md").read_text(encoding="utf-8")
    assert [name for name in ONLY_OF_A_PROCESS if name not in text] == []

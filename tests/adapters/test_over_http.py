"""Systems behind HTTP: the suite speaks to lawful ones in every form, and every other gets its own clear error."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from callproof.adapters import errors
from callproof.adapters.address import Launch
from callproof.adapters.bridge import copy_lines
from callproof.adapters.connection import connect
from callproof.adapters.deadlines import Deadlines
from systems_behind_http import CERTIFICATE, HELLO, Request, hangs, serving, stops, takes

COMMAND = (sys.executable, "-m", "callproof")
RECORD = b'{"jsonrpc":"2.0","method":"record","params":{"runId":"r","kind":"event","record":{}}}\n'


def bridges(address: str) -> list[int]:
    """The processes that carry messages to an address."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"callproof.adapters.bridge" in words and address.encode() in words:
            found.append(int(name))
    return found


@pytest.mark.parametrize("location", ["/talks/1", "talks/1", "{origin}/talks/1", "{origin}/talks/1?key=a"])
def test_a_conversation_is_held_where_the_entry_says(location, deadlines, converse):
    """The Location may be whole or relative; stream, messages and the end of input go there, in this order."""

    def begin(request: Request) -> None:
        request.reply(201, Location=location.format(origin=request.server.entry.removesuffix("/entry")))

    with serving(begin=begin) as server:
        converse(server.entry, deadlines, "run/cancel")
    path = "/" + location.partition("talks")[1] + location.partition("talks")[2]
    asked = [(method, where) for method, where, _ in server.asked]
    assert asked == [("POST", "/entry"), ("GET", path), *[("POST", path)] * 3, ("DELETE", path)]
    kinds = {
        headers.get("Content-Type") for method, where, headers in server.asked if (method, where) == ("POST", path)
    }
    assert kinds == {"application/json"}
    assert bridges(server.entry) == []


def test_a_system_may_end_the_stream_by_itself_after_shutdown(deadlines, converse):
    """The conversation is over then, and needs no DELETE."""

    def say(request: Request) -> None:
        takes(request)
        if b'"shutdown"' in request.body:
            request.server.said.put(None)

    with serving(say=say, stop=lambda request: request.reply(404)) as server:
        converse(server.entry, deadlines)


def test_a_stream_may_end_with_its_connection(deadlines, converse):
    """HTTP/1.0 has no chunks, so a stream ends with its connection there."""

    def listen(request: Request) -> None:
        request.open_stream(chunked=False)
        request.chunk = request.wfile.write  # type: ignore[assignment, method-assign]
        while (message := request.server.said.get()) is not None:
            request.line(message)

    with serving(listen=listen) as server:
        converse(server.entry, deadlines, "run/cancel")


def takes_once(request: Request) -> None:
    takes(request, Connection="close")


def test_a_server_that_keeps_no_connection_is_asked_over_new_ones(deadlines, converse):
    """Each message may need a new connection."""

    with serving(say=takes_once) as server:
        converse(server.entry, deadlines, *["run/cancel"] * 20)


def test_a_certificate_is_verified(deadlines, converse, provoke, monkeypatch):
    """A certificate without a trusted signer ends the conversation before it begins; a trusted one does not."""
    with serving(secure=True) as server:
        entry = server.entry.replace("http:", "https:")
        error = provoke(entry, deadlines)
        assert isinstance(error, errors.HttpFailed)
        assert "CERTIFICATE_VERIFY_FAILED" in error.came
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        converse(entry, deadlines, "run/cancel")


def test_no_proxy_of_the_environment_is_used(deadlines, converse, monkeypatch):
    """Only the address decides where the messages go."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1/")
    with serving() as server:
        converse(server.entry, deadlines, "run/cancel")


def test_a_port_that_nobody_listens_at_is_named(deadlines, provoke):
    """The error has the address, the request, its result, and what to do."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{held.getsockname()[1]}/"
        error = provoke(address, deadlines)
    assert isinstance(error, errors.HttpFailed)
    assert (error.address, error.request) == (address, f"POST {address}")
    assert "Connection refused" in error.came
    assert error.permitted == "201 with a Location on the same origin"
    assert "make sure that the system is running" in str(error)


def test_a_host_that_has_no_address_is_named(deadlines, provoke):
    """The test's name is reserved for hosts that do not exist."""
    error = provoke("http://callproof.invalid/", deadlines)
    assert isinstance(error, errors.HttpFailed)
    assert "the connection failed" in error.came


def elsewhere(request: Request) -> None:
    request.reply(201, Location="http://127.0.0.1:1/talks/1")


def redirects(request: Request) -> None:
    request.reply(307, Location="/elsewhere")


def breaks_off(request: Request) -> None:
    request.open_stream()
    request.line(HELLO)
    request.chunk(RECORD[:20])
    request.close_connection = True


def falls_short(request: Request) -> None:
    request.send_response(200)
    request.send_header("Content-Type", "application/jsonl")
    request.send_header("Content-Length", "1000")
    request.end_headers()
    request.wfile.write(RECORD[:20])
    request.close_connection = True


def names_no_type(request: Request) -> None:
    request.reply(200)


def refuses_later(request: Request) -> None:
    if b'"initialize"' in request.body:
        takes(request)
    else:
        request.reply(500)


BEGIN, STREAM, MESSAGE, STOP = "POST http", "GET of the conversation", "POST of a message", "DELETE of the conversation"
FAILURES = {
    "the entry answers 500": ({"begin": lambda r: r.reply(500)}, BEGIN, "status 500 Internal Server Error"),
    "the entry answers 404": ({"begin": lambda r: r.reply(404)}, BEGIN, "status 404 Not Found"),
    "the entry answers 200": ({"begin": lambda r: r.reply(200, Location="/talks/1")}, BEGIN, "status 200 OK"),
    "there is no Location": ({"begin": lambda r: r.reply(201)}, BEGIN, "status 201 without a Location"),
    "another origin": ({"begin": elsewhere}, BEGIN, "Location: http://127.0.0.1:1/talks/1"),
    "another scheme": ({"begin": lambda r: r.reply(201, Location="ftp://x/")}, BEGIN, "Location: ftp://x/"),
    "half a host": ({"begin": lambda r: r.reply(201, Location="http://[")}, BEGIN, "Location: http://["),
    "the entry itself": ({"begin": lambda r: r.reply(201, Location="/entry")}, BEGIN, "Location: /entry"),
    "a redirect": ({"begin": redirects}, BEGIN, "status 307, a redirect to /elsewhere"),
    "a redirected stream": ({"listen": redirects}, STREAM, "status 307, a redirect to /elsewhere"),
    "no stream": ({"listen": lambda r: r.reply(404)}, STREAM, "status 404 Not Found"),
    "a wrong type": ({"listen": lambda r: r.open_stream("text/html")}, STREAM, "a body of text/html"),
    "no type": ({"listen": names_no_type}, STREAM, "a body of no type"),
    "a stream that breaks off": ({"listen": breaks_off}, STREAM, "the connection failed (IncompleteRead"),
    "a stream that falls short": ({"listen": falls_short}, STREAM, "it broke off 980 bytes before its end"),
    "a message is refused": ({"say": refuses_later}, MESSAGE, "status 500 Internal Server Error"),
    "the stop is refused": ({"stop": lambda r: r.reply(500)}, STOP, "status 500 Internal Server Error"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_names_what_was_asked_what_came_and_what_is_permitted(failure, deadlines, provoke):
    """Each failure has its own words, and none is called the death of a process, which the suite cannot see."""
    behaviours, request, came = FAILURES[failure]
    with serving(**behaviours) as server:
        error = provoke(server.entry, deadlines, "run/cancel")
        assert isinstance(error, errors.HttpFailed)
        assert error.request.startswith(request)
        assert error.came.startswith(came)
        assert error.permitted
        assert "exited with status" not in str(error)
        assert bridges(server.entry) == []


@pytest.mark.parametrize(
    ("status", "helps"), [(200, "let the system answer with the permitted status"), (500, "look into the log")]
)
def test_a_success_by_another_status_is_not_sent_to_a_log_that_tells_of_no_failure(status, helps, deadlines, provoke):
    """The binding requires 201; a system that answers 200 has begun the conversation, and its log shows no failure."""
    with serving(begin=lambda request: request.reply(status, Location="/talks/1")) as server:
        error = provoke(server.entry, deadlines)
    assert isinstance(error, errors.HttpFailed)
    assert helps in str(error.help)


def test_a_failure_is_told_whatever_standard_error_is_written_in(deadlines, provoke, monkeypatch):
    """What the system answered may be more than the user's terminal can show."""
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    with serving(begin=lambda request: request.reply(201, Location="ftp://caf\u00e9\u0085/")) as server:
        error = provoke(server.entry, deadlines)
    assert isinstance(error, errors.HttpFailed)
    assert error.came == "Location: ftp://caf\u00e9\u0085/"


def ends_in_silence(request: Request) -> None:
    request.server.said.put(None)
    hangs(request)


@pytest.mark.parametrize("stop", [lambda request: request.reply(204), ends_in_silence], ids=["the stream", "DELETE"])
def test_a_conversation_that_goes_on_outlives_shutdown(stop: Callable[[Request], None], provoke):
    """Either the DELETE is answered and the stream stays open, or the stream ends and the DELETE is not answered."""
    with serving(stop=stop) as server:
        error = provoke(server.entry, Deadlines(60, 60, 0.5, 0.3), "run/cancel")
    assert isinstance(error, errors.HttpFailed)
    assert error.came == "the conversation was not over 0.5 s after the suite had asked for shutdown"


def test_an_entry_that_does_not_answer_is_silent(provoke):
    """The deadline is that of the suite, and the error also shows the request."""
    with serving(begin=hangs) as server:
        # Enough time for a bridge to start on a busy machine, and to send its request.
        error = provoke(server.entry, Deadlines(start=8, answer=60, shutdown=0.5, term=0.3))
        assert bridges(server.entry) == []
    assert isinstance(error, errors.Silent)
    assert (error.method, error.stderr) == ("initialize", (f"POST {server.entry}",))


def says_nothing_more(request: Request) -> None:
    if b'"initialize"' in request.body:
        takes(request)
    else:
        hangs(request)


def test_a_message_that_is_not_taken_is_silence(short, provoke):
    """Later messages wait in the suite, and the deadline of the answer applies."""
    with serving(say=says_nothing_more) as server:
        error = provoke(server.entry, short)
        assert bridges(server.entry) == []
    assert isinstance(error, errors.Silent)
    assert (error.method, error.stderr[-1]) == ("run/start", STREAM)


def dies(request: Request) -> None:
    if b'"initialize"' in request.body:
        takes(request)
    else:
        request.server.said.put(None)
        request.reply(404)


def test_a_stream_that_ends_too_early_is_a_death(deadlines, provoke):
    """It ended in order, so the system ended the conversation, whatever it answers to the open message (A78)."""
    with serving(say=dies) as server:
        error = provoke(server.entry, deadlines)
    assert isinstance(error, errors.DiedInRun)
    assert str(error).startswith("the adapter died in a run: it ended its output before it had answered run/start")


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ("raise SystemExit('boom')", "broke: it exited with status 1"),
        ("import os; os.kill(os.getpid(), 9)", "broke: it was killed by SIGKILL"),
    ],
)
def test_a_bridge_that_breaks_is_no_death_of_the_system(ends, said, deadlines, provoke, monkeypatch):
    """Two deaths in a row are evidence against a system, so a broken bridge must not count as one (A78)."""
    launch = Launch((sys.executable, "-c", ends), carries="http://127.0.0.1:1/")
    monkeypatch.setattr("callproof.adapters.connection.read_address", lambda _: launch)
    error = provoke("http://127.0.0.1:1/", deadlines)
    assert isinstance(error, errors.BridgeBroke)
    assert said in str(error)


def floods(request: Request) -> None:
    request.open_stream()
    request.line(HELLO)
    while not request.server.ended.is_set():
        request.chunk(RECORD * 100)


def never_ends_its_line(request: Request) -> None:
    request.open_stream()
    request.line(HELLO)
    while not request.server.ended.is_set():
        request.chunk(b"x" * 65_536)


@pytest.mark.many
@pytest.mark.parametrize(("listen", "kind"), [(floods, errors.Flooded), (never_ends_its_line, errors.FrameTooLong)])
def test_what_has_no_end_ends_in_bounded_memory(listen: Callable[[Request], None], kind, deadlines, provoke):
    """The bounds for the output of a program also apply to a stream."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with serving(listen=listen) as server:
        error = provoke(server.entry, deadlines, "run/cancel")
        assert bridges(server.entry) == []
    assert isinstance(error, kind)
    # Kilobytes; server and suite are one process here.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024


def test_no_thread_and_no_descriptor_is_left(deadlines, converse, provoke):
    """After some conversations the suite has as many of both as before."""
    with serving() as server, serving(listen=breaks_off) as hostile:
        converse(server.entry, deadlines)
        threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            converse(server.entry, deadlines)
            provoke(hostile.entry, deadlines)
        assert bridges(server.entry) + bridges(hostile.entry) == []
    assert threading.active_count() <= threads
    assert len(os.listdir("/proc/self/fd")) <= descriptors


def test_a_stream_that_breaks_off_leaves_no_half_a_message():
    """Lines are written whole, however they are cut up on the way; only the last of the stream may lack its LF."""
    wrote: list[bytes] = []
    copy_lines([b"a", b"b\nc", b"d\ne\n", b"f"], wrote.append)
    assert wrote == [b"ab\n", b"cd\ne\n", b"f"]


def test_an_error_over_http_ends_the_command_with_3(tmp_path):
    """The error is shown once, without a traceback, and nothing was judged."""
    with serving(begin=lambda request: request.reply(500)) as server:
        done = subprocess.run((*COMMAND, "test", server.entry), capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert f"the adapter at {server.entry} failed over HTTP: status 500 Internal Server Error" in done.stdout
    assert "permitted: 201 with a Location on the same origin" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_an_interrupted_run_leaves_a_report_and_no_process(tmp_path, soon_gone):
    """Ctrl-C reaches only the suite: it stops the conversation, ends the bridge, and reports what was decided."""
    started, stopped = threading.Event(), threading.Event()

    def say(request: Request) -> None:
        if b'"run/start"' in request.body:
            request.reply(202)
            started.set()
        else:
            takes(request)

    def stop(request: Request) -> None:
        stops(request)
        stopped.set()

    report = tmp_path / "report.json"
    with serving(say=say, stop=stop) as server:
        command = (*COMMAND, "test", server.entry, "--report", str(report))
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path) as suite:
            assert started.wait(60)
            left = bridges(server.entry)
            suite.send_signal(signal.SIGINT)
            printed, _ = suite.communicate(timeout=60)
        assert suite.returncode == 130, printed
        assert stopped.wait(60)
    assert left
    assert soon_gone(*left)
    assert report.exists()


def test_the_bridge_ends_when_the_suite_is_killed(tmp_path, soon_gone):
    """The guard ends the bridge and so its connections, which shows the system that the conversation is over."""
    closed = threading.Event()

    def listen(request: Request) -> None:
        request.open_stream()
        request.line(HELLO)
        request.connection.recv(1)
        closed.set()

    script = tmp_path / "suite.py"
    script.write_text(
        "import os, signal, sys\n"
        "from callproof.adapters.connection import connect\n"
        "with connect(sys.argv[1]) as system:\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    with serving(listen=listen) as server:
        subprocess.run((sys.executable, str(script), server.entry), check=False)
        assert closed.wait(60)
        assert soon_gone(*bridges(server.entry))


def test_a_system_behind_http_is_no_process_of_the_suite(deadlines):
    """The suite can speak to it, but can neither kill it nor limit its files."""
    with serving() as server, connect(server.entry, deadlines=deadlines) as system:
        assert not system.has_process

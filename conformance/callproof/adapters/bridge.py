"""``python -m callproof.adapters.bridge URL``: the messages of one conversation, carried over HTTP and back.

To the suite it is a program like any other: it posts the messages that it reads, one after the
other, and writes what the stream of the system brings.  So every bound that holds for
a program holds for a system behind HTTP: long lines, floods, silence, an interrupted run.
The binding is section *Over HTTP* of the adapter protocol.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from types import FrameType
from typing import NoReturn
from urllib.parse import SplitResult, urljoin

from callproof import __version__, limits
from callproof.adapters.last_words import HttpFault, last_words
from callproof.adapters.posting import UNLIMITED, Connection, NoReply, Reply, origin_of, path_of, requested, split_url

# After a system has refused a message, it has this long to show that the whole conversation is over.
_END_SECONDS = 1.0
_STREAM, _MESSAGE, _STOP = "GET of the conversation", "POST of a message", "DELETE of the conversation"
_AGENT = {"User-Agent": f"callproof/{__version__}"}
_HELP = {
    401: "the suite sends no credentials: let the system listen on 127.0.0.1 and accept requests without them",
    403: "the suite sends no credentials: let the system listen on 127.0.0.1 and accept requests without them",
    404: "give the address of the entry of the binding, with its path",
    405: "give the address of the entry of the binding, which takes POST",
}


class _Stopped(Exception):
    """The suite has sent TERM: it waits no longer."""


def begun(address: str) -> SplitResult:
    """The URL of a new conversation, begun at the entry of a system.  Raises HttpFault."""
    entry = split_url(address)
    assert entry is not None  # noqa: S101  the suite has read the address before
    request, permitted = f"POST {address}", "201 with a Location on the same origin"
    with _answered(request, permitted, {201}, requested(entry, "POST", _AGENT, None, UNLIMITED)) as reply:
        _pass_over(reply)
        location = reply.header("Location")
    if location is None:
        raise HttpFault(request, "status 201 without a Location", permitted, "name the conversation in Location")
    conversation = _joined(address, location)
    came = f"Location: {location}"
    if conversation is None or conversation.fragment or conversation.username is not None:
        raise HttpFault(request, came, permitted, "send a Location that is an http or https URL, absolute or relative")
    if origin_of(conversation) != origin_of(entry):
        raise HttpFault(request, came, permitted, "name a Location on the origin where the conversation was begun")
    if path_of(conversation) == path_of(entry):
        raise HttpFault(request, came, permitted, "give each conversation its own URL, other than that of the entry")
    return conversation


def copy_lines(pieces: Iterable[bytes], write: Callable[[bytes], None]) -> None:
    """
    Write whole lines from what comes in pieces, so that a stream that breaks off leaves no half message behind.

    A line over the limit is written as it comes, and so is a last line without its LF.
    """
    rest = bytearray()
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        whole = len(rest) + end if end else 0
        rest += piece
        if not whole and len(rest) > limits.FRAME_BYTES:
            whole = len(rest)
        if whole:
            write(bytes(rest[:whole]))
            del rest[:whole]
    if rest:
        write(bytes(rest))


class Bridge:
    """One conversation: the calling thread copies the stream, and another thread posts messages."""

    def __init__(self, conversation: SplitResult) -> None:
        self._conversation = conversation
        self._posts = Connection(conversation)
        self._posting = threading.Thread(target=self._post_all, name="callproof-posts", daemon=True)
        self._writing = threading.Lock()
        self._stopping = False
        self._ended = threading.Event()

    def carry(self) -> None:
        """Carry everything until the stream ends in order.  Raises HttpFault."""
        headers = {**_AGENT, "Accept": "application/jsonl"}
        permitted = "200 with a stream of application/jsonl"
        _note(_STREAM)
        asked = requested(self._conversation, "GET", headers, None, UNLIMITED)
        with _answered(_STREAM, permitted, {200}, asked) as reply:
            if reply.kind != "application/jsonl":
                came = f"a body of {reply.header('Content-Type') or 'no type'}"
                raise HttpFault(_STREAM, came, permitted, "send Content-Type: application/jsonl")
            self._posting.start()
            copy_lines(reply.stream(), self._write)
        self._ended.set()
        if self._stopping:
            # The reply to DELETE is still to come: it tells whether the system took the end of input.
            self._posting.join()

    def stop_at_once(self) -> None:
        """Ask the system to stop; wait for its answer only as long as the suite waits for this process."""
        with (
            contextlib.suppress(NoReply),
            requested(self._conversation, "DELETE", _AGENT, None, limits.TERM_GRACE_SECONDS / 2),
        ):
            return

    def _write(self, lines: bytes) -> None:
        with self._writing:
            rest = memoryview(lines)
            while rest:
                rest = rest[os.write(1, rest) :]

    def _post_all(self) -> None:
        try:
            for line in sys.stdin.buffer:
                self._post(line.rstrip(b"\n"))
        except HttpFault as fault:
            # If the system has ended the conversation, it takes no messages; then its end says more than the refusal.
            if not self._ended.wait(_END_SECONDS):
                self._give_up(fault)
            return
        self._stopping = True
        _note(_STOP)
        try:
            self._stop()
        except HttpFault as fault:
            self._give_up(fault)

    def _post(self, message: bytes) -> None:
        headers = {**_AGENT, "Content-Type": "application/json"}
        asked = self._posts.requested("POST", path_of(self._conversation), headers, message, UNLIMITED)
        with _answered(_MESSAGE, "202", {202}, asked) as reply:
            _pass_over(reply)

    def _stop(self) -> None:
        # 404: the system has ended the conversation itself and forgotten it.
        asked = requested(self._conversation, "DELETE", _AGENT, None, UNLIMITED)
        with _answered(_STOP, "204, or 404 for a conversation that is over", {204, 404}, asked) as reply:
            _pass_over(reply)

    def _give_up(self, fault: HttpFault) -> NoReturn:
        with self._writing:
            _end(fault)


def main(arguments: Sequence[str]) -> NoReturn:
    """Carry one conversation with the system at a URL; exit with 0 if it ends in order, else with 1 and last words."""
    signal.signal(signal.SIGTERM, _stop)
    bridge: Bridge | None = None
    try:
        _note(f"POST {arguments[0]}")
        bridge = Bridge(begun(arguments[0]))
        bridge.carry()
    except HttpFault as fault:
        _end(fault)
    except _Stopped:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if bridge is not None:
            bridge.stop_at_once()
    _end(None)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _Stopped


@contextlib.contextmanager
def _answered(
    request: str, permitted: str, statuses: set[int], asked: contextlib.AbstractContextManager[Reply]
) -> Generator[Reply, None, None]:
    """The reply to a request, with one of the permitted statuses.  Raises HttpFault."""
    try:
        with asked as reply:
            if 300 <= reply.status < 400:
                to = reply.header("Location") or "nowhere"
                came = f"status {reply.status}, a redirect to {to}"
                raise HttpFault(request, came, permitted, "the suite follows no redirect; give that address itself")
            if reply.status not in statuses:
                came = f"status {reply.status} {reply.response.reason}".rstrip()
                raise HttpFault(request, came, permitted, _help(reply.status))
            yield reply
    except NoReply as error:
        what_next = "make sure that the system is running and listens at this address"
        raise HttpFault(request, str(error), permitted, what_next) from None


def _help(status: int) -> str:
    """What to do about a status that the binding does not permit there."""
    if 200 <= status < 300:  # nothing failed, so the log of the system says nothing about it
        return "let the system answer with the permitted status: the suite decides by the status, whatever came with it"
    return _HELP.get(status, "look into the log of the system")


def _joined(address: str, location: str) -> SplitResult | None:
    try:
        return split_url(urljoin(address, location))
    except ValueError:  # from urljoin, if the brackets around a host are incomplete
        return None


def _pass_over(reply: Reply) -> None:
    for _ in reply.body():
        pass


def _note(request: str) -> None:
    """Write which request is under way, to be shown beside an error such as silence."""
    sys.stderr.write(f"{request}\n")
    sys.stderr.flush()


def _end(fault: HttpFault | None) -> NoReturn:
    """End the process, even if another thread is reading or waiting for a reply."""
    if fault is not None:
        _note(last_words(fault))
    os._exit(0 if fault is None else 1)


if __name__ == "__main__":
    main(sys.argv[1:])

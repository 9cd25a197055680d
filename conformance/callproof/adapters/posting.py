"""Requests over HTTP and their answers, with the standard library, bounded in time and size.

No other module of the project makes requests over HTTP.  Does not know about the meaning of
bodies.  A redirect is an answer like any other, and proxies of the environment are not used.
"""

from __future__ import annotations

import contextlib
import http.client
import math
import re
import select
import ssl
import threading
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from socket import SHUT_RDWR, socket
from urllib.parse import SplitResult, urlsplit

from callproof import limits
from callproof.adapters.deadlines import after, seconds_left
from callproof.values.counts import counted

_CHUNK = 64 * 1024
_PORTS = {"http": 80, "https": 443}
# For requests and answers without a limit of time.
UNLIMITED = math.inf
# Servers close idle connections, some of them after a few seconds.  If a request meets the close, it is unknown
# whether the server took it: so no request goes over a connection that was idle for longer than this.
_REUSED_SECONDS = 1.0


class NoReply(Exception):
    """A request got no answer, or one that broke off; its text says why, as a clause."""


def split_url(url: str) -> SplitResult | None:
    """A URL of http or https in its parts; None for any other text."""
    try:
        address = urlsplit(url)
        named = address.hostname and address.port != 0
    except ValueError:
        return None
    is_written = url.isascii() and url.isprintable() and " " not in url
    return address if named and is_written and address.scheme in {"http", "https"} else None


def without_credentials(url: str) -> str:
    """A text that may be meant as a URL, without the user and password that it may contain."""
    return re.sub(r"//.*@", "//…@", url, flags=re.DOTALL)


def origin_of(address: SplitResult) -> tuple[str, str, int]:
    """Scheme, host and port; the port is always given, since an IPv6 host contains colons itself."""
    return address.scheme, address.hostname or "", address.port or _PORTS[address.scheme]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer whose body has not been read yet."""

    response: http.client.HTTPResponse
    socket: socket
    until: float

    @property
    def status(self) -> int:
        """The status code."""
        return self.response.status

    @property
    def kind(self) -> str:
        """The media type of the body."""
        return self.response.headers.get_content_type()

    def header(self, name: str) -> str | None:
        """One header; None if it is absent."""
        return self.response.getheader(name)

    def body(self) -> Iterator[bytes]:
        """The body in pieces, as they come. Raises NoReply when the time is up, over the limit, or if it breaks off."""
        size = 0
        for piece in self.stream():
            size += len(piece)
            if size > limits.FRAME_BYTES:
                raise NoReply(f"its answer is longer than {limits.FRAME_BYTES} bytes")
            yield piece

    def stream(self) -> Iterator[bytes]:
        """The same for a body of any length."""
        with _told_apart(self.until):
            # From Python 3.13 on the last byte closes the response.
            while not self.response.isclosed() and (piece := self.response.read1(_CHUNK)):
                yield piece
            if not seconds_left(self.until):
                raise TimeoutError
            if self.response.length:
                raise NoReply(f"it broke off {counted(self.response.length, 'byte')} before its end")


class Connection:
    """
    One connection to the origin of an address, for one request after the other.

    It is opened when it is needed, and opened again if the server has closed it or may be about to.
    """

    def __init__(self, address: SplitResult) -> None:
        self._address = address
        self._connection: http.client.HTTPConnection | None = None
        self._reused_until = 0.0

    @contextlib.contextmanager
    def requested(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None, seconds: float
    ) -> Generator[Reply, None, None]:
        """
        The reply to one request; its body has to be read before the next request.

        Raises NoReply if there is none within the time.  Redirects are replies like any other.
        """
        until = after(seconds)
        with _told_apart(until):
            connection, ours = self._connected(seconds)
        with _cut_off(ours, until):
            with _told_apart(until):
                connection.request(method, path, body=body, headers=dict(headers))
                response = connection.getresponse()
            with contextlib.closing(response):
                yield Reply(response, ours, until)
        self._reused_until = after(_REUSED_SECONDS)

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self, seconds: float) -> tuple[http.client.HTTPConnection, socket]:
        ours = self._connection.sock if self._connection is not None else None
        # Between two requests the server has nothing to send: anything to read is the end of the connection.
        if ours is None or not seconds_left(self._reused_until) or select.select([ours], [], [], 0)[0]:
            self.close()
            self._connection = _connection(self._address, seconds)
            self._connection.connect()
            # The connection drops its socket as soon as the server says that it will close it.
            ours = self._connection.sock
        assert self._connection is not None  # noqa: S101  it is where its socket is
        ours.settimeout(_timeout(seconds))
        return self._connection, ours


@contextlib.contextmanager
def requested(
    address: SplitResult, method: str, headers: Mapping[str, str], body: bytes | None, seconds: float
) -> Generator[Reply, None, None]:
    """
    The reply to one request, over a connection of its own that is closed at the end.

    Raises NoReply if there is none within the time.  Redirects are replies like any other.
    """
    connection = Connection(address)
    with (
        contextlib.closing(connection),
        connection.requested(method, path_of(address), headers, body, seconds) as reply,
        contextlib.closing(reply.socket),
    ):
        yield reply


def path_of(address: SplitResult) -> str:
    """The part of a URL behind the origin, as a request names it."""
    return (address.path or "/") + (f"?{address.query}" if address.query else "")


@contextlib.contextmanager
def _cut_off(ours: socket, until: float) -> Generator[None, None, None]:
    """
    Shut the connection down when the time is up, whatever the block is waiting for.

    A server that sends a byte now and then, in a header or in the length of a chunk, never reaches a socket's timeout.
    """
    if until == math.inf:
        yield
        return
    timer = threading.Timer(seconds_left(until), _end, (ours,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _end(ours: socket) -> None:
    with contextlib.suppress(OSError):
        socket.shutdown(ours, SHUT_RDWR)  # on the plain socket, without a farewell of TLS


@contextlib.contextmanager
def _told_apart(until: float) -> Generator[None, None, None]:
    """Turn the many errors of a connection into NoReply, which says what happened."""
    try:
        yield
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoReply(_what_happened(error, until)) from None


def _what_happened(error: Exception, until: float) -> str:
    if isinstance(error, TimeoutError) or not seconds_left(until):
        return "it did not answer in time"
    if isinstance(error, ssl.SSLError):
        return f"no secure connection ({error.reason or error})"
    return f"the connection failed ({error or type(error).__name__})"


def _connection(address: SplitResult, seconds: float) -> http.client.HTTPConnection:
    _, host, port = origin_of(address)
    if address.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, timeout=_timeout(seconds), context=context)
    return http.client.HTTPConnection(host, port, timeout=_timeout(seconds))


def _timeout(seconds: float) -> float | None:
    return None if seconds == UNLIMITED else seconds

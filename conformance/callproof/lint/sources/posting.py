"""One HTTP request and its answer, with the standard library, bounded in time and size.  Knows nothing of MCP."""

from __future__ import annotations

import contextlib
import http.client
import ssl
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from socket import socket
from urllib.parse import SplitResult

from callproof import limits
from callproof.adapters.deadlines import after, seconds_left

_CHUNK = 64 * 1024


class NoReply(Exception):
    """A request had no answer, or one that broke off; as text: why, as a clause."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer whose body is still to be read."""

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
        """One header; None where there is none."""
        return self.response.getheader(name)

    def body(self) -> Iterator[bytes]:
        """The body in pieces, as they come. Raises NoReply when the time is up, over the limit, and when it breaks."""
        size = 0
        with _told_apart():
            while piece := self._piece():
                size += len(piece)
                if size > limits.FRAME_BYTES:
                    raise NoReply(f"its answer is longer than {limits.FRAME_BYTES} bytes")
                yield piece

    def _piece(self) -> bytes:
        if self.response.isclosed():
            # From Python 3.13 on the last byte closes the response, and its socket with it.
            return b""
        left = seconds_left(self.until)
        if not left:
            raise TimeoutError
        # A server that sends a byte now and then is not to hold us beyond the whole time.
        self.socket.settimeout(left)
        return self.response.read1(_CHUNK)


@contextlib.contextmanager
def requested(
    address: SplitResult, method: str, headers: Mapping[str, str], body: bytes | None, seconds: float
) -> Generator[Reply, None, None]:
    """
    The reply to one request, over a connection of its own that is closed at the end.

    Raises NoReply where there is none within the time.  Redirects are replies like any other.
    """
    until = after(seconds)
    with contextlib.closing(_connection(address, seconds)) as connection:
        with _told_apart():
            connection.connect()
            # The connection forgets its socket as soon as the server says that it will close it.
            ours: socket = connection.sock
            connection.request(method, _path(address), body=body, headers=dict(headers))
            ours.settimeout(max(seconds_left(until), 0.001))
            response = connection.getresponse()
        with contextlib.closing(ours), contextlib.closing(response):
            yield Reply(response, ours, until)


@contextlib.contextmanager
def _told_apart() -> Generator[None, None, None]:
    """The many errors of a connection as one, which says what happened."""
    try:
        yield
    except TimeoutError:
        raise NoReply("it was silent until the time was up") from None
    except ssl.SSLError as error:
        raise NoReply(f"no secure connection ({error.reason or error})") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoReply(f"the connection failed ({error or type(error).__name__})") from None


def _connection(address: SplitResult, seconds: float) -> http.client.HTTPConnection:
    host = address.hostname or ""
    if address.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, address.port, timeout=seconds, context=context)
    return http.client.HTTPConnection(host, address.port, timeout=seconds)


def _path(address: SplitResult) -> str:
    return (address.path or "/") + (f"?{address.query}" if address.query else "")

"""The tools of an MCP server at an address: streamable HTTP, with only the standard library.

Answers come as one JSON object or as a stream of events.  A redirect is refused, since it
would carry the user's headers to a place that the user did not name.  Proxies of the
environment are not used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping
from urllib.parse import SplitResult

from callproof import __version__
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.posting import NoReply, Reply, requested, split_url, without_credentials
from callproof.lint.sources.asking import list_tools
from callproof.lint.sources.events import data_of_events
from callproof.lint.sources.listing import Listing, NotListed, shown_url
from callproof.lint.sources.messages import STATELESS_REVISION, Message, TooDeep, read_message, write_message
from callproof.values.jsontext import Json

PATIENCE = Deadlines(start=30.0, answer=30.0, shutdown=2.0)
_HELP = {
    401: 'give the server credentials: --header "Authorization: Bearer …"',
    403: 'the server refuses these credentials; send others with --header "Name: value"',
    404: "nothing is at this path; many servers answer at /mcp",
    405: "the server takes no POST here; the older transport of two addresses (HTTP+SSE) is not supported",
}


def listed_over_http(url: str, headers: Mapping[str, str] | None = None, deadlines: Deadlines = PATIENCE) -> Listing:
    """
    The list of tools of the server at a URL; ``headers`` are sent with every request.

    Raises NotListed for an address that cannot be read or reached, and for everything that the server gets wrong.
    """
    server = _Endpoint(url, _address(url), headers or {}, deadlines)
    try:
        return Listing(list_tools(server))
    finally:
        server.close()


def _address(url: str) -> SplitResult:
    address = split_url(url)
    if address is None:
        raise NotListed(
            repr(shown_url(without_credentials(url))),
            "it is not an address of a server",
            help_text="name one like https://host/mcp",
        )
    if address.username is not None or address.password is not None:
        raise NotListed(
            f"{address.scheme}://{address.hostname}",
            "its address holds credentials, which every finding would show",
            help_text='send them as --header "Authorization: …"',
        )
    return address


class _Endpoint:
    """A server at an address."""

    def __init__(self, url: str, address: SplitResult, headers: Mapping[str, str], deadlines: Deadlines) -> None:
        self.name = shown_url(url)
        self._address = address
        self._headers = dict(headers)
        self._deadlines = deadlines
        self._asked = 0
        self._session: str | None = None
        self._revision: str | None = ""

    def ask(self, method: str, params: Mapping[str, Json]) -> Message:
        self._asked += 1
        seconds = self._deadlines.start if self._asked == 1 else self._deadlines.answer
        try:
            with self._posted({"id": self._asked, "method": method, "params": params}, method, seconds) as reply:
                answer = self._answer(reply)
                self._session = reply.header("Mcp-Session-Id") or self._session
                if answer is None:
                    raise self.refused(f"it answered {method} with {_shown(reply)}", _HELP.get(reply.status, ""))
                return answer
        except (NoReply, TooDeep) as error:
            raise self.refused(f"no answer to {method}: {error}") from None

    def tell(self, method: str, params: Mapping[str, Json]) -> None:
        try:
            with self._posted({"method": method, "params": params}, method, self._deadlines.answer) as reply:
                if reply.status >= 400:
                    raise self.refused(f"it refused {method} with {_shown(reply)}", _HELP.get(reply.status, ""))
        except NoReply as error:
            raise self.refused(f"{method} did not reach it: {error}") from None

    def agree(self, revision: str | None) -> None:
        self._revision = revision

    def refused(self, reason: str, help_text: str = "") -> NotListed:
        return NotListed(self.name, reason, help_text=help_text)

    def close(self) -> None:
        """End the session, if the server opened one; whether the server agrees no longer matters."""
        if self._session is None:
            return
        seconds = self._deadlines.shutdown
        with (
            contextlib.suppress(NoReply),
            requested(self._address, "DELETE", self._all_headers("DELETE"), None, seconds),
        ):
            self._session = None

    def _answer(self, reply: Reply) -> Message | None:
        """The answer to the latest request, in either form; None if there is none."""
        if reply.kind != "text/event-stream":
            return read_message(b"".join(reply.body()))
        for data in data_of_events(reply.body()):
            message = read_message(data)
            if message is not None and message.method is None and message.id == self._asked:
                return message
        return None

    @contextlib.contextmanager
    def _posted(self, message: Mapping[str, Json], method: str, seconds: float) -> Generator[Reply, None, None]:
        headers = self._all_headers(method)
        with requested(self._address, "POST", headers, write_message(message), seconds) as reply:
            if 300 <= reply.status < 400:
                to = reply.header("Location") or "nowhere"
                raise self.refused(f"it redirects to {to!r}, but no redirect is followed", "name that address itself")
            yield reply

    def _all_headers(self, method: str) -> dict[str, str]:
        headers = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "User-Agent": f"callproof/{__version__}",
        }
        if self._session is not None:
            headers["Mcp-Session-Id"] = self._session
        if self._revision is None:
            headers |= {"MCP-Protocol-Version": STATELESS_REVISION, "Mcp-Method": method}
        elif self._revision:
            headers["MCP-Protocol-Version"] = self._revision
        return headers | self._headers


def _shown(reply: Reply) -> str:
    reason = f" {reply.response.reason}" if reply.response.reason else ""
    return f"status {reply.status}{reason} and no message of JSON-RPC ({reply.kind})"

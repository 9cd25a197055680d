"""Asking an MCP server for its tools, page after page, over any transport.

The server's answers are read as raw JSON-RPC.  A development kit refuses a whole list
for one tool that it does not like; this module passes each tool on as it was sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from callproof import limits
from callproof.lint.sources.listing import NotListed, Page, laid_out
from callproof.lint.sources.messages import METHOD_NOT_FOUND, Message, opening, stateless
from callproof.values.jsontext import Json

# A server of the stateless revision may answer initialize with either: it has no such method, or no such revision.
_UNSUPPORTED_REVISION = -32022


class Server(Protocol):
    """One server, over any transport."""

    @property
    def name(self) -> str:
        """The name of the server in messages."""
        ...

    def ask(self, method: str, params: Mapping[str, Json]) -> Message:
        """The answer to a request. Raises NotListed if no answer comes."""
        ...

    def tell(self, method: str, params: Mapping[str, Json]) -> None:
        """Send a notification."""
        ...

    def agree(self, revision: str | None) -> None:
        """Note the revision that the server speaks; None for the stateless one."""
        ...

    def refused(self, reason: str, help_text: str = "") -> NotListed:
        """The error for an answer that is not a list, with anything that the server wrote outside the protocol."""
        ...


def list_tools(server: Server) -> tuple[Page, ...]:
    """
    All pages of the server's list of tools.

    Raises NotListed for a server that gives no list, that repeats a cursor, or that passes a limit.
    """
    return tuple(_pages(server, _opened(server)))


def _opened(server: Server) -> Mapping[str, Json]:
    """Open the conversation; returns what every later request must carry."""
    answer = server.ask("initialize", opening())
    if answer.error_code in {METHOD_NOT_FOUND, _UNSUPPORTED_REVISION}:
        server.agree(None)
        return {"_meta": stateless()}
    if answer.result is None:
        raise server.refused(f"it answered initialize with {_said(answer)}")
    revision = answer.result.get("protocolVersion")
    server.agree(revision if isinstance(revision, str) else "")
    server.tell("notifications/initialized", {})
    return {}


def _pages(server: Server, always: Mapping[str, Json]) -> Iterator[Page]:
    cursor: Json = None
    seen: set[str] = set()
    characters = 0
    for number in range(1, limits.LISTING_PAGES + 1):
        answer = server.ask("tools/list", always if cursor is None else {**always, "cursor": cursor})
        result = _result(server, answer)
        characters += len(answer.text)
        if characters > limits.LISTING_CHARACTERS:
            raise server.refused(f"its list is longer than {limits.LISTING_CHARACTERS} characters")
        yield Page(server.name if number == 1 else f"{server.name} (page {number})", laid_out(answer.text))
        cursor = result.get("nextCursor")
        if not isinstance(cursor, str):
            return
        if cursor in seen:
            raise server.refused(f"page {number} of its list names the cursor {cursor[:60]!r} again")
        seen.add(cursor)
    raise server.refused(f"its list has more than {limits.LISTING_PAGES} pages")


def _result(server: Server, answer: Message) -> Mapping[str, Json]:
    if answer.error_code == METHOD_NOT_FOUND:
        raise server.refused("it offers no tools", "a server that declares the capability `tools` answers tools/list")
    if answer.result is None:
        raise server.refused(f"it answered tools/list with {_said(answer)}")
    if not isinstance(answer.result.get("tools"), list):
        raise server.refused('its answer to tools/list has no array "tools"')
    return answer.result


def _said(answer: Message) -> str:
    return answer.error_text if answer.error is not None else "no result"

"""Lists of live sources as documents: an MCP server over a pipe or HTTP, and an object of a Python module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from callproof.adapters.deadlines import Deadlines
from callproof.lint.document import Document, NotReadable, read_document
from callproof.lint.sources.files import Gathered, gathered
from callproof.lint.sources.listing import Listing, NotListed


def from_stdio(command: str, seconds: float | None = None) -> Gathered:
    """The tools of the server that a command starts; each answer may take this many seconds."""
    from callproof.lint.sources.stdio import PATIENCE, listed_over_stdio  # noqa: PLC0415  most runs need no process

    return _gathered(lambda: listed_over_stdio(command, _patient(PATIENCE, seconds)))


def from_url(url: str, headers: Mapping[str, str], seconds: float | None = None) -> Gathered:
    """The tools of the server at a URL; each answer may take this many seconds."""
    from callproof.lint.sources.http import PATIENCE, listed_over_http  # noqa: PLC0415  most runs need no network

    return _gathered(lambda: listed_over_http(url, headers, _patient(PATIENCE, seconds)))


def from_module(target: str, python: str | None, seconds: float | None = None) -> Gathered:
    """The tools of an object of a Python module; ``python`` runs a child that describes them within so many seconds."""
    from callproof.lint.sources.modules import PATIENCE, listed_from_module  # noqa: PLC0415  most runs need no process

    return _gathered(lambda: listed_from_module(target, python, _patient(PATIENCE, seconds)))


def _patient(usual: Deadlines, seconds: float | None) -> Deadlines:
    return usual if seconds is None else replace(usual, start=seconds, answer=seconds)


def _gathered(listed: Callable[[], Listing]) -> Gathered:
    """What a source gave; a source that gave nothing is a problem, and is never reported as clean."""
    try:
        listing = listed()
        # Pages of one list are offered together.
        documents = [_document(page.name, page.text, listing.pages[0].name) for page in listing.pages]
    except (NotListed, NotReadable) as error:
        return Gathered(problems=(str(error),))
    return replace(gathered(documents, listing.problems), remarks=listing.remarks)


def _document(name: str, text: str, source: str) -> Document:
    # A list from a live source is not a file, so it cannot be fixed in place.
    return replace(read_document(name, text.encode("utf-8", "surrogatepass")), editable=False, registry=source)

"""References inside a schema: which are followed, and which lead out of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.running import held
from callproof.lint.schemas.recursion import unguarded
from callproof.lint.schemas.resolving import References
from callproof.lint.settings import Settings
from callproof.lint.sources.files import gathered
from lint.schemas.compared import gaps_between

SCHEMA: dict[str, Any] = {
    "$id": "https://example.com/whole",
    "properties": {
        "a": {"$anchor": "named"},
        "a/b": {"type": "null"},
        "per%cent": {},
        "list": {"allOf": [{}, {"minimum": 1}]},
    },
    "$defs": {"inner": {"$id": "part", "$defs": {"deep": {"type": "string"}}, "$anchor": "named"}},
}


@pytest.mark.parametrize(
    ("reference", "place"),
    [
        ("#", ()),
        ("#/properties/a", ("properties", "a")),
        ("#/properties/a~1b", ("properties", "a/b")),
        ("#/properties/per%25cent", ("properties", "per%cent")),
        ("#/properties/list/allOf/1", ("properties", "list", "allOf", 1)),
        ("#named", ("properties", "a")),
        ("https://example.com/whole#/properties/a", ("properties", "a")),
        ("whole#named", ("properties", "a")),
        ("part", ("$defs", "inner")),
        ("part#/$defs/deep", ("$defs", "inner", "$defs", "deep")),
        ("part#named", ("$defs", "inner")),
    ],
)
def test_a_reference_into_the_document_is_followed(reference: str, place: tuple[str | int, ...]) -> None:
    """A reference may use a pointer, an anchor, or a name that a part of the document gives itself."""
    target = next(References(SCHEMA).targets((), {"$ref": reference}))
    assert (target.outcome, target.place) == ("found", place)


@pytest.mark.parametrize(
    ("draft", "names", "outcome"),
    [
        ("http://json-schema.org/draft-04/schema#", {"id": "#a"}, "found"),
        ("http://json-schema.org/draft-04/schema#", {"$id": "#a"}, "dangling"),
        ("http://json-schema.org/draft-07/schema#", {"$id": "#a"}, "found"),
        ("http://json-schema.org/draft-07/schema#", {"id": "#a"}, "dangling"),
        ("http://json-schema.org/draft-07/schema#", {"$anchor": "a"}, "dangling"),
        ("https://json-schema.org/draft/2019-09/schema", {"$anchor": "a"}, "found"),
        ("https://json-schema.org/draft/2019-09/schema", {"$dynamicAnchor": "a"}, "dangling"),
        ("https://json-schema.org/draft/2020-12/schema", {"$dynamicAnchor": "a"}, "found"),
    ],
)
def test_the_draft_decides_how_a_part_gives_itself_a_name(draft: str, names: dict[str, str], outcome: str) -> None:
    """A keyword that gives a name in one draft means nothing in another."""
    schema = {"$schema": draft, "definitions": {"a": names}}
    assert next(References(schema).targets((), {"$ref": "#a"})).outcome == outcome


def test_a_member_that_is_no_address_moves_no_reference() -> None:
    """`id` is an address in draft-04 only; taken for one in 2020-12, it would break all references below it."""
    schema = {"$defs": {"a": {}}, "properties": {"p": {"id": "part", "properties": {"q": {"$ref": "#/$defs/a"}}}}}
    at = ("properties", "p", "properties", "q")
    assert next(References(schema).targets(at, {"$ref": "#/$defs/a"})).outcome == "found"
    older = {"$schema": "http://json-schema.org/draft-04/schema#", **schema}
    assert next(References(older).targets(at, {"$ref": "#/$defs/a"})).outcome == "dangling"


@pytest.mark.parametrize("reference", ["#/properties/z", "#nobody", "#/properties/list/allOf/2", "part#/$defs/none"])
def test_a_reference_to_nothing_dangles(reference: str) -> None:
    """It names the right document, but nothing stands there."""
    assert next(References(SCHEMA).targets((), {"$ref": reference})).outcome == "dangling"


@pytest.mark.parametrize(
    "reference", ["other.json", "https://example.com/other", "//host/x", "file:///etc/passwd", "http://[broken"]
)
def test_a_reference_to_another_document_is_external(reference: str) -> None:
    """It is never followed, whatever it names."""
    assert next(References(SCHEMA).targets((), {"$ref": reference})).outcome == "external"


def test_a_pointer_inside_a_part_with_its_own_name_begins_at_that_part() -> None:
    """The base of a reference is the nearest enclosing part with a name."""
    target = next(References(SCHEMA).targets(("$defs", "inner", "$defs", "deep"), {"$ref": "#/$defs/deep"}))
    assert target.place == ("$defs", "inner", "$defs", "deep")


@pytest.mark.parametrize(
    ("schema", "circles"),
    [
        ({"$ref": "#"}, [()]),
        ({"allOf": [{"$ref": "#"}]}, [("allOf", 0)]),
        ({"properties": {"a": {"$ref": "#"}}}, []),
        ({"items": {"$ref": "#"}}, []),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            [("$defs", "a"), ("$defs", "b")],
        ),
        ({"anyOf": [{"type": "null"}, {"properties": {"next": {"$ref": "#"}}}]}, []),
    ],
)
def test_a_circle_over_the_same_value_is_found(schema: Any, circles: list[tuple[str | int, ...]]) -> None:
    """Recursion through a member or an item consumes a part of the value, and is not such a circle."""
    assert [*unguarded(schema, References(schema))] == circles


@contextmanager
def _counting_server() -> Iterator[tuple[str, list[str]]]:
    hits: list[str] = []

    class Counting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Counting)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", hits
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_no_reference_ever_leaves_the_document() -> None:
    """A local server gets no request: not for references, not for a dialect, not for a name."""
    with _counting_server() as (address, hits):
        schemas: list[Any] = [
            {"$ref": f"{address}/one.json"},
            {"$schema": f"{address}/dialect", "type": "object", "properties": {"a": {"$ref": f"{address}/two"}}},
            {"$id": f"{address}/base/", "properties": {"a": {"$ref": "three"}, "b": {"$dynamicRef": "four#x"}}},
            {"type": "object", "default": {}, "allOf": [{"$ref": f"{address}/five#/$defs/x"}], "examples": [1]},
            {"$schema": "http://json-schema.org/draft-07/schema#", "items": {"$ref": f"{address}/six"}},
        ]
        tools = [{"name": f"a.b{n}", "inputSchema": each, "outputSchema": each} for n, each in enumerate(schemas)]
        read = gathered([document_of("tools.json", {"tools": tools})])
        outcome = held(Catalogue(read.documents, read.found), Settings(select=("SCH",)))
        assert sum(finding.rule == "SCH013" for finding in outcome.findings) >= 8
        for schema in schemas:
            with pytest.raises(ValueError, match=r"out of the schema|at the time"):
                gaps_between(schema, {"type": "object"})
        assert hits == []

"""Facts about a schema that are worked out once."""

from __future__ import annotations

from typing import Any

from callproof.lint.schema_facts import SchemaFacts, place_in, text_of


def test_a_pointer_is_read_as_it_was_written() -> None:
    """Names may have any characters, and a number is an index only in a list."""
    value: Any = {"a/b": [{"0": {"~": 1}}]}
    place = ("a/b", 0, "0", "~")
    assert text_of(place) == "/a~1b/0/0/~0"
    assert place_in(value, text_of(place)) == place


def test_what_an_invalid_schema_permits_is_not_asked() -> None:
    """Its meaning is unclear, so its faults are reported instead."""
    known = SchemaFacts({"type": "str", "allOf": [{"type": "null"}, {"type": "string"}]})
    assert [fault.pointer for fault in known.faults] == ["/type"]
    assert known.valid is None
    assert known.unsatisfiable == {}


def test_what_leaves_its_document_is_no_limit() -> None:
    """It is unusable for a reason that another rule reports, not for a limit."""
    known = SchemaFacts({"$ref": "https://example.com/x"})
    assert known.unusable is not None
    assert known.unusable.limit is None
    assert known.circles == ()

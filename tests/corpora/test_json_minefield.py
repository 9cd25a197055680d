"""All of the JSON minefield (nst/JSONTestSuite, MIT), read by the strict reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from callproof.values.jsontext import NotStrictJson, read_json
from shared import SHARED

FILES = sorted((SHARED / "corpora" / "json-minefield" / "test_parsing").glob("*.json"))
# Valid JSON, but refused by choice: two readers would read two different values (LOG-03).
REFUSED_BY_CHOICE = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}


def accepts(raw: bytes) -> bool:
    """Whether the reader accepts the bytes; any exception other than a refusal fails the test."""
    try:
        read_json(raw)
    except NotStrictJson:
        return False
    return True


def test_the_whole_corpus_is_there() -> None:
    """All 318 files of the minefield are read."""
    assert len(FILES) == 318


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_minefield_is_crossed(file: Path) -> None:
    """What must be accepted is accepted, what must be refused is refused, and nothing crashes."""
    accepted = accepts(file.read_bytes())
    match file.name[0]:
        case "y":
            assert accepted is (file.name not in REFUSED_BY_CHOICE)
        case "n":
            assert not accepted
        case _:
            # Implementation-defined: either answer is right, as long as there is one.
            assert accepted in {True, False}

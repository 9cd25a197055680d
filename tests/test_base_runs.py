"""The base runs that the examples edit: their guide names each, and an independent library gives the same hashes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rfc8785

BASES = Path(__file__).parents[1] / "spec" / "examples"
NAMES = sorted(path.name for path in BASES.iterdir() if path.is_dir())


def digest(value: Any) -> str | None:
    """The hash of a value over RFC 8785, by the library alone; None for what the standard cannot write."""
    try:
        return "sha256:" + hashlib.sha256(rfc8785.dumps(value)).hexdigest()
    except rfc8785.IntegerDomainError:
        return None  # integers beyond 2^53 are an extension of this specification (A21)


def records(base: str, file: str) -> Iterator[dict[str, Any]]:
    """The records of one file of a base run; none if the file is absent."""
    path = BASES / base / file
    yield from (json.loads(line) for line in (path.read_bytes().splitlines() if path.exists() else ()))


def hashes(base: str) -> Iterator[tuple[str, str, Any]]:
    """Every hash of a base run: its place, the hash itself, and the value that it covers."""
    run = json.loads((BASES / base / "run.json").read_bytes())
    for member, over in (("planHash", "plan"), ("policyHash", "policy")):
        if member in run.get("confirmation", {}):
            yield member, run["confirmation"][member], run[over]
    for file, member, over in (("calls.jsonl", "argsHash", "args"), ("results.jsonl", "dataHash", "data")):
        for record in records(base, file):
            if member in record:
                yield f"{file} {record['callId']}", record[member], record[over]


def test_the_guide_names_every_base_run() -> None:
    """The author of an example chooses a base run from the guide, so the guide must name them all."""
    named = re.findall(r"^\| `([a-z]+)` \|", (BASES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == NAMES


@pytest.mark.parametrize("base", NAMES)
def test_the_hashes_of_a_base_run_are_true(base: str) -> None:
    """The hashes of plan, policy, args and data are those that the records state."""
    assert [place for place, stated, value in hashes(base) if digest(value) not in {stated, None}] == []

"""A statement worked out again from its records, and compared byte for byte."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from callproof.live.scenarios import SCENARIOS
from callproof.replay.codec import Misfit, from_json
from callproof.schema.validator import shape_validator
from callproof.statement.bundle import (
    STATEMENT,
    SYSTEM,
    TEXT,
    Files,
    NoStatement,
    System,
    scenario_path,
    stated,
    this_suite,
)
from callproof.values.counts import counted
from callproof.values.jsontext import NotStrictJson, read_json
from callproof.values.jsonvalue import is_object

RECORDS = frozenset({SYSTEM, *(scenario_path(each.id) for each in SCENARIOS)})

# What goes with the outcome.
_REASONS = ("runOutcome", "notProven", "refused")


class OtherSuite(ValueError):
    """A statement was made by another version of the suite, which alone can verify it."""


@dataclass(frozen=True, slots=True)
class Verified:
    """
    What verifying came to: the outcome that the statement states, and everything that is wrong with it.

    ``undecided`` is what leaves the outcome not proven: requirements, and runs.  ``run_outcome`` is what the run came
    to by the word of whoever ran it, where that is another outcome.
    """

    system: str
    outcome: str
    faults: tuple[str, ...]
    undecided: tuple[str, ...] = ()
    run_outcome: str | None = None


def verify(files: Files) -> Verified:
    """
    Judge the records again, and compare what they come to with what is stated.

    Raises NoStatement where there is no statement at all, and OtherSuite.
    """
    statement = _statement(files)
    if statement["suite"] != this_suite():
        raise OtherSuite(f"the statement was made by {statement['suite']}, and this is {this_suite()}; use the same")
    faults = tuple(_faults(files, statement))
    undecided = (*statement["notProven"], *statement["refused"])
    said = statement.get("runOutcome")
    run_outcome = None if said == statement["outcome"] else said
    return Verified(statement["system"], statement["outcome"], faults, undecided, run_outcome)


def _faults(files: Files, statement: Mapping[str, Any]) -> Iterator[str]:
    listed = {each["path"]: each["sha256"] for each in statement["files"]}
    for path in sorted(listed.keys() | (files.keys() - {STATEMENT, TEXT})):
        if path not in files:
            yield f"{path} is listed and is not there"
        elif path not in listed:
            yield f"{path} is there and is not listed"
        elif hashlib.sha256(files[path]).hexdigest() != listed[path]:
            yield f"{path} has other bytes than the statement says"
    try:
        records = {path: content for path, content in files.items() if path in RECORDS}
        again = stated(_system(files), records)
    except NoStatement as error:
        yield str(error)
        return
    if again[STATEMENT] != files[STATEMENT]:
        yield from _differences(statement, json.loads(again[STATEMENT]))
    if again[TEXT] != files.get(TEXT):
        yield f"{TEXT} is not the text of the statement that the records come to"


def _differences(stated: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """What a statement says and its records do not."""
    verdicts = {each["id"]: each for each in found["requirements"]}
    told = [
        f"{each['id']} is stated as {each['verdict']}, exercised in {counted(each['runs'], 'run')}, "
        f"and the records come to {verdicts[each['id']]['verdict']}, exercised in {verdicts[each['id']]['runs']}"
        for each in stated["requirements"]
        if each["id"] in verdicts and each != verdicts[each["id"]]
    ]
    told += [
        f"{name} is stated as {stated.get(name)!r}, and the records come to {found.get(name)!r}"
        for name in ("system", "claims", "leftOut", "lacks", "strict", "outcome", *_REASONS, "known", "specVersion")
        if stated.get(name) != found.get(name)
    ]
    yield from told or [f"{STATEMENT} is not, byte for byte, what the records come to"]


def _statement(files: Files) -> Mapping[str, Any]:
    if STATEMENT not in files:
        raise NoStatement(f"{STATEMENT} is not there; expected what `callproof test --report statement=PATH` writes")
    try:
        value = read_json(files[STATEMENT])
    except NotStrictJson as error:
        raise NoStatement(f"{STATEMENT} is no statement: it {error.clause}") from None
    faults = shape_validator("statement").errors(value)
    if faults or not is_object(value):
        raise NoStatement(f"{STATEMENT} is no statement: {faults[0] if faults else 'it is no object'}")
    return value


def _system(files: Files) -> System:
    try:
        return from_json(System, read_json(files.get(SYSTEM, b"")))
    except NotStrictJson as error:
        raise NoStatement(f"{SYSTEM} cannot be read: it {error.clause}") from None
    except Misfit as error:
        raise NoStatement(f"{SYSTEM}: {error}") from None

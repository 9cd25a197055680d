"""Makes a statement again from its records, and compares the two byte for byte."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from callproof.driven.suite import Suite
from callproof.replay.codec import Misfit, from_json
from callproof.schema.validator import shape_validator
from callproof.statement.bundle import stated
from callproof.statement.driven import Driven
from callproof.statement.executors import EXECUTORS
from callproof.statement.matter import STATEMENT, SYSTEM, TEXT, Files, Matter, NoStatement, System, this_suite
from callproof.values.counts import counted
from callproof.values.jsontext import NotStrictJson, read_json
from callproof.values.jsonvalue import is_object

# The live suites of other protocols, by the words of their commands.
Suites = Mapping[str, Suite[Any]]
# The members compared besides the requirements and the files.  If the protocols differ, nothing else is compared.
_SAID = (
    *("system", "claims", "leftOut", "lacks", "strict"),
    *("outcome", "runOutcome", "notProven", "refused", "known", "specVersion"),
)


class OtherSuite(ValueError):
    """A statement was made by another version of the suite, and only that version can verify it."""


@dataclass(frozen=True, slots=True)
class Verified:
    """
    The result of verifying: the outcome that the statement states, and everything that is wrong with it.

    ``undecided`` are the requirements and runs that leave the outcome not proven.  ``run_outcome`` is the outcome of
    the whole run as its operator reported it, if it differs, and ``rests_on`` are the cases of the statement.
    """

    system: str
    outcome: str
    faults: tuple[str, ...]
    undecided: tuple[str, ...] = ()
    run_outcome: str | None = None
    rests_on: str = EXECUTORS.rests_on


def verify(files: Files, suites: Suites) -> Verified:
    """
    Judge the records again, and compare the result with what is stated.

    Raises NoStatement if there is no statement at all, and OtherSuite if another version of the suite made it.
    """
    statement = _statement(files)
    if statement["suite"] != this_suite():
        raise OtherSuite(
            f"the statement was made by {statement['suite']}, but this is {this_suite()}; use the same version"
        )
    matter = _matter(statement.get("protocol"), suites)
    faults = tuple(_faults(files, statement, matter))
    undecided = (*statement["notProven"], *statement["refused"])
    said = statement.get("runOutcome")
    run_outcome = None if said == statement["outcome"] else said
    return Verified(statement["system"], statement["outcome"], faults, undecided, run_outcome, matter.rests_on)


def _matter(protocol: str | None, suites: Suites) -> Matter:
    """The suite that a statement names; its shape permits no other names."""
    if protocol is None:
        return EXECUTORS
    return Driven(next(each for each in suites.values() if each.protocol.name == protocol))


def _faults(files: Files, statement: Mapping[str, Any], matter: Matter) -> Iterator[str]:
    listed = {each["path"]: each["sha256"] for each in statement["files"]}
    for path in sorted(listed.keys() | (files.keys() - {STATEMENT, TEXT})):
        if path not in files:
            yield f"{path} is listed but does not exist"
        elif path not in listed:
            yield f"{path} exists but is not listed"
        elif hashlib.sha256(files[path]).hexdigest() != listed[path]:
            yield f"{path} has other bytes than the statement says"
    try:
        records = {path: content for path, content in files.items() if path in {SYSTEM, *matter.paths}}
        system = _system(files)
        if system.protocol != matter.protocol:
            raise NoStatement(f"{SYSTEM} belongs to another suite: its protocol is {system.protocol!r}")
        again = stated(matter, system, records)
    except NoStatement as error:
        yield str(error)
        return
    if again[STATEMENT] != files[STATEMENT]:
        yield from _differences(statement, json.loads(again[STATEMENT]))
    if again[TEXT] != files.get(TEXT):
        yield f"{TEXT} is not the text of the statement that the records give"


def _differences(stated: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """Every difference between a statement and what its records show."""
    verdicts = {each["id"]: each for each in found["requirements"]}
    told = [
        f"{each['id']} is stated as {_shown(each)}, but the records give {_shown(verdicts[each['id']])}"
        for each in stated["requirements"]
        if each["id"] in verdicts and each != verdicts[each["id"]]
    ]
    told += [
        f"{name} is stated as {stated.get(name)!r}, but the records give {found.get(name)!r}"
        for name in _SAID
        if stated.get(name) != found.get(name)
    ]
    yield from told or [f"{STATEMENT} is not byte for byte what the records give"]


def _shown(requirement: Mapping[str, Any]) -> str:
    met = counted(requirement["runs"], "run")
    return f"{requirement['verdict']}, exercised {counted(requirement['exercised'], 'time')} in {met}"


def _statement(files: Files) -> Mapping[str, Any]:
    if STATEMENT not in files:
        raise NoStatement(f"{STATEMENT} does not exist; expected what `--report statement=PATH` writes")
    try:
        value = read_json(files[STATEMENT])
    except NotStrictJson as error:
        raise NoStatement(f"{STATEMENT} is not a statement: it {error.clause}") from None
    faults = shape_validator("statement").errors(value)
    if faults or not is_object(value):
        raise NoStatement(f"{STATEMENT} is not a statement: {faults[0] if faults else 'it is not an object'}")
    return value


def _system(files: Files) -> System:
    try:
        return from_json(System, read_json(files.get(SYSTEM, b"")))
    except NotStrictJson as error:
        raise NoStatement(f"{SYSTEM} cannot be read: it {error.clause}") from None
    except Misfit as error:
        raise NoStatement(f"{SYSTEM}: {error}") from None

"""Live systems of the protocols that suites play: how a suite judges one of them in all written cases."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from callproof.driven.again import refuse_another_log
from callproof.driven.hearing import Hearing
from callproof.driven.log import Log
from callproof.driven.playing import PATIENCE
from callproof.driven.session import Session
from callproof.driven.suite import Suite
from callproof.judge.judgement import Judgement, Outcome
from callproof.judge.verdicts import Verdict
from callproof.spec.registry import protocol_named
from callproof.values.jsontext import Json, read_json
from callproof.values.jsonvalue import is_object

TESTS = Path(__file__).parent


class Fault(Protocol):
    """A fault of a broken system: the requirement that must catch it, and those that it also breaks inevitably."""

    @property
    def says(self) -> str: ...
    @property
    def breaks(self) -> str: ...
    @property
    def also(self) -> tuple[str, ...]: ...


def served(folder: str, name: str) -> str:
    """The address of a system, broken or varied, in a folder of the tests."""
    return f"stdio:{sys.executable} {TESTS / folder / 'serve.py'} {name}"


def laws_of(suite: Suite[Any]) -> set[str]:
    """The ids of all requirements of a suite's protocol."""
    return set(protocol_named(suite.protocol.name).requirements)


def as_shipped(log: Log) -> list[Mapping[str, Json]]:
    """The lines of a log as they come out of a file."""
    return [line for line in map(read_json, log.written.splitlines()) if is_object(line)]


def judged(suite: Suite[Any], address: str, patience: float = PATIENCE) -> Judgement:
    """The judgement of all written cases of a suite."""
    hearing = Hearing(suite, address)
    session = Session(suite, address, patience=patience)
    with session:
        for case in suite.cases:
            played = session.play(case)
            if played.log is not None and played.error is None:
                # Whatever a system does, the suite's side of the log follows from the case.
                refuse_another_log(suite, case, session.claims, as_shipped(played.log))
            hearing.take(played, frozenset(session.claims.features))
    return hearing.judgement(session.claims, session.implementation)


def failed(judgement: Judgement) -> dict[str, list[str]]:
    """What was found, advice included."""
    return {
        name: [f"{each.run}: {each.finding.observed}" for each in result.findings] or list(result.errors)
        for name, result in judgement.results.items()
        if result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }


def assert_caught(judgement: Judgement, fault: Fault) -> None:
    """Its own requirement fails; all else that fails is in the fault's stated set; the adapter made no error."""
    found = failed(judgement)
    assert judgement.errors == ()
    assert fault.breaks in found, f"{fault.says} Nobody noticed: {found}"
    assert set(found) <= {fault.breaks, *fault.also}, found


def assert_conforms(judgement: Judgement) -> None:
    """Nothing is found, advice included."""
    assert judgement.errors == ()
    assert failed(judgement) == {}
    assert judgement.outcome is Outcome.CONFORMS


def assert_shows_every_law(judgement: Judgement, suite: Suite[Any]) -> None:
    """The system claims every feature, and each law of the protocol was tested and kept."""
    assert_conforms(judgement)
    assert set(judgement.subject.claims or ()) == set(suite.features)
    assert {name for name, each in judgement.results.items() if each.verdict is Verdict.PASS} == laws_of(suite)

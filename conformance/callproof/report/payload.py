"""What one item sends to the recorder, as plain JSON that can be passed from one process to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from callproof.checks.check import Finding, Witness
from callproof.judge.judgement import JudgedRun, RunOutcome
from callproof.judge.judging import Located, Result, Results, Root
from callproof.judge.tally import Tally
from callproof.judge.verdicts import Verdict
from callproof.report.document import finding_document
from callproof.spec.registry import Specification
from callproof.trace.records import Source

Payload: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ran:
    """What all items of a scenario share: its runs, its errors, and what the system said about itself."""

    runs: tuple[JudgedRun, ...]
    errors: tuple[str, ...]
    tally: Tally | None
    implementation: str | None
    claims: frozenset[str]
    notes: tuple[str, ...]
    lacks: tuple[str, ...] = ()


def payload_of(scenario: str, place: int, results: Results, required: Iterable[str]) -> Payload:
    """
    The results of one item of a scenario.

    ``place`` is that of its first case if the item is a part of the scenario, and 0 if it is about the whole scenario.
    """
    return {
        "scenario": scenario,
        "place": place,
        "results": [_told(result) for result in results.values()],
        "required": list(required),
    }


def shared_payload(ran: Ran) -> Payload:
    """What is the same for all items of a scenario; only one of them carries it, since it is the largest part."""
    return {
        "runs": [{"name": run.name, "outcome": run.outcome.value, "notes": list(run.notes)} for run in ran.runs],
        "errors": list(ran.errors),
        **({} if ran.tally is None else {"tally": asdict(ran.tally)}),
        "implementation": ran.implementation,
        "claims": sorted(ran.claims),
        "notes": list(ran.notes),
        "lacks": list(ran.lacks),
    }


def results_in(payload: Payload, spec: Specification) -> Results:
    """The results of a payload."""
    return {each["id"]: _result(each, spec) for each in payload["results"]}


def runs_in(payload: Payload) -> tuple[JudgedRun, ...]:
    """The runs of a payload."""
    return tuple(JudgedRun(run["name"], RunOutcome(run["outcome"]), tuple(run["notes"])) for run in payload["runs"])


def tallies_in(payloads: Iterable[Payload]) -> tuple[Tally, ...]:
    """The tallies of all payloads that have one."""
    return tuple(Tally(**payload["tally"]) for payload in payloads if "tally" in payload)


def testimonies_in(payloads: Iterable[Payload]) -> tuple[Mapping[str, Any], ...]:
    """The testimonies of all payloads, each run once."""
    found = {told["run"]: told for payload in payloads for told in payload.get("testimonies", ())}
    return tuple(found[run] for run in sorted(found))


def replays_in(payloads: Iterable[Payload]) -> Mapping[tuple[str, str], str]:
    """The commands of all payloads that play a case again, by requirement and run."""
    return {(name, run): command for payload in payloads for name, run, command in payload.get("replays", ())}


def _told(result: Result) -> Payload:
    return {
        "id": result.requirement.id,
        "verdict": result.verdict.value,
        "exercised": result.exercised,
        "runs": result.runs,
        "missing": list(result.missing),
        "errors": list(result.errors),
        "findings": [finding_document(result, each) for each in result.findings],
    }


def _result(told: Payload, spec: Specification) -> Result:
    return Result(
        requirement=spec.requirements[told["id"]],
        verdict=Verdict(told["verdict"]),
        findings=tuple(_located(each) for each in told["findings"]),
        exercised=told["exercised"],
        runs=told["runs"],
        missing=tuple(told["missing"]),
        errors=tuple(told["errors"]),
    )


def _located(told: Payload) -> Located:
    witnesses = tuple(
        Witness(each["name"], each["says"], Source(each["file"], each["line"])) for each in told["witness"]
    )
    finding = Finding(told["observed"], told["permitted"], witnesses, tuple(told["because"]), told.get("help"))
    return Located(told["run"], finding, _root(told.get("followsFrom")))


def _root(told: Payload | None) -> Root | None:
    return None if told is None else Root(told["requirement"], Source(told["file"], told["line"]), told["because"])

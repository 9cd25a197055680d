"""What one item tells the recorder, as plain JSON that may cross from one process to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from callproof.checks.check import Finding, Witness
from callproof.judge.judgement import JudgedRun, RunOutcome
from callproof.judge.judging import Located, Result, Results
from callproof.judge.verdicts import Verdict
from callproof.report.document import finding_document
from callproof.spec.registry import Specification
from callproof.trace.records import Source

Payload: TypeAlias = Mapping[str, Any]


def payload_of(  # noqa: PLR0913  one message, one member each
    scenario: str,
    results: Results,
    runs: Iterable[JudgedRun],
    errors: Iterable[str],
    system: tuple[str | None, Iterable[str]],
    required: Iterable[str],
) -> Payload:
    """What an item found; ``system`` is the name that the system gave of itself, and its claims."""
    return {
        "scenario": scenario,
        "results": [_told(result) for result in results.values()],
        "runs": [{"name": run.name, "outcome": run.outcome.value, "notes": list(run.notes)} for run in runs],
        "errors": list(errors),
        "implementation": system[0],
        "claims": sorted(system[1]),
        "required": list(required),
    }


def results_in(payload: Payload, spec: Specification) -> Results:
    """The results of a payload."""
    return {each["id"]: _result(each, spec) for each in payload["results"]}


def runs_in(payload: Payload) -> tuple[JudgedRun, ...]:
    """The runs of a payload."""
    return tuple(JudgedRun(run["name"], RunOutcome(run["outcome"]), tuple(run["notes"])) for run in payload["runs"])


def _told(result: Result) -> Payload:
    return {
        "id": result.requirement.id,
        "verdict": result.verdict.value,
        "exercised": result.exercised,
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
        missing=tuple(told["missing"]),
        errors=tuple(told["errors"]),
    )


def _located(told: Payload) -> Located:
    witnesses = tuple(
        Witness(each["name"], each["says"], Source(each["file"], each["line"])) for each in told["witness"]
    )
    finding = Finding(told["observed"], told["permitted"], witnesses, tuple(told["because"]), told.get("help"))
    return Located(told["run"], finding)

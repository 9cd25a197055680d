"""A judgement as the ``report`` document of the specification: data, byte-stable, no clock in it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from callproof import __version__, limits
from callproof.judge.judgement import Judgement
from callproof.judge.judging import Located, Result
from callproof.values.jsontext import Json

REPORT_VERSION = "1.0"


def document(judgement: Judgement) -> dict[str, Json]:
    """The report on a judgement, in the shape ``report``."""
    outcome = judgement.outcome
    return {
        "reportVersion": REPORT_VERSION,
        "suite": f"callproof {__version__}",
        "subject": _subject(judgement),
        "outcome": outcome.says,
        "exitCode": outcome.exit_code,
        "runs": [{"name": run.name, "outcome": run.outcome.value, "notes": list(run.notes)} for run in judgement.runs],
        "requirements": [_requirement(judgement, result) for result in judgement.results.values()],
        "findings": [each for result in judgement.results.values() for each in _findings(result)],
        "errors": list(judgement.all_errors),
    }


def json_text(report: dict[str, Json]) -> str:
    """A report as text for a file or a pipe: every character outside ASCII escaped, one LF at the end."""
    return json.dumps(report, indent=2, ensure_ascii=True) + "\n"


def finding_document(result: Result, located: Located) -> dict[str, Json]:
    """One finding, in the shape ``finding``."""
    finding = located.finding
    told: dict[str, Json] = {
        "requirement": result.requirement.id,
        "level": result.requirement.level.value,
        "run": located.run,
        "observed": finding.observed,
        "permitted": finding.permitted,
        "witness": [
            {"name": each.name, "says": each.says, "file": each.source.file, "line": each.source.line}
            for each in finding.witness
        ],
        "because": list(finding.because),
    }
    if finding.help is not None:
        told["help"] = finding.help
    return told


def _subject(judgement: Judgement) -> dict[str, Json]:
    subject = judgement.subject
    told: dict[str, Json] = {"kind": subject.kind, "name": subject.name}
    if subject.implementation is not None:
        told["implementation"] = subject.implementation
    if subject.claims is not None:
        told["claims"] = list(subject.claims)
    if subject.notes:
        told["notes"] = list(subject.notes)
    return told


def _requirement(judgement: Judgement, result: Result) -> dict[str, Json]:
    return {
        "id": result.requirement.id,
        "level": result.requirement.level.value,
        "verdict": result.verdict.value,
        "exercised": result.exercised,
        "findings": len(result.findings),
        "required": result.requirement.id in judgement.required,
        "missing": list(result.missing),
    }


def _findings(result: Result) -> Iterator[dict[str, Json]]:
    for located in result.findings[: limits.FINDINGS_SHOWN_PER_REQUIREMENT]:
        yield finding_document(result, located)

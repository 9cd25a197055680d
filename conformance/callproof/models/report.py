"""The models of ``spec/reports.md``: what the suite says at the end."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StringConstraints

from callproof.models.members import Array, ClosedDocument, Count, Given, Integer, Text

Level: TypeAlias = Literal["MUST", "SHOULD", "MAY"]


class WitnessLine(ClosedDocument):
    """One record that shows a finding, and where it stands."""

    name: str
    says: str
    file: str
    line: Count


class Finding(ClosedDocument):
    """One way in which a run broke one requirement."""

    requirement: Annotated[str, StringConstraints(pattern=r"^[A-Z]+-[0-9]{2,}$")]
    level: Level
    run: str
    observed: Text
    permitted: Text
    witness: Array[WitnessLine]
    because: Array[str]
    help: Given[str] = None


class Subject(ClosedDocument):
    """What was judged."""

    kind: Literal["system", "log"]
    name: str
    implementation: Given[str] = None
    claims: Given[Array[str]] = None
    notes: Given[Array[str]] = None


class JudgedRun(ClosedDocument):
    """One run, and what came of it."""

    name: str
    outcome: Literal["consistent", "incomplete", "violations", "unread", "refused", "error"]
    notes: Array[str]


class JudgedRequirement(ClosedDocument):
    """One requirement, and its verdict over all runs."""

    id: str
    level: Level
    verdict: Literal["pass", "fail", "inconclusive", "inapplicable", "error"]
    exercised: Count
    findings: Count
    required: bool
    missing: Array[str]


class Report(ClosedDocument):
    """The whole outcome, as data."""

    report_version: Literal["1.0"]
    suite: str
    subject: Subject
    outcome: Literal["conforms", "consistent", "incomplete", "violations", "not proven", "nothing judged", "error"]
    exit_code: Annotated[Integer, Field(ge=0, le=3)]
    runs: Array[JudgedRun]
    requirements: Array[JudgedRequirement]
    findings: Array[Finding]
    errors: Array[str]

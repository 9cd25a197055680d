"""The model of a comparison in ``spec/reports.md``: what several reports say of the same requirements."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from callproof.models.members import Array, ClosedDocument, Count, Given, Integer, Text
from callproof.models.report import Level, Outcome, an_exit_code


class ComparedReport(ClosedDocument):
    """One report, and what it is about."""

    file: Text
    suite: str
    subject: str
    outcome: Outcome


class ComparedVerdict(ClosedDocument):
    """What one report says of a requirement."""

    verdict: Literal["pass", "fail", "inconclusive", "inapplicable", "error", "not judged"]
    findings: Count


class ComparedRequirement(ClosedDocument):
    """One requirement, and its verdict in each report."""

    id: str
    level: Level
    change: Given[Literal["worse", "better", "other"]] = None
    verdicts: Array[ComparedVerdict]


class Comparison(ClosedDocument):
    """Several reports side by side."""

    comparison_version: Literal["1.0"]
    reports: Annotated[Array[ComparedReport], Field(min_length=2)]
    requirements: Array[ComparedRequirement]
    exit_code: Annotated[Integer, AfterValidator(an_exit_code)]

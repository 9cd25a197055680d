"""The model of one line of a report as JSON Lines, as ``spec/report-forms.md`` defines it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator

from callproof.models.members import ClosedDocument, Given, Integer
from callproof.models.report import (
    FailOn,
    Finding,
    JudgedRequirement,
    JudgedRun,
    Outcome,
    Selection,
    Subject,
    an_exit_code,
)
from callproof.models.testimony import Testimony
from callproof.models.timeline import Timeline, ToolCount, VersionCount


class Head(ClosedDocument):
    """What was judged, by which suite."""

    report_version: Literal["1.0"]
    suite: str
    subject: Subject
    fail_on: Given[FailOn] = None
    selection: Given[Selection] = None


class End(ClosedDocument):
    """The outcome of the whole."""

    outcome: Outcome
    exit_code: Annotated[Integer, AfterValidator(an_exit_code)]


class HeadLine(ClosedDocument):
    """The first line."""

    kind: Literal["head"]
    record: Head


class RunLine(ClosedDocument):
    """One run."""

    kind: Literal["run"]
    record: JudgedRun


class RequirementLine(ClosedDocument):
    """One requirement."""

    kind: Literal["requirement"]
    record: JudgedRequirement


class FindingLine(ClosedDocument):
    """One finding."""

    kind: Literal["finding"]
    record: Finding


class TestimonyLine(ClosedDocument):
    """One run of a live system."""

    kind: Literal["testimony"]
    record: Testimony


class TimelineLine(ClosedDocument):
    """One run of a log on a line of time."""

    kind: Literal["timeline"]
    record: Timeline


class ToolLine(ClosedDocument):
    """One tool."""

    kind: Literal["tool"]
    record: ToolCount


class VersionLine(ClosedDocument):
    """One version."""

    kind: Literal["version"]
    record: VersionCount


class TextLine(ClosedDocument):
    """An entry of a baseline that matches no failure or has expired, or a failure of the suite or the adapter."""

    kind: Literal["stale", "error"]
    record: str


class EndLine(ClosedDocument):
    """The last line."""

    kind: Literal["end"]
    record: End


ReportLine: TypeAlias = (
    HeadLine
    | RunLine
    | RequirementLine
    | FindingLine
    | TestimonyLine
    | TimelineLine
    | ToolLine
    | VersionLine
    | TextLine
    | EndLine
)

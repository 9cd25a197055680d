"""The models of ``spec/reports.md``: what the suite says at the end."""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from callproof.models.members import Array, ClosedDocument, Count, Given, Integer, Positive, Text
from callproof.models.testimony import Testimony
from callproof.models.timeline import Timeline, ToolCount, VersionCount

Level: TypeAlias = Literal["MUST", "SHOULD", "MAY"]
RequirementId: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Z]+-[0-9]{2,}$")]
Outcome: TypeAlias = Literal[
    "conforms",
    "consistent",
    "known failures",
    "incomplete",
    "violations",
    "stale baseline",
    "not proven",
    "nothing judged",
    "error",
    "interrupted",
]
FailOn: TypeAlias = Literal["should", "never"]
_EXIT_CODES = frozenset({0, 1, 2, 3, 130})


def an_exit_code(value: int) -> int:
    """The value, if it is one.  Raises ValueError."""
    if value in _EXIT_CODES:
        return value
    raise ValueError(f"an exit code is one of {sorted(_EXIT_CODES)}")


class WitnessLine(ClosedDocument):
    """One record that shows a finding, and its place."""

    name: str
    says: str
    file: str
    line: Count


class FollowsFrom(ClosedDocument):
    """The finding of the same run from which another finding follows, and why."""

    requirement: RequirementId
    file: str
    line: Count
    because: Text


class Finding(ClosedDocument):
    """One way in which a run broke one requirement."""

    requirement: RequirementId
    level: Level
    run: str
    class_: Annotated[Text, Field(alias="class")]
    known: Given[Text] = None
    tool: Given[str] = None
    call: Given[str] = None
    observed: Text
    permitted: Text
    witness: Array[WitnessLine]
    because: Array[str]
    help: Given[str] = None
    follows_from: Given[FollowsFrom] = None
    replay: Given[Text] = None


class LeftOut(ClosedDocument):
    """A feature that is not claimed, and how many requirements are not judged without it."""

    feature: str
    requirements: Count


class Subject(ClosedDocument):
    """What was judged."""

    kind: Literal["system", "log"]
    name: str
    implementation: Given[str] = None
    claims: Given[Array[str]] = None
    left_out: Given[Array[LeftOut]] = None
    notes: Given[Array[str]] = None


class JudgedRun(ClosedDocument):
    """One run, and its outcome."""

    name: str
    outcome: Literal["consistent", "incomplete", "violations", "unread", "refused", "error"]
    folder: Given[str] = None
    notes: Array[str]


class JudgedRequirement(ClosedDocument):
    """One requirement, and its verdict over all runs."""

    id: str
    level: Level
    verdict: Literal["pass", "fail", "inconclusive", "inapplicable", "error"]
    exercised: Count
    runs: Count
    findings: Count
    required: bool
    missing: Array[str]


class Selection(ClosedDocument):
    """What was left out by choice."""

    select: Array[str]
    ignore: Array[str]
    left_out: Array[str]


class Report(ClosedDocument):
    """The whole outcome, as data."""

    report_version: Literal["1.0"]
    suite: str
    subject: Subject
    outcome: Outcome
    exit_code: Annotated[Integer, AfterValidator(an_exit_code)]
    fail_on: Given[FailOn] = None
    selection: Given[Selection] = None
    runs: Array[JudgedRun]
    requirements: Array[JudgedRequirement]
    findings: Array[Finding]
    testimonies: Given[Array[Testimony]] = None
    timelines: Given[Array[Timeline]] = None
    tools: Given[Array[ToolCount]] = None
    versions: Given[Array[VersionCount]] = None
    stale: Given[Array[str]] = None
    errors: Array[str]


class OfOneKind(ClosedDocument):
    """An entry that names a scenario or runs, and not both."""

    scenario: Given[str] = None
    runs: Given[str] = None

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> Self:
        if (self.scenario is None) == (self.runs is None):
            raise ValueError("an entry must name a scenario or runs, but not both")
        return self


class KnownFailure(OfOneKind):
    """One failure that is known and accepted for now: of a scenario, or of runs in a log."""

    requirement: RequirementId
    scenario: Given[Text] = None
    runs: Given[Text] = None
    class_: Annotated[Text, Field(alias="class")]
    reason: str
    owner: Given[Text] = None
    expires: Given[Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]] = None


class DrawnCases(ClosedDocument):
    """How many cases were generated, by which seed."""

    seed: Integer
    cases: Positive


class Baseline(ClosedDocument):
    """The known failures of one system."""

    baseline_version: Literal["1.0"]
    generated: Given[DrawnCases] = None
    known: Array[KnownFailure]


Stated = Literal["conforms", "known failures", "violations", "stale baseline", "not proven", "nothing judged"]


class StatedRequirement(ClosedDocument):
    """One requirement, and what was decided about it."""

    id: str
    level: Level
    verdict: Literal["pass", "fail", "inconclusive", "inapplicable"]
    runs: Count
    exercised: Count


class StatedFailure(OfOneKind):
    """One failure that a baseline lists."""

    requirement: str
    class_: Annotated[str, Field(alias="class")]
    reason: str


class StatedFile(ClosedDocument):
    """One file of the records."""

    path: str
    bytes: Count
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Statement(ClosedDocument):
    """The outcome of a system, with the hashes of the records that show it."""

    statement_version: Literal["1.0"]
    spec_version: Literal["1.0"]
    suite: str
    protocol: Given[Literal["agent-loop", "invocation", "pipeline"]] = None
    system: str
    claims: Array[str]
    left_out: Array[LeftOut]
    lacks: Given[Array[str]] = None
    strict: bool
    outcome: Stated
    run_outcome: Given[Stated] = None
    not_proven: Array[str]
    refused: Array[str]
    known: Array[StatedFailure]
    requirements: Array[StatedRequirement]
    files: Array[StatedFile]

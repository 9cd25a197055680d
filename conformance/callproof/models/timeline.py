"""The models of what an audit adds to a report in ``spec/report-forms.md``: counts, and runs on a line of time."""

from __future__ import annotations

from callproof.models.members import Array, ClosedDocument, Count, Given, Number


class TimelineCall(ClosedDocument):
    """One call, from its record to the end of its tool."""

    name: str
    tool: Given[str] = None
    status: Given[str] = None
    code: Given[str] = None
    made_ms: Given[Number] = None
    from_ms: Given[Number] = None
    to_ms: Given[Number] = None
    sources: Array[str]


class Moment(ClosedDocument):
    """One event, or one instant of the run record."""

    says: str
    at_ms: Given[Number] = None
    call: Given[Count] = None
    source: str


class Timeline(ClosedDocument):
    """The calls and events of one run of a log on a line of time."""

    run: str
    calls: Array[TimelineCall]
    moments: Array[Moment]
    left: Count


class ToolCount(ClosedDocument):
    """One tool, with its calls and findings."""

    name: Given[str] = None
    calls: Count
    findings: Count


class VersionCount(ClosedDocument):
    """One version of executor and registry, with its runs and findings."""

    executor: Given[str] = None
    registry: Given[str] = None
    runs: Count
    broken: Count
    findings: Count

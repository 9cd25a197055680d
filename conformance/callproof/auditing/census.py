"""Counts what one run holds: its calls by tool, and its versions.  Also finds the tool that a finding is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace

from callproof.checks.check import Finding
from callproof.judge.judging import Located, Results
from callproof.trace.records import Kind, Source
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from callproof.values.names import as_name


@dataclass(frozen=True, slots=True)
class Census:
    """
    The counts of one run.

    ``calls`` are the call records by tool, under None for those that name no tool.  The versions are those of the first
    call, which are the same on every other call (CALL-11, CALL-12).
    """

    calls: Mapping[str | None, int] = field(default_factory=dict[str | None, int])
    executor: str | None = None
    registry: str | None = None


NOBODY = Census()


def census_of(calls: Iterable[Mapping[str, Json]]) -> Census:
    """The census of a run with these call records."""
    tools: Counter[str | None] = Counter()
    first: Mapping[str, Json] | None = None
    for call in calls:
        first = call if first is None else first
        tools[as_name(call.get("tool"))] += 1
    if first is None:
        return NOBODY
    return Census(dict(tools), as_name(first.get("executorVersion")), as_name(first.get("toolRegistryVersion")))


def with_tools(run: Run, results: Results) -> Results:
    """The same results, each finding with the first call and the first tool that its witness leads to."""
    wanted = {
        each.source for result in results.values() for located in result.findings for each in located.finding.witness
    }
    tools = _tools(run, wanted)
    known = (each for each in run.records if each.source in wanted)
    calls = {each.source: name for each in known if (name := as_name(each.call_id)) is not None}

    def about(located: Located) -> Located:
        return replace(located, tool=_first(located.finding, tools), call=_first(located.finding, calls))

    return {name: replace(result, findings=tuple(map(about, result.findings))) for name, result in results.items()}


def _first(finding: Finding, known: Mapping[Source, str]) -> str | None:
    return next((known[each.source] for each in finding.witness if each.source in known), None)


def _tools(run: Run, wanted: Set[Source]) -> Mapping[Source, str]:
    """The tool of each record at one of these places that belongs to a call."""
    found: dict[Source, str] = {}
    for record in (each for each in (*run.records, *run.strays) if each.source in wanted):
        attempt = run.attempt_by_call_id.get(record.call_id or "")
        call = record if record.kind is Kind.CALL else attempt.call if attempt is not None else None
        tool = as_name(call.get("tool")) if call is not None else None
        if tool is not None:
            found[record.source] = tool
    return found

"""Counts calls, runs and findings over many runs, by tool and by version, up to a fixed number of names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from callproof import limits
from callproof.auditing.audited import AuditedRun
from callproof.judge.counts import Counts, ToolCount, VersionCount
from callproof.values.jsontext import Json

_Version = tuple[str | None, str | None]
_UNTOLD: _Version = (None, None)


class Counting:
    """The counts so far, and the timelines that were kept."""

    def __init__(self) -> None:
        self._calls: Counter[str | None] = Counter()
        self._about: Counter[str | None] = Counter()
        self._runs: Counter[_Version] = Counter()
        self._broken: Counter[_Version] = Counter()
        self._findings: Counter[_Version] = Counter()
        self._shown: set[str] = set()
        self.timelines: list[Mapping[str, Json]] = []

    def add(self, audited: AuditedRun) -> None:
        """Add one more run."""
        held = audited.census
        for tool, calls in held.calls.items():
            self._calls[self._counted(tool)] += calls
        version: _Version = (held.executor, held.registry)
        if version not in self._runs and len(self._runs) >= limits.NAMES_COUNTED:
            version = _UNTOLD
        self._runs[version] += 1
        found = [each for result in audited.broken.values() for each in result.findings]
        if found:
            self._broken[version] += 1
            self._findings[version] += len(found)
            self._about.update(self._counted(each.tool) for each in found if each.tool is not None)
            self._keep(audited)

    def counts(self) -> Counts:
        """The counts by name; those without a name come last."""
        tools = (ToolCount(name, self._calls[name], self._about[name]) for name in _sorted(self._calls))
        versions = (
            VersionCount(*each, self._runs[each], self._broken[each], self._findings[each])
            for each in sorted(self._runs, key=lambda pair: tuple((part is None, part or "") for part in pair))
        )
        return Counts(tuple(tools), tuple(versions))

    def _counted(self, tool: str | None) -> str | None:
        return tool if tool in self._calls or len(self._calls) < limits.NAMES_COUNTED else None

    def _keep(self, audited: AuditedRun) -> None:
        """Keep the timeline of one of the first broken runs, or of a run that breaks a law that none of these shows."""
        room = limits.TIMELINES if audited.broken.keys() - self._shown else limits.TIMELINES_AT_FIRST
        if audited.timeline is not None and len(self.timelines) < room:
            self.timelines.append(dict(audited.timeline))
            self._shown.update(audited.broken)


def _sorted(names: Iterable[str | None]) -> list[str | None]:
    return sorted(names, key=lambda name: (name is None, name or ""))

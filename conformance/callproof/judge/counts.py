"""What an audit counts beside its verdicts: calls and findings by tool, runs and findings by version."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolCount:
    """One tool in all runs; the name None stands for all other tools."""

    name: str | None
    calls: int
    findings: int


@dataclass(frozen=True, slots=True)
class VersionCount:
    """The runs of one version of the executor and of the registry; None if the log does not say which."""

    executor: str | None
    registry: str | None
    runs: int
    broken: int
    findings: int


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted, in the order of the names."""

    tools: tuple[ToolCount, ...] = ()
    versions: tuple[VersionCount, ...] = ()


NO_COUNTS = Counts()

"""What a failing item shows besides its findings: the smallest case that failed, the testimonies on it, and
the command that replays it if it was kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from callproof.judge.judging import Result, Results
from callproof.judge.verdicts import Verdict
from callproof.live.judged import JudgedScenario, Smallest
from callproof.live.scenarios import SCENARIOS
from callproof.replay.casefile import CaseFile, Found, kept
from callproof.replay.saving import command, save
from callproof.report.document import finding_document
from callproof.report.payload import Payload
from callproof.report.testimonies import lined_up
from callproof.report.testimony_text import side_by_side, wire_lines
from callproof.report.text import finding_lines
from callproof.settings import Settings
from callproof.spec.registry import specification
from callproof.values.jsontext import Json

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Failures:
    """
    The failing results of one item: findings of the smallest case first.

    ``testimonies`` are on the runs of those cases, one for each run; ``replays`` are commands by requirement and run,
    and ``unkept`` tells which case could not be kept, and why.
    """

    results: Results
    testimonies: Mapping[str, Mapping[str, Json]]
    replays: Mapping[tuple[str, str], str]
    unkept: tuple[str, ...] = ()

    @property
    def payload(self) -> Payload:
        """The testimonies, the commands and what could not be kept, for the recorder."""
        replays = [[*place, command] for place, command in self.replays.items()]
        return {"testimonies": list(self.testimonies.values()), "replays": replays, "unkept": list(self.unkept)}

    def told(self, result: Result) -> list[str]:
        """The lines on one result: its first findings, how to replay the case, and the testimonies."""
        if result.errors:
            return [f"{result.requirement.id}  error  {each}" for each in result.errors]
        documents = [
            finding_document(result, each, replay=self.replays.get((result.requirement.id, each.run)))
            for each in result.findings
        ]
        lines = [line for each in documents[:_SHOWN] for line in finding_lines(each, specification())]
        first = str(documents[0]["run"])
        if first in self.testimonies:
            marked = [line for each in documents if each["run"] == first for line in wire_lines(each)]
            lines += side_by_side(self.testimonies[first], marked)
        more = len(documents) - _SHOWN
        told = [line.plain for line in lines]
        return [*told, f"… and {more} more of {result.requirement.id}"] if more > 0 else told


def failures_of(results: Results, judged: JudgedScenario, scenario: str, settings: Settings) -> Failures:
    """What the failing results of a scenario show; if the settings want it, the smallest case of each is kept."""
    ordered = {name: _smallest_first(result, judged.smallest.get(name)) for name, result in results.items()}
    testimonies: dict[str, Mapping[str, Json]] = {}
    replays: dict[tuple[str, str], str] = {}
    unkept: list[str] = []
    for name, result in ordered.items():
        smallest = judged.smallest.get(name)
        if result.verdict is not Verdict.FAIL or smallest is None:
            continue
        if smallest.run.name not in testimonies:
            testimonies[smallest.run.name] = lined_up(smallest.run)
        if settings.save_cases is not None:
            try:
                place = save(settings.save_cases, _file(result, smallest, scenario, settings.seed))
            except OSError as error:
                told = f"the case of {name} in {scenario} cannot be kept in {settings.save_cases}"
                unkept.append(f"{told}: {error.strerror}")
            else:
                replays[name, result.findings[0].run] = command(place, settings.adapter)
    return Failures(ordered, testimonies, replays, tuple(unkept))


def _smallest_first(result: Result, smallest: Smallest | None) -> Result:
    if smallest is None:
        return result
    name = smallest.run.name
    rank = {name: 0, f"{name} log": 1}
    return replace(result, findings=tuple(sorted(result.findings, key=lambda each: rank.get(each.run, 2))))


def _file(result: Result, smallest: Smallest, scenario: str, seed: int | None) -> CaseFile:
    """The file that keeps the smallest case; a case that no scenario lists was made by the seed."""
    first = result.findings[0].finding
    found = Found(first.observed, first.permitted)
    made = all(each.id != scenario for each in SCENARIOS)
    grown = (seed or 0) if made else None
    return kept(result.requirement.id, smallest.case, scenario=scenario, seed=grown, found=found)

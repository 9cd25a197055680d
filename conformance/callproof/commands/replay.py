"""``callproof replay``: runs one case from a file again with a system; what it shows about one requirement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import Console
from rich.text import Text

from callproof import __version__
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError
from callproof.auditlog.reader import read_run
from callproof.generated.judged import judged_case
from callproof.generated.wanted import NAME as GENERATED
from callproof.judge.judgement import RunOutcome
from callproof.judge.judging import Result
from callproof.judge.verdicts import Verdict
from callproof.live.judged import JudgedScenario, judge_scenario
from callproof.live.session import CaseOutcome, LiveSession
from callproof.replay.casefile import CaseFile, Found
from callproof.report.document import finding_document
from callproof.report.escape import safe
from callproof.report.testimonies import lined_up
from callproof.report.testimony_text import side_by_side, wire_lines
from callproof.report.text import finding_lines
from callproof.settings import Settings
from callproof.spec.blocks import Requirement
from callproof.spec.registry import specification

# How many findings of a requirement are shown; then the exit code and the words of each verdict.
SHOWN = 3
EXIT_CODES = {
    Verdict.PASS: 0,
    Verdict.FAIL: 1,
    Verdict.INCONCLUSIVE: 1,
    Verdict.INAPPLICABLE: 2,
    Verdict.ERROR: 3,
}
WORDS = {
    Verdict.PASS: ("holds", "bold green"),
    Verdict.FAIL: ("broken", "bold red"),
    Verdict.INCONCLUSIVE: ("not proven", "bold yellow"),
    Verdict.INAPPLICABLE: ("inapplicable", "bold yellow"),
    Verdict.ERROR: ("error", "bold magenta"),
}


class CannotBeHad(OSError):
    """The suite could not prepare or maintain what the case asks for: the folder has no room for it."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of a case: the system that ran it, the verdict on its requirement, and everything else."""

    file: CaseFile
    system: str
    verdict: Verdict
    why: str
    judged: JudgedScenario
    outcome: CaseOutcome

    @property
    def exit_code(self) -> int:
        """0 if the requirement holds, 1 broken or not proven, 2 inapplicable, 3 an error of ours or of the adapter."""
        return EXIT_CODES[self.verdict]


def replay(file: CaseFile, settings: Settings) -> Replayed:
    """
    Run the case of a file with the system behind the settings' adapter.

    Raises BadAdapterName, AdapterError if the suite cannot talk to the system, and CannotBeHad.
    """
    deadlines = Deadlines(start=settings.timeout, answer=settings.timeout)
    with LiveSession(settings.adapter, deadlines=deadlines, read_audit=read_run) as session:
        outcome = _had(session, file)
        told = session.implementation
        claims = frozenset(session.claims.features)
    # The oracle judges only the cases that it made; the checks alone judge those of a scenario.
    judge = judged_case if file.scenario == GENERATED else _judged
    judged = judge(outcome, claims, strict=settings.strict)
    named = f"{told.name} {told.version} through " if told is not None else ""
    verdict, why = _verdict(file, judged, outcome)
    return Replayed(file, f"{named}{settings.adapter}", verdict, why, judged, outcome)


def _judged(outcome: CaseOutcome, claims: frozenset[str], *, strict: bool) -> JudgedScenario:
    return judge_scenario((outcome,), claims, strict=strict)


def _had(session: LiveSession, file: CaseFile) -> CaseOutcome:
    try:
        return session.run_case(file.case)
    except AdapterError:
        raise
    except OSError as error:
        raise CannotBeHad(f"the case could not be run: {error}") from None


def _verdict(file: CaseFile, judged: JudgedScenario, outcome: CaseOutcome) -> tuple[Verdict, str]:
    """The verdict on the requirement of the file, and the reason if that is no finding."""
    if judged.errors:
        return Verdict.ERROR, "; ".join(judged.errors)
    if outcome.skipped_features:
        lacks = [each for each in outcome.skipped_features if each in outcome.case.needs]
        if lacks:
            return Verdict.INAPPLICABLE, f"the case needs {', '.join(lacks)}"
        return Verdict.INAPPLICABLE, f"the system does not claim {', '.join(outcome.skipped_features)}"
    excluded = specification().requirements[file.requirement].excluded
    if excluded is not None:
        return Verdict.INCONCLUSIVE, f"nothing decides it: {excluded}"
    result = judged.results[file.requirement]
    # A refused run showed nothing, and a run that could not be read in full never passes (LOG-21).
    partial = next((run for run in judged.runs if run.outcome in {RunOutcome.REFUSED, RunOutcome.UNREAD}), None)
    if result.verdict in {Verdict.PASS, Verdict.INCONCLUSIVE} and partial is not None:
        return Verdict.INCONCLUSIVE, "; ".join(partial.notes)
    return result.verdict, _lacking(result)


def _lacking(result: Result) -> str:
    if result.verdict is Verdict.INCONCLUSIVE:
        return f"the run showed nothing that decides it; missing: {', '.join(result.missing)}"
    if result.verdict is Verdict.INAPPLICABLE:
        return f"the system does not claim what the requirement is about; missing: {', '.join(result.missing)}"
    return "; ".join(result.errors)


def write(replayed: Replayed, console: Console) -> None:
    """Print what became of a case."""
    for line in lines(replayed):
        console.print(line, soft_wrap=not console.is_terminal, highlight=False)


def lines(replayed: Replayed) -> Iterator[Text]:
    """The verdict on the requirement first, what proves it, everything else that was broken, and the testimonies."""
    file, spec = replayed.file, specification()
    requirement = spec.requirements[file.requirement]
    yield from opening(replayed, requirement, f"{safe(file.case.id)}: {safe(file.says)}", file.found)
    named = replayed.judged.results.get(file.requirement)
    others = [each for name, each in replayed.judged.results.items() if name != file.requirement]
    for result in (*([named] if named is not None else []), *others):
        yield from _findings(result)
    yield from _testimonies(replayed, named)
    also = [each.requirement.id for each in others if each.verdict is Verdict.FAIL]
    yield closing(replayed, requirement, also)


class Told(Protocol):
    """What became of a case, for systems of every kind."""

    @property
    def system(self) -> str:
        """The system that ran the case."""
        ...

    @property
    def verdict(self) -> Verdict:
        """The verdict on the requirement that the file names."""
        ...

    @property
    def why(self) -> str:
        """The reason, if there is one to tell."""
        ...

    @property
    def exit_code(self) -> int:
        """What the command exits with."""
        ...


def opening(replayed: Told, requirement: Requirement, case: str, found: Found | None) -> Iterator[Text]:
    """The verdict on the requirement, the case, and what was found when it was kept."""
    yield Text.assemble((f"callproof {__version__}", "bold"), f"  {safe(replayed.system)}")
    yield Text.assemble(WORDS[replayed.verdict], f": {requirement.id} {requirement.title}")
    if replayed.why:
        yield from (Text(f"  {safe(line, most=2_000)}") for line in replayed.why.split("\n"))
    yield Text.assemble(("  case  ", "dim"), case)
    if found is not None:
        yield Text.assemble(("  found before  ", "dim"), safe(found.observed))
    yield Text()


def closing(replayed: Told, requirement: Requirement, also: Sequence[str]) -> Text:
    """The verdict again, with what else was broken, and the exit code."""
    told = f"  ·  also broken: {', '.join(also)}" if also else ""
    return Text.assemble(WORDS[replayed.verdict], f"  {requirement.id}{told}  ·  exit code {replayed.exit_code}")


def _findings(result: Result) -> Iterator[Text]:
    for located in result.findings[:SHOWN]:
        yield from finding_lines(finding_document(result, located), specification(), from_a_file=True)
        yield Text()
    more = len(result.findings) - SHOWN
    if more > 0:
        yield Text(f"  … and {more} more of {result.requirement.id}", style="dim")
        yield Text()


def _testimonies(replayed: Replayed, named: Result | None) -> Iterator[Text]:
    """The testimonies around the first finding, or on the case's own run if there is no finding."""
    run = replayed.outcome.run
    if run is None:
        return
    found: list[Mapping[str, Any]] = [finding_document(named, each) for each in named.findings] if named else []
    runs = {each.name: each for each in (run, *run.siblings)}
    shown = next((runs[each["run"]] for each in found if each["run"] in runs), run)
    marked = [line for each in found if each["run"] == shown.name for line in wire_lines(each)]
    yield from side_by_side(lined_up(shown), marked)
    yield Text()

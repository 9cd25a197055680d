"""``callproof replay`` of a case of a live suite: played again with a loop, a pipeline or a system of the contract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from callproof.adapters.deadlines import Deadlines
from callproof.commands.replay import EXIT_CODES, SHOWN, closing, opening
from callproof.driven.hearing import Hearing
from callproof.driven.session import Played, Session
from callproof.driven.suite import Case
from callproof.judge.judging import Results
from callproof.judge.verdicts import Verdict
from callproof.replay.drivenfile import DrivenFile
from callproof.report.document import finding_document
from callproof.report.escape import safe
from callproof.report.text import finding_lines
from callproof.spec.registry import protocol_named
from callproof.suites import SUITES


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of a case: with which system, the verdict on its requirement, and everything that was found."""

    file: DrivenFile
    system: str
    verdict: Verdict
    why: str
    results: Results

    @property
    def exit_code(self) -> int:
        """As for the cases of executors."""
        return EXIT_CODES[self.verdict]


def replay(file: DrivenFile, address: str, patience: float) -> Replayed:
    """Play the case of a file with the system at an address.  Raises BadAdapterName and AdapterError."""
    suite = SUITES[file.word]
    deadlines = Deadlines(answer=max(Deadlines().answer, patience))
    with Session(suite, address, deadlines=deadlines, patience=patience) as session:
        played = session.play(file.case)
        results = Hearing(suite, address).look(played, frozenset(session.claims.features))
        told = session.implementation
    named = f"{told.name} {told.version} through " if told.name else ""
    verdict, why = _verdict(file, played, results)
    return Replayed(file, f"{named}{address}", verdict, why, results)


def _verdict(file: DrivenFile, played: Played[Case], results: Results) -> tuple[Verdict, str]:
    if played.error is not None:
        return Verdict.ERROR, str(played.error)
    if played.lacks:
        return Verdict.INAPPLICABLE, f"the case needs {' and '.join(played.lacks)}"
    result = results.get(file.requirement)
    if result is None:
        return Verdict.INCONCLUSIVE, "the case showed nothing that decides it"
    if result.findings:
        return Verdict.FAIL, ""
    if result.verdict is Verdict.INCONCLUSIVE:
        return result.verdict, f"the case showed nothing that decides it; missing: {', '.join(result.missing)}"
    return result.verdict, "; ".join(result.errors)


def write(replayed: Replayed, console: Console) -> None:
    """Print what became of a case."""
    for line in lines(replayed):
        console.print(line, soft_wrap=not console.is_terminal, highlight=False)


def lines(replayed: Replayed) -> Iterator[Text]:
    """The verdict on the requirement first, what proves it, and everything else that was broken."""
    file = replayed.file
    spec = protocol_named(SUITES[file.word].protocol.name)
    named = spec.requirements[file.requirement]
    yield from opening(replayed, named, f"{safe(file.case.id)}: {safe(file.case.says)}", file.found)
    for result in sorted(replayed.results.values(), key=lambda each: each.requirement.id != named.id):
        for located in result.findings[:SHOWN]:
            yield from finding_lines(finding_document(result, located), spec, from_a_file=True)
            yield Text()
    also = [name for name, each in replayed.results.items() if each.findings and name != named.id]
    yield closing(replayed, named, also)

"""``callproof loop`` and similar commands: play against a live system of another protocol, and judge it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from callproof.adapters.address import read_address
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError, AdapterNotFound
from callproof.auditing.known_failures import Holding, baseline_file
from callproof.commands.driven_cases import chosen
from callproof.commands.progress import Watching
from callproof.commands.usage import WrongUsage
from callproof.driven.hearing import PART, Hearing
from callproof.driven.playing import PATIENCE
from callproof.driven.session import Played, Session
from callproof.driven.suite import C, Suite
from callproof.judge.judgement import Judgement
from callproof.judge.selection import UnknownName, selection
from callproof.replay.keeping import keep_broken
from callproof.replay.saving import CannotBeKept, prepare
from callproof.report.whole import write_whole
from callproof.spec.registry import protocol_named
from callproof.statement.stating import WHOLE_ONLY, Stating
from callproof.values.counts import counted

# The file names of the logs of generated cases.
_GENERATED = "GEN-[0-9]*-[0-9]*.jsonl"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: the address, which cases and requirements, and where the logs are kept."""

    adapter: str
    cases: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    keep: Path | None = None
    # The folder in which cases that fail are kept.
    save_cases: Path | None = None
    timeout: float = PATIENCE
    # The seed of generated cases, and how many it makes if all cases are played.
    seed: int = 0
    generated: int = 0
    # The file that lists known failures, and whether to write it again.
    baseline: Path | None = None
    update_baseline: bool = False
    # The paths to which statements are written.
    statements: tuple[Path, ...] = ()


def judge_system(suite: Suite[C], wanted: Wanted, watching: Watching) -> Judgement:
    """
    The judgement on the system at an address; after an interruption, on the cases that were played until then.

    Raises WrongUsage for an unknown case or requirement, for a folder in which no log can be kept and for a statement
    about a part, BadBaseline for a file that is no baseline, and BadAdapterName for an address that means nothing.
    """
    cases = chosen(suite, wanted.cases, wanted.seed, wanted.generated)
    _refuse_part(wanted)
    stating = Stating(suite, wanted.statements)
    hearing = _hearing(suite, wanted)
    if wanted.keep is not None:
        _make_room(wanted.keep, (*(f"{each}-*.jsonl" for each in suite.subjects), _GENERATED))
    try:
        prepare(wanted.save_cases)
    except CannotBeKept as error:
        raise WrongUsage(f"--save-cases {wanted.save_cases}: {error}") from None
    watching.expects(cases.expected)
    # An answer may take at least as long as a slow machine needs for it.
    deadlines = Deadlines(answer=max(Deadlines().answer, wanted.timeout))
    session = Session(suite, wanted.adapter, deadlines=deadlines, patience=wanted.timeout)
    try:
        with session:
            for case in cases.written:
                watching.begins(case.id)
                stating.take(played := session.play(case))
                _take(played, session, hearing, wanted, watching)
            for played in cases.generated(session, hearing):
                _take(played, session, hearing, wanted, watching)
    except AdapterError as error:
        hearing.errors.append(str(error))
    except KeyboardInterrupt:
        missing = cases.expected - len(hearing.runs) - len(hearing.lacking) - len(hearing.given_up)
        hearing.errors.append(f"interrupted; {counted(missing, 'case')} had not ended")
        hearing.garbled = session.garbled
        return hearing.judgement(session.claims, session.implementation, interrupted=True)
    hearing.garbled = session.garbled
    return stating.stated(hearing.judgement(session.claims, session.implementation))


def _refuse_part(wanted: Wanted) -> None:
    """Raises WrongUsage if a statement is wanted, and an option chooses only a part of what a statement tells."""
    parts = {"--case": wanted.cases, "--select": wanted.select, "--ignore": wanted.ignore}
    option = next((name for name, given in parts.items() if given), None)
    if wanted.statements and option is not None:
        told = f"{option} {parts[option][0]} chooses only a part"
        raise WrongUsage(f"--report statement=… {WHOLE_ONLY}, but {told}; drop one")


def _hearing(suite: Suite[C], wanted: Wanted) -> Hearing[C]:
    """An empty hearing; raises the errors of ``judge_system`` for options that mean nothing."""
    spec = protocol_named(suite.protocol.name)
    try:
        narrowed = selection(wanted.select, wanted.ignore, spec)
    except UnknownName as error:
        raise WrongUsage(str(error)) from None
    if wanted.update_baseline and wanted.cases:
        raise WrongUsage("--update-baseline writes the failures of all cases; drop --case")
    with suppress(AdapterNotFound):  # an error of the adapter, which the report shows
        read_address(wanted.adapter)
    kept = None if wanted.keep is None else str(wanted.keep)
    file = baseline_file(wanted.baseline, narrowed, update=wanted.update_baseline)
    holding = None if file is None else Holding(file, strict=wanted.strict, spec=spec)
    return Hearing(suite, wanted.adapter, kept, narrowed, wanted.strict, holding, in_part=bool(wanted.cases))


def _take(played: Played[C], session: Session[C], hearing: Hearing[C], wanted: Wanted, watching: Watching) -> None:
    if played.log is not None and wanted.keep is not None:
        name = played.log.file_name if played.error is None else f"{played.log.file_name}{PART}"
        try:
            write_whole(wanted.keep / name, played.log.written)
        except OSError as error:
            hearing.errors.append(f"{played.case.id}: its log cannot be kept in {wanted.keep}: {error.strerror}")
    if played.last_words:
        watching.hears(played.last_words)
    broken = sorted(hearing.take(played, frozenset(session.claims.features)))
    for _ in broken:
        watching.has_failed()
    if wanted.save_cases is not None:
        keep_broken(wanted.save_cases, broken, played, hearing)
    watching.has_ended(played.case.id)


def _make_room(folder: Path, logs: Sequence[str]) -> None:
    """
    Make a folder to keep logs in, and remove the logs of an earlier run from it.

    Raises WrongUsage if nothing can be written there; the user learns it now and not after all cases were played.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
        for name in logs:
            for log in (*folder.glob(name), *folder.glob(f"{name}{PART}")):
                log.unlink()
    except OSError as error:
        raise WrongUsage(f"--keep {folder}: no log can be kept there: {error.strerror}") from None

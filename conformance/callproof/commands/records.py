"""``callproof records``: logs of the protocols beside the envelope, judged one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from callproof.auditing.audited import AuditedRun, Rules
from callproof.auditing.known_failures import baseline_file
from callproof.auditlog.inputs import NothingToJudge
from callproof.auditlog.overlaps import twice
from callproof.commands.audit import Audit, Reading, Watched, chosen
from callproof.commands.usage import WrongUsage
from callproof.interruption import break_off_if_asked
from callproof.judge.counts import NO_COUNTS
from callproof.judge.judgement import Judgement
from callproof.protocols.documents import BROKEN_OFF
from callproof.protocols.entries import Entries
from callproof.protocols.judging import audit_log
from callproof.protocols.known import UnknownProtocol, protocol_called, protocol_of
from callproof.protocols.log_files import LogFile, LogPath, logs_at, without_entries
from callproof.protocols.protocol import LoggedProtocol
from callproof.spec.registry import protocol_named
from callproof.trace.run import UNREAD, FlawKind
from callproof.values.counts import counted


@dataclass(frozen=True, slots=True)
class Wanted:
    """
    What is asked for: the paths, the protocol's name if it is given, and what is judged and what fails.

    ``baseline`` is the file that lists known failures, and ``update_baseline`` asks to write it again.
    """

    paths: tuple[Path, ...]
    protocol: str | None = None
    required: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    lenient: bool = False
    baseline: Path | None = None
    update_baseline: bool = False


def records(wanted: Wanted, watched: Watched[LogFile] | None = None) -> Judgement:
    """
    The judgement on every log at the paths, all of one protocol; each log is read, judged and freed in turn.

    A keyboard interrupt ends it after the logs that were judged, and the report says so; it is raised if none was.
    Raises NothingToJudge for a path that leads to no log, and WrongUsage and BadBaseline for options that mean nothing.
    """
    judging = _Judging(wanted)
    try:
        inputs = logs_at(wanted.paths)
        _refuse_overlap(inputs)
        files: Iterable[LogFile] = chain.from_iterable(each.files() for each in inputs)
        for file in files if watched is None else watched.taken(files):
            for audited in judging.take(file):
                if watched is not None:
                    watched.judged(audited)
            break_off_if_asked()
    except KeyboardInterrupt:
        return judging.broken_off()
    return judging.judgement()


def _refuse_overlap(inputs: Iterable[LogPath]) -> None:
    given = tuple(inputs)
    wrong = twice([each.path for each in given], {each.path for each in given if each.is_folder})
    if wrong is not None:
        raise WrongUsage(wrong)


class _Judging:
    """Judges logs in their order, as soon as one of them or an option has said of which protocol they are."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._terms: _Terms | None = None
        # The logs before the first one that says what it is, without their entries.
        self._before: list[Entries] = []
        self._why: str | None = None
        if wanted.protocol is not None:
            try:
                self._terms = _Terms(wanted, protocol_called(wanted.protocol))
            except UnknownProtocol as error:
                raise WrongUsage(str(error)) from None

    def take(self, file: LogFile) -> Iterator[AuditedRun]:
        """Take one more log; yield the logs before it that had to wait for it, and then this one, as judged."""
        log = file.read()
        if self._wanted.protocol is None:
            log = self._recognised(log, file)
        if self._terms is None:
            self._before.append(log)
            return
        before, self._before = self._before, []
        yield from map(self._terms.judged, before)
        yield self._terms.judged(log)

    def _recognised(self, log: Entries, file: LogFile) -> Entries:
        """The same log; a log of no protocol comes back without its entries, and with a flaw that says so."""
        try:
            found = protocol_of(log)
        except UnknownProtocol as error:
            self._why = self._why or _why_not(log, str(error))
            return without_entries(log.name, file.path, "holds no records of a protocol") if log.entries else log
        if self._terms is None:
            self._terms = _Terms(self._wanted, found, log.name)
        elif self._terms.protocol is not found:
            raise WrongUsage(
                f"{self._terms.seen_in} holds {self._terms.protocol.tells}, but {log.name} holds {found.tells};"
                " give logs of one protocol"
            )
        return log

    def judgement(self) -> Judgement:
        """The judgement on all of them.  Raises NothingToJudge if no log says what it is."""
        if self._terms is None:
            raise NothingToJudge(self._why or "there is no log")
        return self._terms.judgement()

    def broken_off(self) -> Judgement:
        """The same for the logs that were read; raises KeyboardInterrupt if nothing was judged."""
        if self._terms is None:
            raise KeyboardInterrupt
        return self._terms.judgement(interrupted=True)


def _why_not(log: Entries, unknown: str) -> str:
    """Why the protocol of a log is unknown: what could not be read, or else what the log holds."""
    unread = next((flaw.says for flaw in log.flaws if flaw.kind in UNREAD | {FlawKind.TORN}), None)
    if log.entries or unread is None:
        return unknown
    help_ = "; complete the file, or write one record a line: such a file is read up to where it breaks off"
    return f"{log.name} holds no record that can be read ({unread}){help_ if unread.startswith(BROKEN_OFF) else ''}"


class _Terms:
    """What logs of one protocol are judged by, and the outcome of those that were judged."""

    def __init__(self, wanted: Wanted, protocol: LoggedProtocol, seen_in: str = "") -> None:
        spec = protocol_named(protocol.name)
        self._rules, required, selection = chosen(
            Rules(strict=wanted.strict),
            required=wanted.required,
            select=wanted.select,
            ignore=wanted.ignore,
            spec=spec,
        )
        file = baseline_file(wanted.baseline, selection, update=wanted.update_baseline)
        self.protocol = protocol
        self.seen_in = seen_in
        self._reading = Reading(Audit(wanted.paths, self._rules, required, selection, wanted.lenient, file), spec)

    def judged(self, log: Entries) -> AuditedRun:
        """Judge one more log."""
        audited = audit_log(self.protocol, log, self._rules)
        self._reading.add(audited)
        return audited

    def judgement(self, *, interrupted: bool = False) -> Judgement:
        """The judgement on all logs; after an interruption it says that the rest was not read."""
        errors = (f"interrupted after {counted(self._reading.runs, 'run')}; the rest was not read",)
        judged = self._reading.judgement(
            notes=(f"judged as {self.protocol.tells}",), errors=errors if interrupted else (), interrupted=interrupted
        )
        return replace(judged, counts=NO_COUNTS)

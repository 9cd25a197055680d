"""The runs that are open while shared files are read: their lines, or the places of these, until the runs are whole."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from callproof import limits
from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.auditlog.files import is_cut
from callproof.auditlog.layout import FILES, RUNS_FILE
from callproof.auditlog.lines import object_of, too_long
from callproof.auditlog.naming import unwrapped
from callproof.auditlog.rereading import Lying, Standing
from callproof.trace.records import Kind, Source
from callproof.trace.run import Flaw, FlawKind

NO_RUN = "lines that name no run"
NO_CUTS: Mapping[Kind, Flaw] = MappingProxyType({})
_TOO_MUCH = "holds more than {} bytes of this run"


@dataclass(slots=True)
class _Part:
    """The lines of one kind that are held."""

    name: str
    lines: list[bytes] = field(default_factory=list[bytes])
    numbers: array[int] = field(default_factory=lambda: array("Q"))
    flaws: list[Flaw] = field(default_factory=list[Flaw])
    size: int = 0
    dropped: bool = False

    def drop(self, kind: Kind, reason: str) -> int:
        """Hold nothing of this part from now on, and add a flaw for it; return how many bytes that frees."""
        freed, self.size = self.size, 0
        if not self.dropped:
            self.dropped = True
            self.flaws.append(Flaw(FlawKind.UNREADABLE, Source(self.name, 1), f"{self.name} {reason}", kind))
        self.lines.clear()
        del self.numbers[:]
        return freed

    def file(self, *more: Flaw) -> CapturedFile:
        text = b"".join(self.lines)
        self.lines[:] = [text]  # a caller that keeps the run while it is judged then holds its text only once
        return CapturedFile(self.name, text, self.numbers, (*self.flaws, *more), not self.dropped)


class OpenRun:
    """The text of one run so far: the lines that are held, and the places of the others."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._parts: dict[Kind, _Part] = {}
        self._lying: dict[str, Lying] = {}
        # Looking up a member of an enumeration costs as much as all other work on a line.
        self._last = _Part("")
        self._last_kind: Kind | None = None
        self.size = 0

    @property
    def named(self) -> str:
        """The name of the run: its ``runId``."""
        return self._key.decode("utf-8", "backslashreplace") or NO_RUN

    @property
    def lying(self) -> Iterable[Lying]:
        """The parts of the run that lie in files."""
        return self._lying.values()

    def add(self, name: str, file_kind: Kind | None, number: int, raw: bytes) -> int:
        """
        Add one more line of the file ``name``, with its number; return how many more bytes are held, or fewer.

        ``file_kind`` is what the lines of the file hold; None for a stream.
        """
        kind, size = file_kind, len(raw)
        if is_cut(raw):
            self._part(kind or Kind.CALL, name).flaws.append(too_long(Source(name, number), kind))
            return 0
        if kind is None:
            inner = unwrapped(raw)
            if inner.kind is None:
                self._part(Kind.CALL, name).flaws.append(_no_record(inner.says, raw, Source(name, number)))
                return 0
            kind, raw = inner.kind, inner.text
            size = len(raw)
        if kind is not self._last_kind:
            self._last, self._last_kind = self._part(kind, name), kind
        part = self._last
        if part.size + size > limits.RUN_FILE_BYTES or part.dropped:
            more = -part.drop(kind, _TOO_MUCH.format(limits.RUN_FILE_BYTES))
        else:
            part.numbers.append(number)
            part.lines.append(raw)
            part.size += size
            more = size
        self.size += more
        return more

    def lying_in(self, name: str, kind: Kind | None, standing: Standing) -> Lying:
        """The lines of the run that are left in a file, to which more can be added."""
        lying = self._lying.get(name)
        if lying is None:
            # The wrapping of a record in a stream is no longer than the record.
            most = limits.RUN_FILE_BYTES * (1 if kind is not None else 2 * len(Kind))
            lying = self._lying[name] = Lying(name, kind, standing, most)
        return lying

    def drop(self, reason: str) -> int:
        """Hold nothing of the run from now on: it counts as unread, so it is never called valid (LOG-21)."""
        freed = -sum(part.drop(kind, reason) for kind, part in self._parts.items())
        self.size = 0
        return freed

    def captured(
        self, prefix: str = "", cuts: Mapping[Kind, Flaw] = NO_CUTS, extra: Iterable[Flaw] = (), folder: str = ""
    ) -> CapturedRun:
        """The run as it was captured; ``cuts`` are the flaws of files that were not read to their end."""
        for lying in self._lying.values():
            self._gather(lying)
        self._lying.clear()
        for kind, cut in cuts.items():
            if kind not in self._parts:
                self._part(kind, cut.source.file).dropped = True
        more: dict[Kind, tuple[Flaw, ...]] = {kind: (cut,) for kind, cut in cuts.items()}
        for flaw in reversed((*extra,)):
            self._part(Kind.CALL, flaw.source.file)
            more[Kind.CALL] = (flaw, *more.get(Kind.CALL, ()))
        files = {kind: self._parts[kind].file(*more.get(kind, ())) for kind in FILES if kind in self._parts}
        return CapturedRun(prefix + self.named, self._record(cuts.get(Kind.RUN)), files, folder)

    def _gather(self, lying: Lying) -> None:
        """Read the lines that lie in a file; if they are too much, or some are gone, none of them are held."""
        kinds = (*Kind,) if lying.kind is None else (lying.kind,)
        try:
            if lying.size > lying.most and (lying.kind is None or not lying.has_long):
                self._let_go(kinds, lying.name, _TOO_MUCH.format(lying.most))
            elif lying.kind is None or lying.kind is Kind.RUN or lying.has_long:
                for number, raw in lying.lines():
                    self.add(lying.name, lying.kind, number, raw)
            else:
                part = self._part(lying.kind, lying.name)
                part.lines.append(b"".join(lying.pieces()))
                part.numbers.extend(lying.numbers)
                part.size += lying.size
        except OSError:
            self._let_go(kinds, lying.name, "became shorter while it was read")

    def _let_go(self, kinds: Iterable[Kind], name: str, reason: str) -> None:
        for kind in kinds:
            self._part(kind, name).drop(kind, reason)

    def _part(self, kind: Kind, name: str) -> _Part:
        part = self._parts.get(kind)
        if part is None:
            part = self._parts[kind] = _Part(name)
        return part

    def _record(self, cut: Flaw | None) -> CapturedFile:
        """The last valid run record, which counts (A89); the invalid ones after it become flaws."""
        part = self._parts.get(Kind.RUN)
        lines = part.lines if part is not None else []
        cuts = () if cut is None else (cut,)
        if part is None or not (lines or part.flaws or cuts):
            if not self._key:
                return CapturedFile(RUNS_FILE, b"", opened=False)  # lines that name no run have no run record
            told = "there is no run record of this run"
            name = part.name if part is not None else RUNS_FILE
            return CapturedFile(name, b"", None, (Flaw(FlawKind.MISSING, Source(name, 1), told, Kind.RUN),), False)
        if not lines:
            return CapturedFile(part.name, b"", None, (*part.flaws, *cuts), opened=False)
        flaws = list(part.flaws)
        for place in range(len(lines) - 1, 0, -1):
            raw, source = lines[place], Source(part.name, part.numbers[place])
            value = object_of(raw.removesuffix(b"\n"), Kind.RUN, source, ended=raw.endswith(b"\n"))
            if not isinstance(value, Flaw):
                break
            flaws.append(value)
        else:
            place = 0
            torn = _torn(lines[0], Source(part.name, part.numbers[0]))
            if torn is not None:
                return CapturedFile(part.name, b"", None, (*flaws, torn, *cuts), opened=False)
        text = lines[place].removesuffix(b"\n")
        return CapturedFile(part.name, text, (part.numbers[place],), (*flaws, *cuts))


@dataclass(frozen=True, slots=True)
class SharedRun:
    """
    One run of files that many runs share, given out when it is whole.

    ``prefix`` goes before the run's own name, to make its name in reports.  Its lines are held, or lie in files where
    they can be read.  If another process can find these files again, the run is sent to it as the places of its lines,
    and otherwise as text.
    """

    prefix: str
    run: OpenRun
    cuts: Mapping[Kind, Flaw]
    extra: tuple[Flaw, ...]
    folder: str

    @property
    def name(self) -> str:
        """The name of the run in reports."""
        return self.prefix + self.run.named

    @property
    def size(self) -> int:
        """How many bytes of text the run has, including the wrapping of the lines of a stream."""
        return self.run.size + sum(each.size for each in self.run.lying)

    def captured(self) -> CapturedRun:
        """The text of the run."""
        return self.run.captured(self.prefix, self.cuts, self.extra, self.folder)

    def __reduce__(self) -> tuple[Any, ...]:
        if all(each.standing.path is not None for each in self.run.lying):
            return SharedRun, (self.prefix, self.run, self.cuts, self.extra, self.folder)
        return _itself, (self.captured(),)


def _torn(raw: bytes, source: Source) -> Flaw | None:
    """The flaw of a run record that is cut off at the end of its file; None for any other (LOG-05)."""
    value = None if raw.endswith(b"\n") else object_of(raw, Kind.RUN, source, ended=False)
    return value if isinstance(value, Flaw) and value.kind is FlawKind.TORN else None


def _itself(captured: CapturedRun) -> CapturedRun:
    return captured


def _no_record(says: str | None, raw: bytes, source: Source) -> Flaw:
    if says is not None:
        return Flaw(FlawKind.NOT_AN_OBJECT, source, says)
    value = object_of(raw.removesuffix(b"\n"), None, source, ended=raw.endswith(b"\n"))
    return value if isinstance(value, Flaw) else Flaw(FlawKind.NOT_AN_OBJECT, source, "the line holds no record")

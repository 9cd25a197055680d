"""The runs that are open while shared files are read: their lines, or where they lie, until the runs are whole."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from callproof import limits
from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.auditlog.layout import FILES, RUNS_FILE
from callproof.auditlog.lines import object_of, too_long
from callproof.auditlog.naming import unwrapped
from callproof.auditlog.numbering import SharedFile
from callproof.auditlog.rereading import Places
from callproof.trace.records import Kind, Source
from callproof.trace.run import Flaw, FlawKind

NO_RUN = "lines that name no run"


@dataclass(slots=True)
class _Part:
    """The lines of one kind: as text, or where they lie in a file that can be read again."""

    name: str
    places: Places | None = None
    lines: list[bytes] = field(default_factory=list[bytes])
    numbers: array[int] = field(default_factory=lambda: array("Q"))
    flaws: list[Flaw] = field(default_factory=list[Flaw])
    # How much text it is, and how much of that is held.
    size: int = 0
    held: int = 0
    dropped: bool = False

    def leave(self, descriptor: int, at: int, size: int, *, joined: bool) -> None:
        """A line that is left where it lies."""
        if self.places is None:
            self.places = Places(descriptor)
        self.places.add(at, size, joined=joined)

    def drop(self, kind: Kind, reason: str) -> int:
        """Hold nothing of it from now on, and say so; how many bytes that frees."""
        freed, self.held, self.size = self.held, 0, 0
        if not self.dropped:
            self.dropped = True
            self.flaws.append(Flaw(FlawKind.UNREADABLE, Source(self.name, 1), f"{self.name} {reason}", kind))
        self.lines.clear()
        if self.places is not None:
            self.places.clear()
        del self.numbers[:]
        return freed

    def file(self, kind: Kind, *cuts: Flaw) -> CapturedFile:
        text = b"".join(self.texts(kind))
        return CapturedFile(self.name, text, self.numbers, (*self.flaws, *cuts), not self.dropped)

    def texts(self, kind: Kind) -> list[bytes]:
        """The lines, read again where they lie; none of them where they are not all there any more."""
        if self.places is None:
            return self.lines
        try:
            found = list(self.places.read())
        except OSError:
            found = []
        if sum(map(len, found)) != self.size:
            self.drop(kind, "became shorter while it was read")
            return []
        return found


class OpenRun:
    """The text of one run so far."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._parts: dict[Kind, _Part] = {}
        # A look-up by a member of an enumeration costs as much as all the rest that is done with a line.
        self._last = _Part("")
        self._last_kind: Kind | None = None
        self.size = 0

    def add(self, file: SharedFile, number: int, raw: bytes, descriptor: int | None = None, at: int = 0) -> int:
        """
        One more line, with its number in the file; how many bytes more are held, or fewer.

        With the ``descriptor`` of a file that can be read again, what is held is that the line begins ``at`` a place.
        """
        kind, size = file.kind, len(raw)
        if size > limits.LINE_BYTES and not raw.endswith(b"\n"):
            self._part(kind or Kind.CALL, file.name).flaws.append(too_long(Source(file.name, number), kind))
            return 0
        if kind is None:
            inner = unwrapped(raw)
            if inner.kind is None:
                self._part(Kind.CALL, file.name).flaws.append(_no_record(inner.says, raw, Source(file.name, number)))
                return 0
            kind, raw, descriptor = inner.kind, inner.text, None  # which is no longer the text that lies there
            size = len(raw)
        if kind is not self._last_kind:
            self._last, self._last_kind = self._part(kind, file.name), kind
        part = self._last
        if part.size + size > limits.RUN_FILE_BYTES or part.dropped:
            more = -part.drop(kind, f"holds more than {limits.RUN_FILE_BYTES} bytes of this run")
        else:
            part.numbers.append(number)
            part.size += size
            if descriptor is None:
                part.lines.append(raw)
                part.held += size
                more = size
            else:
                part.leave(descriptor, at, size, joined=kind is not Kind.RUN)  # of which each is one record or none
                more = 0
        self.size += more
        return more

    def drop(self, reason: str) -> int:
        """Hold nothing of the run from now on: it is unread, and never good (LOG-21)."""
        freed = -sum(part.drop(kind, reason) for kind, part in self._parts.items())
        self.size = 0
        return freed

    def captured(self, prefix: str, cuts: Mapping[Kind, Flaw], extra: Iterable[Flaw] = ()) -> CapturedRun:
        """The run as it was captured; ``cuts`` tell of files that were not read to their end."""
        for kind, cut in cuts.items():
            if kind not in self._parts:
                self._part(kind, cut.source.file).dropped = True
        for flaw in extra:
            self._part(Kind.CALL, flaw.source.file).flaws.append(flaw)
        files = {
            kind: self._parts[kind].file(kind, *([cuts[kind]] if kind in cuts else []))
            for kind in FILES
            if kind in self._parts
        }
        named = self._key.decode("utf-8", "backslashreplace") or NO_RUN
        return CapturedRun(prefix + named, self._record(cuts.get(Kind.RUN)), files)

    def _part(self, kind: Kind, name: str) -> _Part:
        part = self._parts.get(kind)
        if part is None:
            part = self._parts[kind] = _Part(name)
        return part

    def _record(self, cut: Flaw | None) -> CapturedFile:
        """The last run record that is one counts (A89); the others are flaws where they are none."""
        part = self._parts.get(Kind.RUN)
        lines = part.texts(Kind.RUN) if part is not None else []
        cuts = () if cut is None else (cut,)
        if part is None or not (lines or part.flaws or cuts):
            if not self._key:
                return CapturedFile(RUNS_FILE, b"", opened=False)  # lines that name no run have none
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
        text = lines[place].removesuffix(b"\n")
        return CapturedFile(part.name, text, (part.numbers[place],), (*flaws, *cuts))


def _no_record(says: str | None, raw: bytes, source: Source) -> Flaw:
    if says is not None:
        return Flaw(FlawKind.NOT_AN_OBJECT, source, says)
    value = object_of(raw.removesuffix(b"\n"), None, source, ended=raw.endswith(b"\n"))
    return value if isinstance(value, Flaw) else Flaw(FlawKind.NOT_AN_OBJECT, source, "the line holds no record")

"""Runs whose lines come while a log grows: each is held until it is given out; lines that come later are counted."""

from __future__ import annotations

from dataclasses import replace

from callproof import limits
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.files import is_blank, is_cut
from callproof.auditlog.following import late_run, tells_the_end
from callproof.auditlog.lines import no_name, too_long
from callproof.auditlog.naming import run_named_in, unwrapped
from callproof.auditlog.numbering import SharedFile
from callproof.auditlog.open_runs import OpenRun
from callproof.auditlog.rereading import Standing
from callproof.trace.records import Kind, Source
from callproof.trace.run import Flaw


class GrowingRuns:
    """
    The runs that are open.

    ``ended`` are the keys of the runs whose last event is there, in the order of these events, and ``moved`` the keys
    of those that got a line since the caller last cleared it.
    """

    def __init__(self) -> None:
        self.ended: dict[bytes, None] = {}
        self.moved: set[bytes] = set()
        self._open: dict[bytes, OpenRun] = {}
        self._given: set[bytes] = set()
        self._late: dict[bytes, None] = {}
        self._too_late: tuple[str, ...] = ()
        # The lines of each file that name no run, so far, as one flaw for each file.
        self._nameless: dict[Kind | None, Flaw] = {}
        # The first line of each file that was not read and names no run; the key of a stream's is None.
        self._cuts: dict[Kind | None, Flaw] = {}
        self._held = 0

    @property
    def open(self) -> tuple[bytes, ...]:
        """The keys of the runs that are open, in the order in which they were met."""
        return tuple(self._open)

    @property
    def faults(self) -> tuple[str, ...]:
        """The runs that grew, or may have grown, after they had been given out."""
        late = (late_run(each.decode("utf-8", "backslashreplace")) for each in self._late)
        return (*late, *self._too_late)

    def take(self, file: SharedFile, number: int, raw: bytes, standing: Standing | None = None, at: int = 0) -> None:
        """Take a line with its number; in a ``standing`` file it begins at the place ``at`` and can be read again."""
        if is_blank(raw):
            return
        kind, text = file.kind, raw
        if kind is None:
            inner = unwrapped(raw)
            kind, text = inner.kind, inner.text
        key = run_named_in(text) or b""
        if not key and is_cut(raw):
            self._unread(too_long(Source(file.name, number), file.kind))
        if not key:
            known = self._nameless.get(file.kind) or no_name(Source(file.name, number), file.kind, 0)
            self._nameless[file.kind] = replace(known, lines=known.lines + 1)
        if key in self._given:
            self._late[key] = None
            return
        run = self._open.get(key)
        if run is None:
            run = self._open[key] = OpenRun(key)
        self.moved.add(key)
        if standing is not None:
            run.lying_in(file.name, file.kind, standing).add(number, at, len(raw))
        else:
            self._held += run.add(file.name, file.kind, number, raw)
        if kind is Kind.EVENT and key and tells_the_end(text):
            self.ended[key] = None
        if self._held > limits.OPEN_RUNS_BYTES:
            largest = max(self._open.values(), key=lambda each: each.size)
            self._held += largest.drop(
                f"was left out: the open runs together had more than {limits.OPEN_RUNS_BYTES} bytes"
            )

    def released(self, key: bytes) -> CapturedRun:
        """The run, which is no longer held here."""
        run = self._open.pop(key)
        self.ended.pop(key, None)
        self._held -= run.size
        self._given.add(key)
        extra = [cut for kind, cut in self._cuts.items() if kind is None]
        extra += self._nameless.values() if key else ()
        return run.captured(cuts={kind: cut for kind, cut in self._cuts.items() if kind is not None}, extra=extra)

    def _unread(self, cut: Flaw) -> None:
        """Any run may own a line that was not read, also the runs that were given out (LOG-21)."""
        if self._given and not self._cuts:
            told = f"{cut.source.file}: {cut.says}, and names no run"
            self._too_late = (
                f"{told}; runs that had been judged by then may lack it; audit them again without --follow",
            )
        self._cuts.setdefault(cut.of, cut)

"""Cases played against one address, one after the other."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, Generic

from callproof.adapters.claims import Claims, Implementation
from callproof.adapters.connection import connect
from callproof.adapters.conversation import Conversation
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError
from callproof.adapters.wording import told_before_no_end
from callproof.driven.log import Log
from callproof.driven.playing import PATIENCE, BrokeOff
from callproof.driven.suite import C, Suite

# After this many cases in a row that did not end or in which the adapter failed, the system is given up.
HOPE: Final = 3
_DEADLINES = Deadlines()
# The ways in which a case can fail to end.
_ENDLESS: Final = "that did not end"
_BROKE: Final = "in which the adapter failed"


@dataclass(frozen=True, slots=True)
class Played(Generic[C]):
    """
    The outcome of a case: the log of what was seen, or what the case needs and the system does not claim.

    If the adapter failed, there is its error, and the log of what was seen until then, if anything was. If there is
    none of these, the suite had given up the system before the case, and ``given_up`` says after what.
    """

    case: C
    log: Log | None = None
    error: AdapterError | None = None
    lacks: tuple[str, ...] = ()
    given_up: str = ""
    # Whether the case began but did not end, and what the system then had said beside the wire.
    endless: bool = False
    stderr: tuple[str, ...] = ()

    @property
    def last_words(self) -> str:
        """
        What a system said beside the wire in a case that did not end, for its author; empty if the case ended.

        It cannot stand in a report, since two reports of the same run must be the same.
        """
        return told_before_no_end(self.case.id, self.stderr) if self.endless else ""


class Session(Generic[C]):
    """
    One system for as long as the ``with`` block lasts; after a failure, the next case begins a new conversation.

    Raises AdapterError on entry, and if a new conversation cannot be begun.
    """

    def __init__(
        self, suite: Suite[C], address: str, *, deadlines: Deadlines = _DEADLINES, patience: float = PATIENCE
    ) -> None:
        self.suite = suite
        self._address = address
        self._deadlines = deadlines
        self._patience = patience
        self._stack = ExitStack()
        self._wire: Conversation | None = None
        # How the latest cases in a row failed to end.
        self._failed: list[str] = []
        self._garbled = ""
        self.claims = Claims()
        self.implementation = Implementation("", "", "")

    def __enter__(self) -> Session[C]:
        wire = self._connected()
        self.claims, self.implementation = wire.claims, wire.implementation
        return self

    def __exit__(self, raised: type[BaseException] | None, *_rest: object) -> None:
        self._close(in_order=raised is None)

    @property
    def garbled(self) -> str:
        """How the system garbles text beyond ASCII, as a phrase that follows *the system*; mostly empty."""
        return self._garbled or (self._wire.garbled if self._wire is not None else "")

    def play(self, case: C, *, is_trial: bool = False) -> Played[C]:
        """
        Play one case, unless it needs what the system does not claim, or the system has been given up.

        A trial is a case played to make another case small; it never counts towards giving up the system.
        """
        if lacks := self.suite.lacking(case, self.claims):
            return Played(case, lacks=lacks)
        if len(self._failed) >= HOPE:
            return Played(case, given_up=_after(self._failed))
        try:
            seen = self.suite.drive(case, self._connected(), self._patience)
        except (AdapterError, BrokeOff) as failure:
            self._failed += () if is_trial else (_BROKE,)
            self._close(in_order=False)
            if isinstance(failure, BrokeOff):
                return Played(case, failure.log, error=failure.error)
            return Played(case, error=failure)
        if not is_trial:
            self._failed = [] if seen.over else [*self._failed, _ENDLESS]
        said = () if seen.over else self._connected().stderr()
        if not seen.over or seen.unsettled:
            self._close(in_order=False)
        return Played(case, seen.log, endless=not seen.over, stderr=said)

    def _connected(self) -> Conversation:
        if self._wire is None:
            connecting = connect(self._address, deadlines=self._deadlines, dialect=self.suite.dialect)
            self._wire = self._stack.enter_context(connecting)
        return self._wire

    def _close(self, *, in_order: bool) -> None:
        if self._wire is not None and not in_order:
            # A system that is in the middle of a case, or gone, is not asked to say goodbye.
            self._wire.broken = True
        self._garbled = self.garbled
        self._wire = None
        self._stack.close()


def _after(failed: list[str]) -> str:
    """After what the system was given up."""
    return f"after {len(failed)} cases in a row {' or '.join(dict.fromkeys(failed))}"

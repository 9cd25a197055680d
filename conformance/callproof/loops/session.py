"""Cases played against one address, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from callproof.adapters.claims import Claims, Implementation
from callproof.adapters.connection import connect
from callproof.adapters.conversation import Conversation
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError
from callproof.adapters.methods import AGENT_LOOP
from callproof.loops.case import LoopCase
from callproof.loops.driver import PATIENCE, drive
from callproof.loops.log import Log

# After so many runs in a row that did not end, nobody waits for another one.
_HOPE = 3
_DEADLINES = Deadlines()


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a case: the log of what was seen, or the adapter's error, or what it needs and is not there."""

    case: LoopCase
    log: Log | None = None
    error: AdapterError | None = None
    lacks: tuple[str, ...] = ()


class LoopSession:
    """
    One loop for as long as the ``with`` block lasts; a conversation that broke is begun again for the next case.

    Raises AdapterError on entry, and where a conversation cannot be had again.
    """

    def __init__(self, address: str, *, deadlines: Deadlines = _DEADLINES, patience: float = PATIENCE) -> None:
        self._address = address
        self._deadlines = deadlines
        self._patience = patience
        self._stack = ExitStack()
        self._wire: Conversation | None = None
        self._endless = 0
        self.claims = Claims()
        self.implementation = Implementation("", "", "")

    def __enter__(self) -> LoopSession:
        wire = self._connected()
        self.claims, self.implementation = wire.claims, wire.implementation
        return self

    def __exit__(self, raised: type[BaseException] | None, *_rest: object) -> None:
        self._close(in_order=raised is None)

    def play(self, case: LoopCase) -> Played:
        """Have one case, unless it needs what the loop does not claim."""
        if lacks := tuple(each for each in needs(case) if each not in self.claims):
            return Played(case, lacks=lacks)
        if self._endless >= _HOPE:
            return Played(case, lacks=("a run before it that came to an end",))
        try:
            seen = drive(case, self._connected(), self._patience)
        except AdapterError as error:
            self._close(in_order=False)
            return Played(case, error=error)
        self._endless = 0 if seen.over else self._endless + 1
        if not seen.over:
            self._close(in_order=False)
        return Played(case, seen.log)

    def _connected(self) -> Conversation:
        if self._wire is None:
            connecting = connect(self._address, deadlines=self._deadlines, dialect=AGENT_LOOP)
            self._wire = self._stack.enter_context(connecting)
        return self._wire

    def _close(self, *, in_order: bool) -> None:
        if self._wire is not None and not in_order:
            # Who is in the middle of a run, or gone, is not asked to say goodbye.
            self._wire.broken = True
        self._wire = None
        self._stack.close()


def needs(case: LoopCase) -> Iterator[str]:
    """What a loop has to claim for a case."""
    yield from case.needs
    if case.mode is not None:
        yield case.mode
    if case.streamed:
        yield "streaming"
    yield from (f"{name}Hook" for name in case.hooks.names)
    if any(tool.of_client for tool in case.tools):
        yield "clientTools"
    if case.act is not None:
        yield "abort" if case.act.says is None else "steering"
    if any(each.progress or each.late for each in case.answers.values()):
        yield "progress"

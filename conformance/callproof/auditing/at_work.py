"""What a process of ``--jobs`` has in hand, and may be told to drop.

It is told, not ended: whoever ends it while it hands back what it found leaves half of that in
a pipe, and its parent waits for the other half for ever.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.process import BaseProcess
from types import FrameType

from callproof.auditing.audited import AuditedRun, Rules
from callproof.auditing.engines import Batch, audited

# Not every system has it; on others what is in hand is finished.
_DROP = getattr(signal, "SIGUSR1", None)


class _Dropped(BaseException):
    """Nobody waits for this batch any more.  No error, so that nothing on the way takes it for one of its own."""


class _Hand:
    """What this process has in hand: whether it audits just now, and whether it is still to do so."""

    audits = False
    is_dropped = False


def to_be_dropped() -> None:
    """What a process begins with that may be told to drop what it has in hand."""
    if _DROP is not None:
        signal.signal(_DROP, _drop)


def tell_to_drop(processes: Iterable[BaseProcess]) -> None:
    """Have processes drop what they have in hand, and take on nothing more."""
    for each in processes:
        if _DROP is not None and each.pid is not None and each.is_alive():
            with suppress(ProcessLookupError):
                os.kill(each.pid, _DROP)


def audited_or_dropped(batch: Batch, rules: Rules) -> list[AuditedRun]:
    """The runs of a batch, audited; none once this process was told to drop them."""
    if _Hand.is_dropped:
        return []
    try:
        _Hand.audits = True
        return audited(batch, rules)
    except _Dropped:
        return []
    finally:
        _Hand.audits = False


def _drop(_number: int, _frame: FrameType | None) -> None:
    _Hand.is_dropped = True
    if _Hand.audits:
        raise _Dropped

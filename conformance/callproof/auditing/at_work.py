"""What a process of ``--jobs`` is auditing, and how it is told to drop that.

The parent tells it to drop its work and does not end it.  A process that is ended while it
returns a result leaves half of the result in a pipe, and its parent waits for the rest for ever.
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

# Not every system has this signal; on others the process finishes its current work.
_DROP = getattr(signal, "SIGUSR1", None)


class _Dropped(BaseException):
    """The batch is no longer wanted.  No subclass of Exception, so that no code on the way handles it as its own."""


class _Hand:
    """The current work of this process: whether it audits just now, and whether it was told to drop its work."""

    audits = False
    is_dropped = False


def to_be_dropped() -> None:
    """Prepare this process for being told to drop its current work."""
    if _DROP is not None:
        signal.signal(_DROP, _drop)


def tell_to_drop(processes: Iterable[BaseProcess]) -> None:
    """Tell processes to drop their current work, and to take on no more."""
    for each in processes:
        if _DROP is not None and each.pid is not None and each.is_alive():
            with suppress(ProcessLookupError):
                os.kill(each.pid, _DROP)


def audited_or_dropped(batch: Batch, rules: Rules) -> list[AuditedRun]:
    """The runs of a batch, audited; an empty list once this process was told to drop its work."""
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

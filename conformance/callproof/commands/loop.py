"""``callproof loop``: a live agent loop, played against and judged."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError
from callproof.commands.audit import WrongUsage
from callproof.commands.progress import Watching
from callproof.judge.judgement import Judgement
from callproof.judge.selection import UnknownName, selection
from callproof.loops.case import LoopCase
from callproof.loops.cases import CASES
from callproof.loops.driver import PATIENCE
from callproof.loops.generating import Generating
from callproof.loops.judged import Hearing
from callproof.loops.session import LoopSession, Played
from callproof.protocols.agent_loop import PROTOCOL
from callproof.report.whole import write_whole
from callproof.spec.registry import protocols


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: the address, which cases and requirements, and where the logs are kept."""

    adapter: str
    cases: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    keep: Path | None = None
    timeout: float = PATIENCE
    # So many cases are made by the seed, where all cases are had.
    seed: int = 0
    generated: int = 0


def judge_loop(wanted: Wanted, watching: Watching) -> Judgement:
    """
    The judgement on the loop at an address; of what was played until then, where somebody breaks off.

    Raises WrongUsage for a case or a requirement that there is not, BadAdapterName for an address that means nothing,
    and OSError where a log cannot be kept.
    """
    cases = chosen(wanted.cases)
    try:
        narrowed = selection(wanted.select, wanted.ignore, protocols()[PROTOCOL.name])
    except UnknownName as error:
        raise WrongUsage(str(error)) from None
    hearing = Hearing(wanted.adapter, narrowed, wanted.strict)
    if wanted.keep is not None:
        wanted.keep.mkdir(parents=True, exist_ok=True)
    count = 0 if wanted.cases else wanted.generated
    watching.expects(len(cases) + count)
    # What an answer may take at least is what a slow machine takes to come to it.
    deadlines = Deadlines(answer=max(Deadlines().answer, wanted.timeout))
    session = LoopSession(wanted.adapter, deadlines=deadlines, patience=wanted.timeout)
    try:
        with session:
            for case in cases:
                watching.begins(case.id)
                _take(session.play(case), session, hearing, wanted, watching)
            for played in Generating(session, hearing, wanted.seed, count).played():
                _take(played, session, hearing, wanted, watching)
    except AdapterError as error:
        hearing.errors.append(str(error))
    except KeyboardInterrupt:
        return hearing.judgement(session.claims, session.implementation, interrupted=True)
    return hearing.judgement(session.claims, session.implementation)


def _take(played: Played, session: LoopSession, hearing: Hearing, wanted: Wanted, watching: Watching) -> None:
    if played.log is not None and wanted.keep is not None:
        write_whole(wanted.keep / played.log.file_name, played.log.written)
    for _ in hearing.take(played, frozenset(session.claims.features)):
        watching.has_failed()
    watching.has_ended(played.case.id)


def chosen(names: Sequence[str]) -> tuple[LoopCase, ...]:
    """
    The cases of some names, each that of a case or the beginning of several; without names all of them.

    Raises WrongUsage for a name of no case, with the nearest.
    """
    for name in names:
        if not any(case.id.startswith(name) for case in CASES):
            ids = [case.id for case in CASES]
            nearest = difflib.get_close_matches(name, ids, n=1, cutoff=0.5)
            hint = f"did you mean {nearest[0]}?" if nearest else f"they begin with {ids[0]}, and end with {ids[-1]}"
            raise WrongUsage(f"--case {name} is no case; {hint}")
    return tuple(case for case in CASES if not names or any(case.id.startswith(name) for name in names))

"""Logs of a protocol, judged: every requirement of its chapter held against each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from callproof.judge.judgement import JudgedRun, Judgement, Subject, notes_of, outcome_of
from callproof.judge.judging import Results, gather, held
from callproof.judge.selection import EVERYTHING, Selection
from callproof.protocols.entries import Entries
from callproof.protocols.protocol import LoggedProtocol, Traced
from callproof.spec.registry import protocols
from callproof.trace.run import FlawKind


def results_of(
    protocol: LoggedProtocol,
    trace: Traced,
    left_out: frozenset[str] = frozenset(),
    claimed: frozenset[str] | None = None,
) -> Results:
    """
    Every requirement of a protocol held against one of its logs, but for those that are left out.

    ``claimed`` are the features that a live system claims; a captured log claims nothing.
    """
    wanted = (each for each in protocols()[protocol.name].requirements.values() if each.id not in left_out)
    return held(wanted, protocol.laws.by_requirement, trace, trace.lacking, claimed)


@dataclass(frozen=True, slots=True)
class Judging:
    """How logs are judged: what is left out, what has to be decided, and which findings fail."""

    selection: Selection = EVERYTHING
    required: frozenset[str] = frozenset()
    strict: bool = False
    lenient: bool = False


def judgement_on(protocol: LoggedProtocol, logs: Iterable[Entries], how: Judging) -> Judgement:
    """The judgement on some logs of one protocol; the names of the logs are those of its runs."""
    runs: list[JudgedRun] = []
    judged: list[Results] = []
    for log in logs:
        trace = protocol.trace(log)
        results = results_of(protocol, trace, frozenset(how.selection.left_out))
        outcome = outcome_of(results, trace.flaws, finished=trace.finished, strict=how.strict)
        noted = protocol.noted(trace)
        notes = (*(() if noted is None else (noted,)), *notes_of(trace.flaws, frozenset(FlawKind)))
        runs.append(JudgedRun(log.name, outcome, notes, log.folder))
        judged.append(results)
    return Judgement(
        Subject("log", ", ".join(run.name for run in runs), notes=(f"judged as {protocol.tells}",)),
        gather(judged),
        runs,
        how.required,
        strict=how.strict,
        selection=how.selection,
        lenient=how.lenient,
    )

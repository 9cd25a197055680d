"""A log of a protocol, judged by every requirement of its chapter."""

from __future__ import annotations

from callproof.auditing.audited import NO_RULES, AuditedRun, Rules, summed_up
from callproof.garbage import unsearched
from callproof.judge.judgement import JudgedRun, notes_of, outcome_of
from callproof.judge.judging import Results, held
from callproof.protocols.entries import Entries
from callproof.protocols.protocol import LoggedProtocol, Traced
from callproof.spec.registry import protocol_named
from callproof.trace.run import FlawKind


def results_of(
    protocol: LoggedProtocol,
    trace: Traced,
    left_out: frozenset[str] = frozenset(),
    claimed: frozenset[str] | None = None,
) -> Results:
    """
    The result of every requirement of a protocol for one of its logs, except those that are left out.

    ``claimed`` are the features that a live system claims; a captured log claims nothing.
    """
    wanted = (each for each in protocol_named(protocol.name).requirements.values() if each.id not in left_out)
    return held(wanted, protocol.laws.by_requirement, trace, trace.lacking, claimed)


@unsearched()
def audit_log(protocol: LoggedProtocol, log: Entries, rules: Rules = NO_RULES) -> AuditedRun:
    """The judgement of one log.  Never raises for its content."""
    trace = protocol.trace(log)
    results = results_of(protocol, trace, rules.left_out)
    # A log without a single record has not begun, whatever its protocol takes as an end.
    finished = trace.finished and bool(log.entries)
    outcome = outcome_of(results, trace.flaws, finished=finished, strict=rules.strict)
    noted = protocol.noted(trace)
    notes = (*(() if noted is None else (noted,)), *notes_of(trace.flaws, frozenset(FlawKind)))
    return summed_up(JudgedRun(log.name, outcome, notes, log.folder), results)

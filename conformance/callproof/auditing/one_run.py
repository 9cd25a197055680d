"""Audits one run: the function that every engine calls, on one core, on many, on many machines.

``audit_run`` is pure.  Its arguments and its result pickle.  It reads no file, no clock and no
environment, and gives the same result for two equal runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from callproof.auditing.audited import NO_RULES, AuditedRun, Rules, summed_up
from callproof.auditing.census import census_of, with_tools
from callproof.auditing.drawing import Drawing
from callproof.auditing.masking import Masking, masked_results
from callproof.auditing.prover import prove
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.reader import run_of
from callproof.garbage import unsearched
from callproof.judge.folding import folded
from callproof.judge.judgement import JudgedRun, RunOutcome, judged_run
from callproof.judge.judging import Results, judge
from callproof.report.timeline import timeline
from callproof.trace.once import forget
from callproof.trace.run import Run
from callproof.values.jsontext import Json


# The audit of a run makes almost no reference cycles, and nearly all its objects are freed at the end.  Without the
# search for cycles a proof takes a fifth less time, and the checks a tenth less.
@unsearched()
def audit_run(captured: CapturedRun, rules: Rules = NO_RULES) -> AuditedRun:
    """Judge the text of one run by every requirement that a log can decide.  Never raises for what is in it."""
    proof = prove(captured, rules.tools, rules.left_out) if rules.fast_path else None
    if proof is not None:
        proved = JudgedRun(captured.name, RunOutcome.CONSISTENT)
        return AuditedRun(proved, proof.kept, proof.missing, {}, proof.census)
    try:
        return _held_against_all(captured, rules)
    finally:
        forget()


def _held_against_all(captured: CapturedRun, rules: Rules) -> AuditedRun:
    run = run_of(captured, rules.tools)
    results = folded(run, judge(run, only=lambda requirement: requirement.id not in rules.left_out))
    told = replace(judged_run(run, results, strict=rules.strict), folder=captured.folder or None)
    audited = replace(summed_up(told, results), census=census_of(call.value for call in run.calls))
    if not audited.broken:
        return audited
    masking = Masking(run)
    shown = with_tools(run, masked_results(audited.broken, masking, show_values=rules.show_values))
    return replace(audited, broken=shown, timeline=_drawing(run, shown, None if rules.show_values else masking))


def _drawing(run: Run, broken: Results, masking: Masking | None) -> Drawing | None:
    """The timeline of a run with findings; without values if a masking is given."""
    found = [each.finding for result in broken.values() for each in result.findings]
    marked = {each.source for finding in found for each in finding.witness}

    def draw() -> Mapping[str, Json]:
        drawn = timeline(run, marked)
        return drawn if masking is None else {name: masking.document(each) for name, each in drawn.items()}

    return Drawing(draw) if found else None

"""One run audited: the function that every engine calls, on one core, on many, on many machines.

``audit_run`` is pure.  What it is given and what it gives back pickle; it reads no
file, no clock and no environment, and of two equal runs it says the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from callproof.auditing.census import NOBODY, Census, census_of, with_tools
from callproof.auditing.drawing import Drawing
from callproof.auditing.masking import Masking, masked_results
from callproof.auditing.prover import prove
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.reader import run_of
from callproof.garbage import unsearched
from callproof.judge.folding import folded
from callproof.judge.judgement import JudgedRun, RunOutcome, judged_run
from callproof.judge.judging import Result, Results, judge
from callproof.judge.verdicts import Verdict
from callproof.report.timeline import timeline
from callproof.trace.once import forget
from callproof.trace.run import Run
from callproof.values.jsontext import Json


@dataclass(frozen=True, slots=True)
class Rules:
    """
    What an audit goes by.

    ``tools`` are the descriptors of the registry where a run record has none.  ``strict`` lets a SHOULD fail a run.
    ``left_out`` are the ids of requirements that are not judged.  ``show_values`` leaves the values of the log in
    findings, which else tell of their shapes.  ``fast_path`` lets a proof stand for the checks where there is one,
    which changes nothing but the time it takes.
    """

    tools: tuple[Json, ...] | None = None
    strict: bool = False
    left_out: frozenset[str] = frozenset()
    show_values: bool = False
    fast_path: bool = True


NO_RULES = Rules()


@dataclass(frozen=True, slots=True)
class AuditedRun:
    """
    What one run came to.

    ``kept`` are the ids of the requirements that were held against something and kept, ``missing`` names by id the
    evidence that left one undecided, and ``broken`` has the results with findings, or with an error of ours.
    ``census`` counts the calls, and ``timeline`` draws the run (shape ``timeline``) where there are findings, once it
    is looked at.
    """

    run: JudgedRun
    kept: Set[str]
    missing: Mapping[str, tuple[str, ...]]
    broken: Results
    census: Census = NOBODY
    timeline: Mapping[str, Json] | None = None


# What is made of a run makes next to no cycles, and nearly all of it is gone at the end.  Without the search for them a
# proof takes a fifth less, and the checks a tenth.
@unsearched()
def audit_run(captured: CapturedRun, rules: Rules = NO_RULES) -> AuditedRun:
    """The text of one run, held against every requirement that a log can decide.  Never raises for what is in it."""
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


def at_once(audited: AuditedRun) -> AuditedRun:
    """The same with its timeline drawn, so that it does not keep the run while others are audited."""
    return audited if audited.timeline is None else replace(audited, timeline=dict(audited.timeline))


def summed_up(told: JudgedRun, results: Results) -> AuditedRun:
    """A run by its results, without what is well in them; where it lies is of use where there is something to see."""
    kept = frozenset(name for name, each in results.items() if each.verdict is Verdict.PASS)
    broken = {name: each for name, each in results.items() if _is_broken(each)}
    return AuditedRun(told if broken or told.notes else replace(told, folder=None), kept, _missing(results), broken)


def _drawing(run: Run, broken: Results, masking: Masking | None) -> Drawing | None:
    """The timeline of a run with findings, without values where a masking is given."""
    found = [each.finding for result in broken.values() for each in result.findings]
    marked = {each.source for finding in found for each in finding.witness}

    def draw() -> Mapping[str, Json]:
        drawn = timeline(run, marked)
        return drawn if masking is None else {name: masking.document(each) for name, each in drawn.items()}

    return Drawing(draw) if found else None


def _is_broken(result: Result) -> bool:
    return result.verdict is Verdict.FAIL or result.verdict is Verdict.ERROR


def _missing(results: Results) -> Mapping[str, tuple[str, ...]]:
    return {name: each.missing for name, each in results.items() if each.verdict is Verdict.INCONCLUSIVE}

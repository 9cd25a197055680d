"""The rules of an audit, and its result for one run: values that every engine passes on."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from callproof.auditing.census import NOBODY, Census
from callproof.judge.judgement import JudgedRun
from callproof.judge.judging import Result, Results
from callproof.judge.verdicts import Verdict
from callproof.values.jsontext import Json


@dataclass(frozen=True, slots=True)
class Rules:
    """
    The rules of an audit.

    ``tools`` are the descriptors of the registry if a run record has none.  ``strict`` lets a SHOULD fail a run.
    ``left_out`` are the ids of requirements that are not judged.  ``show_values`` leaves the values of the log in
    findings, which otherwise show only their shapes.  ``fast_path`` uses a proof instead of the checks if there is
    one; that changes only the time that the audit takes.
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
    The result of one run.

    ``kept`` are the ids of the requirements that had a subject in the run and were kept, ``missing`` lists by id the
    evidence whose lack left one undecided, and ``broken`` has the results with findings, or with an error of ours.
    ``census`` counts the calls.  If there are findings, ``timeline`` draws the run (shape ``timeline``) when it is
    first read.
    """

    run: JudgedRun
    kept: Set[str]
    missing: Mapping[str, tuple[str, ...]]
    broken: Results
    census: Census = NOBODY
    timeline: Mapping[str, Json] | None = None


def at_once(audited: AuditedRun) -> AuditedRun:
    """The same with its timeline drawn, so that it does not keep the run in memory while others are audited."""
    return audited if audited.timeline is None else replace(audited, timeline=dict(audited.timeline))


def summed_up(told: JudgedRun, results: Results) -> AuditedRun:
    """A run with its results, without the passed ones; its folder is kept only if there is something to look up."""
    kept = frozenset(name for name, each in results.items() if each.verdict is Verdict.PASS)
    broken = {name: each for name, each in results.items() if _is_broken(each)}
    return AuditedRun(told if broken or told.notes else replace(told, folder=None), kept, _missing(results), broken)


def _is_broken(result: Result) -> bool:
    return result.verdict is Verdict.FAIL or result.verdict is Verdict.ERROR


def _missing(results: Results) -> Mapping[str, tuple[str, ...]]:
    return {name: each.missing for name, each in results.items() if each.verdict is Verdict.INCONCLUSIVE}

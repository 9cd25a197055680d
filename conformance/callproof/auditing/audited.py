"""What a run is audited by, and what it came to: values that every engine passes on."""

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


def at_once(audited: AuditedRun) -> AuditedRun:
    """The same with its timeline drawn, so that it does not keep the run while others are audited."""
    return audited if audited.timeline is None else replace(audited, timeline=dict(audited.timeline))


def summed_up(told: JudgedRun, results: Results) -> AuditedRun:
    """A run by its results, without what is well in them; where it lies is of use where there is something to see."""
    kept = frozenset(name for name, each in results.items() if each.verdict is Verdict.PASS)
    broken = {name: each for name, each in results.items() if _is_broken(each)}
    return AuditedRun(told if broken or told.notes else replace(told, folder=None), kept, _missing(results), broken)


def _is_broken(result: Result) -> bool:
    return result.verdict is Verdict.FAIL or result.verdict is Verdict.ERROR


def _missing(results: Results) -> Mapping[str, tuple[str, ...]]:
    return {name: each.missing for name, each in results.items() if each.verdict is Verdict.INCONCLUSIVE}

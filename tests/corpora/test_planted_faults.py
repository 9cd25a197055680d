"""Logs by a generator that is independent of this project: what it plants is found, and nothing else is.

The generator writes each fault as an executor with that fault might, with all that follows from it.  Where it and the
specification differ stands below, with the reason.
"""

from __future__ import annotations

import importlib
import random
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest
from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.auditlog.layout import FILES, RUN_FILE
from callproof.auditlog.reader import run_of
from callproof.judge.folding import folded
from callproof.judge.judging import Located, Results, judge
from callproof.trace.records import Kind, Source
from shared import SHARED

pytestmark = pytest.mark.many

sys.path.insert(0, str(SHARED / "bench"))
gen: Any = importlib.import_module("gen")

KINDS: Mapping[str, tuple[str, Any]] = gen.FAULTS
SEEDS = (11, 12)
RUNS_TRIED = 90
RUNS_BROKEN = 2
# The generator names the record next to the missing one; the finding names the first gap of the loop (LOOP-01).
ELSEWHERE = {"iteration-missing"}
# Faults that others undo.  If another fault changes the plan, the plan is hashed again.  If a step, an iteration or an
# event is missing or cannot be read, what depends on it cannot be judged, and there is no finding about it.
UNDONE = {"plan-hash", "outcome-wrong", "finished-not-last", "item-changed", "iteration-missing"}


class Planted(NamedTuple):
    """One fault as the generator reports it."""

    kind: str
    requirement: str
    source: Source


@cache
def generator(seed: int) -> Any:
    """The generator for a seed, with small runs and short contents."""
    chosen = {"records_per_run": 100, "content_median": 80, "content_sigma": 1.0, "content_max": 2_000}
    return gen.Generator(Namespace(seed=seed, tools="used", **chosen))


@cache
def records(seed: int, number: int) -> tuple[tuple[str, Any], ...]:
    """The records of one run as kind and record, in the order of writing."""
    return tuple(generator(seed).run(number))


def broken(seed: int, number: int, kinds: tuple[str, ...], faults: int) -> list[Any]:
    """The items of one run with that many faults of these kinds, or as many as fit."""
    breaker = gen.Breaker(random.Random(f"{kinds}/{seed}/{number}"), records(seed, number), list(kinds))
    for _ in range(faults):
        breaker.inject()
    return list(breaker.items)


def log_of(items: list[Any]) -> tuple[CapturedRun, list[Planted]]:
    """The files of a run, and each planted fault with its place."""
    names = {Kind.RUN: RUN_FILE, **FILES}
    texts: dict[Kind, list[bytes]] = {kind: [] for kind in names}
    planted: list[Planted] = []
    for item in items:
        kind = Kind(item.kind)
        line = gen.encode(item.rec)
        texts[kind].append(item.raw(line) if item.raw else line)
        source = Source(names[kind], len(texts[kind]))
        planted += (Planted(each, KINDS[each][0], source) for each in item.faults)
    files = {kind: CapturedFile(names[kind], b"".join(line + b"\n" for line in texts[kind])) for kind in names}
    return CapturedRun(items[0].rec["runId"], files.pop(Kind.RUN), files), planted


def audited(captured: CapturedRun) -> Results:
    """The results of every requirement for a run, with each consequence under its root."""
    run = run_of(captured)
    results = folded(run, judge(run))
    assert not [error for result in results.values() for error in result.errors]
    return results


def found(results: Results) -> list[tuple[str, Located]]:
    """Every finding with its requirement."""
    return [(name, each) for name, result in results.items() for each in result.findings]


def unexplained(results: Results, planted: list[Planted]) -> list[str]:
    """Root findings that neither are of a planted requirement nor explain one of its findings."""
    wanted = {each.requirement for each in planted}
    explained = {
        (each.root.requirement, each.root.source) for name, each in found(results) if name in wanted and each.root
    }
    return [
        f"{name}: {each.finding.observed}"
        for name, each in found(results)
        if each.root is None and name not in wanted and (name, each.finding.witness[0].source) not in explained
    ]


def runs_with(kind: str) -> Iterator[tuple[CapturedRun, list[Planted]]]:
    """Some runs with one or two faults of a kind; most kinds fit into most runs."""
    left = RUNS_BROKEN
    for number in range(RUNS_TRIED):
        seed = SEEDS[number % len(SEEDS)]
        captured, planted = log_of(broken(seed, number // len(SEEDS), (kind,), 1 + number % 2))
        if planted:
            yield captured, planted
            left -= 1
        if not left:
            return


@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_fault_is_found_as_its_requirement_and_explains_all_the_rest(kind: str) -> None:
    """Each kind alone is found under the id and at the record that the generator names, and nothing else is found."""
    runs = list(runs_with(kind))
    assert runs, f"no run of {RUNS_TRIED} has a place for {kind}"
    for captured, planted in runs:
        results = audited(captured)
        for fault in planted:
            said = [each.finding for name, each in found(results) if name == fault.requirement]
            places = {witness.source for finding in said for witness in finding.witness}
            assert fault.source in places or (said and kind in ELSEWHERE), (captured.name, fault)
        assert not unexplained(results, planted), (captured.name, planted)


@pytest.mark.parametrize("seed", SEEDS)
def test_many_faults_of_many_kinds_in_one_run_are_all_found(seed: int) -> None:
    """Faults on different calls do not hide each other, and nothing else is found."""
    for number in range(6):
        captured, planted = log_of(broken(seed, number, tuple(each for each in KINDS if each not in UNDONE), 6))
        results = audited(captured)
        assert {each.requirement for each in planted} <= {name for name, _ in found(results)}
        assert not unexplained(results, planted), (captured.name, planted)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_written_without_a_fault_is_spotless(seed: int) -> None:
    """No requirement, advice included, has a finding in a log that keeps them all."""
    for number in range(15):
        captured, planted = log_of([gen.Item(*each) for each in records(seed, number)])
        assert not planted
        assert not found(audited(captured)), captured.name


@pytest.mark.parametrize("number", range(4))
def test_a_run_that_broke_off_anywhere_is_accused_of_nothing(number: int) -> None:
    """It is cut after every third record in the order of writing, and judged with and without events (A35, A36)."""
    whole = records(SEEDS[0], number)
    for end in range(1 + number % 3, len(whole), 3):
        captured, _ = log_of([gen.Item(*each) for each in whole[:end]])
        eventless = {kind: file for kind, file in captured.files.items() if kind is not Kind.EVENT}
        for broken_off in (captured, replace(captured, files=eventless)):
            assert not found(audited(broken_off)), (captured.name, end)


def test_every_kind_of_fault_is_of_a_requirement_that_a_log_decides() -> None:
    """The generator plants forty-four kinds, each under one of our ids."""
    assert len(KINDS) == 44

"""A log with a file that ends too early: every prefix of the file, and what a report may say of it.

``python tests/hostile/truncation.py`` goes through every base of the specification byte by byte, and through every
example that breaks one around the ends of its lines, which takes minutes; the tests go through some.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.auditlog.reader import captured_in, run_of
from callproof.judge.judgement import RunOutcome, judged_run
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.spec.registry import specification
from callproof.spec.yaml_blocks import examples_of
from callproof.trace.records import Kind
from callproof.trace.run import Run
from log_edits import BASES, Edit, apply, copy_of

# The laws that require a record: a log whose end is lost may break these.  No other law may be broken in a prefix if
# the whole log does not break it.
OF_INCOMPLETENESS: Mapping[str, str] = {
    "LOG-01": "a run record",
    "LOG-05": "the end of a line",
    "LOG-07": "the result of a call",
    "LOG-08": "the results of calls",
    "LOG-23": "the calls of a run that has results",
    "RES-01": "the result of a call",
    "RES-02": "the call of a result",
    "CALL-21": "the call of a result or of an event",
    "EVT-13": "what an event names",
    "EVT-14": "the step.started of a call",
    "EVT-18": "the results that run.finished counts",
    "DEP-08": "the result of a step",
    "LOOP-10": "an iteration",
    "LOOP-12": "an iteration",
    # A result alone means a call that was never built; a refused call whose record is lost looks the same (A2).
    "REF-18": "the call of a refused step",
    "REF-21": "the call of a refused step",
}
# Logs that contradict themselves: if one of the two statements is lost, the other one breaks another law.
_TWO_WORDS = {("two-ids-for-one-confirmation", "CONF-03")}


@dataclass(frozen=True)
class Prefix:
    """A log of which one file ends after ``length`` bytes; ``alone`` holds that file and no other."""

    file: str
    length: int
    captured: CapturedRun
    alone: CapturedRun


@dataclass(frozen=True)
class Said:
    """The result of an audit: the outcome, the requirements that were broken, errors of callproof, the records read."""

    outcome: RunOutcome
    broken: frozenset[str]
    thrown: tuple[str, ...]
    records: object


def bases() -> tuple[str, ...]:
    """Every base run of the specification."""
    return tuple(sorted(each.name for each in BASES.iterdir() if each.is_dir()))


def prefixes(whole: CapturedRun, lengths: str = "every") -> Iterator[Prefix]:
    """Every shorter prefix of every file; or only those around each end of a line and in the middle of each line."""
    for name, file in _files(whole).items():
        for length in range(len(file.text)) if lengths == "every" else _around_lines(file.text):
            cut = replace(file, text=file.text[:length])
            record = cut if name is Kind.RUN else whole.record
            files = {kind: cut if kind is name else each for kind, each in whole.files.items()}
            alone = CapturedRun("", cut, {}) if name is Kind.RUN else CapturedRun("", None, {name: cut})
            yield Prefix(file.name, length, CapturedRun(whole.name, record, files), alone)


def said_of(captured: CapturedRun) -> Said:
    """The result of the audit of a log."""
    run = run_of(captured)
    results = judge(run)
    thrown = tuple(told for each in results.values() for told in each.errors)
    broken = frozenset(name for name, each in results.items() if each.verdict is Verdict.FAIL)
    return Said(judged_run(run, results).outcome, broken, thrown, _records(run))


def faults(whole: CapturedRun, lengths: str = "every") -> Iterator[str]:
    """The faults in the audits of the prefixes of a log."""
    of_whole = said_of(whole)
    # Most prefixes of a file hold the same records and are cut in the same line: only one of those is judged.
    known: dict[object, Said] = {}
    for prefix in prefixes(whole, lengths):
        key = (prefix.file, _key(run_of(prefix.alone)))
        if key not in known:
            known[key] = said_of(prefix.captured)
        yield from (f"{prefix.file} after {prefix.length} bytes: {told}" for told in _wrong(known[key], of_whole))


def _wrong(said: Said, of_whole: Said) -> Iterator[str]:
    yield from said.thrown
    lost = not of_whole.broken and said.records != of_whole.records
    if said.outcome is RunOutcome.CONSISTENT and lost:
        yield "consistent, and a record is lost"
    for name in sorted(said.broken - of_whole.broken - OF_INCOMPLETENESS.keys()):
        yield f"{name} is broken, and not in the whole"


def broken_logs() -> Iterator[tuple[str, CapturedRun]]:
    """The log of every example of the specification that breaks a requirement, by the example's name."""
    with tempfile.TemporaryDirectory() as folder:
        for requirement in specification().requirements.values():
            for example in examples_of(requirement):
                log = copy_of(example.base, Path(folder) / example.name)
                apply(Edit(example.line, example.violates), log)
                yield example.name, captured_in(log)


def _files(whole: CapturedRun) -> Mapping[Kind, CapturedFile]:
    return whole.files if whole.record is None else {Kind.RUN: whole.record, **whole.files}


def _around_lines(text: bytes) -> list[int]:
    ends = [place for place, byte in enumerate(text) if byte == 0x0A]
    near = {length for end in ends for length in (end - 1, end, end + 1)}
    middles = {(one + other) // 2 for one, other in zip([0, *ends], ends)}
    return sorted(length for length in {0, 1, *near, *middles} if 0 <= length < len(text))


def _records(run: Run) -> object:
    return (run.run_record, run.calls, run.results, run.events)


def _key(run: Run) -> object:
    records = (() if run.run_record is None else (run.run_record,), run.calls, run.results, run.events or ())
    lines = tuple(tuple(each.source for each in group) for group in records)
    return lines, run.events is None, tuple((flaw.kind, flaw.source) for flaw in run.flaws)


def main() -> int:
    """Go through everything, and print what is wrong."""
    found = 0
    logs = [(base, captured_in(BASES / base), "every") for base in bases()]
    for name, whole, lengths in (*logs, *((name, whole, "lines") for name, whole in broken_logs())):
        for fault in faults(whole, lengths):
            if any(name == log and f"{law} is broken" in fault for log, law in _TWO_WORDS):
                continue
            found += 1
            print(f"{name}: {fault}", flush=True)
    print(f"{found} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

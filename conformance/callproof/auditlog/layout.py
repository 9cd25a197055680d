"""The names of the files of a log: those of one run, and those that many runs share."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from callproof.trace.records import Kind

RUN_FILE = "run.json"
RUNS_FILE = "runs.jsonl"
FILES = {Kind.CALL: "calls.jsonl", Kind.RESULT: "results.jsonl", Kind.EVENT: "events.jsonl"}
# The files that many runs share.  The file that is written last comes last.
SHARED_FILES = {Kind.RUN: RUNS_FILE, **FILES}
# Any file of a log may be compressed.  Its name then ends in one of these suffixes.
COMPRESSED = (".gz", ".zst")


@cache
def spellings(name: str) -> tuple[str, ...]:
    """The names that a file of a log may have: its own name, and its name with each suffix of a compression."""
    return (name, *(name + suffix for suffix in COMPRESSED))


def present(name: str, names: Collection[str]) -> tuple[str, ...]:
    """The spellings of a file's name that are among ``names``.  More than one is an error: none of them is chosen."""
    return tuple([each for each in spellings(name) if each in names])


MARKS = frozenset(each for name in (RUN_FILE, *FILES.values()) for each in spellings(name))
ALL_MARKS = MARKS.union(spellings(RUNS_FILE))

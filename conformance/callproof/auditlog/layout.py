"""What the files of a log are called: those of one run, and those that many runs share."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from callproof.trace.records import Kind

RUN_FILE = "run.json"
RUNS_FILE = "runs.jsonl"
FILES = {Kind.CALL: "calls.jsonl", Kind.RESULT: "results.jsonl", Kind.EVENT: "events.jsonl"}
# The files that many runs share, the one that is written last last.
SHARED_FILES = {Kind.RUN: RUNS_FILE, **FILES}
# Any file of a log may be compressed, and its name then says how.
COMPRESSED = (".gz", ".zst")


@cache
def spellings(name: str) -> tuple[str, ...]:
    """The names that a file of a log may have: its own, and with the suffix of a compression."""
    return (name, *(name + suffix for suffix in COMPRESSED))


def present(name: str, names: Collection[str]) -> tuple[str, ...]:
    """Which spellings of a file's name are among the names in a folder; more than one is a riddle."""
    return tuple([each for each in spellings(name) if each in names])


MARKS = frozenset(each for name in (RUN_FILE, *FILES.values()) for each in spellings(name))
ALL_MARKS = MARKS.union(spellings(RUNS_FILE))

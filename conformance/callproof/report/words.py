"""The words that every form of a report uses, written once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from callproof.values.counts import counted

MEANINGS: Mapping[str, str] = {
    "conforms": "conforms: every requirement that was put to the test was kept",
    "consistent": "consistent with the specification",
    "known failures": "known failures: the baseline lists everything that failed",
    "incomplete": "incomplete: a run has no end; its records so far are consistent with the specification",
    "violations": "violations were found",
    "stale baseline": "stale baseline: it lists failures that no longer occur, or that have expired",
    "not proven": "not proven: nothing was found, but not everything could be decided",
    "nothing judged": "nothing could be judged",
    "error": "error: the suite or the adapter failed",
    "interrupted": "interrupted: what was decided until then; the rest was not judged",
}
# For a judged log there is no adapter, and the suite is not always to blame for what an error leaves undecided.
MEANINGS_OF_LOGS: Mapping[str, str] = {
    **MEANINGS,
    "error": "error: not everything could be judged",
    "unread": "unread: not all of it was read, so not everything could be judged",
}

# The outcomes of a run that was not judged in full, of which the notes say why.
NOT_IN_FULL = frozenset({"unread", "refused"})


def meaning(report: Mapping[str, Any]) -> str:
    """What the outcome of a report means, in a sentence."""
    of_a_log = report["subject"]["kind"] == "log"
    if report["outcome"] == "not proven" and any("known" in each for each in report["findings"]):
        return "not proven: nothing was found that the baseline does not list, but not everything could be decided"
    told = (MEANINGS_OF_LOGS if of_a_log else MEANINGS)[report["outcome"]]
    if of_a_log or report["outcome"] != "error":
        return told
    return f"{told}; what was found stands" if report["findings"] else f"{told}, which says nothing about the system"


def choices(report: Mapping[str, Any]) -> Iterator[str]:
    """What the user chose, a sentence each: what was left out, and which findings fail."""
    if selection := report.get("selection"):
        options = (
            *(f"--select {each}" for each in selection["select"]),
            *(f"--ignore {each}" for each in selection["ignore"]),
        )
        yield f"left out by choice: {counted(len(selection['leftOut']), 'requirement')} ({' '.join(options)})"
    if report.get("failOn") == "should":
        yield "advice (SHOULD) fails as well"
    if report.get("failOn") == "never":
        yield "findings do not fail the command: the exit code is 0 instead of 1"

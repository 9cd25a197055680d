"""What a log's history says of a path, where calls touch one another, move a file, or write it again."""

from __future__ import annotations

import pytest
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from edited_runs import base, content_of, findings, log_of, patched

LOG = "Notes/log.md"
HISTORY = ("EFF-02", "EFF-03", "EFF-04", "EFF-05", "EFF-11", "EFF-13")


def accused(run: Run) -> list[str]:
    """The laws about the history of a path that a run breaks."""
    return [law for law in HISTORY if findings(run, law)]


def modified(path: str, before: str, after: str) -> Json:
    """A patch by which a result modified one file, and nothing else."""
    entry: Json = {"path": path, "kind": "file", "beforeEtag": before, "afterEtag": after}
    return {
        "effects": {"sideEffectsObserved": ["modify-file"], "modified": [entry], "deleted": None, "renamed": None},
        "data": {"path": path, "etag": after},
    }


def at_one_instant(*, together: bool) -> Run:
    """The two writes of one note, with stamps of one instant; the second one was first, if they ran ``together``."""
    files = {name: text for name, text in content_of("effects").items() if isinstance(text, str)}
    events = files["events.jsonl"].splitlines(keepends=True)
    if together:
        events.insert(11, events.pop(13))  # the second call began before the first one was closed
    run = log_of({**files, "events.jsonl": "".join(events)})
    for at, (before, after) in {2: ("etag-log-2", "etag-log-3"), 3: ("etag-log-1", "etag-log-2")}.items():
        stamps = {"startedAt": "2026-01-05T09:00:41.000Z", "endedAt": "2026-01-05T09:00:41.000Z"}
        run = patched(run, "results", at, {**stamps, **dict(modified(LOG, before, after) or {})})
    return run


def test_the_order_of_calls_of_one_instant_is_open_if_their_events_show_that_both_ran() -> None:
    """EFF-04: all stamps may be equal (B-08), and lines stand in the order in which calls ended."""
    assert "EFF-04" not in accused(at_one_instant(together=True))
    assert "EFF-04" in accused(at_one_instant(together=False))


@pytest.mark.parametrize(("told", "found"), [("etag-log-9", "etag-log-9"), (None, "etag-log-3")])
def test_a_moved_file_has_the_etag_that_the_data_of_the_rename_gives(told: str | None, found: str) -> None:
    """EFF-04: an etag may be made of the path too (B-41); without a word, it is the one from before."""
    run = patched(base("effects"), "results", 5, {"data": {"etag": told}})
    assert accused(patched(run, "results", 7, modified("Archive/log.md", found, "etag-log-10"))) == []
    assert accused(patched(run, "results", 7, modified("Archive/log.md", "etag-log-7", "etag-log-8"))) == ["EFF-04"]


@pytest.mark.parametrize(("told", "others"), [("etag-log-4", ["EFF-04"]), (None, [])])
def test_a_file_that_was_written_again_with_the_same_bytes_has_the_etag_that_the_call_gives(
    told: str | None, others: list[str]
) -> None:
    """EFF-04: such a write is not listed (A25), and an etag may be made of the time; without a word it is unknown."""
    run = patched(base("effects"), "results", 4, {"data": {"etag": told}})
    assert accused(patched(run, "results", 5, modified(LOG, "etag-log-4", "etag-log-5"))) == []
    assert accused(patched(run, "results", 5, modified(LOG, "etag-log-3", "etag-log-5"))) == others


@pytest.mark.parametrize("path", [LOG, "Archive/log.md"])
def test_a_file_that_one_call_moved_and_changed_is_listed_by_either_path(path: str) -> None:
    """EFF-03, EFF-02: after that the log decides nothing about either path."""
    entry: Json = {"path": path, "kind": "file", "beforeEtag": "etag-log-3", "afterEtag": "etag-log-4"}
    run = patched(base("effects"), "results", 5, {"effects": {"modified": [entry]}})
    made: Json = {"effects": {"created": [{"path": LOG, "kind": "file"}], "deleted": None}, "data": {"path": LOG}}
    assert accused(patched(run, "results", 7, made)) == []
    back: Json = [{"from": "Archive/log.md", "to": LOG}]
    moved_back: Json = {"effects": {"renamed": back, "modified": [{"path": LOG, "kind": "file"}], "deleted": None}}
    assert accused(patched(base("effects"), "results", 7, moved_back)) == []


def test_what_a_call_modified_beside_a_move_is_judged() -> None:
    """EFF-03: only what moved is in doubt, and no other path of the same call."""
    beside: Json = {"effects": {"modified": [{"path": "Notes/draft.md", "kind": "file"}], "deleted": None}}
    moved: Json = {"effects": {"renamed": [{"from": "Archive/log.md", "to": "Archive/l.md"}]}}
    assert accused(patched(base("effects"), "results", 7, beside)) == ["EFF-03"]
    assert accused(patched(patched(base("effects"), "results", 7, beside), "results", 7, moved)) == ["EFF-03"]


@pytest.mark.parametrize("mark", ["/effects/renamed/0", "/effects/renamed", "/effects", "/effects/renamed/0/to"])
def test_a_mark_on_what_holds_an_entry_covers_the_entry(mark: str) -> None:
    """LOG-17: placeholders in a marked list are not compared with one another (A42)."""
    hidden: Json = {"effects": {"renamed": [{"from": "***", "to": "***"}]}}
    run = patched(base("effects"), "results", 5, hidden)
    assert accused(run) == ["EFF-13"]
    assert accused(patched(run, "results", 5, {"redacted": [mark]})) == []

"""What people get to read: what is unfit for them, and what only looks unfit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.checks.wording import names_command, names_path, unfit
from callproof.judge.verdicts import Verdict
from edited_runs import base, findings, live, patched, verdict


@pytest.mark.parametrize(
    "text",
    [
        "Read /home/someone/vault/a.md",
        "failed: /tmp/x is full",
        "see (/Users/x/Library/y)",
        "C:\\Users\\x\\vault",
        "D:/vault/a.md",
        "\\\\server\\share",
        "file:///etc/passwd",
        "Traceback (most recent call last): …",
        'File "tool.py", line 3',
        "at run (/app/index.js:3:7)",
        "at com.acme.Tool.run(Tool.java:12)",
        "at java.base/java.util.ArrayList$Itr.next(ArrayList.java:967)",
        "at app//com.acme.Tool.run(Tool.kt:12)",
        "at jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)",
        "at async run (app/index.js:3:7)",
        "at new Tool (index.js:3:7)",
        "at Object.run [as tool] (index.js:3:7)",
        "at next (node:internal/queue:95:5)",
        "at /app/index.js:42:7",
        "at async /app/index.js:42:7",
        "at <anonymous> (C:\\app\\index.js:3:7)",
        "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "postgres://ann:s3cret@db/notes is down",
        "redis://:s3cret@cache:6379 is down",
        "goroutine 7 [running]",
        "a\x1b[31mred",
        "two\nlines",
        "a\x85b",
        "-----BEGIN RSA PRIVATE KEY-----",
        "key AKIAABCDEFGHIJKLMNOP",
        "key " + "ASIA" + "Q3EGUVHZ5RKLM7XW",
        "refused: sk-" + "proj-hV2mQ9xTb4Lk7Rw1Zc8Nd5Yf3Gs6Pj0AeUi",
        "refused: sk-" + "ant-api03-hV2mQ9xTb4Lk7Rw1Zc8Nd5Yf3Gs6Pj0A-AA",
        "refused: sk-" + "hV2mQ9xTb4Lk7Rw1Zc8Nd5Yf3Gs6Pj0AeUiOb",
        "(github_" + "pat_11" + "hV2mQ9xTb4Lk7Rw1Zc8Nd5Yf3Gs6Pj0AeUiOb" * 2 + ")",
        "xoxb-" + "2837465928-2837465928-Kd93jFh28sLqWm",
        "AIza" + "hV2mQ9xTb4Lk7Rw1Zc8Nd5Yf3Gs6Pj0AeUi",
        "glpat-" + "hV2mQ9xTb4Lk7Rw1Zc8N",
    ],
)
def test_what_programs_say_to_each_other_is_unfit_for_people(text: str) -> None:
    """Paths of the machine, stack traces, control characters and keys are found (MSG-01)."""
    assert unfit(text) is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("java.lang.IllegalStateException\n\tat Main.call(Main.java:120)", "a stack trace"),
        ("Traceback (most recent call last):\n  KeyError: 'sk-proj-hV2mQ9xTb4Lk7Rw1Zc8Nd5Yf3Gs6Pj0AeUi'", "a secret"),
        ("cannot read\n/home/ann/a.md", "an absolute path"),
        ("two\nlines", "the control character U+000A"),
        ("a\x1b[31mred", "the control character U+001B"),
    ],
)
def test_the_weightiest_of_what_is_unfit_is_told(text: str, told: str) -> None:
    """Without its line feeds a stack trace is still one, and its author should not learn that only then (MSG-01)."""
    assert unfit(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "Created Notes/home/plan.md",
        "Met at Rome/Trastevere (Unknown) and at noon(ish)",
        "Read sk-Preklad-2026-zmluvy-o-najme-bytu-v-Kosiciach.md",
        "Read sk-proj-navrh-zmluvy-o-najme-bytu-v-centre-mesta.md",
        "Ran npm_and_yarn, risk-assessment and xoxo",
        "Read Notes/var/a.md and and/or.md",
        "Opened https://example.org/home/a",
        "Wrote “C: the language.md”",
        "Note: /help is a command",
        "50 % of 3/4 done",
        "ノートを読んだ: 東京/駅.md",
        "Looked at 12:30 in the calendar",
        "50 % at noon (3:4)",
        "Wrote 3 lines at Notes (10:20)",
        "Met at new year (3:4) and at async (10:20)",
        "See https://example.org:8080/@ann and eyJ",
        "See https://:8080/@ann",
        "Opened ASIAPACIFICECONOMIES",
        "Re: D:plan",
        "قرأت الملاحظة",
        "e\u0301 \u200d \u2028 🌱",
        "",
    ],
)
def test_what_people_write_is_fit_for_people(text: str) -> None:
    """Vault paths, addresses, times and all languages are allowed (B-37, B-43)."""
    assert unfit(text) is None


@pytest.mark.parametrize(
    ("preview", "path", "named"),
    [
        ("Create note “Foo” in folder XYZ", "XYZ/Foo.md", True),
        ("Ensure Projects", "Projects/", True),
        ("CAFÉ を作る", "Notes/cafe\u0301.md", True),
        ("Hide it", "a/.hidden", False),
        ("Hide .hidden", "a/.hidden", True),
        ("Create a note", "XYZ/Foo.md", False),
    ],
)
def test_a_path_is_named_by_its_last_segment(preview: str, path: str, named: bool) -> None:
    """With the extension or without, in any case and form (MSG-04)."""
    assert names_path(preview, path) is named


def test_a_command_is_named_by_a_word_of_its_id() -> None:
    """Commands have titles, so one word of the id in the preview is enough."""
    assert names_command("Reload the app", "app:reload-all")
    assert not names_command("Do it", "app:reload")
    assert names_command("Anything", "a:b")


def test_a_message_of_five_hundred_characters_is_short_enough() -> None:
    """The limit is stated, and it is inclusive (MSG-02)."""
    assert findings(patched(base("unconfirmed"), "results", 0, {"userMessage": "x" * 500}), "MSG-02") == []
    assert len(findings(patched(base("unconfirmed"), "results", 0, {"userMessage": "x" * 501}), "MSG-02")) == 1


def test_the_preview_of_a_step_may_stand_on_all_its_iterations() -> None:
    """`Create a note for each bullet` is true of every bullet, and names no path (MSG-04, MSG-05)."""
    shared = patched(base("foreach"), "calls", 1, {"preview": "Create a note in Notes for each bullet"})
    assert findings(shared, "MSG-04") == []
    assert findings(shared, "MSG-05") == []


def test_previews_are_not_advised_on_without_the_plan() -> None:
    """Only the plan shows which preview a loop shares (MSG-04)."""
    shared = patched(base("foreach"), "calls", 1, {"preview": "Create a note in Notes for each bullet"})
    assert findings(replace(shared, run_record=None), "MSG-04") == []
    assert verdict(replace(shared, run_record=None), "MSG-04") is Verdict.INCONCLUSIVE


def test_a_command_that_its_preview_does_not_name_is_advised_against() -> None:
    """The registry lists the tool as a command, and the preview does not name it."""
    assert findings(patched(base("cancelled"), "calls", 1, {"preview": "Do something"}), "MSG-04") == [
        'call c2 had the preview "Do something"'
    ]


@pytest.mark.parametrize(
    ("patch", "records", "requirement"),
    [
        ({"userMessage": "It said hush-7"}, "results", "MSG-01"),
        ({"debugMessage": "It said hush-7"}, "results", "MSG-03"),
        ({"message": "It said hush-7"}, "events", "MSG-06"),
        ({"error": {"message": "It said hush-7"}}, "results", "MSG-07"),
    ],
)
def test_a_planted_secret_is_found_where_it_came_out(patch: dict[str, str], records: str, requirement: str) -> None:
    """Each text for people has its own requirement, and LOG-16 leaves secrets in it to that one."""
    run = live(patched(base("unconfirmed"), records, 0, dict(patch)), canaries=("hush-7",))
    assert len(findings(run, requirement)) == 1
    assert findings(run, "LOG-16") == []
    assert findings(live(base("unconfirmed"), canaries=("hush-7",)), requirement) == []


def test_a_failure_with_words_of_its_own_says_nothing_untrue() -> None:
    """Only the words of a successful attempt claim success (MSG-02)."""
    run = base("recovered")
    well = run.results[1].text("userMessage") or "Read Notes/garden.md"
    run = patched(run, "results", 1, {"userMessage": well})
    assert findings(patched(run, "results", 0, {"userMessage": "The disk did not answer"}), "MSG-02") == []
    assert len(findings(patched(run, "results", 0, {"userMessage": well}), "MSG-02")) == 1


@pytest.mark.parametrize("mark", ["/args", "/args/path"])
def test_a_preview_names_nothing_that_stands_in_for_a_secret(mark: str) -> None:
    """MSG-04, A42: the mark may point to the path or to what holds it."""
    run = patched(base("linear"), "calls", 0, {"args": {"path": "***"}, "argsHash": None})
    assert len(findings(run, "MSG-04")) == 1
    assert findings(patched(run, "calls", 0, {"redacted": [mark]}), "MSG-04") == []
    assert len(findings(patched(run, "calls", 0, {"redacted": ["/argsModifiedBy", "/preview/x"]}), "MSG-04")) == 1


def test_a_preview_that_a_hook_outdated_shows_no_other_iteration() -> None:
    """MSG-05, A49: a hook gave one of two equal items another path, and its preview still shows the planned one."""
    run = base("foreach")
    first, second = (at for at, each in enumerate(run.calls) if each.iteration_index in (0, 1))
    path = dict(run.calls[first].object("args") or {})["path"]
    shown = patched(run, "calls", second, {"preview": f"Create {path}"})
    assert len(findings(shown, "MSG-05")) == 1
    assert findings(patched(shown, "calls", second, {"argsModifiedBy": "dedupe"}), "MSG-05") == []
    assert findings(patched(shown, "calls", second, {"redacted": ["/preview"]}), "MSG-05") == []
    assert len(findings(patched(shown, "calls", first, {"argsModifiedBy": "dedupe"}), "MSG-05")) == 1


def test_what_stands_in_for_a_secret_says_nothing_untrue() -> None:
    """MSG-02, A42: two redacted messages do not count as the same words."""
    run = base("recovered")
    for at in (0, 1):
        run = patched(run, "results", at, {"userMessage": "***"})
    assert len(findings(run, "MSG-02")) == 1
    for at in (0, 1):
        assert findings(patched(run, "results", at, {"redacted": ["/userMessage"]}), "MSG-02") == []

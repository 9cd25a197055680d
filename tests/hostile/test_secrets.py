"""Values of a log in its reports (SEC-11): no form shows any value, unless the user asks for values."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from callproof.auditing.audited import Rules
from callproof.auditing.masking import Masking, shape_of
from callproof.auditlog.reader import read_run
from callproof.commands.show import show
from callproof.report import story_text
from callproof.trace.registry import registry_of
from callproof.values.jsontext import Json, write_json
from edited_runs import base as base_run
from edited_runs import patched
from hostile.canaries import CANARY, DISGUISES, disguised_leaks, leaks, plant_everywhere, report_on
from hostile.commands import REPORTS, audited, printed
from hypothesis import given
from hypothesis import strategies as st
from log_edits import BASES, Edit, apply, copy_of
from rich.console import Console

# Lines that are no records, each of them with a secret.
_UNREAD = (
    f'{{"{CANARY}": 1, "{CANARY}": 2}}',
    f'{{"a": 1e999, "b": "{CANARY}"}}',
    f'{{"a": "{CANARY}\\q"}}',
    f'["{CANARY}"]',
    f"{CANARY}",
    f'{{"a": "\\ud800 {CANARY}"}}',
    f'{{"a": "{CANARY}',
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of broken logs with a secret in every value, and in lines that are no records."""
    folder = tmp_path_factory.mktemp("logs")
    edits = {
        "effects": Edit("results 3", {"effects": {"modified": [{"path": f"{CANARY}/a.md", "kind": "file"}]}}),
        "foreach": Edit("calls 3", {"args": {"content": CANARY, CANARY: 1}}),
        "linear": Edit("results 2", {"ok": False, "error": {"code": "INTERNAL_ERROR", "message": CANARY}}),
        "references": Edit("calls 4", {"args": {"text": CANARY}, "timeout_ms": CANARY}),
        "refused": Edit("calls 2", {"args": {"path": f"../{CANARY}"}, "preview": CANARY, CANARY: CANARY}),
        "retried": Edit("events 3", {"level": CANARY, "message": CANARY, "payload": {CANARY: CANARY}}),
    }
    for base, edit in edits.items():
        log = copy_of(base, folder / base)
        apply(edit, log)
        plant_everywhere(log)
    for name in ("calls", "results", "events"):
        log = copy_of("linear", folder / f"unread-{name}")
        with (log / f"{name}.jsonl").open("a", encoding="utf-8") as stream:
            stream.write("\n".join(_UNREAD))
    return folder


def test_no_form_of_a_report_shows_a_value(logs: Path, tmp_path: Path) -> None:
    """Text, JSON, lines, page, Markdown, badge, SARIF, JUnit and annotations have findings but show no secret."""
    found = audited(logs, tmp_path)
    assert (found.exit_code, found.stderr) == (1, "")
    assert set(found.said) == {"text", *REPORTS}
    assert {each["run"] for each in found.report["findings"]} == {each.name for each in logs.iterdir()}
    assert [form for form, said in found.said.items() if CANARY in said] == []
    assert CANARY not in printed(logs, "github")


@pytest.mark.parametrize(("base", "call"), [("foreach", None), ("retried", "c2"), ("references", "c4")])
def test_a_story_of_a_run_shows_no_value(tmp_path: Path, base: str, call: str | None) -> None:
    """``callproof show`` tells only names, places and shapes."""
    plant_everywhere(copy_of(base, tmp_path / "log"))
    told = StringIO()
    shown = show(tmp_path / "log", None, call, Rules())
    story_text.write(shown.story, shown.findings, shown.verdict, Console(file=told, width=200))
    assert "character" in told.getvalue()
    assert CANARY not in told.getvalue()


def test_values_are_shown_to_whoever_asks_for_them(logs: Path, tmp_path: Path) -> None:
    """``--show-values`` changes the text of a finding, but neither which findings there are nor their classes."""
    shown, masked = audited(logs, tmp_path, "--show-values"), audited(logs, tmp_path)
    assert CANARY in shown.said["report.json"]
    one, other = ([(each["run"], each["class"]) for each in found.report["findings"]] for found in (shown, masked))
    assert one == other


@pytest.mark.parametrize(("base", "first"), [("linear", 5), ("effects", 11), ("foreach", 3)])
def test_no_single_secret_is_shown_wherever_it_is_planted(base: str, first: int) -> None:
    """One canary at a time is planted, at every fortieth place of the log; the report shows none."""
    assert list(leaks(BASES / base, step=40, first=first)) == []


@pytest.mark.parametrize(("base", "first"), [("retried", 1), ("references", 4), ("unconfirmed", 0)])
def test_a_secret_is_a_value_whatever_it_looks_like(base: str, first: int) -> None:
    """Wiki links, templates and quotes are values as well: one is planted at every seventh place, in turn."""
    assert list(disguised_leaks(BASES / base, step=7, first=first)) == []


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_name_or_a_type_is_masked_whatever_it_looks_like(disguise: str, tmp_path: Path) -> None:
    """Sentences tell names of members and types of events without quotes around them."""
    log = copy_of("retried", tmp_path / "log")
    named = disguise.format(CANARY)
    apply(Edit("calls 1", {"args": {"path": "Inbox/ideas.md", named: 1}}), log)
    apply(Edit("events 3", {"type": named}), log)
    apply(Edit("results 3", {"data": {named: 1}}), log)
    report = report_on(log)
    assert "VAL-07" in report
    assert CANARY not in report
    told = StringIO()
    shown = show(log, None, None, Rules())
    story_text.write(shown.story, shown.findings, shown.verdict, Console(file=told, width=300))
    assert CANARY not in told.getvalue()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=12,
    )
)
def test_a_quoted_value_is_told_by_its_shape(value: Json) -> None:
    """Whatever the value is, none of its text is left, and the sentence around it stays."""
    masking = Masking(read_run(BASES / "linear"))
    secret = {"secret": value, "": [CANARY]}
    assert masking.text(f"call c1 had args {write_json(secret)} at /args") == "call c1 had args [object of 2] at /args"
    assert masking.bare(f"call c1 had args {write_json(secret)}") == "call c1 had args …"


_SHAPES: list[tuple[Json, str]] = [
    ("ab", "[2 characters]"),
    ("a", "[1 character]"),
    (7, "[number]"),
    ({"a": 1}, "[object of 1]"),
    ([], "[array of 0]"),
]


@pytest.mark.parametrize(("value", "shape"), _SHAPES)
def test_a_shape_tells_type_and_length(value: Json, shape: str) -> None:
    """It never tells a hash, from which a short value could be guessed."""
    assert shape_of(value) == shape


def test_what_names_the_place_stays(tmp_path: Path) -> None:
    """A reader needs ids, tools, words of the specification, instants and pointers to find the place."""
    log = copy_of("linear", tmp_path / "log")
    run = read_run(log)
    told = 'call c2 of vault.createFile had status "ok" at /args/path, 4000 ms after 2026-01-05T09:00:09.000Z'
    assert Masking(run).text(told) == told


@pytest.mark.parametrize(
    ("line", "patch", "told"),
    [
        ("calls 2", {"timeoutMs": None, "timeout_ms": 30000}, '"timeout_ms"'),
        ("results 2", {"status": "canceled"}, '"canceled"'),
        ("events 5", {"type": "step.running"}, '"step.running"'),
        ("events 5", {"type": "stepStarted"}, '"stepStarted"'),
        ("results 2", {"status": "error", "ok": False, "data": None, "error": {"code": "not_found"}}, '"not_found"'),
    ],
)
def test_a_word_of_the_specification_in_another_spelling_is_shown(
    line: str, patch: Json, told: str, tmp_path: Path
) -> None:
    """A user cannot mend a word if the report shows only its length; such a word reveals no values."""
    log = copy_of("linear", tmp_path / "log")
    apply(Edit(line, patch), log)
    assert told in report_on(log).replace("\\", "")


def test_the_dialect_of_a_schema_is_told_and_nothing_else_in_its_place() -> None:
    """VAL-09: a user who names another draft has to see which one; what is no name of a draft is a value."""
    own, other = "http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema#anna"
    run = base_run("linear")
    assert run.run_record is not None
    tools: Json = [{"name": f"t{n}", "inputSchema": {"$schema": each}} for n, each in enumerate((own, other))]
    record = replace(run.run_record, value={**run.run_record.value, "tools": tools})
    masking = Masking(replace(run, run_record=record, registry=registry_of(tools)))
    assert masking.text(f"of the dialect {own!r}") == f"of the dialect {own!r}"
    assert "anna" not in masking.text(f"of the dialect {other!r}")


def test_a_class_holds_no_name_of_a_call_that_happens_to_be_made_of_letters() -> None:
    """Else a baseline would fit this one run only: most random names of a system hold a digit, but some do not."""
    run = patched(base_run("linear"), "calls", 1, {"callId": "call_QwErTyUiOpAsDfGh"})
    told = 'call call_QwErTyUiOpAsDfGh had status "no"'
    assert Masking(run).bare(told) == "call … had status …"
    assert "call_QwErTyUiOpAsDfGh" in Masking(run).text(told)


def test_a_value_that_a_report_cuts_off_is_not_shown_to_the_cut(tmp_path: Path) -> None:
    """The beginning of a long secret is a secret too."""
    log = copy_of("linear", tmp_path / "log")
    apply(Edit("calls 2", {"args": {"text": CANARY * 100, "more": {CANARY: [CANARY] * 50}}}), log)
    report = report_on(log)
    assert CANARY not in report
    assert "[longer than a report shows]" in report


@pytest.mark.parametrize("judged_by", ["its own", "others", "none"])
def test_a_text_of_a_descriptor_is_told_by_its_shape(judged_by: str) -> None:
    """The tools of a run record are text of the log, whichever registry is used to judge its calls."""
    run = base_run("linear")
    own: Json = [{"name": "vault.readFile", "description": "between us only", "priority": 123_456}]
    assert run.run_record is not None
    record = replace(run.run_record, value={**run.run_record.value, "tools": own})
    registry = {"its own": registry_of(own), "others": registry_of([]), "none": None}[judged_by]
    masking = Masking(replace(run, run_record=record, registry=registry))
    assert masking.text("it had between us only and 123456") == "it had [15 characters] and [6 characters]"


def test_a_length_of_time_is_told_though_the_closing_events_payload_repeats_it() -> None:
    """Numbers that measure are no values: a finding on a duration says which duration was permitted."""
    run = base_run("linear")
    for place in range(len(run.results)):
        run = patched(run, "results", place, {"durationMs": 4_900})
    assert [each.object("payload") for each in run.events or ()].count({"status": "ok", "durationMs": 4_000}) == 2
    assert Masking(run).text("4000 ms, give or take 52") == "4000 ms, give or take 52"


def test_what_was_measured_is_told_though_a_value_is_spelt_like_it() -> None:
    """The length of a call reveals nothing about a text with the same digits; beside the unit they are the length."""
    run = base_run("linear")
    for place, took in enumerate((4_000, 4_000.5)):
        run = patched(run, "results", place, {"durationMs": took})
    run = patched(run, "calls", 0, {"args": {"path": "4000"}})
    told = Masking(run).text("ended after 4000 ms, and after 4000.5 ms, but held 4000")
    assert told == "ended after 4000 ms, and after 4000.5 ms, but held [4 characters]"

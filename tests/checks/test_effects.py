"""Effects: history, shape, and what witnesses saw."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest
from callproof.checks.changes import same_effects
from callproof.checks.path_history import history
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.schema.validator import shape_validator
from callproof.trace.records import Record
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.trace.witnesses import Entry, World
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object
from edited_runs import base, findings, look, patched, verdict, with_records
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live_runs import arriving, changed, folder, invoked, witnessed, world

WORLDLY = ("EFF-02", "EFF-03", "EFF-05", "EFF-06", "EFF-08", "EFF-11", "EFF-22")


def entry(content: str, kind: str = "file") -> Entry:
    """One name in the folder."""
    return Entry(kind, content, 1)


def vault(*, after: dict[str, Entry | None] | None = None, trash: str | None = "old") -> World:
    """The folder around the effects base, with some paths changed at the end."""
    before = {"Notes": entry("", "folder")}
    before |= {f"Notes/{name}.md": entry(name) for name in ("log", "draft", "final", "old")}
    held = dict(before)
    for gone in ("log", "draft", "old"):
        del held[f"Notes/{gone}.md"]
    ends: dict[str, Entry | None] = {
        "Archive": entry("", "folder"),
        "Archive/log.md": entry("log+"),
        "Notes/2026": entry("", "folder"),
        "Notes/final.md": entry("draft"),
        **(after or {}),
    }
    result = {path: each for path, each in {**held, **ends}.items() if each is not None}
    return world(before, result, {"old.md": entry(trash)} if trash is not None else {})


@pytest.mark.parametrize("requirement", WORLDLY)
def test_effects_that_are_true_of_the_folder_are_fine(requirement: str) -> None:
    """The folder changed as the results say."""
    run = witnessed(base("effects"), world=vault())
    assert not findings(run, requirement)
    assert verdict(run, requirement) is Verdict.PASS


@pytest.mark.parametrize(
    ("after", "requirement"),
    [
        ({"Archive": None}, "EFF-02"),
        ({"Archive": entry("x")}, "EFF-11"),
        ({"Notes/old.md": entry("old")}, "EFF-05"),
        ({"Archive/log.md": None, "Notes/log.md": entry("log")}, "EFF-06"),
        ({"Notes/secret.md": entry("boo")}, "EFF-08"),
    ],
)
def test_a_folder_that_tells_another_story_is_found(after: dict[str, Entry | None], requirement: str) -> None:
    """What the folder shows outranks what the result says."""
    assert len(findings(witnessed(base("effects"), world=vault(after=after)), requirement)) >= 1


@pytest.mark.parametrize("untold", [11, 10])
def test_writers_whose_start_was_not_told_were_neither_denied_nor_readers(untold: int) -> None:
    """Their results are ok and list what the folder shows: only their step.started is missing (EVT-14)."""
    run = base("effects")
    tools = [each.value for each in (run.registry.tools if run.registry else ())]
    reading = [{**each, "riskLevel": "read-only"} if each["name"] == "vault.ensureFolder" else each for each in tools]
    run = replace(witnessed(run, world=vault()), registry=registry_of(reading))
    run = with_records(run, "events", lambda _at, each: _silenced(each, untold), run.events or ())
    assert not findings(run, "POL-14")
    assert not any("in a run that only read" in each for each in findings(run, "EFF-09"))
    assert len(findings(run, "EVT-14")) == untold


def _silenced(event: Record, untold: int) -> Record:
    """The event; if it is the start of one of the last ``untold`` calls, it becomes another one."""
    number = int((event.call_id or "c0").removeprefix("c"))
    is_start = event.text("type") == "step.started" and number > 11 - untold
    return replace(event, value={**event.value, "type": "step.progress"}) if is_start else event


def test_a_trashed_file_that_is_not_in_the_trash_is_found() -> None:
    """The suite looks into the trash (EFF-05)."""
    run = witnessed(base("effects"), world=vault(trash=None))
    assert findings(run, "EFF-05") == ["the result of c8 lists Notes/old.md with trashed true"]


@pytest.mark.parametrize(("trashed", "lies"), [(True, 1), (False, 0)])
def test_a_replaced_file_that_is_not_in_the_trash_is_found(*, trashed: bool, lies: int) -> None:
    """A rename over a file says whether the replaced file went to the trash (EFF-05, EFF-07)."""
    deleted: Json = [{"path": "b.md", "kind": "file", "trashed": trashed}]
    effects: Json = {"effects": {"deleted": deleted, "renamed": [{"from": "a.md", "to": "b.md"}]}}
    run = patched(base("effects"), "results", 8, effects)
    told = world({"a.md": entry("a"), "b.md": entry("b")}, {"b.md": entry("a")})
    found = [each for each in findings(witnessed(run, world=told), "EFF-05") if "b.md" in each]
    assert len(found) == lies


def _renamed(old: str, new: str, *more: dict[str, Json]) -> Run:
    """The effects base, in which the last writing call renamed something; others did what ``more`` says."""
    run = base("effects")
    for line, effects in enumerate(({"renamed": [{"from": old, "to": new}]}, *more)):
        run = patched(run, "results", 8 - line, {"effects": effects})
    return run


@pytest.mark.parametrize(("deleted", "lies"), [([], 1), ([{"path": "b.md", "kind": "file"}], 0)])
def test_a_rename_over_a_file_that_the_folder_held_tells_so(deleted: list[Json], lies: int) -> None:
    """No record shows that the file was there, but the folder does (EFF-07)."""
    told = world({"a.md": entry("a"), "b.md": entry("b")}, {"b.md": entry("a")})
    run = patched(
        base("effects"), "results", 8, {"effects": {"renamed": [{"from": "a.md", "to": "b.md"}], "deleted": deleted}}
    )
    found = [each for each in findings(witnessed(run, world=told), "EFF-07") if "b.md" in each]
    assert len(found) == lies


def test_what_was_moved_away_may_be_made_again() -> None:
    """A folder was renamed, and another call made a folder of its name (EFF-06)."""
    made: Json = [{"path": "Old", "kind": "folder"}, {"path": "Old/new.md", "kind": "file"}]
    held = {"Old": entry("", "folder"), "Old/a.md": entry("a")}
    ends = {"New": entry("", "folder"), "New/a.md": entry("a"), "Old": entry("", "folder"), "Old/new.md": entry("n")}
    told = world(held, ends)
    assert not any(
        "Old" in each for each in findings(witnessed(_renamed("Old", "New", {"created": made}), world=told), "EFF-06")
    )
    alone = findings(witnessed(_renamed("Old", "New"), world=told), "EFF-06")
    assert [each for each in alone if "Old" in each] != []


def test_another_file_of_the_same_content_may_lie_in_the_trash() -> None:
    """A new file went to the trash, an old one of the same content for good: the trash does not show which (EFF-05)."""
    gone: Json = [{"path": "a.md", "kind": "file", "trashed": False}]
    thrown: Json = [{"path": "new.md", "kind": "file", "trashed": True}]
    run = patched(base("effects"), "results", 8, {"effects": {"deleted": gone}})
    told = world({"a.md": entry("same"), "Notes/old.md": entry("old")}, {}, {"new.md": entry("same")})
    assert any("a.md" in each for each in findings(witnessed(run, world=told), "EFF-05"))
    both = patched(run, "results", 7, {"effects": {"deleted": thrown}})
    assert not any("a.md" in each for each in findings(witnessed(both, world=told), "EFF-05"))


def test_a_created_file_that_was_there_is_found() -> None:
    """The folder held it before the run (EFF-02)."""
    there = {"Copies/ideas.md": entry("old")}
    run = witnessed(base("retried"), world=world(there, there))
    assert findings(run, "EFF-02") == [
        "the result of c4 lists Copies/ideas.md as created, and in the folder it was there before the run"
    ]


def test_a_rewrite_with_the_same_bytes_is_found() -> None:
    """The folder holds the same bytes before and after (EFF-25)."""
    modified = {"modified": [{"path": "Copies/ideas.md", "kind": "file"}]}
    run = patched(base("retried"), "results", 3, {"effects": {"created": None, **modified}})
    there = {"Copies/ideas.md": entry("same")}
    assert len(findings(witnessed(run, world=world(there, there)), "EFF-25")) == 1
    assert len(findings(witnessed(run, world=world({}, there)), "EFF-03")) == 1


@pytest.mark.parametrize(("after", "followed"), [("other", True), ("same", False)])
def test_one_etag_for_two_contents_is_a_wrong_etag(after: str, followed: bool) -> None:
    """EFF-04, EFF-25: if the folder shows that the content changed, the entry is right, and its etag is not."""
    entries: Json = [{"path": "Copies/ideas.md", "kind": "file", "beforeEtag": "e1", "afterEtag": "e1"}]
    run = patched(base("retried"), "results", 3, {"effects": {"created": None, "modified": entries}, "data": None})
    run = patched(run, "results", 3, {"data": {"path": "Copies/ideas.md"}})
    seen = witnessed(run, world=world({"Copies/ideas.md": entry("same")}, {"Copies/ideas.md": entry(after)}))
    after_folding = folded(seen, {name: each for name, each in judge(seen).items() if name in ("EFF-04", "EFF-25")})
    assert bool(findings(seen, "EFF-04")) is followed
    assert all((each.root is not None) is followed for each in after_folding["EFF-25"].findings)
    assert after_folding["EFF-25"].findings


@pytest.mark.parametrize("etag", ["etag-log-4", "W/etag-log-4"])
def test_an_etag_that_the_data_contradicts_is_no_sign_of_identical_bytes(etag: str) -> None:
    """EFF-04, EFF-25: the data gives another etag, so the content may have changed; the entry is no fault."""
    entries: Json = [{"path": "Notes/log.md", "kind": "file", "beforeEtag": "etag-log-3", "afterEtag": "etag-log-3"}]
    run = patched(base("effects"), "results", 4, {"effects": {"modified": entries}, "data": {"etag": etag}})
    run = patched(run, "results", 4, {"data": {"path": "Notes/log.md"}})
    after = folded(run, {name: each for name, each in judge(run).items() if name in ("EFF-04", "EFF-25")})
    assert [each.root and each.root.requirement for each in after["EFF-25"].findings] == ["EFF-04"]


def test_a_name_in_another_form_than_on_disk_is_found() -> None:
    """The disk has the decomposed name, the effects the composed one (EFF-22)."""
    created: Json = {"effects": {"created": [{"path": "Caf\u00e9.md", "kind": "file"}]}}
    run = patched(base("retried"), "results", 3, created)
    seen = witnessed(run, world=world({}, {"Cafe\u0301.md": entry("x")}))
    (found,) = look(seen, "EFF-22").findings
    assert found.finding.because == ("they differ after 3 characters: U+00E9, and not U+0065 U+0301",)
    assert not findings(seen, "EFF-08")


def test_names_that_look_the_same_are_told_apart_by_their_code_points() -> None:
    """EFF-22: also where data and effects differ; names that look different need no code points."""
    effects: Json = {"created": [{"path": "Caf\u00e9.md", "kind": "file"}]}
    run = patched(base("effects"), "results", 1, {"effects": effects, "data": {"path": "Cafe\u0301.md"}})
    (found,) = look(run, "EFF-22").findings
    assert found.finding.because == ("they differ after 3 characters: U+00E9, and not U+0065 U+0301",)
    (plain,) = look(patched(run, "results", 1, {"data": {"path": "CAF\u00c9.md"}}), "EFF-22").findings
    assert plain.finding.because == ()


def test_a_reading_run_that_changes_the_folder_is_found() -> None:
    """Only read-only tools ran, and a file is new (EFF-09)."""
    run = witnessed(base("unconfirmed"), world=world({}, folder(a_md="x")))
    assert findings(run, "EFF-09") == ["the folder changed at a.md in a run that only read"]


def test_an_account_of_effects_may_leave_out_empty_lists_and_choose_its_order() -> None:
    """The listed changes count, not how they are listed (B-16, B-39)."""
    one, other = ({"path": path, "kind": "file"} for path in ("a.md", "b.md"))
    assert same_effects({"created": [one, other], "deleted": []}, {"created": [other, one]})
    assert not same_effects({"created": [one, other]}, {"created": [one]})
    assert not same_effects({"created": [one]}, {"created": [one, one]})
    assert not same_effects({"created": [one]}, {"modified": [one]})
    assert not same_effects({"created": "a.md"}, {})
    assert not same_effects(None, {"created": [one]})


@pytest.mark.parametrize(
    ("effects", "tolerated"),
    [
        ({"sideEffectsObserved": None, "created": None, "modified": None, "deleted": None, "renamed": None}, True),
        ({"modified": [{"path": "a.md", "kind": "file", "beforeEtag": None, "afterEtag": None}]}, True),
        ({"deleted": [{"path": "a.md", "kind": "file", "trashed": None}]}, True),
        ({"created": [{"path": None, "kind": "file"}]}, False),
        ({"created": [None]}, False),
    ],
)
def test_the_check_and_the_published_schema_agree_on_null(effects: Json, tolerated: bool) -> None:
    """EFF-21, A30: for an optional member null is another way to say absent, and for no other value."""
    run = base("effects")
    value = {**run.results[2].value, "effects": effects}
    run = replace(run, results=(*run.results[:2], replace(run.results[2], value=value), *run.results[3:]))
    assert (not findings(run, "EFF-21")) is tolerated
    assert shape_validator("tool-result").accepts(value) is tolerated


def test_what_is_null_is_left_out_of_an_account_of_effects() -> None:
    """EFF-01, A30: null lists and members say no more than absent ones."""
    entry: Json = {"path": "a.md", "kind": "file"}
    assert same_effects({"modified": [{"path": "a.md", "kind": "file", "beforeEtag": None}]}, {"modified": [entry]})
    assert same_effects({"created": None, "modified": [entry]}, {"modified": [entry], "deleted": []})
    assert not same_effects({"modified": [{"path": "a.md", "kind": "file", "beforeEtag": "1"}]}, {"modified": [entry]})


def test_effects_that_were_only_meant_are_found() -> None:
    """The host observed one thing, and the result says another (EFF-01)."""
    run = arriving(base("effects"))
    assert verdict(witnessed(run, invoked(run)), "EFF-01") is Verdict.PASS
    silent = witnessed(patched(run, "results", 1, {"effects": None}), invoked(run))
    assert findings(silent, "EFF-01") == ["the result of c2 had no effects"]
    blind = changed(
        invoked(run),
        "c1",
        lambda deed: replace(deed, answer=replace(deed.answer, observed=None) if deed.answer else None),
    )
    assert findings(witnessed(run, blind), "EFF-01")


def test_overlapping_calls_settle_nothing_about_one_path() -> None:
    """If two calls touched a path at once, nobody knows which came first (EFF-02)."""
    created: Json = {"effects": {"modified": None, "created": [{"path": "Notes/log.md", "kind": "file"}]}}
    run = patched(base("effects"), "results", 3, created)
    assert findings(run, "EFF-02")
    touched = patched(run, "results", 3, {"startedAt": "2026-01-05T09:00:38.000Z"})
    assert not findings(touched, "EFF-02")


def test_a_write_that_nobody_observed_makes_the_past_unknown() -> None:
    """Between the two an unobserved call may have deleted the folder (EFF-02)."""
    created: Json = {"effects": {"modified": None, "created": [{"path": "Archive", "kind": "folder"}]}}
    run = patched(base("effects"), "results", 3, created)
    assert findings(run, "EFF-02")
    assert not findings(patched(run, "results", 2, {"effects": None}), "EFF-02")


@pytest.mark.parametrize(
    ("begins", "ends", "found"),
    [
        ("00:20.000", "00:21.000", 1),
        ("00:24.000", "00:26.000", 0),
        ("00:30.000", "00:31.000", 0),
        ("00:48.000", "02:00.000", 0),
        ("00:20.000", "02:00.000", 0),
        ("00:49.000", "02:00.000", 1),
        ("00:48.000", None, 0),
        ("00:49.500", None, 1),
    ],
    ids=["before", "at-first", "between", "at-last", "all-along", "after", "at-last-and-open", "after-and-open"],
)
def test_a_write_that_nobody_observed_unsettles_all_the_time_that_it_ran(
    begins: str, ends: str | None, found: int
) -> None:
    """It may have deleted the folder at any moment from its beginning to its end, if it has one (EFF-02, A26)."""
    created: Json = {"effects": {"modified": None, "created": [{"path": "Archive", "kind": "folder"}]}}
    run = patched(base("effects"), "results", 3, created)
    assert len(findings(run, "EFF-02")) == 1
    of_it = {each.get("type"): at for at, each in enumerate(run.events or ()) if each.call_id == "c3"}
    run = patched(run, "events", of_it["step.started"], {"timestamp": f"2026-01-05T09:{begins}Z"})
    if ends is None:
        ended = of_it["step.finished"]
        events = (*(run.events or ())[:ended], *(run.events or ())[ended + 1 :])
        silent = replace(run, results=(*run.results[:2], *run.results[3:]), events=events)
    else:
        times: Json = {"startedAt": f"2026-01-05T09:{begins}Z", "endedAt": f"2026-01-05T09:{ends}Z", "effects": None}
        silent = patched(run, "results", 2, times)
    assert len(findings(silent, "EFF-02")) == found


def test_what_became_of_a_folder_later_unsettles_nothing_before() -> None:
    """What was known of a path counts against the next call, even if its folder is deleted later (EFF-04)."""
    deleted: Json = {"effects": {"renamed": None, "deleted": [{"path": "Notes", "kind": "folder", "trashed": False}]}}
    run = patched(base("effects"), "results", 8, deleted)
    assert not findings(run, "EFF-04")
    changed = run.results[3].value["effects"]["modified"][0] | {"beforeEtag": "etag-of-nothing"}
    assert findings(patched(run, "results", 3, {"effects": {"modified": [changed]}}), "EFF-04")


def test_what_lay_in_a_deleted_folder_is_gone_until_somebody_makes_it_again() -> None:
    """A call that modifies it, or deletes it once more, cannot have done so (EFF-03, EFF-05)."""
    modified: Json = {"effects": {"renamed": None, "modified": [{"path": "Archive/log.md", "kind": "file"}]}}
    gone: Json = {"effects": {"renamed": None, "deleted": [{"path": "Archive", "kind": "folder", "trashed": False}]}}
    run = patched(patched(base("effects"), "results", 7, gone), "results", 8, modified)
    assert findings(run, "EFF-03")
    again: Json = {
        "effects": {"renamed": None, "deleted": [{"path": "Archive/log.md", "kind": "file", "trashed": False}]}
    }
    assert findings(patched(run, "results", 8, again), "EFF-05")


def test_what_lies_below_a_moved_folder_is_unknown() -> None:
    """A folder takes its content with it, whatever the content was (EFF-02)."""
    moved: Json = {"effects": {"renamed": [{"from": "Archive", "to": "Attic"}]}}
    created: Json = {"effects": {"created": [{"path": "Archive/log.md", "kind": "file"}]}}
    run = patched(base("effects"), "results", 8, created)
    assert findings(run, "EFF-02")
    assert not findings(patched(run, "results", 7, moved), "EFF-02")


def test_a_rename_to_another_case_is_one() -> None:
    """The target is the source in another spelling, and nothing was replaced (EFF-07, EFF-24)."""
    renamed = {"from": "Archive/log.md", "to": "Archive/Log.md"}
    run = patched(base("effects"), "calls", 6, {"args": {"fromPath": renamed["from"], "toPath": renamed["to"]}})
    data = {"fromPath": renamed["from"], "toPath": renamed["to"]}
    told = patched(run, "results", 6, {"data": data, "effects": {"deleted": None, "renamed": [renamed]}})
    assert not findings(told, "EFF-07")
    assert verdict(told, "EFF-24") is Verdict.PASS
    halves: Json = {
        "renamed": None,
        "created": [{"path": renamed["to"], "kind": "file"}],
        "deleted": [{"path": renamed["from"], "kind": "file"}],
    }
    split = patched(told, "results", 6, {"effects": halves})
    assert findings(split, "EFF-24") == [
        "the result of c7 does not list the rename of Archive/log.md to Archive/Log.md"
    ]


def test_parents_and_siblings_are_no_contradiction() -> None:
    """A target that was replaced may be both deleted and renamed to (EFF-13, A91)."""
    assert verdict(base("effects"), "EFF-13") is Verdict.PASS
    itself = patched(base("effects"), "results", 5, {"effects": {"renamed": [{"from": "a", "to": "a"}]}})
    assert findings(itself, "EFF-13") == ["the result of c6 lists a as renamed to itself"]


@pytest.mark.parametrize(
    ("renamed", "found"),
    [
        ([("a", "b"), ("b", "a")], []),
        ([("a", "b"), ("b", "c")], []),
        ([("a", "b"), ("a", "c")], ["a as from in 2 renames"]),
        ([("a", "c"), ("b", "c")], ["c as to in 2 renames"]),
        ([("a", "b")] * 3, ["a as from in 3 renames", "b as to in 3 renames"]),
    ],
)
def test_one_path_is_moved_once(renamed: list[tuple[str, str]], found: list[str]) -> None:
    """Files may swap places or shift; no file goes to two places, and no two files go to one (EFF-13)."""
    listed: Json = [{"from": old, "to": new} for old, new in renamed]
    run = patched(base("effects"), "results", 5, {"effects": {"renamed": listed}})
    assert findings(run, "EFF-13") == [f"the result of c6 lists {each}" for each in found]


@pytest.mark.parametrize(
    "effects",
    [
        5,
        [],
        {"created": {}},
        {"created": [5]},
        {"created": [{"path": "", "kind": "file"}]},
        {"created": [{"path": "a"}]},
        {"modified": [{"path": "a", "kind": "folder"}]},
        {"modified": [{"path": "a", "kind": "file", "beforeEtag": 5}]},
        {"deleted": [{"path": "a", "kind": "file", "trashed": "yes"}]},
        {"renamed": [{"from": "a"}]},
        {"sideEffectsObserved": [5]},
    ],
)
def test_effects_without_their_shape_are_found(effects: Json) -> None:
    """Lists are lists, entries have their members (EFF-21)."""
    bare = patched(base("linear"), "results", 2, {"effects": None})
    assert findings(patched(bare, "results", 2, {"effects": effects}), "EFF-21")


def test_undeclared_kinds_need_a_declaration() -> None:
    """A tool that declares nothing about side effects cannot break its declaration (EFF-15)."""
    run = patched(base("effects"), "results", 0, {"effects": {"sideEffectsObserved": ["send-mail"]}})
    assert findings(run, "EFF-15") == ['the result of c1 lists "send-mail" in sideEffectsObserved']
    assert run.registry is not None
    silent = tuple(replace(each, value={**each.value, "sideEffects": None}) for each in run.registry.tools)
    assert not findings(replace(run, registry=replace(run.registry, tools=silent)), "EFF-15")


def test_a_retry_that_finds_its_own_work_done_is_no_other_call() -> None:
    """EFF-17, not EFF-02, reports what two attempts both create."""
    created: Json = {"effects": {"created": [{"path": "Notes/journal.md", "kind": "file"}]}}
    run = patched(base("recovered"), "results", 2, created)
    assert findings(run, "EFF-17")
    assert not findings(run, "EFF-02")


NOTE: Json = {"path": "Copies/ideas.md", "kind": "file"}
FOLDER: Json = {"path": "Copies", "kind": "folder"}
MOVED: Json = {"from": "Copies/old.md", "to": "Copies/ideas.md"}
AWAY: Json = {"from": "Copies/ideas.md", "to": "Copies/old.md"}


@pytest.mark.parametrize(
    ("first", "second", "laws"),
    [
        ({"created": [NOTE]}, {"created": [NOTE]}, {"EFF-17"}),
        ({"modified": [NOTE]}, {"created": [NOTE]}, {"EFF-02"}),
        ({"renamed": [MOVED]}, {"created": [NOTE]}, {"EFF-02"}),
        ({"deleted": [NOTE]}, {"deleted": [NOTE]}, {"EFF-17"}),
        ({"renamed": [AWAY]}, {"deleted": [NOTE]}, {"EFF-05"}),
        ({"deleted": [FOLDER]}, {"deleted": [NOTE]}, {"EFF-05"}),
        ({"renamed": [MOVED]}, {"renamed": [MOVED]}, {"EFF-17"}),
        ({"created": [NOTE]}, {"renamed": [MOVED]}, {"EFF-07"}),
        ({"created": [NOTE]}, {"deleted": [NOTE]}, set()),
    ],
)
def test_one_law_tells_of_what_two_attempts_did_to_one_file(first: Json, second: Json, laws: set[str]) -> None:
    """EFF-17 if a later attempt lists exactly what an earlier one had done, otherwise the law of the change."""
    run = base("retried")
    for at, effects in ((0, first), (1, second), (2, {"created": None}), (3, {"created": None})):
        run = patched(run, "results", at, {"effects": effects})
    assert {law for law in ("EFF-02", "EFF-05", "EFF-07", "EFF-17") if findings(run, law)} == laws


@pytest.mark.parametrize(("between", "found"), [({}, 1), ({"deleted": [NOTE]}, 0)], ids=["left-alone", "taken-away"])
def test_an_attempt_does_not_claim_what_an_earlier_one_did(between: Json, found: int) -> None:
    """This holds however many attempts lie between the two, unless one of them undid it (EFF-17)."""
    created: Json = {"effects": {"created": [NOTE]}}
    run = patched(patched(base("retried"), "results", 0, created), "results", 2, created)
    run = patched(run, "results", 1, {"effects": between})
    assert len(findings(run, "EFF-17")) == found


@pytest.mark.parametrize(
    ("attempt", "times", "found"),
    [
        (1, {}, 0),
        (3, {"startedAt": "2026-01-05T09:00:30.000Z", "endedAt": "2026-01-05T09:00:31.000Z"}, 0),
        (3, {"startedAt": "2026-01-05T09:01:30.000Z", "endedAt": "2026-01-05T09:01:31.000Z"}, 1),
    ],
    ids=["an-attempt", "another-call", "another-call-afterwards"],
)
@pytest.mark.parametrize("silence", [{"effects": None}, {"effects": {}, "redacted": ["/effects"]}])
def test_whoever_says_nothing_may_have_undone_what_an_attempt_did(
    attempt: int, times: dict[str, Json], silence: dict[str, Json], found: int
) -> None:
    """Between two attempts a write that nobody observed, or that is redacted, may have undone it (EFF-17, A26)."""
    created: Json = {"effects": {"created": [NOTE]}}
    run = base("retried")
    for at in range(3):
        run = patched(run, "calls", at, {"tool": run.calls[3].get("tool"), "riskLevel": "writes"})
    run = patched(patched(run, "results", 0, created), "results", 2, created)
    told = patched(patched(run, "results", 1, {"effects": {}}), "results", 3, {"effects": {"created": None}})
    assert len(findings(told, "EFF-17")) == 1
    assert len(findings(patched(told, "results", attempt, silence | times), "EFF-17")) == found


@pytest.mark.parametrize(
    ("begins", "ends", "gone", "found"),
    [
        ("26.000", "27.000", "Copies/ideas.md", 0),
        ("26.000", "27.000", "Copies", 0),
        ("26.000", "27.000", "Copies/other.md", 1),
        ("01.000", "02.000", "Copies/ideas.md", 1),
    ],
    ids=["the-file", "its-folder", "another-file", "before-both"],
)
def test_what_another_call_took_away_is_made_again(begins: str, ends: str, gone: str, found: int) -> None:
    """If another call undid the change between two attempts, the later attempt made it anew (EFF-17)."""
    created: Json = {"effects": {"created": [NOTE]}}
    run = patched(patched(base("retried"), "results", 0, created), "results", 1, created)
    times: Json = {"startedAt": f"2026-01-05T09:00:{begins}Z", "endedAt": f"2026-01-05T09:00:{ends}Z"}
    taken: Json = {"effects": {"created": None, "deleted": [{"path": gone, "kind": "file"}]}, **times}
    assert len(findings(patched(run, "results", 3, taken), "EFF-17")) == found


def test_a_deleted_file_has_no_files_in_it() -> None:
    """A path with other paths below it was a folder (EFF-11, A69)."""
    deleted: Json = {"effects": {"deleted": [{"path": "Notes/2025", "kind": "file"}, {"path": "Notes/2025/plan.md"}]}}
    assert len(findings(patched(base("effects"), "results", 8, deleted), "EFF-11")) == 1


PATHS = st.sampled_from(["a", "a/b", "b", "B", "../c", "", "a//b"])
ENTRIES = st.fixed_dictionaries({"path": PATHS, "kind": st.sampled_from(["file", "folder", "link"])})
EFFECTS = st.fixed_dictionaries(
    {},
    optional={
        "created": st.lists(ENTRIES, max_size=3),
        "modified": st.lists(ENTRIES, max_size=3),
        "deleted": st.lists(ENTRIES, max_size=3),
        "renamed": st.lists(st.fixed_dictionaries({"from": PATHS, "to": PATHS}), max_size=3),
    },
)


@pytest.mark.many
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(EFFECTS, min_size=11, max_size=11), st.booleans())
def test_no_effects_make_a_check_throw(effects: list[dict[str, Json]], watched: bool) -> None:
    """Any effects in any order are judged, with and without a folder."""
    run = base("effects")
    for place, each in enumerate(effects):
        run = patched(patched(run, "results", place, {"effects": None}), "results", place, {"effects": each})
    seen = witnessed(run, world=vault()) if watched else run
    for requirement in ("EFF-02", "EFF-13", "EFF-14", "EFF-16", "EFF-22"):
        assert isinstance(findings(seen, requirement), list)


def test_an_etag_in_data_is_the_etag_after() -> None:
    """Data and effects describe one version (EFF-04)."""
    run = patched(base("effects"), "results", 2, {"data": {"etag": "etag-log-9"}})
    assert "the result of c3 left Notes/log.md with the etag" in findings(run, "EFF-04")[0]


def test_the_hosts_own_story_is_not_held_against_the_system() -> None:
    """Two hosted tools each say that they created one file; the system only passes that on (EFF-02)."""
    created: Json = {"effects": {"modified": None, "created": [{"path": "Notes/log.md", "kind": "file"}]}}
    run = arriving(patched(base("effects"), "results", 3, created))
    assert findings(run, "EFF-02")
    assert not findings(witnessed(run, invoked(run)), "EFF-02")


def test_an_odd_spelling_is_one_fault_and_not_four() -> None:
    """The path is right, but not spelt in its normal form (EFF-12)."""
    created: Json = {"effects": {"created": [{"path": "./Copies//ideas.md", "kind": "file"}]}}
    run = patched(base("retried"), "results", 3, created)
    seen = witnessed(run, world=world({}, {"Copies/ideas.md": entry("x")}))
    assert findings(seen, "EFF-12")
    assert not [name for name in ("EFF-02", "EFF-08", "EFF-14", "EFF-22") if findings(seen, name)]


def test_a_path_of_many_folders_takes_no_more_room_than_its_letters() -> None:
    """A line of a log may hold a path of four million folders; to spell each one out would exhaust the memory."""
    deep: Json = {"effects": {"created": [{"path": "a/" * 20_000 + "x", "kind": "file"}]}}
    run = patched(base("effects"), "results", 1, deep)
    tracemalloc.start()
    try:
        for requirement in ("EFF-02", "EFF-11"):
            assert not findings(run, requirement)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.many
def test_many_calls_that_move_a_folder_are_not_held_against_each_path_in_it() -> None:
    """The time grows with calls plus paths below a folder; calls times paths would take many minutes."""
    run = base("effects")
    call, result = run.calls[1], run.results[1]
    deleted: Json = {"deleted": [{"path": "folder", "kind": "folder"}]}
    calls, results = list[Record](), list[Record]()
    for number in range(10_000):
        hour, minute, second = number // 3600, number // 60 % 60, number % 60
        begun, ended = (f"2026-01-01T{hour:02}:{minute:02}:{second:02}.{tenth}Z" for tenth in "05")
        created: Json = {"created": [{"path": f"folder/{number}-{each}", "kind": "file"} for each in range(5)]}
        told: dict[str, Json] = {"startedAt": begun, "endedAt": ended, "effects": created if number % 2 else deleted}
        calls.append(replace(call, value={**call.value, "callId": f"c{number}"}))
        results.append(replace(result, value={**result.value, "callId": f"c{number}", **told}))
    assert len(history(replace(run, calls=tuple(calls), results=tuple(results)))) == 30_000


def test_coarse_times_beside_fine_ones_accuse_nobody() -> None:
    """Nobody knows which of two calls within one second came first (EFF-04, B-06)."""
    run = base("effects")
    broken = patched(run, "results", 3, {"effects": {"modified": [_with_etag(run, 3, "etag-of-nothing")]}})
    assert findings(broken, "EFF-04")
    fine: Json = {"startedAt": "2026-01-05T09:00:45.100Z", "endedAt": "2026-01-05T09:00:45.400Z"}
    coarse: Json = {"startedAt": "2026-01-05T09:00:45Z", "endedAt": "2026-01-05T09:00:45Z"}
    assert not findings(patched(patched(broken, "results", 2, fine), "results", 3, coarse), "EFF-04")


def _with_etag(run: Run, at: int, etag: str) -> Json:
    modified = (run.results[at].object("effects") or {})["modified"]
    assert isinstance(modified, list)
    return {**modified[0], "beforeEtag": etag}


def test_what_data_says_is_read_of_every_write() -> None:
    """EFF-14: reads without effects come before it."""
    run = patched(base("linear"), "results", 2, {"data": {"created": False}})
    assert len(findings(run, "EFF-14")) == 1


def test_a_file_that_was_moved_keeps_its_etag() -> None:
    """EFF-04: what was renamed is the same version under another name."""
    run = base("effects")
    moved: Json = {"effects": {"renamed": [{"from": "Notes/log.md", "to": "Notes/diary.md"}], "modified": None}}
    old = _with_etag(run, 3, "etag-of-nothing")
    right = (run.results[3].object("effects") or {})["modified"]
    assert is_object(old)
    assert is_array(right)
    for entry, found in ((old, 1), (right[0], 0)):
        assert is_object(entry)
        later: Json = {"effects": {"modified": [{**entry, "path": "Notes/diary.md"}]}}
        told = patched(patched(run, "results", 3, moved), "results", 4, later)
        assert len([each for each in findings(told, "EFF-04") if "diary" in each]) == found


def test_a_rename_onto_what_was_taken_away_replaces_nothing() -> None:
    """EFF-07: an earlier call had deleted the file of that name."""
    run = _renamed("a.md", "b.md", {"deleted": [{"path": "b.md", "kind": "file"}]})
    assert [each for each in findings(run, "EFF-07") if "b.md" in each] == []
    there = _renamed("a.md", "b.md", {"created": [{"path": "b.md", "kind": "file"}]})
    assert len([each for each in findings(there, "EFF-07") if "b.md" in each]) == 1


def _with_effects(*told: tuple[int, dict[str, Json]]) -> Run:
    """The effects base, in which some results list just these changes, and their data do not mention them."""
    run = base("effects")
    for at, effects in told:
        silent = patched(run, "results", at, {"effects": None, "data": {"path": None, "fromPath": None}})
        run = patched(silent, "results", at, {"effects": effects})
    return run


def _of(run: Run, requirement: str, path: str) -> list[str]:
    return [each for each in findings(run, requirement) if path in each]


MADE: dict[str, Json] = {"created": [{"path": "b.md", "kind": "file"}]}
SHIFTED: dict[str, Json] = {"renamed": [{"from": "b.md", "to": "c.md"}, {"from": "a.md", "to": "b.md"}]}


def test_what_one_call_moved_on_it_did_not_replace() -> None:
    """Each note moves one place further: nothing is lost, so nothing has to be listed as deleted (EFF-07)."""
    assert _of(_with_effects((6, MADE), (7, SHIFTED)), "EFF-07", "b.md") == []
    folder: Json = [{"from": "d", "to": "e"}, {"from": "a.md", "to": "d/b.md"}]
    made: dict[str, Json] = {"created": [{"path": "d", "kind": "folder"}, {"path": "d/b.md", "kind": "file"}]}
    assert _of(_with_effects((6, made), (7, {"renamed": folder})), "EFF-07", "d/b.md") == []
    over: dict[str, Json] = {"renamed": [{"from": "a.md", "to": "b.md"}]}
    assert len(_of(_with_effects((6, MADE), (7, over)), "EFF-07", "b.md")) == 1
    respelt: dict[str, Json] = {"renamed": [{"from": "B.md", "to": "b.md"}]}
    assert _of(_with_effects((6, MADE), (7, respelt)), "EFF-07", "b.md") == []


@pytest.mark.parametrize(("effects", "found"), [(SHIFTED, 0), ({"renamed": [{"from": "a.md", "to": "b.md"}]}, 1)])
def test_what_the_folder_held_and_one_call_moved_on_was_not_replaced(effects: dict[str, Json], found: int) -> None:
    """The folder shows that the note was there, and the same call put it elsewhere (EFF-07)."""
    told = world({"a.md": entry("a"), "b.md": entry("b")}, {"b.md": entry("a"), "c.md": entry("b")})
    assert len(_of(witnessed(_with_effects((8, effects)), world=told), "EFF-07", "b.md")) == found


def test_what_came_in_the_place_of_what_was_moved_on_is_there() -> None:
    """Two notes swapped places; then each may be changed or deleted, but not created (EFF-02 to EFF-05)."""
    swapped: dict[str, Json] = {"renamed": [{"from": "b.md", "to": "a.md"}, {"from": "a.md", "to": "b.md"}]}
    note: Json = [{"path": "b.md", "kind": "file"}]
    for fate, law, found in (("modified", "EFF-03", 0), ("deleted", "EFF-05", 0), ("created", "EFF-02", 1)):
        run = _with_effects((6, MADE), (7, swapped), (8, {fate: note}))
        assert len(_of(run, law, "b.md")) == found, fate


def test_each_of_two_that_changed_places_keeps_its_etag() -> None:
    """EFF-04: a version goes with its file, also if another file takes its name."""
    written: Json = [{"path": f"{name}.md", "kind": "file", "afterEtag": f"etag-{name}"} for name in "ab"]
    swapped: dict[str, Json] = {"renamed": [{"from": "b.md", "to": "a.md"}, {"from": "a.md", "to": "b.md"}]}
    for etag, found in (("etag-a", 0), ("etag-b", 1)):
        later: dict[str, Json] = {"modified": [{"path": "b.md", "kind": "file", "beforeEtag": etag}]}
        run = _with_effects((6, {"modified": written}), (7, swapped), (8, later))
        assert len(_of(run, "EFF-04", "b.md")) == found


@pytest.mark.parametrize(("marks", "found"), [(["/data/etag"], 0), (["/data"], 0), (["/userMessage"], 1)])
def test_an_etag_that_is_redacted_begins_no_chain(marks: list[Json], found: int) -> None:
    """The etag behind the stars is unknown, so nothing counts against the next call (EFF-04, A42)."""
    made: Json = {"created": [{"path": "Notes/log.md", "kind": "file"}], "modified": None}
    run = patched(base("effects"), "results", 2, {"effects": made, "data": {"etag": "***"}, "redacted": marks})
    assert len(_of(run, "EFF-04", "c4")) == found


def test_a_kind_that_nobody_can_read_is_held_against_nobody() -> None:
    """A folder is made with its kind redacted, and a later call deletes it as a folder (EFF-11, A42)."""
    gone: dict[str, Json] = {"deleted": [{"path": "d", "kind": "folder"}]}
    for kind, marks, found in (("***", ["/effects/created/0/kind"], 0), ("file", [], 1)):
        made = _with_effects((7, {"created": [{"path": "d", "kind": kind}]}), (8, gone))
        marked: Json = {"redacted": [*marks]}
        assert len(_of(patched(made, "results", 7, marked), "EFF-11", "lists d ")) == found


def test_data_that_are_redacted_as_a_whole_disagree_with_nothing() -> None:
    """A mark on data covers everything inside (EFF-14, A42)."""
    run = patched(base("effects"), "results", 1, {"data": {"path": "***", "created": False}})
    wrong = patched(run, "results", 1, {"data": {"path": "Notes/2026/plan.md"}})
    assert findings(wrong, "EFF-14")
    assert findings(patched(wrong, "results", 1, {"redacted": ["/data"]}), "EFF-14") == []
    assert findings(patched(wrong, "results", 1, {"redacted": ["/userMessage"]}), "EFF-14")


def test_a_rename_of_which_a_part_is_redacted_may_tell_it_all() -> None:
    """The stars may hide what is required: the file that was replaced, the other spelling (EFF-07, EFF-24)."""
    over: dict[str, Json] = {
        "renamed": [{"from": "a.md", "to": "b.md"}],
        "deleted": [{"path": "***", "kind": "file"}],
    }
    run = _with_effects((6, MADE), (7, over))
    assert _of(run, "EFF-07", "b.md")
    assert not _of(patched(run, "results", 7, {"redacted": ["/effects/deleted/0/path"]}), "EFF-07", "b.md")
    args: Json = {"args": {"fromPath": "a.md", "toPath": "A.md"}}
    respelt = patched(_with_effects((6, {"renamed": [{"from": "***", "to": "A.md"}]})), "calls", 6, args)
    respelt = patched(respelt, "results", 6, {"data": {"toPath": "A.md"}})
    assert findings(respelt, "EFF-24")
    assert not findings(patched(respelt, "results", 6, {"redacted": ["/effects/renamed/0/from"]}), "EFF-24")


@pytest.mark.parametrize(
    "patch", [{"effects": None}, {"effects": {"deleted": [{"path": "***"}]}, "redacted": ["/effects/deleted/0/path"]}]
)
def test_a_call_that_does_not_say_what_it_changed_may_have_been_anywhere(patch: dict[str, Json]) -> None:
    """The note that one call made is gone: the next call, which is silent, may have deleted it (EFF-02, A26, A42)."""
    run = witnessed(_with_effects((7, MADE), (8, {})), world=world({}, {}))
    assert len(_of(run, "EFF-02", "b.md")) == 1
    assert _of(patched(run, "results", 8, patch), "EFF-02", "b.md") == []
    assert len(_of(patched(run, "results", 9, {"data": None}), "EFF-02", "b.md")) == 1


def test_a_hosted_tool_that_says_nothing_has_done_nothing_to_the_folder() -> None:
    """The suite knows what its own tools do, so the folder still shows what the system's tools did (EFF-02)."""
    run = arriving(patched(_with_effects((7, MADE)), "results", 8, {"effects": None}))
    hosted = tuple(each for each in invoked(run) if each.call_id == "c9")
    assert len(_of(witnessed(run, hosted, world=world({}, {})), "EFF-02", "b.md")) == 1


def test_a_name_that_came_and_went_is_not_another_spelling() -> None:
    """If case tells files apart, two notes may exist for a while whose names differ in case (EFF-22, B-44)."""
    there = {"note.md": entry("x")}
    made: Json = [{"path": "Note.md", "kind": "file"}]
    seen = world(there, there)
    assert len(_of(witnessed(_with_effects((7, {"created": made})), world=seen), "EFF-22", "Note.md")) == 1
    both = _with_effects((7, {"created": made}), (8, {"deleted": made}))
    assert _of(witnessed(both, world=seen), "EFF-22", "Note.md") == []
    through: dict[str, Json] = {"renamed": [{"from": "note.md", "to": "Note.md"}]}
    on: dict[str, Json] = {"renamed": [{"from": "Note.md", "to": "other.md"}]}
    moved = witnessed(_with_effects((7, through), (8, on)), world=world(there, {"other.md": entry("x")}))
    assert findings(moved, "EFF-22") == []


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_folder_is_not_modified(when: str) -> None:
    """In the folder a modified path is a file, before and after (EFF-03)."""
    run = _with_effects((8, {"modified": [{"path": "b", "kind": "file"}]}))
    held = {each: {"b": entry("b" if each == "before" else "other")} for each in ("before", "after")}
    assert _of(witnessed(run, world=world(held["before"], held["after"])), "EFF-03", "b") == []
    held[when] = {"b": entry("", "folder")}
    assert len(_of(witnessed(run, world=world(held["before"], held["after"])), "EFF-03", f"folder {when}")) == 1
    both = witnessed(run, world=world({"b": entry("", "folder")}, {"b": entry("", "folder")}))
    assert findings(both, "EFF-25") == []


def test_the_hosts_story_may_be_told_in_another_order() -> None:
    """A system that leaves out the host's empty lists still passes on the same account (EFF-01, B-16, B-39)."""
    created: Json = {"effects": {"modified": None, "created": [{"path": "Notes/log.md", "kind": "file"}]}}
    run = arriving(patched(base("effects"), "results", 3, created))
    told = run.results[3].object("effects") or {}
    longer = changed(
        invoked(run),
        "c4",
        lambda deed: replace(
            deed, answer=replace(deed.answer, observed={**told, "deleted": []}) if deed.answer else None
        ),
    )
    assert findings(run, "EFF-02")
    seen = witnessed(run, longer)
    assert findings(seen, "EFF-01") == []
    assert findings(seen, "EFF-02") == []


def test_effects_that_are_redacted_are_another_account_of_what_was_observed() -> None:
    """The host reports a path that the record may not show (EFF-01, A42)."""
    run = arriving(base("effects"))
    starred: Json = {"effects": {"created": [{"path": "***", "kind": "folder"}]}}
    hidden = patched(run, "results", 0, starred)
    assert len(findings(witnessed(hidden, invoked(run)), "EFF-01")) == 1
    marked = patched(hidden, "results", 0, {"redacted": ["/effects/created/0/path"]})
    assert findings(witnessed(marked, invoked(run)), "EFF-01") == []


@pytest.mark.parametrize(
    ("data", "effects", "found"),
    [
        ({"path": "a.md", "deleted": True}, {}, 1),
        ({"path": "a.md", "deleted": False}, {"deleted": [{"path": "a.md", "kind": "file"}]}, 1),
        ({"path": "a.md", "deleted": False}, {}, 0),
        ({"path": "a.md", "deleted": True}, {"deleted": [{"path": "a.md", "kind": "file"}]}, 0),
        ({"fromPath": "a.md", "toPath": "b.md"}, {}, 2),
        ({"fromPath": "a.md", "toPath": "b.md"}, {"renamed": [{"from": "a.md", "to": "c.md"}]}, 1),
        ({"fromPath": "a.md", "toPath": "b.md"}, {"renamed": [{"from": "c.md", "to": "b.md"}]}, 1),
        ({"fromPath": "a.md", "toPath": "b.md"}, {"renamed": [{"from": "a.md", "to": "b.md"}]}, 0),
        ({"fromPath": "a.md", "toPath": "a.md"}, {}, 0),
        ({"fromPath": "a.md"}, {}, 0),
    ],
)
def test_what_data_says_of_a_path_effects_say_too(data: Json, effects: Json, found: int) -> None:
    """EFF-14: what was created, deleted or renamed, and what was not; one path alone is not a rename."""
    bare = patched(base("effects"), "results", 7, {"effects": None, "data": None})
    run = patched(bare, "results", 7, {"effects": effects, "data": data})
    assert len(findings(run, "EFF-14")) == found


COPIED: Json = {"fromPath": "a.md", "toPath": "b.md"}
SECOND: Json = [{"path": "b.md", "kind": "file"}]
FIRST: Json = [{"path": "a.md", "kind": "file"}]


@pytest.mark.parametrize(
    ("tool", "kinds", "effects", "found"),
    [
        ("notes.copy", ["create-file"], {"created": SECOND}, 0),
        ("notes.copy", ["create-file"], {"modified": SECOND}, 0),
        ("notes.verdoppeln", ["create-file"], {"created": SECOND}, 0),
        ("notes.copy", ["create-file"], {}, 2),
        ("notes.copy", ["create-file"], {"created": FIRST}, 2),
        ("notes.copy", ["create-file"], {"created": SECOND, "modified": FIRST}, 1),
        ("notes.Move", ["create-file"], {"created": SECOND}, 1),
        ("notes.put", ["move-file"], {"created": SECOND}, 1),
        ("notes.put", ["move-file"], {"created": SECOND, "deleted": FIRST}, 0),
    ],
)
def test_a_copy_leaves_its_source_where_it_was(tool: str, kinds: Json, effects: Json, found: int) -> None:
    """EFF-14: of two paths the first is listed too if the tool moves, by its name or by what it declares."""
    bare = patched(base("effects"), "results", 7, {"effects": None, "data": None})
    told = patched(bare, "results", 7, {"effects": effects, "data": COPIED})
    descriptor = {"name": tool, "riskLevel": "writes", "sideEffects": kinds, "input": {}, "output": {}}
    run = replace(patched(told, "calls", 7, {"tool": tool}), registry=registry_of([descriptor]))
    assert len(findings(run, "EFF-14")) == found


def _moved(effects: Json, data: Json = None) -> Run:
    """The effects base, whose first rename has to move the log into the archive, with these effects and data."""
    bare = patched(base("effects"), "results", 5, {"effects": None, "data": None})
    return patched(bare, "results", 5, {"effects": effects, "data": data})


def test_a_copy_is_no_move_in_two_halves() -> None:
    """EFF-06: a creation without a deletion, or a deletion without a creation, is one change."""
    made: Json = [{"path": "Archive/log.md", "kind": "file"}]
    gone: Json = [{"path": "Notes/log.md", "kind": "file"}]
    assert findings(_moved({"created": made}), "EFF-06") == []
    assert findings(_moved({"deleted": gone}), "EFF-06") == []
    assert len(findings(_moved({"created": made, "deleted": gone}), "EFF-06")) == 1


def test_a_move_is_told_once() -> None:
    """EFF-06: beside the entry in renamed neither half is listed, unless something else was moved to the old path."""
    made: Json = [{"path": "Archive/log.md", "kind": "file"}]
    gone: Json = [{"path": "Notes/log.md", "kind": "file"}]
    moved: dict[str, Json] = {"from": "Notes/log.md", "to": "Archive/log.md"}
    assert findings(_moved({"renamed": [moved]}), "EFF-06") == []
    assert len(findings(_moved({"renamed": [moved], "created": made}), "EFF-06")) == 1
    assert len(findings(_moved({"renamed": [moved], "deleted": gone}), "EFF-06")) == 1
    after: Json = {"from": "Notes/new.md", "to": "Notes/log.md"}
    assert findings(_moved({"renamed": [moved, after], "deleted": gone}), "EFF-06") == []


def test_what_lies_in_a_moved_folder_is_not_told_in_two_halves() -> None:
    """EFF-06: it went with the folder and may be listed as renamed too; what came from elsewhere did not."""
    folder: dict[str, Json] = {"from": "Notes/log.md", "to": "Archive/log.md"}
    inner: dict[str, Json] = {"from": "Notes/log.md/a.md", "to": "Archive/log.md/a.md"}
    made: Json = [{"path": "Archive/log.md/a.md", "kind": "file"}]
    gone: dict[str, Json] = {"path": "Notes/log.md/a.md", "kind": "file"}
    assert findings(_moved({"renamed": [folder, inner]}), "EFF-06") == []
    assert findings(_moved({"renamed": [folder], "created": made}), "EFF-06") == []
    other = {**gone, "path": "Notes/log.md/b.md"}
    assert findings(_moved({"renamed": [folder], "created": made, "deleted": [other]}), "EFF-06") == []
    assert findings(_moved({"renamed": [folder], "created": made, "deleted": [gone]}), "EFF-06") == [
        "the result of c6 lists Notes/log.md/a.md as deleted and Archive/log.md/a.md as created, "
        "beside Notes/log.md as renamed to Archive/log.md"
    ]


def test_a_move_leads_where_its_data_say() -> None:
    """EFF-06: a tool may choose another name than the one it was asked for, and its data say so."""
    made: Json = [{"path": "Archive/log 2.md", "kind": "file"}]
    gone: Json = [{"path": "Notes/log.md", "kind": "file"}]
    halves: Json = {"created": made, "deleted": gone}
    assert len(findings(_moved(halves, {"toPath": "Archive/log 2.md"}), "EFF-06")) == 1
    assert findings(_moved(halves, {"toPath": "Archive/log.md"}), "EFF-06") == []


@pytest.mark.parametrize(
    ("renamed", "found"),
    [({"from": "a.md", "to": "A.md"}, 0), ({"from": "b.md", "to": "A.md"}, 1), ({"from": "a.md", "to": "b.md"}, 1)],
)
def test_a_change_of_case_is_told_with_both_its_names(renamed: Json, found: int) -> None:
    """EFF-24: the rename of another file is not the one that was asked for."""
    run = patched(_moved({"renamed": [renamed]}), "calls", 5, {"args": {"fromPath": "a.md", "toPath": "A.md"}})
    assert len(findings(run, "EFF-24")) == found


@pytest.mark.parametrize(
    ("error", "status", "found"),
    [("INTERNAL_ERROR", "error", 1), ("POLICY_DENIED", "error", 0), ("INTERNAL_ERROR", "skipped", 0)],
)
def test_effects_of_what_was_denied_or_skipped_are_found_elsewhere(error: str, status: str, found: int) -> None:
    """EFF-19: one fault is reported once (RES-19, POL-14)."""
    made: Json = {"created": [{"path": "Notes/new.md", "kind": "file"}]}
    told: Json = {"effects": made, "status": status, "error": {"code": error}}
    assert len(findings(patched(base("refused"), "results", 5, told), "EFF-19")) == found


def _both_create(**times: Json) -> Run:
    """The foreach base, in which the second of two calls that run at once lists the note of the first one too."""
    run = arriving(base("foreach"))
    notes: Json = [{"path": f"Notes/{name}.md", "kind": "file"} for name in ("1-Beta", "0-Alpha")]
    return patched(run, "results", 1, {"effects": {"created": notes}, **times})


def test_one_creation_of_two_calls_is_found_where_they_ran_at_once() -> None:
    """EFF-16: if they ran one after the other, EFF-02 reports the second creation instead."""
    run = _both_create()
    assert [each for each in findings(run, "EFF-16") if "0-Alpha" in each] == findings(run, "EFF-16") != []
    later = _both_create(startedAt="2026-01-05T09:59:00.000Z", endedAt="2026-01-05T09:59:01.000Z")
    assert findings(later, "EFF-16") == []
    assert _of(later, "EFF-02", "0-Alpha")


def test_two_hosts_may_both_say_that_they_created_one_note() -> None:
    """EFF-16: the system passes on what it is told; if one of the two accounts is its own, it answers for that."""
    run = _both_create()
    deeds = invoked(run)
    assert findings(witnessed(run, deeds), "EFF-16") == []
    silent = changed(
        deeds,
        run.results[1].call_id or "",
        lambda deed: replace(deed, answer=replace(deed.answer, observed=None) if deed.answer else None),
    )
    assert len(findings(witnessed(run, silent), "EFF-16")) == 1


@pytest.mark.parametrize("gone", ["b.md", "x"])
def test_what_the_folder_held_may_have_been_gone_before_a_rename(gone: str) -> None:
    """EFF-07: another call deleted the file, so that nothing was replaced."""
    told = world({"a.md": entry("a"), "b.md": entry("b"), "x": entry("x")}, {"b.md": entry("a")})
    deleted: dict[str, Json] = {"deleted": [{"path": gone, "kind": "file"}]}
    run = witnessed(_with_effects((7, deleted), (8, {"renamed": [{"from": "a.md", "to": "b.md"}]})), world=told)
    assert len(_of(run, "EFF-07", "b.md")) == (gone != "b.md")


def test_what_went_well_was_dispatched_also_where_its_start_is_missing() -> None:
    """EFF-19, EVT-14: only the missing start is at fault; the call explains the changes."""
    run = base("effects")
    lost = replace(run, events=tuple(each for each in run.events or () if each.text("type") != "step.started"))
    assert findings(lost, "EFF-19") == []
    assert len(findings(lost, "EVT-14")) == len(run.calls)


def _lists(at: int, effects: Json, run: Run | None = None) -> Run:
    """The effects base, or a run made of it, in which one result has these effects and no others."""
    emptied: dict[str, Json] = dict.fromkeys(("sideEffectsObserved", "created", "modified", "deleted", "renamed"))
    run = patched(run or base("effects"), "results", at, {"effects": emptied})
    return patched(run, "results", at, {"effects": effects})


_IN_A_FILE: Json = {"created": [{"path": "Archive/log.md/x.md", "kind": "file"}]}


@pytest.mark.parametrize(
    "effects",
    [
        _IN_A_FILE,
        {"modified": [{"path": "Archive/log.md/x/y.md", "kind": "file"}]},
        {"deleted": [{"path": "Archive/log.md/x.md", "kind": "file"}]},
        {"renamed": [{"from": "Notes/old.md", "to": "Archive/log.md/old.md"}]},
    ],
)
def test_nothing_lies_below_what_an_earlier_call_left_as_a_file(effects: Json) -> None:
    """EFF-11: a file holds no files, whatever a later call did below it."""
    (found,) = look(_lists(9, effects), "EFF-11").findings
    assert found.finding.permitted == "nothing below Archive/log.md, where the result of c6 had left a file"


_A_FILE_GONE: Json = {"path": "Archive/log.md", "kind": "file", "trashed": False}
_INTO_A_FOLDER: Json = {"deleted": [_A_FILE_GONE], **_IN_A_FILE}
_INTO_A_FOLDER_TOLD: Json = {
    "deleted": [_A_FILE_GONE],
    "created": [{"path": "Archive/log.md", "kind": "folder"}, {"path": "Archive/log.md/x.md", "kind": "file"}],
}
_INTO_A_FILE: Json = {
    "deleted": [
        {"path": "Archive", "kind": "folder", "trashed": False},
        {"path": "Archive/log.md", "kind": "file", "trashed": False},
    ],
    "created": [{"path": "Archive", "kind": "file"}],
}


@pytest.mark.parametrize("effects", [_INTO_A_FOLDER, _INTO_A_FOLDER_TOLD, _INTO_A_FILE])
def test_a_call_may_put_a_folder_in_the_place_of_a_file_and_a_file_in_that_of_a_folder(effects: Json) -> None:
    """EFF-13: the path is deleted with the one kind and created with the other; no law of effects objects."""
    run = patched(_lists(9, effects), "results", 9, {"data": {"created": None}})
    assert [law for law, each in judge(run).items() if law.startswith("EFF-") and each.findings] == []


def test_what_came_in_its_place_is_known_to_later_calls() -> None:
    """EFF-03, EFF-05: after a file became a folder, the folder can be deleted, and no file can be modified there."""
    run = _lists(9, _INTO_A_FOLDER_TOLD)
    gone = _lists(10, {"deleted": [{"path": "Archive/log.md", "kind": "folder", "trashed": False}]}, run)
    assert [findings(gone, law) for law in ("EFF-05", "EFF-11")] == [[], []]
    assert len(findings(_lists(10, {"modified": [{"path": "Archive/log.md", "kind": "file"}]}, run), "EFF-03")) == 1


@pytest.mark.parametrize(
    ("effects", "law"),
    [
        ({"deleted": [_A_FILE_GONE], "created": [{"path": "Archive/log.md", "kind": "file"}]}, "EFF-13"),
        (
            {"deleted": [_A_FILE_GONE, _A_FILE_GONE], "created": [{"path": "Archive/log.md", "kind": "folder"}]},
            "EFF-13",
        ),
        ({"deleted": [_A_FILE_GONE, {**_A_FILE_GONE, "path": "Archive/log.md/x.md"}]}, "EFF-11"),
        (
            {**_INTO_A_FILE, "created": [{"path": "Archive", "kind": "file"}, {"path": "Archive/b", "kind": "file"}]},
            "EFF-11",
        ),
    ],
)
def test_one_path_with_one_kind_still_has_one_fate(effects: Json, law: str) -> None:
    """EFF-11, EFF-13: the same kind is no other thing, and what comes into a file, or goes out of one, is in none."""
    assert len(findings(_lists(9, effects), law)) == 1


@pytest.mark.parametrize(("after", "found"), [("folder", 0), ("file", 1)])
def test_a_deleted_file_is_gone_where_the_folder_shows_a_folder(after: str, found: int) -> None:
    """EFF-05: with the folder as witness; the same kind at the path is what was to be gone."""
    run = _lists(9, {"deleted": [{"path": "Notes/kept.md", "kind": "file", "trashed": False}]})
    seen = vault()
    before = {**seen.before, "Notes/kept.md": entry("kept")}
    shown = world(before, {**seen.after, "Notes/kept.md": entry("", after)}, {"old.md": entry("old")})
    assert len(_of(witnessed(run, world=shown), "EFF-05", "Notes/kept.md")) == found


@pytest.mark.parametrize("fate", ["from", "to"])
def test_a_folder_that_was_told_as_a_file_is_found_where_something_lies_in_it(fate: str) -> None:
    """EFF-11: the call that told its kind is a witness; a kind that is redacted says nothing (A42)."""
    told = {"renamed": [{"from": "Archive/a.md", "to": "b.md"} if fate == "from" else {"from": "b", "to": "Archive/b"}]}
    run = _lists(9, told, _lists(0, {"created": [{"path": "Archive", "kind": "file"}]}, _lists(5, {})))
    assert len(findings(run, "EFF-11")) == 1
    assert findings(patched(run, "results", 0, {"redacted": ["/effects/created/0/kind"]}), "EFF-11") == []


@pytest.mark.parametrize(
    ("at", "between"),
    [
        (7, {"deleted": [{"path": "Archive/log.md", "kind": "file", "trashed": False}]}),
        (7, {"renamed": [{"from": "Archive/log.md", "to": "Archive/other.md"}]}),
        (7, {"renamed": [{"from": "Archive", "to": "Attic"}]}),
        (7, {"deleted": [{"path": "Archive", "kind": "folder", "trashed": False}]}),
        (9, {"renamed": [{"from": "Archive/log.md", "to": "Archive/l.md"}], **_IN_A_FILE}),
        (9, {"renamed": [{"from": "Archive/log.md", "to": "Archive/log.md/x.md"}]}),
        (9, {"renamed": [{"from": "Archive", "to": "Attic"}], **_IN_A_FILE}),
        (7, None),
    ],
    ids=["deleted", "moved", "folder-moved", "folder-deleted", "replaced", "moved-into", "made-anew", "unobserved"],
)
def test_where_a_file_was_there_may_be_a_folder_later(at: int, between: Json) -> None:
    """EFF-11: it was taken away meanwhile, by the call itself, or perhaps by one whose changes nobody observed."""
    run = _lists(9, _IN_A_FILE)
    run = patched(run, "results", at, {"effects": None}) if between is None else _lists(at, between, run)
    assert findings(run, "EFF-11") == []


_FOLDER: Json = {"created": [{"path": "Notes", "kind": "folder"}]}
_ALL_OF_IT: Json = [
    {"path": "Notes/final.md", "kind": "file"},
    {"path": "Notes/2026/plan.md", "kind": "file"},
    {"path": "Notes/2026", "kind": "folder"},
]


def test_a_folder_is_there_while_something_lies_in_it() -> None:
    """EFF-02, EFF-03, EFF-11: what lies in it shows that it is there, and a folder."""
    (found,) = look(_lists(9, _FOLDER), "EFF-02").findings
    assert found.finding.permitted == "not as created, since the result of c2 had left Notes/2026 there"
    assert len(findings(_lists(9, {"modified": [{"path": "Notes", "kind": "file"}]}), "EFF-03")) == 1
    assert len(findings(_lists(9, {"deleted": [{"path": "Notes", "kind": "file"}]}), "EFF-11")) == 1
    deleted: Json = {"deleted": [{"path": "Notes", "kind": "folder"}]}
    assert [law for law in ("EFF-05", "EFF-11") if findings(_lists(9, deleted), law)] == []


@pytest.mark.parametrize(
    ("at", "effects"),
    [
        (8, {"deleted": _ALL_OF_IT}),
        (8, {"deleted": [{"path": "Notes", "kind": "folder"}]}),
        (8, {"renamed": [{"from": "Notes", "to": "Old"}]}),
        (9, {"renamed": [{"from": "Notes", "to": "Old"}], **_FOLDER}),
        (8, None),
    ],
    ids=["emptied", "deleted", "moved", "moved-by-itself", "unobserved"],
)
def test_a_folder_may_be_made_once_nothing_is_known_to_lie_in_it(at: int, effects: Json) -> None:
    """EFF-02: a vault may drop folders that hold nothing; and what the call moved away it may make again."""
    run = _lists(9, _FOLDER)
    run = patched(run, "results", at, {"effects": None}) if effects is None else _lists(at, effects, run)
    assert findings(run, "EFF-02") == []


@pytest.mark.parametrize(
    ("began", "found"), [("01:13.001", 1), ("01:13.000", 0), ("01:10.000", 0)], ids=["after", "at-once", "during"]
)
@pytest.mark.parametrize(
    ("law", "effects"), [("EFF-02", _FOLDER), ("EFF-11", {"created": [{"path": "Notes/final.md/x", "kind": "file"}]})]
)
def test_what_another_call_left_at_the_same_moment_settles_nothing(
    law: str, effects: Json, began: str, found: int
) -> None:
    """EFF-02, EFF-11: a call that may have begun before the other one had ended found what nobody knows."""
    made: Json = {"created": [{"path": "Notes/final.md", "kind": "file"}]}
    run = _lists(9, effects, _lists(6, made))
    for at in (1, 2, 3, 8):
        run = _lists(at, {}, run)
    assert len(findings(patched(run, "results", 9, {"startedAt": f"2026-01-05T09:{began}Z"}), law)) == found


def test_a_merged_folder_replaces_nothing() -> None:
    """EFF-07: what lies in a folder does not show that a rename to the folder's path replaced it."""
    assert findings(_lists(9, {"renamed": [{"from": "Drafts", "to": "Notes"}]}), "EFF-07") == []


@pytest.mark.parametrize("order", [1, -1])
def test_a_folder_and_its_files_may_be_made_one_after_the_other(order: int) -> None:
    """EFF-02, EFF-11: a folder, then a folder in it, then a file; the other way round the folders were there."""
    made: list[Json] = [
        {"created": [{"path": "A", "kind": "folder"}]},
        {"created": [{"path": "A/B", "kind": "folder"}]},
    ]
    made.append({"created": [{"path": "A/B/c.md", "kind": "file"}]})
    run = base("effects")
    for at, each in zip((7, 8, 9), made[::order]):
        run = _lists(at, each, run)
    assert [len(findings(run, law)) for law in ("EFF-02", "EFF-11")] == [0 if order == 1 else 2, 0]


def test_a_file_told_with_what_lies_in_it_is_told_once() -> None:
    """EFF-11: the result that lists both contradicts itself, and what later calls do there is no fault of theirs."""
    made: Json = [{"path": "Notes/2026", "kind": "file"}, {"path": "Notes/2026/plan.md", "kind": "file"}]
    run = patched(base("effects"), "results", 1, {"effects": {"created": made}})
    assert findings(run, "EFF-11") == ["the result of c2 lists Notes/2026 as a file and another path below it"]

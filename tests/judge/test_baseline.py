"""Known failures: a baseline covers exactly the failures that it lists, and no similar ones."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from callproof.checks.check import Finding
from callproof.judge.baseline import NOTHING_DRAWN, Baseline, Drawn, Entry, Failure, message_class, names
from callproof.judge.judging import Located
from callproof.report.baselines import BadBaseline, baseline_text, read_baseline, refuse_unwritable
from hypothesis import given
from hypothesis import strategies as st

FAILURE = Failure("RETRY-03", "SC-07", "… was attempted … times")
LISTED = Baseline((Entry(FAILURE, "issue 12"),))
JUDGED = {("RETRY-03", "SC-07")}
SCENARIOS = {"SC-07"}


def located(observed: str, run: str = "SC-07/once") -> Located:
    """A finding of a run."""
    return Located(run, Finding(observed, "2 attempts", ()))


LAWS = {"CALL-01", "RETRY-03"}


@pytest.mark.parametrize(
    ("observed", "bare"),
    [
        ("s3[2] was attempted 4 times", "… was attempted … times"),
        ('call 019a-ff had args {"a": [1, {"b": 2}]}', "call … had args …"),
        ("the attempts of s1 were numbered 1, 2, 4", "the attempts of … were numbered …"),
        (
            'run.finished had the status "failed" though s1 ended ok',
            "run.finished had the status … though … ended ok",
        ),
        ("it began at 2026-01-02T03:04:05.678Z", "it began at …"),
        ("calls.jsonl:17: names a member twice", "calls.jsonl:… names a member twice"),
        ("calls.jsonl.gz:17: names a member twice", "calls.jsonl:… names a member twice"),
        ("run.json.zst:1: names a member twice", "run.json:… names a member twice"),
        ("", "…"),
        ('["', "…"),
        ("\n", "…"),
        ('"done" was told of {"a": 1} twice', "… was told of … twice"),
    ],
)
def test_a_class_is_the_message_without_its_values(observed: str, bare: str) -> None:
    """Quoted text, JSON and every word with a digit are values; the other words name the kind of failure."""
    assert message_class(observed) == bare


@given(st.text(max_size=60))
def test_a_class_is_the_class_of_itself(observed: str) -> None:
    """This holds for any message of a finding, so that a class can be written to a file and compared later."""
    assert message_class(observed)
    assert message_class(message_class(observed)) == message_class(observed)


def test_values_do_not_tell_failures_apart_and_words_do() -> None:
    """A message with another count is the same failure; another scenario, requirement or message is another failure."""
    assert LISTED.reason("RETRY-03", located("s1 was attempted 3 times")) == "issue 12"
    assert LISTED.reason("RETRY-03", located("s9 was attempted 7 times", "SC-07/twice log")) == "issue 12"
    assert LISTED.reason("RETRY-02", located("s1 was attempted 3 times")) is None
    assert LISTED.reason("RETRY-03", located("s1 was attempted 3 times", "SC-08/once")) is None
    assert LISTED.reason("RETRY-03", located("s1 was never attempted")) is None


def test_what_is_hidden_in_a_report_is_listed_as_what_is_shown() -> None:
    """The class is taken from the whole message; the shortened message in a report could give another class."""
    hidden = replace(located("[2 characters] was attempted 3 times [longer than a report shows]"), bare=FAILURE.message)
    assert LISTED.reason("RETRY-03", hidden) == "issue 12"


def test_an_entry_that_passes_now_is_told() -> None:
    """Its requirement does not fail in this scenario any more, so the entry should be removed."""
    (told,) = LISTED.stale(frozenset(), JUDGED, SCENARIOS)
    assert "does not fail any more; remove the entry" in told
    assert "owner" not in told
    assert LISTED.stale({FAILURE}, JUDGED, SCENARIOS) == ()


def test_an_entry_that_fails_otherwise_is_told_with_what_fails() -> None:
    """The same law fails with another message, so somebody has to look at the entry again."""
    (told,) = LISTED.stale({replace(FAILURE, message="… was never attempted")}, JUDGED, SCENARIOS)
    assert "… was never attempted" in told


def test_what_fails_otherwise_is_told_of_this_law_and_scenario_alone_and_in_one_order() -> None:
    """Failures of other laws and scenarios are no reason to look again; the order is fixed so that reports compare."""
    others = [replace(FAILURE, message=f"it was {word}") for word in ("late", "lost", "early", "twice", "cut")]
    elsewhere = [replace(FAILURE, place="SC-08", message="it was there"), replace(FAILURE, requirement="RETRY-02")]
    (told,) = LISTED.stale({*others, *elsewhere}, JUDGED, SCENARIOS)
    assert "with 'it was cut', 'it was early', 'it was late', 'it was lost', 'it was twice'; look again" in told


def test_an_entry_of_a_scenario_that_there_is_not_is_told() -> None:
    """An entry with a typo would otherwise stay in the file for ever."""
    (told,) = LISTED.stale(frozenset(), JUDGED, {"SC-01"})
    assert "no scenario is called 'SC-07'" in told


def test_an_entry_of_a_requirement_that_there_is_not_is_told() -> None:
    """It is told whatever was selected, because no session can exercise such a requirement."""
    unknown = Baseline((Entry(replace(FAILURE, requirement="RETRY-99"), "issue 12"),))
    (told,) = unknown.stale(frozenset(), set(), SCENARIOS)
    assert "no requirement that can be judged is called 'RETRY-99'; name one, such as RETRY-" in told


def test_an_entry_of_a_requirement_that_nothing_decides_is_told_with_no_advice_to_write_it_again() -> None:
    """LOG-21 is excluded, so it never fails. For a name that resembles no requirement, none is proposed."""
    of_none = [Entry(replace(FAILURE, requirement=each), "issue 12") for each in ("LOG-21", "QQQQQQ-00")]
    excluded, strange = Baseline(tuple(of_none)).stale(frozenset(), set(), SCENARIOS)
    assert "no requirement that can be judged is called 'LOG-21'" in excluded
    assert "such as LOG-21" not in excluded
    assert "called 'QQQQQQ-00'; name one, or remove the entry" in strange


def test_an_entry_of_nothing_is_told_after_its_day_too() -> None:
    """Such an entry never listed any failure, and would otherwise stay in the file for ever."""
    over = Entry(replace(FAILURE, requirement="RETRY-99"), "issue 12", expires="2026-01-31")
    elsewhere = replace(over, failure=replace(FAILURE, place="SC-70"))
    told = Baseline((over, elsewhere)).on("2027-01-31").stale(frozenset(), set(), SCENARIOS)
    assert "no requirement that can be judged is called 'RETRY-99'" in told[0]
    assert "no scenario is called 'SC-70'" in told[1]


def test_a_scenario_is_named_and_never_meant_by_a_pattern() -> None:
    """A star is a pattern only for the runs of logs; an entry of a suite names exactly one scenario."""
    starred = Baseline((Entry(replace(FAILURE, place="SC-*"), "issue 12"),))
    assert starred.reason("RETRY-03", located("s1 was attempted 3 times")) is None


def test_an_entry_that_was_not_put_to_the_test_is_neither_here_nor_there() -> None:
    """A selection judges a part of the requirements and says nothing about the rest."""
    assert LISTED.stale(frozenset(), set(), SCENARIOS) == ()


def test_generated_cases_are_within_more_of_the_same_seed() -> None:
    """Case N of a seed is the same however many cases are drawn; another seed draws other cases."""
    drawn = Drawn(seed=3, cases=100)
    assert drawn.within(Drawn(3, 100))
    assert drawn.within(Drawn(3, 500))
    assert not drawn.within(Drawn(3, 99))
    assert not drawn.within(Drawn(4, 100))
    assert NOTHING_DRAWN.within(Drawn(0, 1))


def test_a_baseline_says_in_which_generated_cases_its_failures_were_found(tmp_path: Path) -> None:
    """The file names the seed and the number of cases, but only if such failures were found."""
    drawn = replace(LISTED, drawn=Drawn(seed=-3, cases=100))
    (tmp_path / "known.json").write_text(baseline_text(drawn), encoding="utf-8")
    assert read_baseline(tmp_path / "known.json") == drawn
    assert "generated" not in baseline_text(LISTED)


def test_an_update_keeps_the_reasons_and_sorts() -> None:
    """Two updates over the same failures write the same bytes."""
    other = Failure("CALL-01", "SC-01", "…")
    text = baseline_text(LISTED.updated([FAILURE, other, other], LAWS))
    assert text == baseline_text(LISTED.updated([other, FAILURE], LAWS))
    assert text.index("CALL-01") < text.index("RETRY-03")
    assert "issue 12" in text
    assert text.endswith("}\n")


def test_what_people_wrote_stands_in_the_file_as_they_wrote_it(tmp_path: Path) -> None:
    """An ellipsis and an umlaut stay readable; a character that a reader cannot see is written as an escape."""
    unseen = "a\u202eb\ud800\x7f"
    entry = Entry(replace(FAILURE, message="call \u2026 had no data"), f"Ärger {unseen}")
    text = baseline_text(Baseline((entry,)))
    assert '"class": "call \u2026 had no data"' in text
    assert '"reason": "Ärger a\\u202eb\\ud800\\u007f"' in text
    (tmp_path / "known.json").write_text(text.replace("\\ud800", ""), encoding="utf-8")
    (read,) = read_baseline(tmp_path / "known.json").entries
    assert read == replace(entry, reason=entry.reason.replace("\ud800", ""))


def test_a_baseline_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """What is written can be read again. An entry without a reason is refused, except during an update."""
    file = tmp_path / "baseline.json"
    file.write_text(baseline_text(LISTED), encoding="utf-8")
    assert read_baseline(file) == LISTED
    file.write_text(baseline_text(Baseline((Entry(FAILURE, ""),))), encoding="utf-8")
    with pytest.raises(BadBaseline, match="has no reason"):
        read_baseline(file)
    file.write_text(baseline_text(Baseline((Entry(FAILURE, " \t"),))), encoding="utf-8")
    with pytest.raises(BadBaseline, match="has no reason"):
        read_baseline(file)
    assert read_baseline(file, unfinished=True).entries[0].reason == ""


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "--update-baseline writes one"),
        ("{", "is not a baseline.*; expected what --update-baseline writes"),
        ('{"baselineVersion": "1.0", "known": [], "more": 1}', "is not a baseline"),
        ('{"baselineVersion": "2.0", "known": []}', "is not a baseline"),
        ('{"baselineVersion": "1.0", "known": [5]}', "is not a baseline: at /known/0"),
        ('\ufeff{"baselineVersion": "1.0", "known": []}', "it starts with a byte order mark; save it as UTF-8 without"),
    ],
)
def test_what_is_no_baseline_is_refused(content: str | None, says: str, tmp_path: Path) -> None:
    """Without this, a typo could make a file that lists nothing, so that everything or nothing fails."""
    file = tmp_path / "baseline.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(BadBaseline, match=says):
        read_baseline(file)


def test_an_entry_twice_is_refused(tmp_path: Path) -> None:
    """An entry that stands there twice has two reasons, and nobody would read one of them."""
    file = tmp_path / "baseline.json"
    file.write_text(baseline_text(Baseline((*LISTED.entries, *LISTED.entries))), encoding="utf-8")
    with pytest.raises(BadBaseline, match="entry 2, RETRY-03 in SC-07, is listed twice; keep one"):
        read_baseline(file)


@pytest.mark.parametrize(
    ("members", "of_logs", "says"),
    [
        ({}, True, 'entry 1 does not say where the failure occurs; write "runs": "*" for any run of these logs'),
        ({}, False, 'entry 1 does not say where the failure occurs; write the scenario, as in "scenario": "SC-07"'),
        ({"runs": "*", "scenario": "SC-07"}, True, "has both runs and scenario, but here an entry names runs; drop sc"),
        ({"runs": "*", "scenario": "SC-07"}, False, "here an entry names scenario; drop runs"),
        ({"run": "*"}, True, "did you mean 'runs'?"),
        ({"requirement": "retry", "scenario": "SC-07"}, False, "at /known/0/requirement, "),
        ({"reason": None}, True, "reason"),
        (
            {"owner": "anna", "expires": "2027-01-31"},
            True,
            'entry 1 does not say where the failure occurs; write "runs"',
        ),
        ({"runs": "*", "reasn": "x", "reason": None}, True, "did you mean 'reason'?"),
    ],
)
def test_an_entry_that_does_not_say_where_is_told_what_to_write(
    members: dict[str, str | None], of_logs: bool, says: str, tmp_path: Path
) -> None:
    """The message asks only for members that are permitted here, so that the corrected file is not refused again."""
    entry = {"requirement": "RES-05", "class": "…", "reason": "issue 12", **members}
    known = [{name: value for name, value in entry.items() if value is not None}]
    file = tmp_path / "baseline.json"
    file.write_text(json.dumps({"baselineVersion": "1.0", "known": known}), encoding="utf-8")
    with pytest.raises(BadBaseline, match=re.escape(says)):
        read_baseline(file, of_logs=of_logs)


def test_of_many_entries_the_one_that_does_not_say_where_is_told_by_its_number(tmp_path: Path) -> None:
    """Nobody should have to search a long file for the faulty entry."""
    entry = {"requirement": "RES-05", "class": "…", "reason": "issue 12"}
    known = [{**entry, "scenario": "SC-07"}, entry]
    (tmp_path / "known.json").write_text(json.dumps({"baselineVersion": "1.0", "known": known}), encoding="utf-8")
    with pytest.raises(BadBaseline, match="entry 2 does not say where"):
        read_baseline(tmp_path / "known.json")


IN_LOGS = Baseline((Entry(replace(FAILURE, place="night-*"), "issue 12", "anna"),), of_logs=True)


@pytest.mark.parametrize(
    ("pattern", "place", "meant"),
    [
        ("*", "", True),
        ("*", "night-1/run-3", True),
        ("night-*", "night-1/run-3", True),
        ("night-*-b", "night-b", False),
        ("night-*", "day-1", False),
        ("*b*b", "bb", True),
        ("*b*b", "b", False),
        ("*b*c", "ac", False),
        ("night-*-b", "night-1-c", False),
        ("*-b", "night-a", False),
        ("*ab*ab*", "xxab", False),
        ("*ab*ab*", "xxabab", True),
        ("a[1]", "a[1]", True),
        ("a?", "ab", False),
        ("SC-07", "SC-071", False),
    ],
)
def test_a_star_stands_for_any_text_and_everything_else_for_itself(pattern: str, place: str, meant: bool) -> None:
    """The name of a run may contain any character, so only the star is special."""
    assert names(pattern, place) is meant


@given(st.lists(st.text("ab*[", max_size=3), min_size=1, max_size=4), st.text("ab", max_size=3))
def test_a_pattern_means_whatever_its_stars_are_replaced_by(parts: list[str], filling: str) -> None:
    """A star also stands for empty text and for other stars."""
    assert names("*".join(parts), filling.join(parts))
    assert names("*".join(parts), "*".join(parts))


def test_an_entry_of_logs_lists_a_class_in_the_runs_that_it_names() -> None:
    """The same failure in a run that the entry does not name still counts."""
    assert IN_LOGS.reason("RETRY-03", located("s1 was attempted 3 times", "night-1/run-3")) == "issue 12"
    assert IN_LOGS.reason("RETRY-03", located("s1 was attempted 3 times", "day-1/run-3")) is None


@pytest.mark.parametrize(("day", "counts"), [("2026-12-31", True), ("2027-01-31", True), ("2027-02-01", False)])
def test_an_entry_counts_to_the_end_of_its_day(day: str, counts: bool) -> None:
    """After that day the listed failure fails again, and the entry is told."""
    baseline = Baseline((Entry(FAILURE, "issue 12", expires="2027-01-31"),)).on(day)
    assert (baseline.reason("RETRY-03", located("s1 was attempted 3 times")) is not None) is counts
    told = baseline.stale({FAILURE}, JUDGED, SCENARIOS)
    assert told == (() if counts else (told[0],))
    assert all("its last day was 2027-01-31; fix the failure, or agree on another day" in each for each in told)
    assert baseline.stale({FAILURE}, set(), SCENARIOS) == ()


def test_an_entry_keeps_its_place_in_the_file_when_its_day_is_over() -> None:
    """The diff of a later update shows no lines that were only moved."""
    early = Entry(replace(FAILURE, requirement="CALL-01"), "issue 11", expires="2027-01-31")
    both = Baseline((early, *LISTED.entries))
    late = both.on("2027-02-01")
    assert late.expired == (early,)
    assert baseline_text(late) == baseline_text(both)


def test_a_baseline_that_is_read_counts_as_of_today(tmp_path: Path) -> None:
    """The commands have no option for the day."""
    days = [
        Entry(replace(FAILURE, place=f"SC-{day[:2]}"), "issue 12", expires=day) for day in ("2020-01-31", "9999-12-31")
    ]
    (tmp_path / "known.json").write_text(baseline_text(Baseline(tuple(days))), encoding="utf-8")
    read = read_baseline(tmp_path / "known.json")
    assert (read.expired, read.entries) == ((days[0],), (days[1],))


def test_a_day_may_come_back() -> None:
    """A baseline that was read on one day and is asked about another gives the answers of that other day."""
    dated = Baseline((Entry(FAILURE, "issue 12", expires="2027-01-31"),))
    assert dated.on("2027-02-01").on("2027-01-01") == dated


def test_an_update_keeps_entries_on_laws_that_do_not_bind() -> None:
    """The update did not judge advice, so its entry stays; an entry for a law that does not exist is removed."""
    advice = Entry(Failure("EVT-14", "SC-01", "…"), "later", expires="2027-01-31")
    typo = Entry(Failure("EVT-99", "SC-01", "…"), "later")
    both = Baseline((*LISTED.entries, advice, typo))
    assert both.updated([FAILURE], LAWS).entries == (advice, *LISTED.entries)
    assert both.updated([FAILURE], {*LAWS, "EVT-14"}).entries == LISTED.entries
    assert both.on("2027-02-01").updated([], LAWS).expired == (advice,)


def test_an_update_leaves_an_expired_entry_expired() -> None:
    """Only people can agree on another day."""
    dated = Baseline((Entry(FAILURE, "issue 12", expires="2027-01-31"),))
    assert dated.on("2027-02-01").updated({FAILURE}, LAWS) == dated.on("2027-02-01")


def test_a_baseline_of_logs_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """Such a file has runs instead of the scenario, and owners and days."""
    file = tmp_path / "baseline.json"
    dated = Baseline((Entry(replace(FAILURE, place="*"), "issue 12", "anna", "2027-01-31"),), of_logs=True)
    file.write_text(baseline_text(dated), encoding="utf-8")
    assert read_baseline(file, of_logs=True, day="2027-01-01") == dated
    late = read_baseline(file, of_logs=True, day="2027-02-01")
    assert (late.entries, late.expired) == ((), dated.entries)
    assert baseline_text(late) == baseline_text(dated)


def test_a_baseline_of_a_suite_is_none_of_logs(tmp_path: Path) -> None:
    """The reverse is refused as well; both messages say what to write."""
    file = tmp_path / "baseline.json"
    file.write_text(baseline_text(LISTED), encoding="utf-8")
    with pytest.raises(BadBaseline, match='names scenario, but here an entry names runs; write "runs": "\\*"'):
        read_baseline(file, of_logs=True)
    file.write_text(baseline_text(IN_LOGS), encoding="utf-8")
    with pytest.raises(BadBaseline, match="names runs, but here an entry names scenario"):
        read_baseline(file)


def test_a_day_that_there_is_not_is_refused(tmp_path: Path) -> None:
    """Such a day would never come, so the entry would never expire."""
    file = tmp_path / "baseline.json"
    wrong = Baseline((Entry(FAILURE, "issue 12", expires="2027-02-30"),))
    file.write_text(baseline_text(wrong), encoding="utf-8")
    with pytest.raises(BadBaseline, match="'2027-02-30', which is not a day"):
        read_baseline(file)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("folder", "is a folder; permitted: a file"),
        ("nowhere/known.json", "cannot be written: it or the folder .*nowhere is read-only, or does not exist"),
        ("file.json/known.json", "cannot be written: "),
        (f"{'x' * 300}.json", "cannot be written: File name too long"),
    ],
)
def test_a_baseline_that_cannot_be_written_is_refused_before_a_long_run(name: str, says: str, tmp_path: Path) -> None:
    """Refused only after the run, all findings of the run would be lost."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadBaseline, match=says):
        refuse_unwritable(tmp_path / name)
    refuse_unwritable(tmp_path / "file.json")
    refuse_unwritable(tmp_path / "new.json")


@pytest.mark.parametrize("protected", ["known.json", "."])
def test_a_baseline_that_is_protected_is_refused(
    protected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either the file itself is protected, or the folder in which it would be replaced."""
    (tmp_path / "known.json").write_text("{}", encoding="utf-8")
    refuse_unwritable(tmp_path / "known.json")
    # The tests may run as a user (such as root) to whom file modes deny nothing.
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != tmp_path / protected or mode != os.W_OK)
    with pytest.raises(BadBaseline, match=r"cannot be written: it or the folder .* is read-only"):
        refuse_unwritable(tmp_path / "known.json")

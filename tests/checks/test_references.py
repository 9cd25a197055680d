"""References beyond the examples of their chapter: deeds, second readings, one reason for each mistake."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.records import Record
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.trace.witnesses import Deed
from callproof.values.jsontext import Json, write_json
from edited_runs import base, deed_of, failure, findings, live, output, patched, run_record_patched, verdict

REFERENCE_LAWS = {f"REF-{number:02d}" for number in range(1, 28)} | {"VAL-04", "VAL-10", "LOOP-13"}


def with_args(name: str, at: int, args: Json) -> Run:
    """A base run in which one call has other args."""
    return patched(base(name), "calls", at, {"args": args})


def reasons(run: Run) -> set[str]:
    """The laws about arguments that a run breaks."""
    return {name for name, each in judge(run).items() if each.verdict is Verdict.FAIL} & REFERENCE_LAWS


@pytest.mark.parametrize(
    ("args", "law"),
    [
        ({"half": "1.5"}, "REF-11"),
        ({"half": 2.5}, "REF-01"),
        ({"list": "[]"}, "REF-11"),
        ({"zero": "$steps.s1.zero"}, "REF-10"),
        ({"none": False}, "REF-11"),
        ({"list": None}, "REF-18"),
        ({"odd": "dot digit ['bottom']"}, "REF-11"),
        ({"odd": 'dot 0 ["bottom"]'}, "REF-01"),
        ({"odd": 'dot-digit-["bottom"]'}, "REF-16"),
        ({"escaped": "$$steps.s1.title, {$vars.source.title} and $$5"}, "REF-16"),
        ({"escaped": "Plain, Plain and $$5"}, "REF-15"),
        ({"whole": {"text": None}}, "REF-01"),
        ({"title": {"status": "ok"}}, "REF-01"),
        ({"title": ["Plain"]}, "REF-11"),
    ],
)
def test_each_mistake_has_one_reason(args: Json, law: str) -> None:
    """One difference in the arguments is reported as one law."""
    assert reasons(with_args("references", 1, args)) == {law}


@pytest.mark.parametrize("other", [[{"v": 0}], "{row}", "", 5], ids=["shorter", "a-text", "no-text", "a-number"])
def test_what_was_made_of_an_array_with_references_is_a_change_of_arguments(other: Json) -> None:
    """VAL-04: no part of it can be compared with its own reference."""
    assert reasons(with_args("references", 4, {"all": other})) == {"VAL-04"}


@pytest.mark.parametrize(("name", "law"), [("$vars.source", "REF-25"), ("price$", "VAL-04"), ("{row}", "VAL-04")])
def test_only_a_name_that_would_be_a_reference_was_taken_for_one(name: str, law: str) -> None:
    """REF-25: neither a reference sign inside a name nor the binding of another step makes the name a reference."""
    run = base("references")
    assert run.plan is not None
    first, second, *others = [dict(each.value) for each in run.plan.steps]
    second["args"] = {**run.plan.steps[1].args, name: "5"}
    run = run_record_patched(run, {"plan": {"steps": [first, second, *others]}})
    assert reasons(patched(run, "calls", 1, {"args": {"Plain": "5"}})) == {law}


@pytest.mark.parametrize("half", ["2.0", "2"])
def test_a_number_that_stands_is_not_blamed_for_what_follows_it(half: str) -> None:
    """The reference whose text differs is blamed, however the number is spelt (B-48)."""
    run = base("references")
    template: Json = {"id": "s2", "tool": "util.compose", "args": {"title": "{$steps.s1.half} of {$vars.source.title}"}}
    first = run.plan.steps[0].value if run.plan else {}
    run = run_record_patched(run, {"plan": {"steps": [dict(first), template]}})
    run = patched(run, "results", 0, {"data": {"half": 2.0}})
    other: Json = {"title": f"{half} of Another"}
    run = replace(run, calls=(run.calls[0], replace(run.calls[1], value={**run.calls[1].value, "args": other})))
    assert reasons(run) == {"REF-05"}


@pytest.mark.parametrize("name", ["note", "a/b", "a~b"])
def test_the_item_of_another_iteration_is_known_under_every_name(name: str) -> None:
    """LOOP-13: whatever the argument is called."""
    run = base("foreach")
    assert run.plan is not None
    steps = [dict(each.value) for each in run.plan.steps]
    steps[1] = {**steps[1], "args": {**run.plan.steps[1].args, name: "{bullet.text}"}}
    run = run_record_patched(run, {"plan": {"steps": list(steps)}})
    for at in (1, 2, 3):
        run = patched(run, "calls", at, {"args": {name: "Beta"}})
    place = name.replace("~", "~0").replace("/", "~1")
    assert findings(run, "LOOP-13") == [f'call {call} held "Beta" at /args/{place}' for call in ("c2", "c4")]
    assert findings(run, "REF-07") == []


@pytest.mark.parametrize(
    ("own", "other", "template", "held", "law"),
    [
        (1, "", "{bullet.text}", "", "LOOP-13"),
        ("", 7, "{bullet.text}", 7, "LOOP-13"),
        (None, {}, "at {bullet.text}", "at {}", "LOOP-13"),
        ({"n": 1}, {"n": 2}, "at {bullet.text}", 'at {"n":2}', "LOOP-13"),
        (1, True, "{bullet.text}", True, "REF-11"),
        (False, "False", "{bullet.text}", "False", "REF-11"),
        (None, "x", "at {bullet.text}", "at None", "REF-11"),
        (1, "x", "{bullet.text}", "", "REF-11"),
    ],
)
def test_an_item_of_another_type_may_be_that_of_another_iteration(
    own: Json, other: Json, template: str, held: Json, law: str
) -> None:
    """LOOP-13: but a value that its own item may have been made into has lost its type (REF-11)."""
    items: list[Json] = [{"text": each, "raw": "", "depth": 0} for each in (own, other, "z")]
    run = patched(base("foreach"), "results", 0, {"data": {"items": items}})
    assert run.plan is not None
    steps = [dict(each.value) for each in run.plan.steps]
    steps[1] = {**steps[1], "args": {**run.plan.steps[1].args, "note": template}}
    run = run_record_patched(run, {"plan": {"steps": list(steps)}})
    run = patched(run, "calls", 1, {"args": {"note": held}})
    told = {each: findings(run, each) for each in ("LOOP-13", "REF-11")}
    assert [each for each, found in told.items() if any("/args/note" in clause for clause in found)] == [law]


def noted(items: list[Json], template: Json, held: list[Json]) -> Run:
    """The foreach base over other items, where each iteration has one argument: what it is to be, and what it was."""
    data: list[Json] = [{"text": each, "raw": "", "depth": 0} for each in items]
    run = patched(base("foreach"), "results", 0, {"data": {"items": data}})
    assert run.plan is not None
    steps = [dict(each.value) for each in run.plan.steps]
    steps[1] = {**steps[1], "args": {"note": template}}
    run = run_record_patched(run, {"plan": {"steps": list(steps[:2])}})
    return replace(run, calls=(run.calls[0], *map(with_note, run.calls[1:4], held)))


def with_note(call: Record, note: Json) -> Record:
    """A call that has this one argument."""
    return replace(call, value={**call.value, "args": {"note": note}})


def laws_at_notes(run: Run) -> list[str]:
    """For each argument that is wrong, the laws that say so, LOG-06 aside."""
    laws = ("LOOP-13", "REF-07", "REF-08", "REF-10", "REF-11", "REF-16", "REF-18")
    told = {each: " ".join(findings(run, each)) for each in laws}
    return [" ".join(law for law, said in told.items() if f"{call.call_id} held" in said) for call in run.calls[1:]]


PLACED = "{position}: {bullet.text}"
BOTH: Json = ["{bullet.text}", "{bullet.text}, {position}"]


@pytest.mark.parametrize(
    ("items", "template", "held", "laws"),
    [
        # One iteration can only have the item of another one, so the others have it as well.
        ([0, False, "last"], "{bullet.text}", [0, 0, 0], ["", "LOOP-13", "LOOP-13"]),
        ([1, True, 0], "{bullet.text}", [1, 1, 1], ["", "LOOP-13", "LOOP-13"]),
        ([None, 0, "x"], "{bullet.text}", [None, None, None], ["", "LOOP-13", "LOOP-13"]),
        (["", 0, {"a": 1}], "{bullet.text}", ["", "", ""], ["", "LOOP-13", "LOOP-13"]),
        ([[], None, "x"], "{bullet.text}", [[], [], []], ["", "LOOP-13", "LOOP-13"]),
        ([None, "", [1]], "{bullet.text}", ["", [1], None], ["LOOP-13", "LOOP-13", "LOOP-13"]),
        ([True, 1, ""], "at {bullet.text}", ["at 1", "at ", "at true"], ["LOOP-13", "LOOP-13", "LOOP-13"]),
        (["x", 1, None], "{bullet.text}", [1, 1, None], ["LOOP-13", "", ""]),
        # These may be the iterations' own items in another form: a default, a flag, a text.
        (["", 0, None], "{bullet.text}", ["", "", ""], ["", "REF-11", "REF-11"]),
        (["", {}, []], "{bullet.text}", ["", "", ""], ["", "REF-11", "REF-11"]),
        ([{}, [], None], "{bullet.text}", [{}, {}, None], ["", "REF-11", ""]),
        ([None, 0, False], "{bullet.text}", [None, None, None], ["", "REF-18", "REF-18"]),
        ([True, 1, "a"], "{bullet.text}", [True, True, True], ["", "REF-11", "REF-11"]),
        (["1", 1, 2], "{bullet.text}", ["1", "1", "2"], ["", "REF-11", "REF-11"]),
        ([1, [1], "a"], "{bullet.text}", [1, 1, "a"], ["", "REF-11", ""]),
        (["", None, "x"], "at {bullet.text}", ["at ", "at ", "at x"], ["", "REF-11", ""]),
        (["", None, 0], "{position}: {bullet.text}", ["0: ", "1: ", "2: "], ["", "REF-11", "REF-11"]),
        ([True, 1, "a"], "at {bullet.text}", ["at true", "at true", "at a"], ["", "REF-11", ""]),
        (["a", "b", "c"], "{bullet.text}" * 500, ["a" * 500] * 3, ["", "LOOP-13", "LOOP-13"]),
        # A value that is no item of the loop says that something else happened here.
        ([0, False, "last"], "{bullet.text}", [0, 0, "LAST"], ["", "REF-11", "REF-07"]),
        # Nothing is wrong.
        ([0, False, ""], "{bullet.text}", [0, False, ""], ["", "", ""]),
        ([None, None, []], "at {bullet.text}", ["at null", "at null", "at []"], ["", "", ""]),
    ],
)
def test_the_other_iterations_tell_whether_an_item_was_swapped(
    items: list[Json], template: Json, held: list[Json], laws: list[str]
) -> None:
    """LOOP-13: false may have been made of 0 (REF-11), or it is the item of another iteration."""
    assert laws_at_notes(noted(items, template, held)) == laws


def test_another_argument_of_the_loop_tells_whether_an_item_was_swapped() -> None:
    """LOOP-13: no system writes false for an empty text, so the false that stands alone was not made of it either."""
    items: list[Json] = [False, 0, ""]
    right: list[Json] = [[False, "false, 0"], [0, "0, 1"], ["", ", 2"]]
    swapped: list[Json] = [[False, "false, 0"], [False, "false, 1"], [False, "false, 2"]]
    formed: list[Json] = [[False, "false, 0"], [False, "0, 1"], [False, ", 2"]]
    told = [laws_at_notes(noted(items, BOTH, each)) for each in (right, swapped, formed)]
    assert told == [["", "", ""], ["", "LOOP-13", "LOOP-13"], ["", "REF-11", "REF-11"]]


def test_data_that_looks_like_a_reference_is_not_one_left_standing() -> None:
    """REF-10, B-45: an object that became its text lost its type (REF-11), whatever its texts look like."""
    data: Json = {"text": 'see $steps.s1 and {$steps.s1["a.b"]}'}
    run = patched(base("references"), "results", 0, {"data": {"nested": data}})
    assert run.plan is not None
    first, second, *_ = [dict(each.value) for each in run.plan.steps]
    sole = write_json(data)
    for template, held, law in (
        ("$steps.s1.nested", sole, "REF-11"),
        ("{$steps.s1.nested}", str(data), "REF-11"),
        ("$steps.s1.nested", "$steps.s1.nested", "REF-10"),
        ("{$steps.s1.nested}", "$steps.s1.nested", "REF-10"),
        ('of {$steps.s1.nested} and {$steps.s1["a.b"]}', f"of {data} and x", "REF-11"),
        ('of {$steps.s1.half} and {$steps.s1["a.b"]}', 'of 1.5 and {$steps.s1["a.b"]}', "REF-10"),
    ):
        asking = {**second, "args": {"note": template}}
        given = patched(run, "results", 0, {"data": {"a.b": "x"}})
        given = run_record_patched(given, {"plan": {"steps": [first, asking]}})
        given = replace(given, calls=(given.calls[0], with_note(given.calls[1], held)))
        assert reasons(given) == {law}, template


@pytest.mark.parametrize(
    ("items", "template", "held", "laws"),
    [
        (["bullet.text", "x", "y"], "{bullet.text}", ["bullet.text", "bullet.text", "y"], ["", "LOOP-13", ""]),
        (["of {bullet.text}", "x", "y"], "{bullet.text}", ["of {bullet.text}"] * 3, ["", "LOOP-13", "LOOP-13"]),
        (
            ["{position}!", "x", "y"],
            "{position}: {bullet.text}",
            ["0: {position}!", "1: {position}!", "2: y"],
            ["", "LOOP-13", ""],
        ),
        (
            ["{position}!", "x", "y"],
            "{position}: {bullet.text}",
            ["0: {position}!", "{position}: x", "2: y"],
            ["", "REF-10", ""],
        ),
        (["a", "x", "y"], "{bullet.text}", ["{bullet.text}", "x", "y"], ["REF-10", "", ""]),
    ],
)
def test_an_item_that_looks_like_a_reference_is_not_one_left_standing(
    items: list[Json], template: Json, held: list[Json], laws: list[str]
) -> None:
    """REF-10, B-45: in another iteration it is the item of this one (LOOP-13)."""
    assert laws_at_notes(noted(items, template, held)) == laws


def test_a_member_that_was_added_deep_inside_is_told_with_its_value() -> None:
    """REF-27: a member missing elsewhere does not explain it; a missing member of a like name does (VAL-10)."""
    run = with_args("foreach", 2, {"frontmatter": {"extra": 5, "bullet": {"raw": None}}})
    assert [each.partition(",")[0] for each in findings(run, "REF-27")] == ["call c3 held 5 at /args/frontmatter/extra"]
    renamed = with_args("foreach", 2, {"frontmatter": {"Position": 1, "position": None}})
    assert reasons(renamed) == {"VAL-10"}


@pytest.mark.parametrize(("name", "law"), [("位_置", "VAL-10"), ("标题", "REF-18")])
def test_a_member_is_renamed_where_its_letters_are_the_same(name: str, law: str) -> None:
    """VAL-10: in any script; a name with other letters is not a renaming."""
    run = base("references")
    assert run.plan is not None
    first, second, *others = [dict(each.value) for each in run.plan.steps]
    second["args"] = {**run.plan.steps[1].args, "位置": "$steps.s1.zero"}
    run = run_record_patched(run, {"plan": {"steps": [first, second, *others]}})
    assert reasons(patched(run, "calls", 1, {"args": {name: 0}})) == {law}


@pytest.mark.parametrize("text", ["Plain of 2.0", "Plain of 2"])
def test_numbers_in_text_may_be_spelt_as_integers(text: str) -> None:
    """2.0 inside longer text may be written 2 (B-48, A62)."""
    run = embedding("{$steps.s1.title} of {$steps.s1.half}", 2.0, text)
    assert reasons(run) & {"REF-01", "REF-11", "REF-16"} == set()


def embedding(template: str, half: Json, title: str) -> Run:
    """The references base with a title that a template makes of two values, and the title that was sent."""
    run = base("references")
    step: Json = {"id": "s2", "tool": "util.compose", "args": {"title": template}}
    first = run.plan.steps[0].value if run.plan else {}
    run = run_record_patched(run, {"plan": {"steps": [dict(first), step]}})
    run = patched(run, "results", 0, {"data": {"half": half}})
    gone: dict[str, Json] = dict.fromkeys(run.calls[1].object("args") or {})
    return patched(run, "calls", 1, {"args": gone | {"title": title}})


@pytest.mark.parametrize(
    ("text", "broken"), [(r"\b\u001f", set()), (r"\u0008\u001F", set()), (r"\u0008\u0020", {"REF-11"})]
)
def test_control_characters_in_text_have_any_of_their_escapes(text: str, broken: set[str]) -> None:
    """A character that JSON has to escape is escaped as the system's language does it (A62)."""
    run = embedding("{$steps.s1.title} of {$steps.s1.half}", ["\b\x1f"], f'Plain of ["{text}"]')
    assert reasons(run) & {"REF-01", "REF-11", "REF-16"} == broken


def test_a_quoted_text_is_another_form_of_it() -> None:
    """REF-11: a text within quotation marks is the right data, but not in its text form."""
    run = embedding("{$steps.s1.title}: {$steps.s1.half}", ["One"], '"Plain": ["One"]')
    assert reasons(run) & {"REF-01", "REF-11", "REF-16"} == {"REF-11"}


@pytest.mark.parametrize("template", ["{bullet}, {index}", "{position}: {bullet}", "{bullet}: {position}"])
def test_members_in_another_order_are_another_form_of_their_item(template: str) -> None:
    """REF-11, A62: a text with sorted members shows neither another binding nor a wrong count."""
    run = base("foreach")
    assert run.plan is not None
    steps = [dict(each.value) for each in run.plan.steps]
    steps[1]["args"] = {**run.plan.steps[1].args, "content": template}
    run = run_record_patched(run, {"plan": {"steps": steps}})
    run = replace(run, calls=run.calls[:2], results=run.results[:2])
    given, turned = '{"text":"Alpha","raw":"- Alpha","depth":0}', '{"depth":0,"raw":"- Alpha","text":"Alpha"}'
    sent = [template.replace("{bullet}", each).replace("{position}", "0") for each in (given, turned)]
    run = patched(run, "calls", 1, {"args": {"content": sent[0]}})
    for content, broken in zip(sent, (set(), {"REF-11"}), strict=True):
        args = {**(run.calls[1].object("args") or {}), "content": content}
        answers = [output(result.get("data"), arrival=10 * n + 5) for n, result in enumerate(run.results[:1])]
        source = deed_of(run.calls[0], answers[0], arrival=1)
        deed = deed_of(run.calls[1], output({}, arrival=15), arrival=11, args=args)
        assert reasons(live(run, (source, deed))) & {"REF-07", "REF-08", "REF-09", "REF-11", "REF-21"} == broken


def deeds_of(run: Run, changed: dict[int, dict[str, Json]]) -> tuple[Deed, ...]:
    """The deeds of the first calls of the references base, with some args changed on their way to the tool."""
    answers = [output(result.get("data"), arrival=10 * n + 5) for n, result in enumerate(run.results[:2])]
    return tuple(
        deed_of(call, answers[n], arrival=10 * n + 1, args={**(call.object("args") or {}), **changed.get(n, {})})
        for n, call in enumerate(run.calls[:2])
    )


def test_what_reaches_a_tool_is_judged_like_what_is_recorded() -> None:
    """A log that is right in itself does not excuse what was sent."""
    run = base("references")
    assert reasons(live(run, deeds_of(run, {}))) == set()
    assert {"REF-01", "REF-21"} <= reasons(live(run, deeds_of(run, {1: {"half": 3.5}})))


@pytest.mark.parametrize(("held", "laws"), [("1.5", {"REF-11"}), ("2.5", {"REF-11", "REF-21"})])
def test_the_right_value_as_text_is_a_matter_of_its_type_alone(held: str, laws: set[str]) -> None:
    """REF-11: the path leads to the right value, which arrived as its text (REF-19, REF-21)."""
    run = base("references")
    broken = {
        each for each in ("REF-11", "REF-19", "REF-21") if findings(live(run, deeds_of(run, {1: {"half": held}})), each)
    }
    assert broken == laws


def retried_reader(held: Json) -> Run:
    """A live run whose second step reads from one that was retried, and what reached the tool of that reader."""
    run = base("references")
    assert run.plan is not None
    first = {**run.plan.steps[0].value, "retry": {"maxAttempts": 2, "backoffMs": 0}}
    reader = {**run.plan.steps[1].value, "args": {"note": ["$steps.s1.half"]}}
    run = run_record_patched(run, {"plan": {"steps": [first, reader]}})
    data = run.results[0].get("data")
    failed = {"status": "error", "data": None, "error": {"code": "INTERNAL_ERROR", "message": "x", "retryable": True}}
    once, again = run.calls[0], replace(run.calls[0], value={**run.calls[0].value, "callId": "again", "attempt": 2})
    reads = with_note(run.calls[1], [held])
    ended = replace(run.results[0], value={**run.results[0].value, "callId": "again", "attempt": 2})
    run = replace(run, calls=(once, again, reads), results=(run.results[0], ended, *run.results[1:]))
    run = patched(run, "results", 0, failed)
    broke = failure({"code": "INTERNAL_ERROR", "message": "x"}, arrival=2)
    answers = (broke, output(data, arrival=12), output({}, arrival=22))
    deeds = tuple(deed_of(each, answers[n], arrival=10 * n + 1) for n, each in enumerate(run.calls))
    return live(run, deeds)


@pytest.mark.parametrize(
    ("held", "laws"), [("$steps.s1.half", {"REF-10"}), (1.5, set()), (2.5, {"REF-01", "REF-19", "REF-21"})]
)
def test_a_reference_that_was_not_resolved_is_not_one_to_an_earlier_attempt(held: Json, laws: set[str]) -> None:
    """REF-10: nor was it followed to a wrong place; REF-19 and REF-21 report values."""
    run = retried_reader(held)
    assert {each for each in ("REF-01", "REF-10", "REF-11", "REF-19", "REF-21") if findings(run, each)} == laws


def test_a_recorded_output_does_not_excuse_a_wrong_value() -> None:
    """Deeds are judged by what the tool answered, whatever the result says (REF-01)."""
    run = patched(base("references"), "results", 0, {"data": {"half": 9.5}})
    run = patched(run, "calls", 1, {"args": {"half": 9.5}})
    clean = base("references")
    answers = deeds_of(clean, {1: {"half": 9.5}})
    assert any("half" in each for each in findings(live(run, answers), "REF-01"))


def test_a_reader_that_reached_its_tool_too_early_is_found_by_the_wire() -> None:
    """REF-22: the order of messages is evidence."""
    run = base("linear")
    first = deed_of(run.calls[0], output(run.results[0].get("data"), arrival=30), arrival=10)
    second = deed_of(run.calls[1], output(run.results[1].get("data"), arrival=40), arrival=20)
    assert verdict(live(run, (first, second)), "REF-22") is Verdict.FAIL
    in_order = deed_of(run.calls[1], output(run.results[1].get("data"), arrival=40), arrival=35)
    assert verdict(live(run, (first, in_order)), "REF-22") is not Verdict.FAIL


def test_a_failure_that_shows_data_is_found() -> None:
    """REF-24: canaries stand for the data around a reference."""
    run = patched(base("refused"), "results", 3, {"error": {"message": "no filePath in {secret-canary}"}})
    assert verdict(live(run, canaries=("secret-canary",)), "REF-24") is Verdict.FAIL
    assert verdict(live(base("refused"), canaries=("secret-canary",)), "REF-24") is Verdict.PASS


@pytest.mark.parametrize(
    ("error", "named"),
    [
        ({"message": "A reference leads to nothing."}, False),
        ({"message": "$steps.s1.filePath leads to nothing"}, False),
        ({"message": "$steps.s3.file leads to nothing"}, False),
        ({"message": "{$steps.s3.filePath} leads to nothing"}, True),
        ({"message": "steps.s3.filePath leads to nothing"}, True),
        ({"message": "Step s3 gave no filePath"}, True),
        ({"message": "No value", "details": {"path": ["steps", "s3", "filePath"]}}, True),
        ({"message": "No value", "details": {"found": {"s3": {"filePath": None}}}}, True),
    ],
)
def test_a_failure_names_its_reference_in_any_spelling(error: dict[str, Json], named: bool) -> None:
    """REF-24: the message or the details say which reference leads to nothing."""
    run = patched(base("refused"), "results", 3, {"error": {"details": {"reference": None}, **error}})
    told = f"the result of step s4 had the message {write_json(error['message'])} and did not name $steps.s3.filePath"
    assert findings(run, "REF-24") == ([] if named else [told])


@pytest.mark.parametrize("place", ["/error", "/error/message", "/userMessage"])
def test_what_is_redacted_may_have_named_the_reference(place: str) -> None:
    """REF-24, A42."""
    gone: Json = {"error": {"message": "[gone]", "details": {"reference": None}}, "redacted": [place]}
    assert not findings(patched(base("refused"), "results", 3, gone), "REF-24")


def test_one_of_several_lost_references_is_enough() -> None:
    """REF-24: the first that leads to nothing ends the resolution."""
    run = unbuilt_row({}, {"code": "VALIDATION_ERROR", "message": "{row.b} leads to nothing"})
    assert run.plan is not None
    first, loop, last = run.plan.value["steps"]
    several = {"plan": {"steps": [first, {**loop, "args": {"a": "{row.a}", "b": "{row.b}"}}, last]}}
    assert not findings(run_record_patched(run, several), "REF-24")
    none = unbuilt_row({}, {"code": "VALIDATION_ERROR", "message": "{row.c} leads to nothing"})
    assert len(findings(run_record_patched(none, several), "REF-24")) == 1


@pytest.mark.parametrize(
    ("number", "spelt", "lawful"),
    [
        (0.00001, "0.00001", True),
        (0.00001, "1e-5", True),
        (1e21, "1E+21", True),
        (-0.0, "0", True),
        (3, "3.0", True),
        (3, "3.01", False),
        (3, "03", False),
        (0.1, "0.10000000000000001", True),
        (12345678901234567890, "12345678901234567000", False),
        (1.5, "1.5 ", False),
        ("1.0", "1", False),
    ],
)
def test_a_number_inside_text_is_spelt_as_the_language_has_it(number: Json, spelt: str, lawful: bool) -> None:
    """REF-11: for a number in longer text the value counts, for all else every character (B-48, B-49)."""
    run = base("references")
    assert run.plan is not None
    first, second, *others = run.plan.value["steps"]
    asking = {**second, "args": {**second["args"], "odd": "n $steps.s1.half, {$steps.s1.nested}"}}
    run = run_record_patched(run, {"plan": {"steps": [first, asking, *others]}})
    run = patched(run, "results", 0, {"data": {"half": number, "nested": {"a": [number, "1.0"]}}})
    inner = f'"{spelt}"' if isinstance(number, str) else spelt
    run = patched(run, "calls", 1, {"args": {"odd": f'n {spelt}, {{"a":[{inner},"1.0"]}}'}})
    at_odd = [each for each in findings(run, "LOG-06") if "/args/odd" in each]
    assert bool(at_odd) is not lawful


def test_args_that_a_hook_changed_are_not_held_against_the_plan() -> None:
    """A49: the mark suspends the comparison, of all args or of the members that it names."""
    changed: dict[str, Json] = {"half": 2.5, "new": {"a": 1}}
    for mark in ("guard", {"by": "guard"}, {"members": ["/half", "/new"]}, {"members": ["/half", "/new/a"]}):
        assert reasons(patched(base("references"), "calls", 1, {"args": changed, "argsModifiedBy": mark})) == set()


@pytest.mark.parametrize("mark", [True, 7, "", [], ["/half", "/new"], {}, {"by": ""}, {"members": "/half"}])
def test_a_mark_that_names_neither_who_nor_which_suspends_nothing(mark: Json) -> None:
    """CALL-24: otherwise any value there would suspend the comparison."""
    patch: Json = {"args": {"half": "1.5", "new": 1}, "preview": "Nothing", "argsModifiedBy": mark}
    run = patched(base("references"), "calls", 1, patch)
    assert reasons(run) == {"REF-11", "REF-27"}
    assert findings(run, "CALL-24") != []


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ([], {"REF-11", "REF-27"}),
        (["/hal"], {"REF-11", "REF-27"}),
        (["/half/x/y"], {"REF-27"}),
        (["/title", "/new"], {"REF-11"}),
    ],
)
def test_args_that_a_hook_does_not_name_are_held_against_the_plan(members: list[Json], found: set[str]) -> None:
    """A49: only what lies under the members named was changed by the hook."""
    patch: Json = {"args": {"half": "1.5", "new": 1}, "argsModifiedBy": {"members": members}}
    assert reasons(patched(base("references"), "calls", 1, patch)) == found


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "object"}, 1),
        ({"properties": {"title": {}}}, 1),
        ({"properties": {"requestId": {}}}, 0),
        ({"properties": {"title": {}}, "allOf": [{"properties": {"requestId": {}}}]}, 0),
        ({"patternProperties": {"Id$": {}}}, 0),
        (None, 0),
    ],
)
def test_a_request_id_is_added_where_the_schema_declares_it(schema: Json, found: int) -> None:
    """REF-27: a schema that leaves room for a member does not declare it (A47)."""
    run = patched(base("references"), "calls", 1, {"args": {"requestId": "r-1"}})
    assert run.registry is not None
    tools = [{**each.value, "inputSchema": schema} for each in run.registry.tools]
    assert len(findings(replace(run, registry=registry_of(tools)), "REF-27")) == found


@pytest.mark.parametrize("path", ["$steps.a.path.length", "$steps.a[0]", "$steps.a.path[0]"])
def test_a_path_through_a_value_of_another_kind_may_fail_its_step(path: str) -> None:
    """REF-03: what a schema excludes by kind may refuse the run or fail its step; only a closed output refuses."""
    run = base("diamond")
    assert run.plan is not None
    *others, last = run.plan.value["steps"]
    asking = {**last, "args": {**last["args"], "path": path}}
    assert not findings(run_record_patched(run, {"plan": {"steps": [*others, asking]}}), "REF-03")
    unknown = {**last, "args": {**last["args"], "path": "$steps.a.pathh"}}
    assert findings(run_record_patched(run, {"plan": {"steps": [*others, unknown]}}), "REF-03")


def test_a_mark_of_redaction_ends_with_its_name() -> None:
    """A42: a mark on /args/hal says nothing of /args/half."""
    run = patched(base("references"), "calls", 1, {"args": {"half": "1.5"}, "redacted": ["/args/hal"]})
    assert reasons(run) == {"REF-11"}


@pytest.mark.parametrize("path", ["$steps.a.path.length", "$steps.a.optional"])
def test_a_step_that_was_skipped_for_another_was_not_refused_for_its_path(path: str) -> None:
    """REF-04, REF-17: the reason is its dependency, its tool or a cancelled call, not its references."""
    run = base("diamond")
    assert run.plan is not None
    *others, last = run.plan.value["steps"]
    last = {**last, "args": {**last["args"], "path": path}}
    skipped = run_record_patched(run, {"plan": {"steps": [*others, last]}})
    assert [findings(skipped, each) for each in ("REF-04", "REF-17")] == [[], []]
    alone = run_record_patched(run, {"plan": {"steps": [*others, {**last, "dependsOn": ["c"]}]}})
    assert any(findings(alone, each) for each in ("REF-04", "REF-17"))
    unavailable: Json = {"userMessage": "Skipped: tool_unavailable"}
    stopped: Json = {"status": "cancelled", "error": {"code": "CANCELLED"}}
    for at, patch in ((3, unavailable), (1, stopped)):
        assert [findings(patched(alone, "results", at, patch), each) for each in ("REF-04", "REF-17")] == [[], []]


def unbuilt_row(row: Json, error: Json) -> Run:
    """The halted run, whose last row is this one and could not be built, after a failure that stops nothing."""
    run = base("halted")
    assert run.plan is not None
    first, loop, last = run.plan.value["steps"]
    loop = {**loop, "onError": "skip", "args": {**loop["args"], "value": "{row.v}"}}
    run = run_record_patched(run, {"plan": {"steps": [first, loop, last]}})
    run = patched(run, "results", 0, {"data": {"rows": [{"v": "one"}, {"v": "two"}, row]}})
    item: Json = {"index": 2, "itemName": "row", "itemValue": row}
    return patched(run, "results", 4, {"status": "error", "error": error, "iteration": item})


@pytest.mark.parametrize(
    ("row", "broken"),
    [
        ({"v": None}, {"REF-18"}),
        ({"v": ""}, {"REF-18"}),
        ({"v": []}, {"REF-18"}),
        ({"v": "three"}, {"REF-21"}),
        ({}, set()),
        (None, set()),
        ("three", set()),
        (["three"], set()),
    ],
)
def test_an_iteration_is_not_refused_for_what_is_there(row: Json, broken: set[str]) -> None:
    """A value in an item is a value like any other; only a missing one may refuse the iteration (REF-18, REF-21)."""
    run = unbuilt_row(row, {"code": "VALIDATION_ERROR", "message": "{row.v} leads to nothing"})
    assert {each for each in ("REF-04", "REF-17", "REF-18", "REF-21") if findings(run, each)} == broken


@pytest.mark.parametrize(
    ("row", "law", "told"),
    [
        ({"a": None}, "REF-18", "{row.a} leads to null"),
        ({"a": False, "b": 1, "c": ""}, "REF-18", '{row.a} leads to false, {row.c} to ""'),
        (
            dict.fromkeys("abcdefg", 0),
            "REF-18",
            "{row.a} leads to 0, " + ", ".join(f"{{row.{each}}} to 0" for each in "bcde") + " and 2 more",
        ),
        ({"a": 1}, "REF-21", "{row.a} leads to a value"),
        ({"a": 1, "b": 2}, "REF-21", "{row.a}, {row.b} lead to values"),
    ],
)
def test_a_refusal_in_spite_of_values_names_every_reference(row: dict[str, Json], law: str, told: str) -> None:
    """Only the system knows which reference it took to lead to nothing, so the finding names all (REF-18)."""
    run = unbuilt_row(row, {"code": "VALIDATION_ERROR", "message": "there is nothing"})
    assert run.plan is not None
    first, loop, last = run.plan.value["steps"]
    args = {name: f"{{row.{name}}}" for name in row}
    run = run_record_patched(run, {"plan": {"steps": [first, {**loop, "args": args}, last]}})
    assert findings(run, law) == [f"step {loop['id']} was never built, although {told}"]


@pytest.mark.parametrize(("status", "broken"), [("skipped", set()), ("error", {"REF-21"})])
def test_what_was_skipped_was_not_refused(status: str, broken: set[str]) -> None:
    """A step without its dependency is skipped, whatever its references lead to and its error says (DEP-02)."""
    error: Json = {"code": "VALIDATION_ERROR", "message": "Step b did not end ok"}
    run = patched(base("diamond"), "results", 3, {"status": status, "error": error})
    assert {each for each in ("REF-18", "REF-21", "DEP-05") if findings(run, each)} == broken


@pytest.mark.parametrize("rows", [{"v": 1}, {}, "one", "", None, 0])
@pytest.mark.parametrize("reason", ["the list is empty", "the source is not an array"])
def test_what_is_no_array_is_not_told_as_an_empty_one(rows: Json, reason: str) -> None:
    """A loop over an object or over nothing at all fails, and does not complete (REF-26)."""
    run = base("references")
    rest = tuple(each for each in run.results if each.step_id != "s4")
    unbuilt = next(each for each in base("foreach").results if each.call_id == "c7")
    told = replace(unbuilt, value={**unbuilt.value, "stepId": "s4", "userMessage": reason, "runId": "run-references"})
    calls = tuple(each for each in run.calls if each.step_id != "s4")
    run = replace(patched(replace(run, results=rest), "results", 0, {"data": {"rows": None}}), calls=calls)
    data = {**run.results[0].value["data"], "rows": rows}
    first = replace(run.results[0], value={**run.results[0].value, "data": data})
    empty = replace(run, results=(first, *run.results[1:], told))
    assert len(findings(empty, "REF-26")) == (reason == "the list is empty")


def test_what_is_told_of_another_loop_is_not_told_of_this_one() -> None:
    """The source of one loop is not an array, and no record is about it; the other loop was empty (REF-26)."""
    run = base("foreach")
    steps: list[Json] = [dict(each.value) for each in (run.plan.steps if run.plan else ())]
    broken: Json = {"id": "s9", "tool": "vault.readFile", "args": {"path": "{item}"}, "foreach": {"from": "$steps.s1"}}
    loop = run_record_patched(run, {"plan": {"steps": [*steps, broken]}})
    told = tuple(each for each in loop.results if each.call_id != "c7")
    events = tuple(
        replace(each, value={**each.value, "callId": None}) if each.call_id == "c7" else each
        for each in run.events or ()
    )
    assert [each.step_id for each in events if each.text("type") == "step.finished" and each.call_id is None] == ["s5"]
    assert findings(replace(loop, results=told, events=events), "REF-26") == []


def test_redacted_args_are_not_compared() -> None:
    """A42: what is redacted is unknown."""
    run = patched(base("references"), "calls", 1, {"args": {"half": "***"}, "redacted": ["/args/half"]})
    assert reasons(run) == set()


def test_what_rests_on_redacted_data_is_not_decided() -> None:
    """A42: references into redacted data lead to unknown values."""
    run = patched(base("references"), "results", 0, {"data": {"title": "***"}, "redacted": ["/data/title"]})
    assert reasons(run) == set()


def test_the_output_of_the_last_iteration_is_not_the_output_of_its_loop() -> None:
    """REF-20: an object instead of the array is another value, not another form of the array."""
    run = base("foreach")
    at = next(n for n, each in enumerate(run.calls) if each.step_id == "s3")
    last = next(each for each in run.results if each.call_id == "c4").get("data")
    assert reasons(patched(run, "calls", at, {"args": {"frontmatter": {"notes": last}}})) == {"REF-20"}


def test_a_loop_with_redacted_data_is_no_array_that_anybody_knows() -> None:
    """A42: the output of one iteration is unknown, and so is the array of them all."""
    run = base("foreach")
    at = next(place for place, each in enumerate(run.results) if each.step_id == "s2")
    assert reasons(patched(run, "results", at, {"data": {"path": "***"}, "redacted": ["/data/path"]})) == set()


@pytest.mark.many
@pytest.mark.parametrize("falsy", [False, True])
@pytest.mark.parametrize(("length", "found"), [(999_000, 1), (1_000_000, 0)])
def test_a_step_may_be_refused_for_the_size_of_what_its_references_lead_to(
    length: int, found: int, *, falsy: bool
) -> None:
    """Below a million characters nothing is too large, whatever stands beside it (REF-18, REF-21, VAL-12)."""
    run = unbuilt_row({"v": "x" * length, "w": ""}, {"code": "VALIDATION_ERROR", "message": "too much"})
    assert run.plan is not None
    first, loop, last = run.plan.value["steps"]
    args = {**loop["args"], **({"other": "{row.w}"} if falsy else {})}
    run = run_record_patched(run, {"plan": {"steps": [first, {**loop, "args": args}, last]}})
    assert len(findings(run, "REF-18" if falsy else "REF-21")) == found


@pytest.mark.parametrize(("mark", "found"), [("/args/names", 0), ("/args", 0), ("/args/names/x", 1), ("/args/half", 1)])
def test_what_was_put_in_the_place_of_a_secret_was_added_by_nobody(mark: str, found: int) -> None:
    """REF-27, A42: an object may stand in for an object; a member beside the plan's is added, redacted or not."""
    run = base("references")
    (at,) = (at for at, each in enumerate(run.calls) if isinstance((each.object("args") or {}).get("names"), dict))
    run = patched(run, "calls", at, {"args": {"names": {"x": "***"}}})
    assert len(findings(run, "REF-27")) == 1
    assert len(findings(patched(run, "calls", at, {"redacted": [mark]}), "REF-27")) == found

"""Hashes in cases beyond the examples of their chapter."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest
from callproof.judge.verdicts import Verdict
from callproof.resources import SPEC
from callproof.values.canonical import canonical
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object
from edited_runs import base, deed_of, findings, live, look, output, patched, run_record_patched, verdict


def algorithms() -> list[str]:
    """The algorithms that the chapter says the suite computes."""
    (listed,) = re.findall(
        r"The suite computes\n(.*?)\. It believes", (SPEC / "hashes.md").read_text("utf-8"), re.DOTALL
    )
    return re.findall(r"`(.+?)`", listed)


@pytest.mark.parametrize("algorithm", [*algorithms(), "SHA256"])
def test_known_algorithms_are_taken_again(algorithm: str) -> None:
    """HASH-01: a digest of any algorithm that the suite knows is checked, any other is believed (B-51)."""
    args = base("linear").calls[0].get("args")
    digest = hashlib.new(algorithm.lower().replace("-", "_"), canonical(args)).hexdigest()
    assert findings(patched(base("linear"), "calls", 0, {"argsHash": f"{algorithm}:{digest}"}), "HASH-01") == []
    wrong = patched(base("linear"), "calls", 0, {"argsHash": f"{algorithm}:{digest[::-1]}"})
    assert len(findings(wrong, "HASH-01")) == 1
    believed = patched(base("linear"), "calls", 0, {"argsHash": "crc99:7"})
    assert findings(believed, "HASH-01") == []


def test_hashes_that_are_only_believed_decide_nothing() -> None:
    """HASH-01, HASH-05, HASH-06: a hash that the suite cannot compute is no subject, and the run says what it lacks."""
    run = base("references")
    for requirement in ("HASH-01", "HASH-05", "HASH-06"):
        assert look(run, requirement).exercised > 0
    believed = run
    for at, call in enumerate(run.calls):
        believed = patched(believed, "calls", at, {"argsHash": f"crc99:{zlib.crc32(canonical(call.get('args')))}"})
    for at, result in enumerate(run.results):
        if result.has("dataHash"):
            believed = patched(believed, "results", at, {"dataHash": "0badcafe"})
    for requirement, lacked in (("HASH-01", "an argsHash "), ("HASH-05", "an argsHash "), ("HASH-06", "a dataHash ")):
        judged = look(believed, requirement)
        assert (judged.verdict, judged.exercised) == (Verdict.INCONCLUSIVE, 0)
        assert any(each.startswith(lacked) for each in judged.missing)
    assert verdict(believed, "HASH-03") is Verdict.PASS
    one = patched(believed, "calls", 0, {"argsHash": run.calls[0].get("argsHash")})
    assert (verdict(one, "HASH-01"), look(one, "HASH-01").exercised) == (Verdict.PASS, 1)


def test_a_believed_hash_without_data_is_found() -> None:
    """HASH-06: a hash where there is no data is wrong by any algorithm."""
    run = base("retried")
    at = next(at for at, each in enumerate(run.results) if not each.has("data"))
    assert len(findings(patched(run, "results", at, {"dataHash": "crc99:7"}), "HASH-06")) == 1


def test_a_hash_of_what_was_not_sent_is_found() -> None:
    """HASH-01: the tool received other args than were hashed."""
    run = base("unconfirmed")
    sent = deed_of(run.calls[0], output({}), args={"path": "Notes/other.md"})
    assert len(findings(live(run, (sent,)), "HASH-01")) == 1
    assert findings(live(run, (deed_of(run.calls[0], output({})),)), "HASH-01") == []


def test_the_words_that_an_executor_adds_are_not_hashed() -> None:
    """A47: a hash over a note of the executor is wrong; a note in args that a hook changed may be hashed or not."""
    run = base("retried")
    noted = patched(run, "calls", 3, {"args": {"note": "a copy"}})
    assert findings(noted, "HASH-01") == []
    whole = "sha256:" + hashlib.sha256(canonical(noted.calls[3].get("args"))).hexdigest()
    assert len(findings(patched(noted, "calls", 3, {"argsHash": whole}), "HASH-01")) == 1
    assert findings(patched(noted, "calls", 3, {"argsHash": whole, "argsModifiedBy": "h"}), "HASH-01") == []


@pytest.mark.parametrize(
    ("spelt", "told"),
    [
        (lambda digest: "".join(f"{each:x}" for each in digest), "a byte below 16 has one digit in it, and not two"),
        (lambda digest: digest.hex().upper(), "in capital letters"),
    ],
)
def test_the_right_digest_in_another_spelling_is_known(spelt: Callable[[bytes], str], told: str) -> None:
    """HASH-01, HASH-06: the spelling is wrong, not the value that was hashed."""
    run = base("linear")
    for at in range(2):
        args, data = canonical(run.calls[at].get("args")), canonical(run.results[at].get("data"))
        run = patched(run, "calls", at, {"argsHash": "sha256:" + spelt(hashlib.sha256(args).digest())})
        run = patched(run, "results", at, {"dataHash": "sha256:" + spelt(hashlib.sha256(data).digest())})
    for law in ("HASH-01", "HASH-06"):
        found = look(run, law).findings
        assert found
        assert all(f"it is the right digest, but {told}" in each.finding.because for each in found)


@pytest.mark.parametrize(("encoding", "name"), [("latin-1", "ISO 8859-1"), ("ascii", "ASCII")])
def test_a_hash_over_text_in_another_encoding_is_known(encoding: str, name: str) -> None:
    """HASH-05: a system that leaves the encoding to its platform makes such a hash."""
    run = patched(base("linear"), "calls", 0, {"args": {"path": "Café/\U0001f600.md"}})
    form = canonical(run.calls[0].get("args")).decode().encode(encoding, "replace")
    run = patched(run, "calls", 0, {"argsHash": "sha256:" + hashlib.sha256(form).hexdigest()})
    (found,) = findings(run, "HASH-05")
    assert found.endswith(f"stated a hash over text in {name} instead of UTF-8")
    assert not findings(run, "HASH-01")


def test_a_hash_of_the_template_is_known() -> None:
    """HASH-01: it is the same for every iteration, and proves nothing about any of them."""
    run = base("foreach")
    assert run.plan is not None
    template = run.plan.steps[1].args
    stated = "sha256:" + hashlib.sha256(canonical(template)).hexdigest()
    (found,) = look(patched(run, "calls", 1, {"argsHash": stated}), "HASH-01").findings
    assert found.finding.because[1].startswith(
        "it is the hash of what the plan says, with its references as they stand"
    )
    (other,) = look(patched(run, "calls", 1, {"argsHash": "sha256:" + "0" * 64}), "HASH-01").findings
    assert len(other.finding.because) == 1


def test_the_digits_of_sha256_are_lower_case() -> None:
    """HASH-01: the form that this specification gives has no capital letters."""
    stated = base("linear").calls[0].text("argsHash") or ""
    shouted = "sha256:" + stated.partition(":")[2].upper()
    assert len(findings(patched(base("linear"), "calls", 0, {"argsHash": shouted}), "HASH-01")) == 1


def test_without_data_there_is_no_data_hash() -> None:
    """HASH-06: a failure has no data, and so no hash of data."""
    failed = patched(base("diamond"), "results", 1, {"dataHash": "sha256:00"})
    assert len(findings(failed, "HASH-06")) == 1


def test_a_bare_digest_of_data_is_believed_and_advised_against() -> None:
    """HASH-04 holds as for args; without the algorithm HASH-06 cannot be decided."""
    bare = patched(base("linear"), "results", 1, {"dataHash": "2" * 64})
    assert findings(bare, "HASH-06") == []
    assert len(findings(bare, "HASH-04")) == 1
    assert findings(base("linear"), "HASH-04") == []


def test_an_empty_text_is_said_to_be_no_hash() -> None:
    """HASH-03, HASH-04: a language whose texts are never absent writes it where there is no hash."""
    run = base("linear")
    for at in range(len(run.calls)):
        run = patched(run, "calls", at, {"argsHash": ""})
    for law in ("HASH-03", "HASH-04"):
        assert {each.finding.help for each in look(run, law).findings} == {"an empty text is no hash; leave it out"}


def _sha256(form: bytes) -> str:
    return "sha256:" + hashlib.sha256(form).hexdigest()


@pytest.mark.parametrize(
    "slip",
    [
        lambda args: json.dumps(args, sort_keys=True).encode(),
        lambda args: json.dumps(args, sort_keys=True, separators=(",", ":")).encode(),
        lambda args: json.dumps(args, ensure_ascii=False, separators=(",", ":")).encode(),
        lambda args: canonical(args).replace(b"9007199254740993", b"9007199254740992"),
        lambda args: canonical(args).replace(b"/", b"\\/"),
    ],
)
def test_a_known_slip_in_the_form_is_told_apart_from_a_wrong_hash(slip: Callable[[Json], bytes]) -> None:
    """HASH-05: escapes, blanks, order, rounded integers."""
    run = base("references")
    slipped = patched(run, "calls", 0, {"argsHash": _sha256(slip(run.calls[0].get("args")))})
    assert len(findings(slipped, "HASH-05")) == 1
    assert findings(slipped, "HASH-01") == []


EDGES: Json = {"\U0001f600": 1.0, "\ufb01": [1e21, 1e-7, 2.5], "a": "\u00e9/\U0001f600"}
# The forms of EDGES, written by hand: names in two orders, numbers in three spellings, and escaped characters.
SLIPPED = {
    "names by code points": '{"a":"é/😀","ﬁ":[1000000000000000000000,1e-7,2.5],"😀":1}',
    "numbers as they were spelt": '{"a":"é/😀","😀":1.0,"ﬁ":[1e21,1e-7,2.5]}',
    "numbers as they were spelt ": '{"a":"é/😀","😀":1.0,"ﬁ":[1e+21,1e-07,2.5]}',
    "numbers as they were spelt and names by code points": '{"a":"é/😀","ﬁ":[1e21,1e-7,2.5],"😀":1.0}',
    "numbers as they were spelt and names by code points ": '{"a":"é/😀","ﬁ":[1e+21,1e-07,2.5],"😀":1.0}',
    "numbers as they were spelt  ": '{"a":"é/😀","😀":1.0,"ﬁ":[1.0E21,1.0E-7,2.5]}',
    "numbers as RFC 8785 alone writes them": '{"a":"é/😀","😀":1,"ﬁ":[1e+21,1e-7,2.5]}',
    "escaped characters": r'{"a":"\u00e9/\ud83d\ude00","\ud83d\ude00":1,"\ufb01":[1000000000000000000000,1e-7,2.5]}',
    "escaped characters ": r'{"a":"\u00E9/\uD83D\uDE00","\uD83D\uDE00":1,"\uFB01":[1000000000000000000000,1e-7,2.5]}',
}


@pytest.mark.parametrize(("slip", "form"), SLIPPED.items())
def test_a_slip_is_known_however_the_language_spells_and_sorts(slip: str, form: str) -> None:
    """HASH-05, HASH-06: some languages write 1e21 and some 1e+21, and names are sorted by units or by code points."""
    run = base("references")
    call = patched(run, "calls", 0, {"args": None})
    call = patched(call, "calls", 0, {"args": EDGES, "argsHash": _sha256(form.encode())})
    (told,) = [each for each in findings(call, "HASH-05") if slip.strip() in each]
    assert told.endswith(slip.strip())
    assert not [each for each in findings(call, "HASH-01") if run.calls[0].call_id in each]
    result = patched(run, "results", 0, {"data": None})
    result = patched(result, "results", 0, {"data": EDGES, "dataHash": _sha256(form.encode())})
    (found,) = look(result, "HASH-06").findings
    assert found.finding.because == (f"it is that over {slip.strip()}",)


def test_the_large_doubles_of_a_language_with_integers_are_known() -> None:
    """HASH-05: RFC 8785 without the extension, by a library that writes integers as they are."""
    run = patched(base("references"), "calls", 0, {"args": None})
    form = b'{"a":[1,1e+21,12345678901234567890]}'
    run = patched(run, "calls", 0, {"args": {"a": [1.0, 1e21, 12345678901234567890]}, "argsHash": _sha256(form)})
    assert [each.endswith("numbers as RFC 8785 alone writes them") for each in findings(run, "HASH-05")] == [True]


@pytest.mark.parametrize(
    ("slip", "form"),
    [
        ("escapes in capital letters", r'{"a":"\u001B[2J \n \\u001b","n":[12345678.5,-0.00025]}'),
        ("numbers as they were spelt", r'{"a":"\u001b[2J \n \\u001b","n":[1.23456785E7,-2.5E-4]}'),
        (
            "numbers as they were spelt and escapes in capital letters",
            r'{"a":"\u001B[2J \n \\u001b","n":[1.23456785E7,-2.5E-4]}',
        ),
    ],
)
def test_the_capitals_of_a_library_are_known(slip: str, form: str) -> None:
    """HASH-05: a widely used library writes control characters with capital digits, and doubles as 1.0E10."""
    args: Json = {"a": "\x1b[2J \n \\u001b", "n": [12345678.5, -0.00025]}
    run = patched(base("references"), "calls", 0, {"args": None})
    run = patched(run, "calls", 0, {"args": args, "argsHash": _sha256(form.encode())})
    call_id = run.calls[0].call_id
    assert findings(run, "HASH-05") == [f"call {call_id} stated a hash over {slip}"]
    assert not [each for each in findings(run, "HASH-01") if str(call_id) in each]


# By the form that Go's encoding/json gives to GO, what a finding says of it: "<&", a line separator, a form feed.
GO: Json = {"\U0001f600": 1.0, "\ufb01": "<&\u2028\f\\\\b"}
OF_GO = {
    r'{"😀":1,"ﬁ":"\u003c\u0026\u2028\f\\\\b"}': "<, > and & are escaped, as Go's json.Marshal does",
    r'{"😀":1,"ﬁ":"\u003c\u0026\u2028\u000c\\\\b"}': "<, > and & are escaped, as Go's json.Marshal does",
    r'{"ﬁ":"\u003c\u0026\u2028\f\\\\b","😀":1.0}': "<, > and & are escaped, as Go's json.Marshal does, "
    "with numbers as they were spelt and names by code points",
    r'{"ﬁ":"<&\u2028\f\\\\b","😀":1}': "U+2028 and U+2029 are escaped, as Go's encoding/json does, "
    "with names by code points",
    '{"😀":1,"ﬁ":"<&\u2028\\u000c\\\\\\\\b"}': "\\b and \\f have numeric escapes, "
    "as Go's encoding/json did before Go 1.22",
    r'{"😀":1,"ﬁ":"<&\u2028\u000c\\\\b"}': "U+2028, U+2029, \\b and \\f have numeric escapes, "
    "as Go's encoding/json did before Go 1.22",
}


def test_what_go_reads_into_any_is_known() -> None:
    """HASH-05: every number became a double, and RFC 8785 does not keep the sign of -0, which Go does."""
    run = patched(patched(base("references"), "calls", 0, {"args": None}), "calls", 0, {"args": {"a": ["<", -0.0, 0]}})
    run = patched(run, "calls", 0, {"argsHash": _sha256(rb'{"a":["\u003c",-0,0]}')})
    (found,) = findings(run, "HASH-05")
    assert found.endswith("as Go's json.Marshal does, with every number as a float64")


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize(("form", "told"), OF_GO.items())
def test_what_go_escapes_is_known(form: str, told: str, end: str) -> None:
    """HASH-05, HASH-06: json.Marshal escapes for HTML, sorts names by bytes, and json.Encoder adds a line end."""
    slip = f"text in which {told}" + (", with a line end after the last token" if end else "")
    stated = _sha256((form + end).encode())
    run = base("references")
    call = patched(patched(run, "calls", 0, {"args": None}), "calls", 0, {"args": GO, "argsHash": stated})
    (found,) = look(call, "HASH-05").findings
    assert found.finding.observed == f"call {run.calls[0].call_id} stated a hash over {slip}"
    assert ("SetEscapeHTML" in (found.finding.help or "")) is ("json.Marshal" in told)
    assert not [each for each in findings(call, "HASH-01") if str(run.calls[0].call_id) in each]
    result = patched(patched(run, "results", 0, {"data": None}), "results", 0, {"data": GO, "dataHash": stated})
    (other,) = look(result, "HASH-06").findings
    assert other.finding.because == (f"it is that over {slip}",)
    assert other.finding.help == found.finding.help


def test_args_that_only_go_escapes_are_an_edge() -> None:
    """HASH-05: only what JSON requires to be escaped is escaped, and it does not require that of markup."""
    run = patched(patched(base("linear"), "calls", 0, {"args": None}), "calls", 0, {"args": {"a": "1 > 0"}})
    run = patched(run, "calls", 0, {"argsHash": _sha256(rb'{"a":"1 \u003e 0"}')})
    assert len(findings(run, "HASH-05")) == 1
    assert findings(run, "HASH-01") == []


@pytest.mark.parametrize(
    ("form", "slip"),
    [
        ('{"text":"plain","beside":"also"}', "members in the order in which they stood"),
        ('{"beside":"also","text":"plain"}\n', "text in canonical form, with a line end after the last token"),
    ],
)
def test_a_slip_over_plain_args_is_a_wrong_hash(form: str, slip: str) -> None:
    """HASH-01, HASH-06: if the args hold no edge case, a slip is a mistake like any other, and is told all the same."""
    value: Json = {"text": "plain", "beside": "also"}
    run = patched(base("linear"), "calls", 1, {"args": None})
    run = patched(run, "calls", 1, {"args": value, "argsHash": _sha256(form.encode())})
    run = patched(patched(run, "results", 0, {"data": None}), "results", 0, {"data": value})
    run = patched(run, "results", 0, {"dataHash": _sha256(form.encode())})
    for law in ("HASH-01", "HASH-06"):
        (found,) = look(run, law).findings
        assert f"it is that over {slip}" in found.finding.because
    assert findings(run, "HASH-05") == []


def test_a_redacted_record_is_not_hashed_again() -> None:
    """A42: the hash covers the value that stood there before."""
    redacted = patched(base("linear"), "calls", 0, {"args": {"path": "***"}, "redacted": ["/args/path"]})
    assert findings(redacted, "HASH-01") == []
    data = patched(base("linear"), "results", 0, {"data": {"content": "***"}, "redacted": ["/data/content"]})
    assert findings(data, "HASH-06") == []


@pytest.mark.parametrize(
    ("mark", "found"),
    [
        ("/preview", True),
        ("", True),
        ("/args/nothing", True),
        ("/argsHash", True),
        ("/args", False),
        ("/args/path", False),
    ],
)
def test_a_mark_covers_the_hash_of_what_it_names_and_of_nothing_else(mark: str, *, found: bool) -> None:
    """A redaction elsewhere is no reason to believe the hash of the args (HASH-01, A42)."""
    wrong: Json = {"argsHash": f"sha256:{'0' * 64}", "redacted": [mark]}
    assert bool(findings(patched(base("linear"), "calls", 0, wrong), "HASH-01")) is found


def test_what_a_hook_may_have_written_is_compared_with_nothing() -> None:
    """HASH-02, HASH-03, HASH-07: a note in args that a hook changed may have been hashed or not (A47)."""
    run = base("effects")
    args = run.calls[9].get("args")
    assert is_object(args)
    twin = next(at for at, each in enumerate(run.calls) if at != 9 and each.get("args") == args)
    whole = "sha256:" + hashlib.sha256(canonical({**args, "note": "x"})).hexdigest()
    noted = patched(run, "calls", 9, {"args": {"note": "x"}, "argsHash": whole})
    assert len(findings(noted, "HASH-02")) == 1
    hooked = patched(noted, "calls", 9, {"argsModifiedBy": "guard"})
    assert findings(hooked, "HASH-02") == []
    shared = patched(hooked, "calls", twin, {"argsHash": whole})
    assert findings(shared, "HASH-03") == []
    tried = patched(base("retried"), "calls", 1, {"args": {"note": "x"}, "argsModifiedBy": "guard"})
    stated = "sha256:" + hashlib.sha256(canonical(tried.calls[1].get("args"))).hexdigest()
    assert findings(patched(tried, "calls", 1, {"argsHash": stated}), "HASH-07") == []


def test_without_a_plan_nobody_knows_whose_a_note_is() -> None:
    """HASH-02, HASH-03, HASH-07: a word of the plan is hashed, the executor's is not; only a plan tells which (A47)."""
    run = base("effects")
    args = run.calls[9].get("args")
    assert is_object(args)
    noted = patched(run, "calls", 9, {"args": {"note": "x"}})
    unplanned = run_record_patched(noted, {"plan": None})
    assert findings(unplanned, "HASH-01") == findings(unplanned, "HASH-03") == []
    other = patched(unplanned, "calls", 0, {"args": {"note": "x"}})
    both = patched(other, "calls", 9, {"argsHash": _sha256(canonical({**args, "note": "x"}))})
    assert findings(both, "HASH-01") == findings(both, "HASH-02") == []
    plain = run_record_patched(patched(run, "calls", 9, {"argsHash": f"sha256:{'1' * 64}"}), {"plan": None})
    assert len(findings(plain, "HASH-02")) == 1
    tried = run_record_patched(patched(base("recovered"), "calls", 1, {"args": {"requestId": "r2"}}), {"plan": None})
    assert findings(tried, "HASH-03") == findings(tried, "HASH-07") == []


@pytest.mark.parametrize("text", ["\ud800", float("nan"), float("inf")])
def test_what_has_no_canonical_form_was_not_hashed(text: Json) -> None:
    """HASH-01: a tool may receive anything, and the hash of other args is not the hash of what it received."""
    run = base("unconfirmed")
    sent = deed_of(run.calls[0], output({}), args={"path": text})
    assert len(findings(live(run, (sent,)), "HASH-01")) == 1
    believed = patched(run, "calls", 0, {"argsHash": "crc99:7"})
    assert findings(live(believed, (sent,)), "HASH-01") == []


def test_two_attempts_are_several() -> None:
    """HASH-07: the second of two attempts is hashed by another algorithm, and both hashes are right."""
    run = base("recovered")
    assert findings(run, "HASH-07") == []
    other = hashlib.sha512(canonical(run.calls[1].get("args"))).hexdigest()
    assert len(findings(patched(run, "calls", 1, {"argsHash": f"sha512:{other}"}), "HASH-07")) == 1


@pytest.mark.parametrize("hashed", [(), ("note",), ("requestId",), ("note", "requestId")])
def test_one_word_may_be_the_plans_and_the_other_the_executors(hashed: tuple[str, ...]) -> None:
    """HASH-01, A47: without a plan, or after a hook, each word may have been hashed or not."""
    words: dict[str, Json] = {"note": "x", "requestId": "r1"}
    run = patched(base("linear"), "calls", 0, {"args": words})
    whole = run.calls[0].object("args") or {}
    args = {name: value for name, value in whole.items() if name not in words or name in hashed}
    stated = patched(run, "calls", 0, {"argsHash": _sha256(canonical(args))})
    assert findings(run_record_patched(stated, {"plan": None}), "HASH-01") == []
    assert findings(patched(stated, "calls", 0, {"argsModifiedBy": "guard"}), "HASH-01") == []
    assert len(findings(stated, "HASH-01")) == (1 if hashed else 0)
    other = patched(run, "calls", 0, {"argsHash": _sha256(canonical({**args, "more": 1}))})
    assert len(findings(run_record_patched(other, {"plan": None}), "HASH-01")) == 1


def test_a_word_that_reached_a_tool_was_hashed_or_was_not() -> None:
    """HASH-01, A47: the tool received a note that was not hashed, and a path that has to be hashed."""
    run = base("unconfirmed")
    path = (run.calls[0].object("args") or {})["path"]
    for plan in (run, run_record_patched(run, {"plan": None})):
        noted = patched(plan, "calls", 0, {"args": {"note": "x"}})
        sent = deed_of(noted.calls[0], output({}))
        assert sent.args == {"path": path, "note": "x"}
        assert findings(live(noted, (sent,), plan={}), "HASH-01") == []
        other = replace(sent, args={"path": "Notes/other.md", "note": "x"})
        assert len(findings(live(noted, (other,), plan={}), "HASH-01")) == 1

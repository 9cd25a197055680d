"""Error codes, hashes and validation in cases beyond the examples of their chapters."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from callproof.checks.code_names import BASELINE, MAPPED
from callproof.judge.verdicts import Verdict
from callproof.trace.run import Run
from callproof.trace.witnesses import Answer, AnswerKind
from callproof.values.canonical import canonical
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, failure, findings, live, output, patched, verdict


def answered(code: str, result: dict[str, Json]) -> Run:
    """A run whose tool reported a code, and whose result tells of it in its own way."""
    run = patched(base("diamond"), "results", 1, {"error": result})
    return live(run, (deed_of(run.calls[1], failure({"code": code, "message": "no"})),))


@pytest.mark.parametrize(
    ("law", "code"), [("ERR-01", "NOT_FOUND"), ("ERR-02", "CONFLICT"), ("ERR-03", "PRECONDITION_FAILED")]
)
def test_a_tools_own_baseline_code_is_passed_on(law: str, code: str) -> None:
    """What the tool says is what the result says."""
    assert verdict(answered(code, {"code": code}), law) is Verdict.PASS
    assert verdict(answered(code, {"code": "INTERNAL_ERROR"}), law) is Verdict.FAIL


def test_an_unknown_code_is_passed_on_or_kept() -> None:
    """ERR-09."""
    assert verdict(answered("acme.QUOTA", {"code": "acme.QUOTA"}), "ERR-09") is Verdict.PASS
    kept: dict[str, Json] = {"code": "INTERNAL_ERROR", "details": {"toolCode": "acme.QUOTA"}}
    assert verdict(answered("acme.QUOTA", kept), "ERR-09") is Verdict.PASS
    assert verdict(answered("acme.QUOTA", {"code": "INTERNAL_ERROR"}), "ERR-09") is Verdict.FAIL


def test_a_broken_tool_is_an_internal_error_with_a_result() -> None:
    """ERR-05 and ERR-06."""
    run = base("diamond")
    broke = Answer(AnswerKind.BROKE, None, {"message": "boom"}, None, 0.0, 10)
    broken = live(run, (deed_of(run.calls[1], broke),))
    assert verdict(broken, "ERR-05") is Verdict.PASS
    assert verdict(broken, "ERR-06") is Verdict.PASS
    assert verdict(patched(broken, "results", 1, {"error": {"code": "CONFLICT"}}), "ERR-05") is Verdict.FAIL
    assert verdict(replace(broken, results=(broken.results[0], *broken.results[2:])), "ERR-06") is Verdict.FAIL


@pytest.mark.parametrize("name", MAPPED)
def test_every_name_of_another_layer_has_its_one_code(name: str) -> None:
    """ERR-10: as a reason, and as a code that nobody mapped (A51, A52)."""
    assert MAPPED[name] in BASELINE
    right = patched(base("diamond"), "results", 1, {"error": {"code": MAPPED[name], "details": {"reason": name}}})
    assert findings(right, "ERR-10") == []
    assert len(findings(patched(base("diamond"), "results", 1, {"error": {"code": name}}), "ERR-10")) == 1


@pytest.mark.parametrize(
    ("args", "undone"),
    [({}, True), ({"requireExists": False}, False), ({"dryRun": True}, False)],
)
def test_a_deletion_of_nothing_is_an_error_unless_it_was_asked_for_so(args: dict[str, Json], undone: bool) -> None:
    """ERR-11: A44."""
    run = patched(base("effects"), "results", 7, {"data": {"deleted": False}})
    assert bool(findings(patched(run, "calls", 7, {"args": args}), "ERR-11")) is undone


@pytest.mark.parametrize("algorithm", ["sha512", "sha1", "sha3-256", "blake2b", "SHA256"])
def test_known_algorithms_are_taken_again(algorithm: str) -> None:
    """HASH-01: a digest of any algorithm that the suite knows is checked, any other believed (B-51)."""
    args = base("linear").calls[0].get("args")
    digest = hashlib.new(algorithm.lower().replace("-", "_"), canonical(args)).hexdigest()
    assert findings(patched(base("linear"), "calls", 0, {"argsHash": f"{algorithm}:{digest}"}), "HASH-01") == []
    wrong = patched(base("linear"), "calls", 0, {"argsHash": f"{algorithm}:{digest[::-1]}"})
    assert len(findings(wrong, "HASH-01")) == 1
    believed = patched(base("linear"), "calls", 0, {"argsHash": "crc99:7"})
    assert findings(believed, "HASH-01") == []


def test_a_hash_of_what_was_not_sent_is_found() -> None:
    """HASH-01: the tool received other args than were hashed."""
    run = base("unconfirmed")
    sent = deed_of(run.calls[0], output({}), args={"path": "Notes/other.md"})
    assert len(findings(live(run, (sent,)), "HASH-01")) == 1
    assert findings(live(run, (deed_of(run.calls[0], output({})),)), "HASH-01") == []


def test_invalid_args_that_reach_a_tool_are_found_whatever_the_log_says() -> None:
    """VAL-01: by the deeds."""
    run = base("unconfirmed")
    sent = deed_of(run.calls[0], output({}), args={"path": ""})
    assert len(findings(live(run, (sent,)), "VAL-01")) == 1


def test_the_words_that_an_executor_adds_are_not_hashed() -> None:
    """A47: requestId and note may be in the hash of another executor, and then that is right as well."""
    run = base("retried")
    noted = patched(run, "calls", 3, {"args": {"note": "a copy"}})
    assert findings(noted, "HASH-01") == []
    whole = "sha256:" + hashlib.sha256(canonical(noted.calls[3].get("args"))).hexdigest()
    assert findings(patched(noted, "calls", 3, {"argsHash": whole}), "HASH-01") == []

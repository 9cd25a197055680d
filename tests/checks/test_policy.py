"""Policy and sandbox: difficult paths, denials that were not enforced, and what live runs show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from callproof.judge.verdicts import Verdict
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.trace.witnesses import Answer, AnswerKind, Entry, Refusal
from callproof.values.jsontext import Json
from edited_runs import base, findings, look, patched, run_record_patched, verdict
from live_runs import arriving, folder, invoked, witnessed, world

POLICY: dict[str, Json] = {
    "confirmationsRequired": False,
    "sandbox": {"enabled": True, "allowedRoots": ["Notes"], "denyPatterns": ["..", "://", "Private", "*.key"]},
    "limits": {"maxConcurrency": 2, "maxTimeoutMs": 30000},
}


def reading(path: str) -> Run:
    """The stopped base, whose first call reads this path and was dispatched."""
    return patched(base("stopped"), "calls", 0, {"args": {"path": path}})


@pytest.mark.parametrize(
    ("path", "requirement"),
    [
        ("../Notes/a.md", "POL-04"),
        ("Notes/..", "POL-04"),
        ("Notes\\..\\..\\a.md", "POL-04"),
        ("Notes/．．/a.md", "POL-04"),
        ("/Notes/a.md", "POL-05"),
        ("C:\\Notes\\a.md", "POL-05"),
        ("\\\\server\\Notes", "POL-05"),
        ("https://example.org/a.md", "POL-06"),
        ("obsidian:/Notes", "POL-06"),
        ("Notesy/a.md", "POL-03"),
        ("Other/Notes/a.md", "POL-02"),
        ("", "POL-02"),
        ("Notes/Private/a.md", "POL-09"),
        ("./Notes//Private", "POL-09"),
        ("Notes/id.key", "POL-09"),
    ],
)
def test_a_refusable_path_that_was_dispatched_is_found(path: str, requirement: str) -> None:
    """Each spelling breaks the requirement that names it (A12, A13, A71)."""
    assert findings(reading(path), requirement) == [f"call c1 with /path {_quoted(path)} was dispatched"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("Notes/Private/id.key", "Private, *.key"),
        ("Notes/id.key", "*.key"),
        ("Notes/cafe\u0301/a.md", "caf\u00e9, in another Unicode form than the policy has it"),
    ],
)
def test_the_pattern_that_a_path_matches_is_named(path: str, told: str) -> None:
    """POL-09: also among many patterns, and if the path does not match the pattern to the letter."""
    run = reading(path)
    assert run.policy is not None
    patterns: Json = ["..", "Private", "*.key", "caf\u00e9"]
    policy: Json = {"sandbox": {"denyPatterns": patterns}}
    run = run_record_patched(run, {"policy": policy})
    (found,) = look(run, "POL-09").findings
    assert f"the path matches a deny pattern: {told}" in found.finding.because


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\") + '"'


@pytest.mark.parametrize(
    "path", ["Notes/a..b.md", "Notes/..hidden", "Notes/…", "Notes/Privateer.md", "Notes", "Notes/"]
)
def test_an_innocent_path_is_nobodys_fault(path: str) -> None:
    """Innocent names break nothing (POL-10, B-43)."""
    run = reading(path)
    assert not [name for name in ("POL-02", "POL-03", "POL-04", "POL-05", "POL-06", "POL-09") if findings(run, name)]


@pytest.mark.parametrize("path", ["notes/a.md", "Notes\\a.md", "Re: a.md", "Notes/PRIVATE/a.md"])
def test_what_hosts_read_differently_is_left_to_them(path: str) -> None:
    """Case, backslashes and lone colons decide nothing if the host is unknown (B-44)."""
    run = run_record_patched(reading(path), {"policy": {"sandbox": {"allowedRoots": ["Notes", "/"]}}})
    assert not [name for name in ("POL-02", "POL-03", "POL-06", "POL-09") if findings(run, name)]


def test_a_switched_off_sandbox_judges_no_path() -> None:
    """With enabled false, roots and patterns do not apply (A43)."""
    run = run_record_patched(reading("/etc/passwd"), {"policy": {"sandbox": {"enabled": False}}})
    assert not findings(run, "POL-05")


def test_a_denial_by_a_pattern_that_only_resembles_the_name_is_found() -> None:
    """The characters of a pattern inside a name are no reason to refuse it (POL-10)."""
    run = patched(base("refused"), "calls", 0, {"args": {"path": "Notes/a..b.md"}})
    assert findings(run, "POL-10") == ['call c1 with /path "Notes/a..b.md" was refused']
    hooked = patched(run, "results", 0, {"error": {"details": {"reason": "hook_blocked"}}})
    assert not findings(hooked, "POL-10")
    dots = patched(base("refused"), "calls", 0, {"args": {"path": "Notes/…"}})
    assert findings(dots, "POL-10") == ['call c1 with /path "Notes/…" was refused']
    plain = patched(base("refused"), "calls", 0, {"args": {"path": "Notes/ab.md"}})
    assert not findings(plain, "POL-10")


def test_a_denial_that_took_time_may_be_the_tools_own() -> None:
    """Without events nobody knows whether the call was dispatched, and a tool may deny too (POL-10, VAL-14)."""
    run = replace(patched(base("refused"), "calls", 0, {"args": {"path": "Notes/a..b.md"}}), events=None)
    assert findings(run, "POL-10") == ['call c1 with /path "Notes/a..b.md" was refused']
    assert not findings(patched(run, "results", 0, {"durationMs": 300}), "POL-10")


def test_a_denied_tool_that_was_entered_is_found() -> None:
    """The log says denied, but the tool was entered (POL-01, POL-14)."""
    run = arriving(base("refused"))
    deed = replace(invoked(run)[0], call_id="c6", tool="commands.run", answer=None)
    entered = witnessed(run, (deed,))
    assert findings(entered, "POL-01") == ["call c6 of commands.run was dispatched"]
    assert findings(entered, "POL-14") == ["commands.run was entered for call c6, which was denied"]


def without_a_denial(patch: Json) -> Run:
    """The refused base without events, whose refused calls, of a denied tool and outside, ended otherwise."""
    run = replace(base("refused"), events=None)
    for line, result in enumerate(run.results):
        if result.get("status") == "error":
            run = patched(run, "results", line, patch)
    return run


def test_a_denied_tool_is_not_skipped() -> None:
    """POL-01: a denial is an error with POLICY_DENIED; only a call that waited when the run stopped may be skipped."""
    skipped: dict[str, Json] = {"status": "skipped", "error": None, "userMessage": "Commands may not be run"}
    run = patched(base("refused"), "results", 5, skipped)
    assert findings(run, "POL-01") == ["call c6 of commands.run ended skipped"]
    assert not findings(run_record_patched(run, {"plan": {"defaults": {"onError": "stop"}}}), "POL-01")


def test_a_call_that_is_refused_for_its_path_is_not_skipped() -> None:
    """POL-02, POL-04, A37: a refusal is an error; a call may be skipped if the run stopped or its tool is not there."""
    skipped: dict[str, Json] = {"status": "skipped", "error": {"code": "POLICY_DENIED"}, "userMessage": "Outside"}
    run = patched(patched(base("refused"), "results", 0, skipped), "results", 1, skipped)
    told = 'call c2 with /path "Notes/../Private/diary.md" ended skipped with the code POLICY_DENIED'
    assert findings(run, "POL-04") == [told]
    assert findings(run, "POL-02") == [
        'call c1 with /path "Archive/old.md" ended skipped with the code POLICY_DENIED',
        told,
    ]
    excuses = (
        run_record_patched(run, {"plan": {"defaults": {"onError": "stop"}}}),
        patched(run, "results", 1, {"error": {"details": {"reason": "tool_unavailable"}}}),
    )
    assert [findings(each, "POL-04") for each in excuses] == [[], []]


def test_a_call_that_leads_out_through_a_link_is_not_skipped() -> None:
    """POL-07, A37: such a path is refused like one that is spelt outside, and a refusal is an error."""
    run = patched(base("refused"), "calls", 0, {"args": {"path": "Notes/garden.md"}})
    run = patched(run, "results", 0, {"status": "skipped", "error": {"code": "POLICY_DENIED"}})
    before = {"Notes": Entry("link", "../outside", 1)}
    (found,) = look(witnessed(run, world=world(before, before)), "POL-07").findings
    assert found.finding.observed.startswith('call c1 with /path "Notes/garden.md" ended skipped')
    assert found.finding.permitted == "a path that leads out of the vault is refused, with status error"


def needing(step: str) -> Run:
    """The refused base, whose step of the denied tool depends on another one."""
    run = base("refused")
    plan = run.run_record.object("plan") if run.run_record is not None else None
    steps: Any = plan["steps"] if plan is not None else []
    return run_record_patched(run, {"plan": {"steps": [*steps[:-1], {**steps[-1], "dependsOn": [step]}]}})


def test_a_denied_tool_may_be_skipped_for_a_need_that_failed() -> None:
    """No call of the step is due any more, whatever its tool; a denial is just as right (POL-01, DEP-02)."""
    skipped: dict[str, Json] = {"status": "skipped", "error": None, "userMessage": "s1 failed"}
    run = needing("s1")
    assert not findings(patched(run, "results", 5, skipped), "POL-01")
    assert not findings(run, "POL-01")
    assert not findings(run, "DEP-02")


@pytest.mark.parametrize(("path", "found"), [("Notes/@eaDir/a.md", 1), ("Notes/my@eaDir.md", 0)])
def test_a_pattern_of_signs_and_letters_is_a_segment(path: str, found: int) -> None:
    """POL-09: the system decides whether to look for such a pattern inside a name, so such a name may pass."""
    denying: Json = {"policy": {"sandbox": {"denyPatterns": ["@eaDir"]}}}
    run = run_record_patched(reading(path), denying)
    assert len(findings(run, "POL-09")) == found
    assert not findings(run, "POL-10")


def test_a_denied_call_that_no_tool_saw_is_not_said_to_have_been_dispatched() -> None:
    """The evidence is how the call ended and that nothing was invoked; its code proves no dispatch (POL-01, POL-02)."""
    run = without_a_denial({"error": {"code": "NOT_FOUND"}})
    assert findings(run, "POL-01") == ["call c6 of commands.run ended error with the code NOT_FOUND"]
    seen = "call c6 of commands.run ended error with the code NOT_FOUND, and no invocation came for it"
    assert findings(witnessed(run), "POL-01") == [seen]


def test_a_call_that_ended_ok_has_no_code() -> None:
    """A path lies outside every root, and its result is ok (POL-02)."""
    run = without_a_denial({"status": "ok", "ok": True, "error": None})
    told = findings(run, "POL-02")
    assert told
    assert all(each.endswith(" ended ok") for each in told)


@pytest.mark.parametrize(
    ("code", "own"), [("POLICY_DENIED", True), ("permission_denied", True), ("NOT_FOUND", False), ("E_LOCKED", False)]
)
def test_a_tools_own_denial_is_the_tools(code: str, own: bool) -> None:
    """A tool that answers POLICY_DENIED, or a name that maps to it, was entered rightly (POL-14, ERR-10)."""
    run = arriving(base("refused"))
    said: dict[str, Json] = {"code": code, "message": "locked"}
    deed = replace(invoked(run)[0], call_id="c1", answer=Answer(AnswerKind.FAILURE, None, said, None, 1.0, 500))
    assert bool(findings(witnessed(run, (deed,)), "POL-14")) is not own


def test_a_denied_run_that_changes_the_folder_is_found() -> None:
    """All calls were held back, and a file is new (POL-14)."""
    run = patched(base("refused"), "results", 2, {"status": "skipped", "ok": False, "data": None})
    quiet = replace(run, events=tuple(each for each in run.events or () if each.text("type") != "step.started"))
    changed = witnessed(quiet, (), world=world(folder(a_md="x"), folder(a_md="x", b_md="y")))
    assert findings(changed, "POL-14") == ["the folder changed at b.md though no call was dispatched"]
    assert not findings(witnessed(quiet, (), world=world(folder(a_md="x"), folder(a_md="x"))), "POL-14")


@pytest.mark.parametrize(
    ("patch", "wider"),
    [
        ({"limits": {"maxConcurrency": 3}}, "maxConcurrency is 3 instead of 2"),
        ({"limits": {"maxTimeoutMs": None}}, "maxTimeoutMs is absent instead of 30000"),
        ({"sandbox": {"allowedRoots": ["Notes", "/"]}}, "allowedRoots has /"),
        ({"sandbox": {"denyPatterns": ["..", "://", "*.key"]}}, "denyPatterns lacks Private"),
    ],
)
def test_a_run_record_that_permits_more_than_was_given_is_found(patch: Json, wider: str) -> None:
    """The suite knows which policy it gave (POL-12)."""
    run = witnessed(run_record_patched(base("stopped"), {"policy": patch}), policy=POLICY)
    assert findings(run, "POL-12") == [f"the run record had a policy that permits more: {wider}"]


def test_a_narrower_policy_is_not_wider() -> None:
    """A root below a root, and more patterns, permit less (POL-12)."""
    patch: Json = {"sandbox": {"allowedRoots": ["Notes/2026"], "denyPatterns": ["..", "://", "Private", "*.key", "x"]}}
    assert not findings(witnessed(run_record_patched(base("stopped"), {"policy": patch}), policy=POLICY), "POL-12")


@pytest.mark.parametrize(
    ("records", "patch", "wider"),
    [
        ("calls", {"sandbox": {"allowedRoots": None}}, "allowedRoots is absent"),
        ("run", {"limits": {"maxConcurrency": None}}, "maxConcurrency is 2 instead of 1"),
        ("calls", {"limits": {"maxTimeoutMs": 30000.5}}, "maxTimeoutMs is 30000.5 instead of 30000"),
        ("calls", {"limits": {"maxConcurrency": None}}, None),
        ("run", {"sandbox": {"enabled": False}}, None),
    ],
    ids=["no roots", "a run of one at a time", "half a millisecond", "a call of one at a time", "no fence at all"],
)
def test_what_a_policy_does_not_say_permits_what_its_absence_means(
    records: str, patch: Json, wider: str | None
) -> None:
    """A policy without roots permits the whole vault; without a limit on calls, one at a time (POL-12, A67)."""
    run = base("stopped")
    changed: Json = {"policy": patch}
    other: Json = {"policy": {"sandbox": {"allowedRoots": ["/"]}}} if wider is None else {}
    if records == "run":
        run = patched(run_record_patched(run, changed), "calls", 0, other)
    else:
        run = patched(run, "calls", 0, changed)
    first = [f"call c1 had a policy that permits more: {wider}"] if wider is not None else []
    assert findings(run, "POL-12")[:1] == first


def test_a_limit_that_nobody_can_know_has_to_be_named() -> None:
    """A live run under an invented limit has to say that it does not know the limit (POL-18, A74)."""
    policy: dict[str, Json] = {**POLICY, "limits": {"maxWishes": 3}}
    silent = witnessed(base("stopped"), policy=policy)
    assert findings(silent, "POL-18") == [
        "the run was started under the limit maxWishes, and nothing was said about it"
    ]
    honest = patched(base("stopped"), "events", 0, {"payload": {"unknownLimits": ["maxWishes"]}})
    assert verdict(witnessed(honest, policy=policy), "POL-18") is Verdict.PASS


def test_a_refusal_keeps_a_limit_that_nobody_can_know() -> None:
    """Enforce or refuse: a system that refuses the run has not ignored the limit (POL-18)."""
    policy: dict[str, Json] = {**POLICY, "limits": {"maxWishes": 3}}
    run = replace(witnessed(base("stopped"), policy=policy), run_record=None, calls=(), results=(), events=())
    assert run.witnessed is not None
    refusal = Refusal("VALIDATION_ERROR", "an unknown limit", {"reason": "unknown_limit"}, 2)
    refused = replace(run, witnessed=replace(run.witnessed, refusal=refusal, finished_arrival=None))
    assert verdict(refused, "POL-18") is Verdict.PASS
    worked = replace(refused, witnessed=replace(refused.witnessed, deeds=invoked(arriving(base("stopped")))[:1]))
    (found,) = findings(worked, "POL-18")
    assert "was invoked, and the run was refused with the code VALIDATION_ERROR" in found
    assert verdict(run, "POL-18") is Verdict.INCONCLUSIVE


def test_a_further_limit_in_a_log_is_nobodys_fault() -> None:
    """A captured log cannot show whether a further limit is known (B-18)."""
    run = run_record_patched(base("stopped"), {"policy": {"limits": {"maxWishes": 3}}})
    assert verdict(run, "POL-18") is Verdict.INCONCLUSIVE


def test_a_path_through_a_link_that_leads_out_is_found() -> None:
    """Reading through a link out of the vault must not succeed (POL-07)."""
    run = patched(base("unconfirmed"), "calls", 0, {"args": {"path": "Notes/garden.md"}})
    before = {"Notes": Entry("link", "../outside", 1)}
    assert findings(witnessed(run, world=world(before, before)), "POL-07") == [
        'call c1 with /path "Notes/garden.md" succeeded'
    ]
    inside = {"Notes": Entry("link", "Other", 1)}
    assert verdict(witnessed(run, world=world(inside, inside)), "POL-07") is Verdict.INCONCLUSIVE


def test_a_flagged_effect_outside_the_sandbox_is_fine() -> None:
    """An event of level warn is enough of a flag (POL-15)."""
    run = patched(base("recovered"), "results", 3, {"effects": {"deleted": [{"path": "Archive/a.md", "kind": "file"}]}})
    assert findings(run, "POL-15") == ["call c4 changed Archive/a.md, and all its events are of level info"]
    assert not findings(patched(run, "events", 14, {"level": "warn"}), "POL-15")
    assert run.events is not None
    assert not findings(replace(run, events=run.events[:14]), "POL-15")  # the log broke off before it


def test_a_dry_run_that_changes_the_folder_is_found() -> None:
    """The only call was a dry run, and a file is new (POL-11)."""
    run = base("effects")
    dry = replace(run, calls=run.calls[10:], results=run.results[10:], events=(run.events or ())[33:])
    assert findings(witnessed(dry, world=world({}, folder(a_md="x"))), "POL-11") == [
        "the folder changed at a.md in a run of dry runs alone"
    ]


def test_an_unrecorded_invocation_of_a_denied_tool_is_found() -> None:
    """The tool was entered under a call that is on no record (POL-01)."""
    run = arriving(base("refused"))
    deed = replace(invoked(run)[0], call_id="c99", tool="commands.run")
    assert findings(witnessed(run, (deed,)), "POL-01") == [
        "commands.run was entered for call c99, which is not on record"
    ]
    under_its_alias = run_record_patched(arriving(base("references")), {"policy": {"deniedTools": ["util.compose"]}})
    made = replace(invoked(under_its_alias)[0], call_id="c99", tool="util.make")
    given = replace(witnessed(under_its_alias, (made,)), registry=under_its_alias.registry)
    said = "util.compose was entered for call c99, which is not on record"
    assert said in findings(given, "POL-01")


def test_a_redacted_path_is_not_judged() -> None:
    """What stands in for a secret is not a path (A42)."""
    run = reading("***")
    assert findings(run, "POL-02")
    assert not findings(patched(run, "calls", 0, {"redacted": ["/args/path"]}), "POL-02")


def test_a_denied_tool_is_found_under_its_alias_too() -> None:
    """The policy names the tool as the registry spells it, and the call names it by an alias (POL-01, A88)."""
    run = run_record_patched(base("references"), {"policy": {"deniedTools": ["util.compose"]}})
    calls = [number for number, call in enumerate(run.calls) if call.text("tool") == "util.compose"]
    said = findings(patched(run, "calls", calls[0], {"tool": "util.make"}), "POL-01")
    assert said == findings(run, "POL-01")
    assert said[0].startswith("call c1 of util.compose was dispatched")


def test_a_path_outside_is_no_wrong_argument() -> None:
    """Args that fit the schema are refused for their path, with its code (POL-02); otherwise the schema comes first."""
    run = patched(base("refused"), "results", 0, {"error": {"code": "VALIDATION_ERROR"}})
    assert findings(run, "POL-02") == ['call c1 with /path "Archive/old.md" ended error with the code VALIDATION_ERROR']
    assert not findings(patched(run, "calls", 0, {"args": {"as": "picture"}}), "POL-02")


def test_a_tool_that_is_denied_under_its_alias_is_denied_for_no_name() -> None:
    """The policy denies the tool, so the refusal is not due to a pattern inside the path (POL-10, A88)."""
    read: dict[str, Json] = {"name": "vault.readFile", "aliases": ["vault.read"], "riskLevel": "read-only"}
    read["inputSchema"] = {"type": "object", "properties": {"path": {"type": "string"}}}
    run = patched(base("refused"), "calls", 0, {"args": {"path": "Notes/a..b.md"}, "tool": "vault.read"})
    run = replace(run, registry=registry_of([read]))
    assert findings(run, "POL-10") == ['call c1 with /path "Notes/a..b.md" was refused']
    assert not findings(run_record_patched(run, {"policy": {"deniedTools": ["vault.readFile"]}}), "POL-10")


@pytest.mark.parametrize("sandbox", [{"enabled": None}, {"denyPatterns": None}, {"allowedRoots": None}])
def test_a_sandbox_may_leave_out_what_it_does_not_set(sandbox: Json) -> None:
    """An absent switch or list is not the same as one that cannot be read (LOG-01)."""
    assert findings(run_record_patched(base("linear"), {"policy": {"sandbox": sandbox}}), "LOG-01") == []


def denied_live(args: Json, sandbox: dict[str, Json], *, hooks: bool = False, host: str = "suite") -> Run:
    """A live run under this sandbox, in which the system denied the first call, of a tool that declares ``path``."""
    read: dict[str, Json] = {"name": "vault.readFile", "riskLevel": "read-only", "host": host}
    read["inputSchema"] = {"type": "object", "properties": {"path": {"type": "string"}, "text": {"type": "string"}}}
    run = replace(patched(base("refused"), "calls", 0, {"args": args}), registry=registry_of([read]))
    made = witnessed(run, policy={**POLICY, "sandbox": sandbox})
    assert made.witnessed is not None
    return replace(made, witnessed=replace(made.witnessed, expectations={"hooks": True} if hooks else {}))


def test_a_path_in_a_root_is_not_refused_for_lying_outside() -> None:
    """With nothing but roots, and no hook or other host, only the roots can deny an innocent path (POL-03)."""
    inside: Json = {"path": "Notes/ab.md"}
    roots: dict[str, Json] = {"allowedRoots": ["/Notes/"]}
    assert findings(denied_live(inside, roots), "POL-03") == ['call c1 with /path "Notes/ab.md" was refused']
    assert not findings(denied_live(inside, roots, hooks=True), "POL-03")
    assert not findings(denied_live(inside, roots, host="system"), "POL-03")
    assert not findings(denied_live(inside, {**roots, "denyPatterns": ["Private"]}), "POL-03")
    assert not findings(denied_live({"path": "Other/ab.md"}, roots), "POL-03")


def test_a_text_that_is_no_path_is_not_refused() -> None:
    """The sandbox judges paths and nothing else (POL-10, A70); a hook may deny anything."""
    text: Json = {"path": None, "text": "../x.md"}
    fence: dict[str, Json] = {"allowedRoots": ["Notes"], "denyPatterns": [".."]}
    assert findings(denied_live(text, fence), "POL-10") == ["call c1 was refused, and none of its args is a path"]
    assert not findings(denied_live(text, fence, hooks=True), "POL-10")
    assert not findings(denied_live(text, {**fence, "enabled": False}), "POL-10")


def test_a_denied_tool_whose_deadline_came_while_it_waited_may_be_skipped() -> None:
    """POL-01, TIME-12: no call of the tool is due any more; a deadline in the future closes nothing."""
    skipped: dict[str, Json] = {"status": "skipped", "error": None, "userMessage": "Its deadline came"}
    run = patched(base("refused"), "results", 5, skipped)
    (at,) = (at for at, each in enumerate(run.calls) if each.call_id == run.results[5].call_id)
    ended = run.results[5].text("endedAt")
    assert findings(patched(run, "calls", at, {"deadlineAt": ended}), "POL-01") == []
    assert len(findings(patched(run, "calls", at, {"deadlineAt": "2026-01-05T10:00:00.000Z"}), "POL-01")) == 1


def test_what_stands_in_for_a_secret_is_no_argument_that_a_hook_made_invalid() -> None:
    """POL-17, A42: the schema decides nothing about a redacted value."""
    run = patched(base("linear"), "calls", 0, {"args": {"path": 7}, "argsHash": None, "argsModifiedBy": "redirect"})
    assert len(findings(run, "POL-17")) == 1
    assert findings(patched(run, "calls", 0, {"redacted": ["/args/path"]}), "POL-17") == []


def test_a_reason_that_was_redacted_may_have_been_a_hook() -> None:
    """POL-10, A42: a refusal is blamed on a pattern only if there can have been no other reason."""
    run = patched(base("refused"), "calls", 0, {"args": {"path": "Notes/a..b.md"}})
    run = patched(run, "results", 0, {"error": {"details": {"reason": "***", "path": "***"}}})
    assert len(findings(run, "POL-10")) == 1
    assert len(findings(patched(run, "results", 0, {"redacted": ["/error/details/path"]}), "POL-10")) == 1
    for mark in ("/error", "/error/details", "/error/details/reason"):
        assert findings(patched(run, "results", 0, {"redacted": [mark]}), "POL-10") == []


def test_a_call_whose_hook_failed_never_came_before_the_policy() -> None:
    """POL-20, A76: hooks are asked first, so the policy denied neither tool nor path (POL-01, POL-02, ERR-04)."""
    failed: Json = {"error": {"code": "INTERNAL_ERROR", "message": "no", "details": {"reason": "hook_failed"}}}
    other: Json = {"error": {"code": "INTERNAL_ERROR", "message": "no", "details": {"reason": "execution_failed"}}}
    run = base("refused")
    for at, requirements in ((5, ("POL-01", "ERR-04")), (0, ("POL-02",)), (1, ("POL-04",))):
        for captured in (run, replace(run, events=None)):
            for each in requirements:
                assert findings(captured, each) == []
                assert findings(patched(captured, "results", at, failed), each) == [], each
                assert len(findings(patched(captured, "results", at, other), each)) == 1, each


def test_a_call_whose_hook_failed_was_not_dispatched() -> None:
    """POL-20, A2: it is a refusal like any other, which takes no time (RES-17)."""
    error: Json = {"code": "INTERNAL_ERROR", "message": "no", "details": {"reason": "hook_failed"}}
    refused: Json = {"status": "error", "ok": False, "data": None, "durationMs": 0, "effects": None, "error": error}
    run = patched(base("eventless"), "results", 1, refused)
    assert [each.dispatched for each in run.attempts][:2] == [True, False]
    slow = patched(base("refused"), "results", 0, {"error": error, "durationMs": 5})
    assert len(findings(slow, "RES-17")) == 1
    assert findings(slow, "EVT-14") == []
    other: Json = {"error": {"details": {"reason": "execution_failed"}}}
    assert patched(run, "results", 1, other).attempts[1].dispatched


def test_a_call_of_a_denied_tool_may_be_invalid_first() -> None:
    """POL-01: the schema comes before the policy; the code of a call whose tool was entered does not show that."""
    error: Json = {"code": "VALIDATION_ERROR", "message": "no", "details": {"reason": "schema"}}
    assert findings(patched(base("refused"), "results", 5, {"error": error}), "POL-01") == []


def test_an_effect_is_flagged_as_far_as_the_events_go() -> None:
    """POL-15: a closed call needs its flag even if the run broke off; without a sandbox no call needs one."""
    run = patched(base("recovered"), "results", 3, {"effects": {"deleted": [{"path": "Archive/a.md", "kind": "file"}]}})
    assert run.events is not None
    broken_off = replace(run, events=run.events[:-1])
    assert not broken_off.finished
    assert len(findings(broken_off, "POL-15")) == 1
    assert findings(run_record_patched(run, {"policy": {"sandbox": {"enabled": False}}}), "POL-15") == []


def test_a_folder_that_another_call_may_have_changed_is_no_dry_runs_matter() -> None:
    """POL-11: another call writes in earnest beside the dry run, or no call was dispatched at all."""
    run = base("effects")
    assert findings(witnessed(run, world=world({}, folder(a_md="x"))), "POL-11") == []
    none = replace(run, calls=(), results=(), events=())
    assert findings(witnessed(none, world=world({}, folder(a_md="x"))), "POL-11") == []


def test_a_run_that_broke_off_before_its_first_call_shows_nothing_of_dry_runs_and_denials() -> None:
    """POL-11, POL-14: a run without a call counts for denials if it came to its end, and never for dry runs."""
    base_run = base("effects")
    none = witnessed(replace(base_run, calls=(), results=(), events=()), world=world({}, folder(a_md="x")))
    assert none.witnessed is not None
    broken_off = replace(none, witnessed=replace(none.witnessed, finished_arrival=None))
    over = replace(none, witnessed=replace(none.witnessed, finished_arrival=9))
    refused = replace(none, witnessed=replace(broken_off.witnessed, refusal=Refusal("VALIDATION_ERROR", "no", {}, 1)))
    runs = (broken_off, over, refused)
    assert [verdict(run, "POL-14") for run in runs] == [Verdict.INCONCLUSIVE, Verdict.FAIL, Verdict.FAIL]
    assert {verdict(run, "POL-11") for run in runs} == {Verdict.INCONCLUSIVE}


def test_an_innocent_name_that_was_refused_is_told_with_the_roots_too() -> None:
    """POL-10, A12: a pattern may not be the reason, since a misread root `/` refuses the same path."""
    run = patched(base("refused"), "calls", 0, {"args": {"path": "a..b.md"}})
    run = run_record_patched(run, {"policy": {"sandbox": {"allowedRoots": ["/"], "denyPatterns": []}}})
    (found,) = look(run, "POL-10").findings
    assert found.finding.because == ("deny patterns are none", "allowed roots are /, and / is the whole vault")


@pytest.mark.parametrize("path", ["Notes/a..b.md", "Notes/Privateer.md"])
def test_a_lookalike_that_was_let_through_is_fine(path: str) -> None:
    """POL-10: only a refusal breaks it, and the path is not the reason if the tool is denied."""
    assert findings(reading(path), "POL-10") == []
    denied: dict[str, Json] = {"status": "error", "ok": False, "data": None, "error": {"code": "POLICY_DENIED"}}
    run = patched(reading(path), "results", 0, denied)
    run = replace(
        run, events=tuple(e for e in run.events or () if (e.call_id, e.text("type")) != ("c1", "step.started"))
    )
    assert len(findings(run, "POL-10")) == 1
    forbidden = run_record_patched(run, {"policy": {"deniedTools": [run.calls[0].text("tool")]}})
    assert findings(forbidden, "POL-10") == []


@pytest.mark.parametrize(
    ("target", "found"),
    [("..", 1), ("../outside", 1), ("/etc", 1), ("a/../../..", 1), ("Other", 0), ("./x", 0), ("..x", 0), ("x/..", 0)],
)
def test_a_link_leads_out_where_its_target_does(target: str, found: int) -> None:
    """POL-07: a link that stays inside the vault is allowed, and a link of another folder is not on the way."""
    run = patched(base("unconfirmed"), "calls", 0, {"args": {"path": "Notes/sub/garden.md"}})
    before = {"Notes": Entry("link", target, 1)}
    assert len(findings(witnessed(run, world=world(before, before)), "POL-07")) == found
    beside = {"sub": Entry("link", target, 1), "garden.md": Entry("link", target, 2), "Note": Entry("link", target, 3)}
    assert findings(witnessed(run, world=world(beside, beside)), "POL-07") == []

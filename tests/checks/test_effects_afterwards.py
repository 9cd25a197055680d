"""What happens after a run: the system's own tools answer for it, and the suite's tools do not."""

from __future__ import annotations

from dataclasses import replace

from callproof.judge.verdicts import Verdict
from callproof.trace.run import Run
from callproof.trace.witnesses import Deed, World
from callproof.values.jsontext import Json
from edited_runs import base, findings, patched, verdict
from live_runs import arriving, folder, invoked, witnessed

CREATED: Json = {"effects": {"created": [{"path": "a.md", "kind": "file"}]}}


def watched(run: Run, *deeds: Deed, **at_the_end: str) -> Run:
    """The run, with its folder as it was when the run ended, and with two files in it a while later."""
    after = folder(a_md="a", b_md="b")
    return witnessed(run, deeds, world=World({}, after, {}, {}, folder(**at_the_end)))


def test_a_change_after_the_end_that_nobody_lists_is_found() -> None:
    """The system's own tools went on writing, and no result lists it (EFF-18)."""
    run = patched(base("retried"), "results", 3, CREATED)
    assert findings(watched(run, a_md="a"), "EFF-18") == [
        "b.md changed in the folder after the run was over, and no call lists it"
    ]
    assert verdict(watched(run, a_md="a", b_md="b"), "EFF-18") is Verdict.PASS


def test_where_nobody_looked_at_the_end_nothing_is_decided() -> None:
    """Nothing is decided on real time either: there the later look comes at once (EFF-18)."""
    run = watched(base("retried"), a_md="a")
    assert run.witnessed is not None
    assert run.world is not None
    unseen = replace(run, witnessed=replace(run.witnessed, world=replace(run.world, at_the_end=None)))
    assert verdict(unseen, "EFF-18") is Verdict.INCONCLUSIVE
    hasty = replace(run, witnessed=replace(run.witnessed, virtual_clock=False))
    assert verdict(hasty, "EFF-18") is Verdict.INCONCLUSIVE


def test_what_the_suites_own_tools_do_is_held_against_nobody() -> None:
    """A hosted tool wrote in the background: no change is missing (EFF-08), no read-only tool is blamed (EFF-09)."""
    run = arriving(base("effects"))
    secret = tuple(replace(deed, writes=("secret.md",)) for deed in invoked(run))
    seen = witnessed(run, secret, world=World({}, folder(secret_md="x"), {}, {}))
    assert not [each for each in findings(seen, "EFF-08") if "secret.md" in each]
    read = arriving(base("unconfirmed"))
    readers = tuple(replace(deed, writes=("a.md",)) for deed in invoked(read))
    assert not findings(witnessed(read, readers, world=World({}, folder(a_md="x"), {}, {})), "EFF-09")


def test_whoever_lists_what_another_tool_wrote_in_secret_is_found() -> None:
    """A file that the tool of one call made stands in the effects of another (EFF-16)."""
    run = arriving(patched(base("effects"), "results", 2, {"effects": {"created": [{"path": "x.md", "kind": "file"}]}}))
    deeds = tuple(replace(each, answer=None) for each in invoked(run))
    lurking = tuple(replace(deed, writes=("x.md",)) if place == 0 else deed for place, deed in enumerate(deeds))
    assert len(findings(witnessed(run, lurking), "EFF-16")) == 1
    assert not findings(witnessed(run, deeds), "EFF-16")
    own = tuple(replace(deed, writes=("x.md",)) if deed.call_id == "c3" else deed for deed in deeds)
    assert not findings(witnessed(run, own), "EFF-16")


def test_only_a_tool_of_the_systems_own_is_watched_beyond_the_end() -> None:
    """EFF-18: if the suite hosts every tool that writes, the system cannot have made the change."""
    run = arriving(patched(base("retried"), "results", 3, CREATED))
    after = World({}, folder(a_md="a", b_md="b"), {}, {}, folder(a_md="a"))
    assert verdict(witnessed(run, invoked(run), world=after), "EFF-18") is Verdict.INCONCLUSIVE
    assert len(findings(witnessed(run, world=after), "EFF-18")) == 1

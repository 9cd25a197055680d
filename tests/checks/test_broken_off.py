"""Runs that broke off: what the log they leave has to hold, and what a system that cannot write a log may do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.trace.records import Kind, Source
from callproof.trace.run import Flaw, FlawKind, Run
from callproof.trace.witnesses import Act, ActKind
from callproof.values.jsontext import Json
from edited_runs import base, findings
from live_runs import act, arriving, invoked, witnessed

KILLED = act(ActKind.KILL, 99_000)


def left(run: Run, *, calls: int, results: int, events: int, acts: tuple[Act, ...] = ()) -> Run:
    """The run, live with its invocations, and the log that it left, with these numbers of records of each kind."""
    seen = witnessed(run, invoked(run), acts)
    audit = replace(base(run.name), calls=run.calls[:calls], results=run.results[:results])
    return replace(seen, audit=replace(audit, events=(run.events or ())[:events]))


def full(run: Run, *, calls: int = 11, results: int = 11, events: int = 37) -> Run:
    """The same on a disk on which no file may grow beyond some bytes."""
    seen = left(run, calls=calls, results=results, events=events)
    assert seen.witnessed is not None
    return replace(seen, witnessed=replace(seen.witnessed, expectations={"fileBytes": 4_000}))


def effects() -> Run:
    """Eleven calls, one after the other, all of tools that write."""
    return arriving(base("effects"))


def test_a_killed_system_left_the_call_of_every_tool_that_had_been_entered() -> None:
    """CALL-21: every call whose tool was entered is in the log that is left, however the process ended."""
    run = effects()
    assert findings(left(run, calls=11, results=2, events=5, acts=(KILLED,)), "CALL-21") == []
    assert findings(left(run, calls=10, results=2, events=5, acts=(KILLED,)), "CALL-21") == [
        "vault.createFile had been entered for call c11, which is not in the log of the killed system"
    ]
    assert findings(left(run, calls=10, results=2, events=5), "CALL-21") == []  # it was not killed: LOG-13 applies


def test_a_call_may_stand_on_a_line_that_cannot_be_read() -> None:
    """CALL-21, LOG-15, LOG-21: a line with a byte order mark was written, and a torn one was not."""
    run = effects()
    flaw = Flaw(FlawKind.BYTES, Source("calls.jsonl", 1), "starts with a byte order mark", Kind.CALL)
    for kind, found in ((FlawKind.BYTES, 0), (FlawKind.NOT_JSON, 0), (FlawKind.TORN, 1), (FlawKind.BLANK, 1)):
        for made in (left(run, calls=10, results=2, events=5, acts=(KILLED,)), full(run, calls=8)):
            assert made.audit is not None
            law, gone = ("CALL-21", 1) if made.killed else ("LOG-15", 3)
            flaws = (replace(flaw, kind=kind, lines=gone),)
            assert len(findings(replace(made, audit=replace(made.audit, flaws=flaws)), law)) == found
    two = left(run, calls=9, results=2, events=5, acts=(KILLED,))
    assert two.audit is not None
    assert len(findings(replace(two, audit=replace(two.audit, flaws=(flaw,))), "CALL-21")) == 2


def test_nothing_is_written_behind_the_first_record_that_is_lost() -> None:
    """LOG-15: the calls after the first lost record are not dispatched, whichever kind of record it was."""
    run = effects()
    assert findings(full(run), "LOG-15") == []
    told = "{} was entered after a record that is not in the log"
    assert findings(full(run, calls=8), "LOG-15") == [told.format("vault.delete")]
    assert findings(full(run, results=8), "LOG-15") == [told.format("vault.ensureFolder")]
    assert findings(full(run, events=28), "LOG-15") == [told.format("vault.delete")]
    assert findings(full(run, results=10, events=36), "LOG-15") == []  # nothing was entered after that


def test_a_run_record_that_is_lost_comes_before_everything() -> None:
    """LOG-15: without run.json nothing is proved of any call."""
    seen = full(effects())
    assert seen.audit is not None
    lost = replace(seen, audit=replace(seen.audit, run_record=None))
    assert findings(lost, "LOG-15") == ["vault.ensureFolder was entered after a record that is not in the log"]


def test_what_only_reads_may_go_on() -> None:
    """LOG-15, A41: only the logging of writes has to fail closed."""
    run = arriving(base("unconfirmed"))
    assert findings(full(run, calls=1, results=0, events=1), "LOG-15") == []


def test_only_a_disk_that_is_full_excuses_and_binds() -> None:
    """LOG-15: a killed system wrote no more, and a system that loses records without a reason breaks LOG-13."""
    run = effects()
    assert findings(left(run, calls=4, results=3, events=9), "LOG-15") == []
    killed = left(run, calls=4, results=3, events=9, acts=(KILLED,))
    assert findings(killed, "LOG-15") == []
    assert findings(killed, "DEP-15") == []


def test_a_run_whose_log_cannot_be_written_still_tells_every_result_and_its_end() -> None:
    """DEP-15: the wire still carries every record."""
    run = effects()
    assert findings(full(run, calls=4, results=3, events=9), "DEP-15") == []
    unanswered = replace(run, results=run.results[:-1])
    assert findings(full(unanswered, calls=4, results=3, events=9), "DEP-15") == [
        "call c11 has no result, in a run whose log could not be written"
    ]
    endless = full(replace(run, events=(run.events or ())[:-1]), calls=4, results=3, events=9)
    assert endless.witnessed is not None
    endless = replace(endless, witnessed=replace(endless.witnessed, finished_arrival=None))
    assert findings(endless, "DEP-15") == ["the run did not finish, and its log could not be written"]


@pytest.mark.parametrize(
    ("law", "facts", "found"),
    [
        ("DEP-15", {"died": ["DEP-15"]}, 1),
        ("DEP-15", {"died": ["ERR-06"]}, 0),
        ("ERR-06", {"died": ["ERR-06"]}, 1),
        ("RES-22", {"garbled": True}, 1),
        ("RES-22", {}, 0),
    ],
)
def test_a_death_or_a_broken_line_that_repeats_is_evidence(law: str, facts: dict[str, Json], found: int) -> None:
    """A78: it is evidence against the law that the case was to prove, and against no other."""
    seen = witnessed(effects())
    assert seen.witnessed is not None
    assert len(findings(replace(seen, witnessed=replace(seen.witnessed, expectations=facts)), law)) == found

"""Report documents made by hand, for the tests of every form that shows them."""

from __future__ import annotations

from typing import Any

# What a hostile system may call itself and its tools: an element, an escape of a terminal, an override of the
# direction of reading, a forged line, a link.
HOSTILE = '<script>document.title="owned"</script><img src=x onerror=alert(1)>\x1b[31mred\u202eesrever\n::error::[x](http://x.example)\x00'


def finding(**more: Any) -> dict[str, Any]:
    """One finding of the shape ``finding``."""
    return {
        "requirement": "RETRY-03",
        "level": "MUST",
        "run": "SC-07/once",
        "class": "… was attempted … times",
        "observed": "s1 was attempted 3 times",
        "permitted": "2 attempts",
        "witness": [{"name": "A1", "says": "call echo of c1", "file": "wire", "line": 2}],
        "because": ["the plan permits 2"],
        **more,
    }


def requirement(name: str, verdict: str, **more: Any) -> dict[str, Any]:
    """One row of a report's requirements."""
    told = {"id": name, "level": "MUST", "verdict": verdict, "exercised": 3, "runs": 2, "findings": 0}
    return {**told, "required": True, "missing": [], **more}


def told_of(run: str = "SC-07/once", says: str = "echo is invoked") -> dict[str, Any]:
    """The testimony of a run: the rows around a finding."""
    rows = [
        {"by": "suite", "says": "the suite starts the run", "atMs": 0, "line": 0},
        {"by": "claim", "says": "calls echo", "call": "s1 attempt 1", "atMs": 0, "line": 2},
        {"by": "deed", "says": says, "call": "s1 attempt 1", "atMs": 50, "line": 3},
        {"by": "folder", "says": "a.md is new, a file"},
    ]
    return {"run": run, "clock": "virtual", "rows": rows, "left": 0}


def report(**more: Any) -> dict[str, Any]:
    """A report of a live system with one finding, one gap in the claim and one law that nothing decided."""
    return {
        "reportVersion": "1.0",
        "suite": "callproof 0.1.0",
        "subject": {
            "kind": "system",
            "name": "stdio:my-executor",
            "implementation": "my-executor 2.1",
            "claims": ["retry"],
            "leftOut": [{"feature": "foreach", "requirements": 13}],
        },
        "outcome": "violations",
        "exitCode": 1,
        "runs": [{"name": "SC-07/once", "outcome": "violations", "notes": []}],
        "requirements": [
            requirement("CALL-01", "pass"),
            requirement("RETRY-03", "fail", findings=1),
            requirement("LOOP-01", "inapplicable", exercised=0, runs=0, missing=["claim of foreach"]),
            requirement("MSG-04", "inconclusive", exercised=0, runs=0, missing=["events"]),
        ],
        "findings": [finding()],
        "testimonies": [told_of()],
        "errors": [],
        **more,
    }


def hostile_report() -> dict[str, Any]:
    """A report in which every text from outside is hostile."""
    told = finding(
        run=f"SC-07/{HOSTILE}",
        observed=HOSTILE,
        permitted=HOSTILE,
        because=[HOSTILE],
        help=HOSTILE,
        witness=[{"name": HOSTILE, "says": HOSTILE, "file": HOSTILE, "line": 2}],
        **{"class": HOSTILE},
    )
    return report(
        subject={
            "kind": "system",
            "name": HOSTILE,
            "implementation": HOSTILE,
            "claims": [HOSTILE],
            "leftOut": [{"feature": HOSTILE, "requirements": 1}],
            "notes": [HOSTILE],
        },
        runs=[{"name": HOSTILE, "outcome": "violations", "notes": [HOSTILE]}],
        findings=[told, finding(known=HOSTILE)],
        testimonies=[told_of(f"SC-07/{HOSTILE}", HOSTILE)],
        stale=[HOSTILE],
        errors=[HOSTILE],
    )


def log_report(**more: Any) -> dict[str, Any]:
    """A report of an audit: two runs, one of them with a finding in its calls, the other not read in full."""
    witness = [
        {"name": "A1", "says": "call echo of c1", "file": "calls.jsonl", "line": 3},
        {"name": "R1", "says": "result ok of c1", "file": "results.jsonl", "line": 2},
    ]
    runs = [
        {"name": "night/one", "outcome": "violations", "folder": "logs/night/one", "notes": []},
        {"name": "night/two", "outcome": "unread", "folder": "logs/night/two", "notes": ["line 2 is too long"]},
    ]
    told = report(
        subject={"kind": "log", "name": "logs"},
        runs=runs,
        findings=[finding(run="night/one", witness=witness, tool="echo")],
        timelines=[timeline_of()],
        tools=[{"name": "echo", "calls": 3, "findings": 1}, {"calls": 1, "findings": 0}],
        versions=[{"executor": "1.0.0", "registry": "7", "runs": 2, "broken": 1, "findings": 1}],
    )
    del told["testimonies"]
    told["requirements"] = [{**each, "required": False} for each in told["requirements"]]
    return {**told, **more}


def timeline_of(run: str = "night/one", says: str = "step.started") -> dict[str, Any]:
    """A run on a line of time: an attempt that failed, one without an end, and one of another step without instants."""
    calls = [
        {
            "name": "s1 attempt 1",
            "tool": "echo",
            "status": "error",
            "code": "TIMEOUT",
            "madeMs": 20,
            "fromMs": 25.5,
            "toMs": 2_000,
            "sources": ["calls.jsonl:1", "results.jsonl:1"],
        },
        {"name": "s1 attempt 2", "tool": "echo", "madeMs": 3_000, "sources": ["calls.jsonl:3", "results.jsonl:2"]},
        {"name": "s2[1]", "status": "odd", "sources": ["calls.jsonl:4"]},
    ]
    moments = [
        {"says": "run.confirmationRequested", "atMs": 5, "source": "events.jsonl:1"},
        {"says": "approved", "atMs": 15, "source": "run.json:1"},
        {"says": says, "atMs": 25.5, "call": 0, "source": "events.jsonl:2"},
        {"says": "run.finished", "source": "events.jsonl:3"},
    ]
    return {"run": run, "calls": calls, "moments": moments, "left": 2}


def hostile_log_report() -> dict[str, Any]:
    """A report of an audit in which every text from outside is hostile."""
    drawn = timeline_of(f"{HOSTILE} night", HOSTILE)
    for call in drawn["calls"]:
        call.update(name=HOSTILE, tool=HOSTILE, status=HOSTILE, code=HOSTILE)
    hostile = hostile_report()
    told = [{**each, "run": drawn["run"], "tool": HOSTILE} for each in hostile["findings"]]
    cause = {"requirement": "RES-01", "file": HOSTILE, "line": 1, "because": HOSTILE}
    return log_report(
        subject={"kind": "log", "name": HOSTILE, "notes": [HOSTILE]},
        runs=[{"name": drawn["run"], "outcome": "violations", "folder": HOSTILE, "notes": [HOSTILE]}],
        findings=[*told, {**told[0], "requirement": "RES-03", "followsFrom": cause}],
        tools=[{"name": HOSTILE, "calls": 1, "findings": 1}],
        versions=[{"executor": HOSTILE, "registry": HOSTILE, "runs": 1, "broken": 1, "findings": 1}],
        timelines=[drawn],
        stale=[HOSTILE],
        errors=[HOSTILE],
    )

"""Logs of the pipeline, made in a few words, and what is found in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from callproof.judge.judging import Results
from callproof.judge.verdicts import Verdict
from callproof.protocols.entries import Entries, Entry
from callproof.protocols.judging import results_of
from callproof.protocols.pipeline import PROTOCOL
from callproof.trace.records import Source
from callproof.trace.run import Flaw
from callproof.values.jsontext import Json

ROOT = Path(__file__).parents[1]
CHAPTER = (ROOT / "spec" / "protocols" / "pipeline.md").read_text(encoding="utf-8")
BASES = ROOT / "spec" / "protocols" / "examples"
Object = dict[str, Json]

TEXT: Object = {"type": "text", "text": "Three lines."}
OTHER_TEXT: Object = {"type": "text", "text": "Four lines."}
_ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
# The chapter's table: the classes that end each phase, in the order of the phases.
TABLE: Mapping[str, frozenset[str]] = {
    row[1]: frozenset(re.findall(r"`(\w+)`", row[2]))
    for row in _ROW.finditer(CHAPTER.partition("Five more classes")[0])
}
PHASES = tuple(TABLE)
# The classes of the paragraph below it; they can end every phase except the last.
OF_NO_PHASE = frozenset(re.findall(r"`(\w+)`", CHAPTER.partition("Five more classes")[2].partition("\n\n")[0]))
CLASSES = tuple(sorted(OF_NO_PHASE.union(*TABLE.values())))


def ends(error_class: str) -> frozenset[str]:
    """The phases that a class can end, by the chapter."""
    if error_class in OF_NO_PHASE:
        return frozenset(PHASES[:-1])
    return frozenset(phase for phase, classes in TABLE.items() if error_class in classes)


def record(kind: str, name: str = "i-1", **members: Json) -> Object:
    """A record of an invocation."""
    return {"record": kind, "invocation_id": name, **members}


def invocation(name: str = "i-1", **members: Json) -> Object:
    """An invocation of a tool."""
    return record("invocation", name, **{"tool_id": "notes.read", **members})


def phase(which: str, status: str = "completed", name: str = "i-1", **members: Json) -> Object:
    """What became of a phase."""
    return record("phase", name, phase=which, status=status, **members)


def decision(behavior: str, name: str = "i-1", **members: Json) -> Object:
    """A permission decision."""
    return record("decision", name, decision_id=f"d-{behavior}", behavior=behavior, **members)


def mutation(*fields: str, name: str = "i-1", **members: Json) -> Object:
    """A change of the input, by a hook unless told otherwise."""
    told: Object = {"mutation_id": "m-1", "source_type": "hook", "changed_fields": list(fields)}
    return record("mutation", name, **told | members)


def changing_hook(event: str = "post_tool_use", name: str = "i-1") -> Object:
    """A hook that changed the output."""
    return record("hook", name, hook_id="h-1", hook_event=event, updated_output={"lines": 3})


def result(status: str = "succeeded", name: str = "i-1", **members: Json) -> Object:
    """A terminal result."""
    return record("result", name, **{"result_id": f"r-{name}", "status": status, **members})


def failure(error_class: str, status: str = "failed", name: str = "i-1", **error: Json) -> Object:
    """A terminal result of a failure."""
    return result(status, name, is_error=True, error={"error_class": error_class, **error})


def created(name: str = "i-1") -> Object:
    """The event of a terminal result."""
    return record("event", name, event_type="tool.result.created")


def persistence(strategy: str, name: str = "i-1", **members: Json) -> Object:
    """What became of the output."""
    return record("persistence", name, decision_id="k-1", strategy=strategy, **members)


def surface(*tools: str, **members: Json) -> Object:
    """A surface of tools."""
    return {"record": "surface", "surface_id": "s-1", "tool_refs": list(tools), **members}


def policy(**members: Json) -> Object:
    """A policy of the scheduler."""
    return {"record": "policy", "scheduler_policy_id": "p-1", **members}


def asked(**inputs: Object) -> Object:
    """An invocation with its inputs."""
    return invocation(**inputs)


def running(begun: str, *names: str) -> list[Object]:
    """Invocations of one batch under one policy with overlapping executions, which start in the order of the names."""
    every = (begun, *names)
    told = [invocation(each, batch_id="b-1", scheduler_policy_ref="p-1") for each in every]
    return told + [phase("execute", "started", each) for each in every]


def modified(name: str, disposition: str) -> list[Object]:
    """The end of an execution that asks for a change of the context."""
    modifier: Object = {"disposition": disposition}
    return [phase("execute", name=name), created(name), result(name=name, context_modifier=modifier)]


def read(base: str) -> list[Object]:
    """The records of a base log of the chapter."""
    return [json.loads(line) for line in (BASES / base / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def entries(records: Iterable[Mapping[str, Json]], flaws: tuple[Flaw, ...] = ()) -> Entries:
    """Records as they are read from a file."""
    told = tuple(Entry(value, Source("log.jsonl", number)) for number, value in enumerate(records, 1))
    return Entries("log.jsonl", told, flaws)


def results(records: Iterable[Mapping[str, Json]], flaws: tuple[Flaw, ...] = ()) -> Results:
    """The results of a log."""
    return results_of(PROTOCOL, PROTOCOL.trace(entries(records, flaws)))


def found(records: Iterable[Mapping[str, Json]], flaws: tuple[Flaw, ...] = ()) -> dict[str, list[str]]:
    """What is found in a log, by requirement; a check that throws fails the test."""
    told = results(records, flaws)
    thrown = [error for one in told.values() for error in one.errors]
    assert thrown == []
    return {
        name: [each.finding.observed for each in one.findings]
        for name, one in told.items()
        if one.verdict is Verdict.FAIL
    }

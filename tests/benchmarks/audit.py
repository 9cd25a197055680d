"""How fast a captured log is audited, as ratios of things that were timed in the same run.

    python tests/benchmarks/audit.py LOG [--broken LOG] [--shared LOG] [--stream LOG] [--rounds N] [--sample N]

LOG is a folder of run folders; the shared one is of files that many runs share, and a stream is one file.  Every figure
is processor time a record, the median of the rounds, in which all contenders take turns in a rotated order.  Slow
contenders take every n-th run only.  Several processes are compared with one by the clock on the wall, so nothing else
should run.  No test asserts any of it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import orjson
import rfc8785
from callproof.auditing.audited import Rules
from callproof.auditing.processes import in_processes, looking_in_processes
from callproof.commands.audit import Audit, audit
from callproof.judge.judgement import Outcome
from callproof.models.execution_event import ExecutionEvent
from callproof.models.tool_call import ToolCall
from callproof.models.tool_result import ToolResult
from callproof.schema.validator import shape_schema
from jsonschema.validators import Draft202012Validator
from pydantic import TypeAdapter
from rich.console import Console
from rich.table import Table

FILES = {"calls.jsonl": "tool-call", "results.jsonl": "tool-result", "events.jsonl": "execution-event"}
MODELS: Mapping[str, TypeAdapter[Any]] = {
    "calls.jsonl": TypeAdapter(ToolCall),
    "results.jsonl": TypeAdapter(ToolResult),
    "events.jsonl": TypeAdapter(ExecutionEvent),
}
# A child starts with the memory size of its parent, so a small process has to start the command.
MEASURED = (
    "import resource, subprocess, sys\n"
    "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False)\n"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
COMMAND = (sys.executable, "-c", "from callproof.cli import main; main()", "audit")
ROUNDS = 7
SAMPLE = 20
# The contenders, and by how much the audit must be faster than each.
GOALS: Mapping[str, float] = {
    "msgspec, untyped": 0.5,
    "json.loads": 1.5,
    "jsonschema, envelopes": 30,
    "the usual way": 2.5,
    "pydantic, envelopes": 1.3,
}
# By how much two processes must be faster than one.
TWO_PROCESSES: Mapping[str, float] = {"run folders": 1.8, "shared files": 1.6, "one stream": 1.6}


def texts(folder: Path) -> dict[str, bytes]:
    """The files of one run."""
    found: dict[str, bytes] = {}
    for name in ("run.json", *FILES):
        with open(folder / name, "rb") as stream:
            found[name] = stream.read()
    return found


def lines(text: bytes) -> list[bytes]:
    """The lines of a file."""
    return [line for line in text.split(b"\n") if line]


def decoding(decode: Callable[[bytes], object]) -> Callable[[Sequence[Path]], None]:
    """Work that reads and decodes everything, and checks nothing."""

    def work(folders: Sequence[Path]) -> None:
        for folder in folders:
            for name, text in texts(folder).items():
                for line in [text] if name == "run.json" else lines(text):
                    decode(line)

    return work


def jsonschema_envelopes(folders: Sequence[Path]) -> None:
    """Check calls, results and events against their shapes with the validator in Python."""
    validators = {name: Draft202012Validator(dict(shape_schema(shape))) for name, shape in FILES.items()}
    for folder in folders:
        found = texts(folder)
        for name, validator in validators.items():
            for line in lines(found[name]):
                validator.is_valid(orjson.loads(line))


def pydantic_envelopes(folders: Sequence[Path]) -> None:
    """Read calls, results and events into the classes of the library."""
    for folder in folders:
        found = texts(folder)
        for name, model in MODELS.items():
            for line in lines(found[name]):
                model.validate_json(line)


def usual_way(folders: Sequence[Path]) -> None:
    """Schemas, hashes, times and pairing as most people would write them; no plan, no references, no effects."""
    envelopes = {name: jsonschema_rs.validator_for(dict(shape_schema(shape))) for name, shape in FILES.items()}
    for folder in folders:
        found = texts(folder)
        run = orjson.loads(found["run.json"])
        tools = {
            each["name"]: [jsonschema_rs.validator_for(each[side]) for side in ("inputSchema", "outputSchema")]
            for each in run["tools"]
        }
        records = {name: [orjson.loads(line) for line in lines(found[name])] for name in FILES}
        for name, envelope in envelopes.items():
            if not all(map(envelope.is_valid, records[name])):
                raise ValueError(f"{folder}: {name} has an envelope that its shape refuses")
        usual_rules(records, tools)


def usual_rules(records: Mapping[str, list[Any]], tools: Mapping[str, list[Any]]) -> None:
    """Check the records of one run the usual way."""
    calls = {each["callId"]: each for each in records["calls.jsonl"]}
    for call in calls.values():
        tools[call["tool"]][0].is_valid(call["args"])
        sha256(rfc8785.dumps(call["args"])).hexdigest()
        datetime.fromisoformat(call["createdAt"])
    for result in records["results.jsonl"]:
        took = datetime.fromisoformat(result["endedAt"]) - datetime.fromisoformat(result["startedAt"])
        abs(took.total_seconds() * 1000 - result["durationMs"])
        if result["status"] == "ok":
            tools[result["tool"]][1].is_valid(result["data"])
        calls.get(result["callId"])
    last = datetime.min
    for event in records["events.jsonl"]:
        last = max(last, datetime.fromisoformat(event["timestamp"]).replace(tzinfo=None))


def audits(rules: Rules = Rules()) -> Callable[[Sequence[Path]], None]:  # noqa: B008  rules are frozen
    """The full audit, by one process."""
    return lambda folders: void(audit(Audit(tuple(folders), rules)))


def void(_value: object) -> None:
    """Drop a value."""


def contenders(
    all_runs: list[Path], sample: list[Path]
) -> dict[str, tuple[Callable[[Sequence[Path]], None], list[Path]]]:
    """Everything that is timed, with the runs on which it is timed."""
    return {
        "full audit": (audits(), all_runs),
        "msgspec, untyped": (decoding(msgspec.json.Decoder().decode), all_runs),
        "json.loads": (decoding(json.loads), all_runs),
        "pydantic, envelopes": (pydantic_envelopes, all_runs),
        "the usual way": (usual_way, all_runs),
        "jsonschema, envelopes": (jsonschema_envelopes, sample),
        "full audit, checks alone": (audits(Rules(fast_path=False)), sample),
    }


def lawful(folders: Sequence[Path]) -> list[Path]:
    """The runs without findings: a run that breaks a law costs as much as many, and the log of broken ones is timed."""
    return [each for each in folders if audit(Audit((each,))).outcome is Outcome.CONSISTENT]


def records_in(folders: Sequence[Path]) -> int:
    """The number of records in a log, including run records."""
    return sum(1 + sum(texts(folder)[name].count(b"\n") for name in FILES) for folder in folders)


def processor_time(work: Callable[[Sequence[Path]], None], folders: Sequence[Path]) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    work(folders)
    return time.process_time() - start


def peak_memory(log: Path) -> float:
    """The most memory, in MB, that the command uses to audit a log."""
    command = (sys.executable, "-c", MEASURED, *COMMAND, str(log))
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024


def on_the_wall(log: Path, jobs: int) -> float:
    """Seconds on the clock on the wall that this number of processes takes."""
    start = time.perf_counter()
    audit(Audit((log,), engine=in_processes(jobs), looking=looking_in_processes(jobs)))
    return time.perf_counter() - start


def two_against_one(log: Path, rounds: int) -> float:
    """How much faster two processes are than one, as the median of the rounds."""
    return statistics.median(on_the_wall(log, 1) / on_the_wall(log, 2) for _ in range(rounds))


def main(arguments: Sequence[str]) -> None:
    """Time every contender in turn, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=Path)
    parser.add_argument("--broken", type=Path, help="the same log with one record in a hundred broken")
    parser.add_argument("--shared", type=Path, help="a log in files that many runs share")
    parser.add_argument("--stream", type=Path, help="a log in one file")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--sample", type=int, default=SAMPLE)
    chosen = parser.parse_args(arguments)
    console = Console()
    given = sorted(each for each in chosen.log.iterdir() if (each / "run.json").is_file())
    folders = lawful(given)
    if len(folders) < len(given):
        console.print(f"{len(given) - len(folders)} of {len(given)} runs have findings, and are left out")
    timed = contenders(folders, folders[:: chosen.sample])
    if chosen.broken is not None:
        broken = sorted(each for each in chosen.broken.iterdir() if (each / "run.json").is_file())
        timed["full audit, 1 % broken"] = (audits(), broken[:: chosen.sample])
    counts = {name: records_in(runs) for name, (_, runs) in timed.items()}
    taken = rounds_of(console, timed, counts, chosen.rounds)
    console.print(table(taken, f"{len(folders)} runs, {counts['full audit']} records, {chosen.rounds} rounds"))
    forms = {"run folders": chosen.log, "shared files": chosen.shared, "one stream": chosen.stream}
    console.print(rest({form: log for form, log in forms.items() if log is not None}, chosen.rounds))


def rounds_of(
    console: Console,
    timed: Mapping[str, tuple[Callable[[Sequence[Path]], None], list[Path]]],
    counts: Mapping[str, int],
    rounds: int,
) -> dict[str, list[float]]:
    """Microseconds per record of every contender in every round; each round has another order."""
    taken: dict[str, list[float]] = {name: [] for name in timed}
    names = list(timed)
    for place in range(rounds):
        for name in (*names[place % len(names) :], *names[: place % len(names)]):
            with console.status(f"round {place + 1} of {rounds}: {name}"):
                work, runs = timed[name]
                taken[name].append(processor_time(work, runs) / counts[name] * 1e6)
    return taken


def table(taken: Mapping[str, list[float]], title: str) -> Table:
    """The figures with their goals; ratios are taken inside a round, and the table has their median."""
    made = Table("what", "us a record", "audit is faster by", "goal", title=title)
    own = taken["full audit"]
    for name, times in taken.items():
        ratio = statistics.median(other / mine for other, mine in zip(times, own))
        goal = f">= {GOALS[name]:g}" if name in GOALS else "at most 1.5 times the time" if "broken" in name else ""
        made.add_row(name, f"{statistics.median(times):.2f}", f"{ratio:.2f}", goal)
    return made


def rest(logs: Mapping[str, Path], rounds: int) -> Table:
    """Memory, and the speed of several processes."""
    made = Table("what", "figure", "goal")
    for form, log in logs.items():
        made.add_row(
            f"most memory, MB, {form}", f"{peak_memory(log):.0f}", "at most 80, and within 25 of a small log's"
        )
        goal = TWO_PROCESSES[form]
        made.add_row(f"one process / two, on the wall, {form}", f"{two_against_one(log, rounds):.2f}", f">= {goal}")
    return made


if __name__ == "__main__":
    main(sys.argv[1:])

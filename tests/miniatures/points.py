"""The places where a miniature reaches into the reference executor, each named once, in the module that looks it up.

A rename in the reference changes one line here.  Does not know about requirements or miniatures.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from callproof_reference import (
    plan,
    policy,
    run,
    steps,
    values,
    vault,
    wire,
)

Record: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """A function or method of the reference: its owner, and the name by which it is called."""

    owner: Any
    name: str

    def __post_init__(self) -> None:
        if not hasattr(self.owner, self.name):
            raise LookupError(
                f"the reference has no {self.owner.__name__}.{self.name} any more; mend tests/miniatures/points.py"
            )

    @property
    def now(self) -> Any:
        """The function that stands there now: the reference's own, or the one that a miniature has put there."""
        return getattr(self.owner, self.name)


# The answer to a request, to the handshake too: (conversation, method, params).
DONE = Point(wire._Conversation, "_done")
# What is written: by the first to disk and wire alike, by the second to the disk alone.
WRITE = Point(run.Records, "write")
SAVE = Point(run, "_save")
# The folder for a log, before the run: (folder, root).
CLAIM = Point(run, "claim")
# What is recorded: (records, subject, ...), before it becomes a record.
RECORD_CALL = Point(run.Records, "call")
RECORD_RESULT = Point(run.Records, "result")
RECORD_EVENT = Point(run.Records, "event")
FRESH = Point(run.Subject, "fresh")
ARGS_HASH = Point(run, "digest")
CANONICAL = Point(values, "canonical")
# One attempt: (run, subject, args, ...).
ATTEMPT = Point(steps, "attempt")
INVALID = Point(policy.Tool, "invalid")
HOOKED = Point(steps, "hooked")
DISPATCHED = Point(steps, "_dispatched")
INVOKED = Point(steps, "_invoked")
GIVEN_UP = Point(steps, "_given_up")
OUTPUT = Point(policy.Tool, "judged")
SUITE_ANSWER = Point(steps, "suite_answer")
REFUSED = Point(steps, "refused")
PREVIEW = Point(run.Run, "preview")
OWN_TOOL = Point(steps, "run_own")
SCHEMA_FAULTS = Point(policy, "_faults")
# What a tool said, and what it changed.
REPORTED = Point(steps, "reported")
OWN_EFFECTS = Point(steps, "effects")
# A step: (run, step, ...).
PERFORMED = Point(steps, "_performed")
EACH = Point(steps, "_each")
LOGICAL_CALL = Point(steps, "_logical_call")
ARGS = Point(steps, "_resolved")
RESOLVE = Point(steps, "resolve")
RETRY_DUE = Point(steps, "_retry_due")
ON_ERROR = Point(steps, "_on_error")
SKIP = Point(steps, "_skip")
# References.
PARTS = Point(plan, "parts")
VALUE = Point(plan, "_value")
RESOLVED = Point(plan, "resolve")  # at every depth: (template, bindings, root)
ROOT_VALUE = Point(run.Run, "root_value")
# The preparation of a plan.
PLAN_FAULTS = Point(plan.Plan, "faults")
SHAPE_FAULTS = Point(plan, "shape_faults")
STEP = Point(plan, "Step")
LOAD = Point(plan, "Tool")
# The run.
START = Point(run.Run, "__init__")
ASK = Point(run.Run, "ask")
ASKING_CANCEL = Point(run.Run, "_cancel")
CANCEL = Point(run.Run, "cancel")
CONFIRM = Point(run.Run, "confirm")
FINISH = Point(run.Run, "finish")
# The policy: (tool, args, policy, root), and its parts.
BREACH = Point(steps, "breach")
MALFORMED = Point(policy, "malformed")
OUTSIDE = Point(policy, "_outside")
MATCHES = Point(policy, "_matches")
SCHEMAS = Point(policy, "_flattened")
TEXTS = Point(policy, "_texts")
# The vault's own guards.
VAULT_FACTS = Point(vault, "_facts")
# Deletes a file or a folder: (vault, path, trash).
DELETE = Point(vault.Vault, "delete")


def changed(thing: Any, **members: Any) -> Any:
    """A copy of a step or a tool with some of its members changed."""
    twin = copy(thing)
    vars(twin).update(members)
    return twin


@dataclass(frozen=True, slots=True)
class Due:
    """The question whether another attempt follows: the run, the step, its arguments, the attempt and its ending."""

    run: Any
    step: Any
    args: Record
    number: int
    ending: Any

    @property
    def left(self) -> bool:
        """Whether the step has attempts left, in a run that goes on."""
        return self.number < self.step.attempts and not self.run.halted.kept


class Patch:
    """Breaks the reference of this process; nothing is ever put back, since a miniature has a process of its own."""

    def around(self, point: Point, law: Callable[..., Any]) -> None:
        """Call ``law`` in place of a point's function; it gets the original before the arguments."""
        original = point.now

        def broken(*args: Any, **named: Any) -> Any:
            return law(original, *args, **named)

        setattr(point.owner, point.name, broken)

    def record(self, kind: str, change: Callable[[Record], None]) -> None:
        """Alter every record of a kind in place, in the log and on the wire alike."""

        def write(original: Any, journal: Any, written: str, record: Record) -> None:
            record = deepcopy(record)
            if written == kind:
                change(record)
            original(journal, written, record)

        self.around(WRITE, write)

    def log(self, kind: str, change: Callable[[Record], None]) -> None:
        """Alter every record of a kind on the disk alone."""

        def save(original: Any, path: Path, line: str, **how: Any) -> None:
            if path.stem.removesuffix("s") == kind:
                record = json.loads(line)
                change(record)
                line = json.dumps(record, ensure_ascii=False) + "\n"
            original(path, line, **how)

        self.around(SAVE, save)

    def retry(self, law: Callable[[bool, Due], bool]) -> None:
        """Decide on every further attempt; ``law`` gets what the reference would have decided first."""

        def due(original: Any, *asked: Any) -> bool:
            return law(bool(original(*asked)), Due(*asked))

        self.around(RETRY_DUE, due)

"""Secrets planted in a log, at every place that holds a value; a report about the log must not show them.

``python tests/hostile/canaries.py`` plants one at each place of each base log and of each example that breaks a
requirement, which takes minutes; the tests plant only some.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditing.tally import Tally
from callproof.auditlog.reader import captured_in
from callproof.judge.judgement import Judgement, Subject
from callproof.report.document import document, json_text
from callproof.spec.registry import specification
from callproof.spec.yaml_blocks import examples_of
from log_edits import BASES, Edit, apply, copy_of

CANARY = "hunter2-9f3c"
_NUMBER = 4_111_111_111_111_111
# A secret in texts that look like something else: JSON, a template, a reference, a shape, the end of a sentence.
DISGUISES = (
    *("{{{}}}", "[{}]", "[[Bob {}]]", "[{}](u)", "Inbox/[{}].md", "array[{}]", "{}{{}}", "{{{{{}}}}}", "{{item.{}}}"),
    *(
        "Bearer {{{{{}}}}}",
        "[9 characters] {}",
        "$steps.s1['{}']",
        '$vars["{}"]',
        "a'\"{}",
        '"Bob" {}',
        'it\'s "{}" pw',
    ),
    *('{{"token": "{}"}}', "https://x/{{id}}/{}", '"{}', '{}"', "{{{}", "{}]", "[1] {}", '{{"a":1}}{}', "\u2028{{{}}}"),
    *("x\\{}", "x\n{}", "~1{{{}}}", "\u2026{}", "'{}'"),
)
# Members that hold names and no values, as the chapter on values in reports lists them.
_NUMBERS = frozenset({"attempt", "seq", "durationMs", "timeoutMs", "index", "retry", "maxAttempts", "backoffMs"})
_NAMES = frozenset(
    {"runId", "callId", "stepId", "tool", "id", "captureAs", "dependsOn", "confirmationId", "loopId", "itemName"}
    | {"indexName", "plannerVersion", "executorVersion", "toolRegistryVersion", "policy", "tools"}
)


@dataclass(frozen=True)
class Place:
    """One value of a log: its file, its line and the path to it; ``name`` if the canary becomes a member's name."""

    file: str
    line: int
    way: tuple[str | int, ...]
    name: bool = False


def places(folder: Path) -> Iterator[Place]:
    """Every place of a log that holds a value, and every object in a value, which can get one more member."""
    for path in sorted(folder.iterdir()):
        for line, record in enumerate(_records(path)):
            for way, value in _values(record):
                yield Place(path.name, line, way)
                if isinstance(value, dict):
                    yield Place(path.name, line, way, name=True)


def plant(folder: Path, place: Place, canary: str | int = CANARY) -> None:
    """Put the canary in one place."""
    path = folder / place.file
    records = deepcopy(_records(path))
    if place.name:
        _at(records[place.line], place.way)[canary] = canary
    else:
        _at(records[place.line], place.way[:-1])[place.way[-1]] = canary
    path.write_text("\n".join(json.dumps(each) for each in records) + "\n", encoding="utf-8")


def plant_everywhere(folder: Path) -> None:
    """Put a canary in every text that is a value: the same one for the same text, so that equal values stay equal."""
    known: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        records = deepcopy(_records(path))
        for record in records:
            for way, value in list(_values(record)):
                if isinstance(value, str) and not set(value) & set("${"):
                    _at(record, way[:-1])[way[-1]] = known.setdefault(value, f"{CANARY}-{len(known)}")
        path.write_text("\n".join(json.dumps(each) for each in records) + "\n", encoding="utf-8")


def report_on(folder: Path, *, show_values: bool = False) -> str:
    """The JSON report on one log, from which every other form is made."""
    audited = audit_run(captured_in(folder, name="a run"), Rules(show_values=show_values))
    tally = Tally(specification())
    tally.add(audited)
    return json_text(document(Judgement(Subject("log", "a log"), tally.results(), tuple(tally.runs))))


def disguised_leaks(base: Path, step: int = 1, first: int = 0) -> Iterator[str]:
    """The places from which a canary in one of the disguises got into a report; the next place has the next one."""
    with tempfile.TemporaryDirectory() as folder:
        for number, place in enumerate(places(base)):
            if number % step == first:
                disguise = DISGUISES[number // step % len(DISGUISES)]
                log = copy_of(str(base), Path(folder) / str(number))
                plant(log, place, disguise.format(CANARY))
                if CANARY in report_on(log):
                    yield f"{base.name}: {place}: {disguise}"


def leaks(base: Path, step: int = 1, first: int = 0) -> Iterator[str]:
    """The places from which a canary, in text or as a number, got into a report."""
    with tempfile.TemporaryDirectory() as folder:
        for number, place in enumerate(places(base)):
            if number % step != first:
                continue
            canary = CANARY if number % 2 or place.name or place.way[-1] in _NUMBERS else _NUMBER
            log = copy_of(str(base), Path(folder) / str(number))
            plant(log, place, canary)
            if str(canary) in report_on(log):
                yield f"{base.name}: {place}"


def _records(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8")
    lines = [text] if path.name == "run.json" else text.split("\n")
    return [json.loads(each) for each in lines if each.strip()]


def _values(value: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        if key in _NAMES:
            continue
        yield (*way, key), inner
        yield from _values(inner, (*way, key))


def _at(value: Any, way: tuple[str | int, ...]) -> Any:
    for key in way:
        value = value[key]
    return value


def main() -> int:
    """Plant one canary after the other everywhere, and print each place from which one was shown."""
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        broken: list[Path] = []
        for requirement in specification().requirements.values():
            for example in examples_of(requirement):
                log = copy_of(example.base, Path(folder) / example.name)
                apply(Edit(example.line, example.violates), log)
                broken.append(log)
        for log in broken:
            try:
                plant_everywhere(log)
            except ValueError:
                continue  # a line of it is no JSON
            if CANARY in report_on(log):
                found += 1
                print(f"{log.name}: a canary in every value is shown", flush=True)
        for base in sorted(each for each in BASES.iterdir() if each.is_dir()):
            for leak in chain(leaks(base), *(disguised_leaks(base, 5, first) for first in range(5))):
                found += 1
                print(leak, flush=True)
    print(f"{found} leaks")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

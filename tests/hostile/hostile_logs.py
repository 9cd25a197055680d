"""Hostile logs, each made from a conforming one; the number in the name of a log is the number of its threat."""

from __future__ import annotations

import gzip
import json
import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from callproof import limits
from log_edits import copy_of

# Text that a terminal, a build server, a browser or a spreadsheet could act on.
ACTIVE = (
    "\x1b[2J\x1b]0;owned\x07\x9b31m\x00\r\n::error::forged\nFAILED forged::test\u2028::warning::forged\u202etxt.exe"
    '<script>alert(1)</script><img src=x onerror=alert(1)>" onload="alert(1)&lt;!--]]>{{7*7}}${7*7}|cmd'
)
_DEEP = 21_000
_FLOOD = limits.FINDINGS_SHOWN_PER_REQUIREMENT + 1


def append(folder: Path, file: str, raw: bytes) -> None:
    """Append bytes to a file."""
    with (folder / file).open("ab") as stream:
        stream.write(raw)


def edit_run(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the run record."""
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    change(record)
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")


def edit_lines(folder: Path, file: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change every record of a file."""
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        change(record)
    (folder / file).write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


def edit_schemas(folder: Path, schema: Mapping[str, Any]) -> None:
    """Give every tool other schemas than its own."""

    def change(record: dict[str, Any]) -> None:
        for tool in record["tools"]:
            tool["inputSchema"] = tool["outputSchema"] = schema

    edit_run(folder, change)


def laughs(levels: int, keyword: str = "allOf") -> dict[str, Any]:
    """A schema whose references double at every level."""
    definitions: dict[str, Any] = {"d0": {"type": "integer"}}
    for level in range(1, levels + 1):
        definitions[f"d{level}"] = {keyword: [{"$ref": f"#/$defs/d{level - 1}"}] * 2}
    return {"$defs": definitions, "$ref": f"#/$defs/d{levels}"}


def hostile_text(folder: Path) -> None:
    """Put active text in every value, and in the places of names as well."""
    for file in ("calls.jsonl", "results.jsonl", "events.jsonl"):
        edit_lines(folder, file, lambda record: record.update({name: ACTIVE for name in record if name != "attempt"}))
    edit_lines(folder, "results.jsonl", lambda record: record.update({ACTIVE: ACTIVE, "data": {ACTIVE: [ACTIVE]}}))

    def change(record: dict[str, Any]) -> None:
        record.update({"runId": ACTIVE, "policy": {ACTIVE: ACTIVE}, ACTIVE: ACTIVE})
        for step in record["plan"]["steps"]:
            step.update({"id": ACTIVE, "tool": ACTIVE, "preview": ACTIVE, "args": {ACTIVE: ACTIVE}})
        for tool in record["tools"]:
            tool.update({"name": ACTIVE, "aliases": [ACTIVE], "category": ACTIVE})

    edit_run(folder, change)


def many_findings(folder: Path) -> None:
    """Break one law once more often than a report shows findings."""
    line = b'{"callId":"x%d","runId":"run-linear","stepId":"s1","tool":"vault.readFile","attempt":1,"status":"fine"}\n'
    append(folder, "results.jsonl", b"".join(line % number for number in range(_FLOOD)))


def _fifo(folder: Path, file: str) -> None:
    (folder / file).unlink()
    os.mkfifo(folder / file)


def _link(folder: Path, file: str, target: str) -> None:
    (folder / file).unlink()
    (folder / file).symlink_to(target)


def _folder(folder: Path, file: str) -> None:
    (folder / file).unlink()
    (folder / file).mkdir()


def _socket(folder: Path, file: str) -> None:
    (folder / file).unlink()
    here = os.open(folder, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"/proc/self/fd/{here}/{file}")
    os.close(here)


def _sparse(folder: Path, file: str) -> None:
    with (folder / file).open("r+b") as stream:
        stream.truncate(4 * limits.LINE_BYTES)


def _bomb(folder: Path, file: str) -> None:
    (folder / file).unlink()
    with gzip.open(folder / f"{file}.gz", "wb", compresslevel=9) as stream:
        for _ in range(256):
            stream.write(bytes(limits.MIB))


def _recode(folder: Path, file: str, encoding: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    (folder / file).write_bytes(text.encode(encoding))


def _results(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    return lambda folder: edit_lines(folder, "results.jsonl", change)


def _data(value: Any) -> Callable[[Path], None]:
    return _results(lambda record: record.update({"data": value}))


def _replaced(file: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        raw = (folder / file).read_bytes()
        (folder / file).write_bytes(raw.replace(old, new))

    return change


def _line(file: str, raw: bytes) -> Callable[[Path], None]:
    return lambda folder: append(folder, file, raw + b"\n")


# The change that is made to a copy of the conforming log `linear`.
LOGS: Mapping[str, Callable[[Path], None]] = {
    "02-many-digits": _line("events.jsonl", b'{"n": ' + b"7" * 4_301 + b"}"),
    "02-deep": _line("events.jsonl", b'{"a":' * _DEEP + b"1" + b"}" * _DEEP),
    "02-deep-run": lambda folder: append(folder, "run.json", b"[" * _DEEP) or None,
    "04-patterns": lambda folder: edit_schemas(
        folder, {"additionalProperties": {"pattern": "^(a+)+$"}, "patternProperties": {"(x+x+)+y": {}}}
    ),
    "04-look-ahead": lambda folder: edit_schemas(folder, {"properties": {"path": {"pattern": "(?=a)(a)\\1"}}}),
    "05-laughs": lambda folder: edit_schemas(folder, laughs(40)),
    "05-laughs-any": lambda folder: edit_schemas(folder, laughs(40, "anyOf")),
    "05-laughs-in-itself": lambda folder: edit_schemas(folder, {"$ref": "#"}),
    "05-nodes": lambda folder: edit_run(
        folder, lambda record: record["tools"][0]["inputSchema"].update({"enum": list(range(limits.SCHEMA_NODES))})
    ),
    "05-unique": lambda folder: (
        edit_schemas(folder, {"additionalProperties": {"uniqueItems": True}}),
        _data({"items": [{"n": number} for number in range(5_000)]})(folder),
    )[0],
    "05-references": lambda folder: (
        edit_run(folder, lambda record: record["plan"]["steps"][2]["args"].update({"content": "{$steps.s1}" * 5_000})),
        _data({"path": "x" * 100_000})(folder),
    )[0],
    "06-pipe": lambda folder: _fifo(folder, "results.jsonl"),
    "06-pipe-run": lambda folder: _fifo(folder, "run.json"),
    "06-device": lambda folder: _link(folder, "calls.jsonl", "/dev/zero"),
    "06-link-to-itself": lambda folder: _link(folder, "calls.jsonl", "calls.jsonl"),
    "06-folder": lambda folder: _folder(folder, "events.jsonl"),
    "06-socket": lambda folder: _socket(folder, "events.jsonl"),
    "06-endless-line": lambda folder: _sparse(folder, "events.jsonl"),
    "06-endless-run": lambda folder: _sparse(folder, "run.json"),
    "07-raw-line-feed": _replaced("results.jsonl", b'"userMessage": "', b'"userMessage": "\n'),
    "07-carriage-returns": _replaced("events.jsonl", b"\n", b"\r"),
    "07-mark": _replaced("calls.jsonl", b'{"callId": "c1"', b'\xef\xbb\xbf{"callId": "c1"'),
    "07-utf-16": lambda folder: _recode(folder, "calls.jsonl", "utf-16"),
    "07-twice": _replaced("results.jsonl", b'"ok": true', b'"ok": false, "o\\u006b": true'),
    "07-no-number": _replaced("results.jsonl", b'"durationMs": 4000', b'"durationMs": NaN'),
    "07-torn": _line("results.jsonl", b'{"callId": "c4", "sta'),
    "07-nul": _replaced("events.jsonl", b"}\n", b"}\x00\n"),
    "07-surrogate": _replaced("results.jsonl", b'"userMessage": "', b'"userMessage": "\\ud800'),
    "08-active": hostile_text,
    "10-line-separators": _replaced("events.jsonl", b'"message": "', '"message": "\u2028 '.encode()),
    "10-long-line": _results(lambda record: record.update({"warnings": ["so " * 40_000]})),
    "10-nanoseconds": _replaced("calls.jsonl", b".000Z", b".000000001Z"),
    "12-many": many_findings,
    "13-run-id": lambda folder: edit_run(folder, lambda record: record.update({"runId": "../../../" + "x" * 300})),
    "14-bomb": lambda folder: _bomb(folder, "results.jsonl"),
    "14-bomb-run": lambda folder: _bomb(folder, "run.json"),
    "15-attributes": lambda folder: edit_run(
        folder,
        lambda record: record["plan"]["steps"][2]["args"].update(
            {"content": "{$steps.s1.__class__} {0.__class__} %s {$vars.ideas.__init__.__globals__}"}
        ),
    ),
}


def write(folder: Path) -> None:
    """Write all hostile logs, each to a folder of its own."""
    for name, change in LOGS.items():
        change(copy_of("linear", folder / name))

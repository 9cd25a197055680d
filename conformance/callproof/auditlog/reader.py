"""A log folder read as one run: whatever is in it, a ``Run`` or a clear refusal comes out.

Every line becomes a record or a flaw.  What could not be read in full is said, and
the judge calls nothing of it good (LOG-21).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from callproof import limits
from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.auditlog.files import NotReadable, lines, open_regular
from callproof.trace.records import Kind, Record, Source
from callproof.trace.registry import Registry, registry_of
from callproof.trace.run import Flaw, FlawKind, Run
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_array, is_object

RUN_FILE = "run.json"
FILES = {Kind.CALL: "calls.jsonl", Kind.RESULT: "results.jsonl", Kind.EVENT: "events.jsonl"}


def read_run(folder: Path, *, name: str | None = None, tools: Iterable[Json] | None = None) -> Run:
    """
    The run that a log folder tells of.

    ``name`` is what reports call it (default: the folder's name), ``tools`` the descriptors of the
    registry where run.json has none.  Never raises for what is in the folder: flaws tell of it.
    """
    return run_of(captured_in(folder, name=name), tools)


def captured_in(folder: Path, *, name: str | None = None) -> CapturedRun:
    """The text of the run in a log folder.  Never raises for what is in the folder: flaws tell of it."""
    files = {kind: file for kind, each in FILES.items() if (file := _captured_lines(folder / each)) is not None}
    return CapturedRun(folder.name if name is None else name, _captured_document(folder / RUN_FILE), files)


def run_of(captured: CapturedRun, tools: Iterable[Json] | None = None) -> Run:
    """The run that a text tells of; ``tools`` are the descriptors of the registry where its record has none."""
    run_record, run_flaws = _run_record(captured.record)
    read = {kind: _records(captured.files.get(kind), kind) for kind in FILES}
    return Run(
        name=captured.name,
        run_record=run_record,
        calls=read[Kind.CALL][0] or (),
        results=read[Kind.RESULT][0] or (),
        events=read[Kind.EVENT][0],
        registry=_registry(run_record, tools),
        flaws=(*run_flaws, *(flaw for _, flaws in read.values() for flaw in flaws)),
    )


def _registry(run_record: Record | None, tools: Iterable[Json] | None) -> Registry | None:
    own = run_record.get("tools") if run_record is not None else None
    if is_array(own):
        return registry_of(own)
    return registry_of(tools) if tools is not None else None


def _captured_document(path: Path) -> CapturedFile | None:
    """A file that is one document, whatever its lines; None where there is none."""
    name, source = path.name, Source(path.name, 1)
    try:
        with open_regular(path) as stream:
            raw = stream.read(limits.LINE_BYTES + 1)
    except NotReadable as error:
        if not path.is_symlink() and not path.exists():
            return None
        return CapturedFile(name, b"", None, (Flaw(FlawKind.UNREADABLE, source, f"{name} {error.reason}"),), False)
    if len(raw) > limits.LINE_BYTES:
        told = f"{name} is longer than {limits.LINE_BYTES} bytes"
        return CapturedFile(name, b"", None, (Flaw(FlawKind.LIMIT, source, told),), opened=False)
    return CapturedFile(name, raw)


def _captured_lines(path: Path) -> CapturedFile | None:
    """A file of lines; None where there is none."""
    if not path.exists() and not path.is_symlink():
        return None
    try:
        with open_regular(path) as stream:
            if os.fstat(stream.fileno()).st_size > limits.LINE_BYTES:
                return _long_file(path.name, stream)
            return CapturedFile(path.name, stream.read(limits.LINE_BYTES))
    except NotReadable as error:
        flaw = Flaw(FlawKind.UNREADABLE, Source(path.name, 1), f"{path.name} {error.reason}")
        return CapturedFile(path.name, b"", None, (flaw,), opened=False)


def _long_file(name: str, stream: BinaryIO) -> CapturedFile:
    """A file in which a line may be over the limit: it is left out, and so is the rest of a file that is too long."""
    kept: list[bytes] = []
    numbers: list[int] = []
    flaws: list[Flaw] = []
    size = 0
    for line in lines(stream):
        size += len(line.raw) + 1
        if size > limits.RUN_FILE_BYTES:
            told = f"{name} is longer than {limits.RUN_FILE_BYTES} bytes"
            flaws.append(Flaw(FlawKind.UNREADABLE, Source(name, 1), told))
            break
        if line.too_long:
            told = f"line {line.number} is longer than {limits.LINE_BYTES} bytes"
            flaws.append(Flaw(FlawKind.LIMIT, Source(name, line.number), told))
            continue
        kept.append(line.raw + b"\n" if line.ended else line.raw)
        numbers.append(line.number)
    return CapturedFile(name, b"".join(kept), numbers, tuple(flaws))


def _run_record(file: CapturedFile | None) -> tuple[Record | None, tuple[Flaw, ...]]:
    if file is None:
        return None, (Flaw(FlawKind.MISSING, Source(RUN_FILE, 1), f"there is no {RUN_FILE}"),)
    if not file.opened:
        return None, file.flaws
    source = Source(file.name, file.numbers[0] if file.numbers else 1)
    value = _value(file.text, source)
    if isinstance(value, Flaw):
        return None, (*file.flaws, value)
    if not is_object(value):
        told = Flaw(FlawKind.NOT_AN_OBJECT, source, f"{file.name} holds no JSON object")
        return None, (*file.flaws, told)
    return Record(Kind.RUN, value, source), file.flaws


def _records(file: CapturedFile | None, kind: Kind) -> tuple[tuple[Record, ...] | None, tuple[Flaw, ...]]:
    """The records of a file, None where nothing of it was captured, and what in it is none."""
    if file is None or not file.opened:
        return None, file.flaws if file is not None else ()
    records: list[Record] = []
    flaws = list(file.flaws)
    last = 0
    for number, raw, ended in file.lines():
        last = number
        match _record(raw, kind, Source(file.name, number), ended=ended):
            case Flaw() as flaw:
                flaws.append(flaw)
            case record:
                records.append(record)
    # An empty line after the last record is a habit of editors, and no flaw (B-47).
    told = (flaw for flaw in flaws if not (flaw.kind is FlawKind.BLANK and flaw.source.line == last))
    in_order = tuple(sorted(told, key=lambda flaw: flaw.source.line))
    unread = not records and any(flaw.kind is FlawKind.UNREADABLE for flaw in file.flaws)
    return None if unread else tuple(records), in_order


def _record(raw: bytes, kind: Kind, source: Source, *, ended: bool) -> Record | Flaw:
    if len(raw) > limits.LINE_BYTES:
        return Flaw(FlawKind.LIMIT, source, f"line {source.line} is longer than {limits.LINE_BYTES} bytes")
    if not raw.strip(b" \t\r"):
        return Flaw(FlawKind.BLANK, source, "the line is empty")
    value = _value(raw, source)
    if isinstance(value, Flaw):
        torn = not ended and value.kind in {FlawKind.NOT_JSON, FlawKind.BYTES}
        return Flaw(FlawKind.TORN, source, f"the last line is cut off: it {value.says}") if torn else value
    if not is_object(value):
        return Flaw(FlawKind.NOT_AN_OBJECT, source, "the line holds no JSON object")
    return Record(kind, value, source)


def _value(raw: bytes, source: Source) -> Json | Flaw:
    try:
        return read_json(raw)
    except NotStrictJson as error:
        return Flaw(_flaw_kind(error), source, error.reason)


def _flaw_kind(error: NotStrictJson) -> FlawKind:
    if error.limit is not None:
        return FlawKind.LIMIT
    return {"bytes": FlawKind.BYTES, "strict": FlawKind.NOT_STRICT}.get(error.fault, FlawKind.NOT_JSON)

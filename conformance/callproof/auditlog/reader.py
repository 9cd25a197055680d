"""A log folder read as one run: whatever is in it, a ``Run`` or a clear refusal comes out.

Every line becomes a record or a flaw.  What could not be read in full is said, and
the judge calls nothing of it good (LOG-21).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from callproof import limits
from callproof.auditlog.files import Line, NotReadable, lines, open_regular
from callproof.trace.records import Kind, Record, Source
from callproof.trace.registry import Registry, registry_of
from callproof.trace.run import Flaw, FlawKind, Run
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_array, is_object

RUN_FILE = "run.json"
FILES = {Kind.CALL: "calls.jsonl", Kind.RESULT: "results.jsonl", Kind.EVENT: "events.jsonl"}


@dataclass(frozen=True, slots=True)
class _Read:
    """What one file gave; ``records`` is None where there is no such file."""

    records: tuple[Record, ...] | None
    flaws: tuple[Flaw, ...]


def read_run(folder: Path, *, name: str | None = None, tools: Iterable[Json] | None = None) -> Run:
    """
    The run that a log folder tells of.

    ``name`` is what reports call it (default: the folder's name), ``tools`` the descriptors of the
    registry where run.json has none.  Never raises for what is in the folder: flaws tell of it.
    """
    run_record, run_flaws = _run_record(folder)
    read = {kind: _records(folder, kind, file) for kind, file in FILES.items()}
    return Run(
        name=folder.name if name is None else name,
        run_record=run_record,
        calls=read[Kind.CALL].records or (),
        results=read[Kind.RESULT].records or (),
        events=read[Kind.EVENT].records,
        registry=_registry(run_record, tools),
        flaws=(*run_flaws, *(flaw for each in read.values() for flaw in each.flaws)),
    )


def _registry(run_record: Record | None, tools: Iterable[Json] | None) -> Registry | None:
    own = run_record.get("tools") if run_record is not None else None
    if is_array(own):
        return registry_of(own)
    return registry_of(tools) if tools is not None else None


def _run_record(folder: Path) -> tuple[Record | None, tuple[Flaw, ...]]:
    path, source = folder / RUN_FILE, Source(RUN_FILE, 1)
    try:
        with open_regular(path) as stream:
            raw = stream.read(limits.LINE_BYTES + 1)
    except NotReadable as error:
        if path.is_symlink() or path.exists():
            return None, (Flaw(FlawKind.UNREADABLE, source, f"{RUN_FILE} {error.reason}"),)
        return None, (Flaw(FlawKind.MISSING, source, f"there is no {RUN_FILE}"),)
    if len(raw) > limits.LINE_BYTES:
        return None, (Flaw(FlawKind.LIMIT, source, f"{RUN_FILE} is longer than {limits.LINE_BYTES} bytes"),)
    value = _value(raw, source)
    if isinstance(value, Flaw):
        return None, (value,)
    if not is_object(value):
        return None, (Flaw(FlawKind.NOT_AN_OBJECT, source, f"{RUN_FILE} holds no JSON object"),)
    return Record(Kind.RUN, value, source), ()


def _records(folder: Path, kind: Kind, file: str) -> _Read:
    path = folder / file
    if not path.exists() and not path.is_symlink():
        return _Read(None, ())
    records: list[Record] = []
    flaws: list[Flaw] = []
    try:
        with open_regular(path) as stream:
            size = 0
            for line in lines(stream):
                size += len(line.raw) + 1
                if size > limits.FILE_BYTES:
                    raise NotReadable(path, f"is longer than {limits.FILE_BYTES} bytes")
                match _record(line, kind, Source(file, line.number)):
                    case Flaw() as flaw:
                        flaws.append(flaw)
                    case record:
                        records.append(record)
    except NotReadable as error:
        flaws.append(Flaw(FlawKind.UNREADABLE, Source(file, 1), f"{file} {error.reason}"))
        # A file that was never opened captured nothing, which is not the same as an empty file.
        return _Read(tuple(records) or None, tuple(flaws))
    return _Read(tuple(records), _without_trailing_blank(flaws, len(records)))


def _record(line: Line, kind: Kind, source: Source) -> Record | Flaw:
    if line.too_long:
        return Flaw(FlawKind.LIMIT, source, f"line {line.number} is longer than {limits.LINE_BYTES} bytes")
    if not line.raw.strip(b" \t\r"):
        return Flaw(FlawKind.BLANK, source, "the line is empty")
    value = _value(line.raw, source)
    if isinstance(value, Flaw):
        torn = not line.ended and value.kind in {FlawKind.NOT_JSON, FlawKind.BYTES}
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


def _without_trailing_blank(flaws: list[Flaw], records: int) -> tuple[Flaw, ...]:
    """An empty line after the last record is a habit of editors, and no flaw (B-47)."""
    last = records + len(flaws)
    return tuple(flaw for flaw in flaws if not (flaw.kind is FlawKind.BLANK and flaw.source.line == last))

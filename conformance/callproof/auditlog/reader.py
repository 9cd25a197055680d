"""Reads a log folder as one run: the result is a ``Run`` or a clear refusal, whatever the folder holds.

Every line becomes a record or a flaw.  A flaw also reports what could not be read in
full, and the judge never calls such a log valid (LOG-21).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.auditlog.folder import captured_in
from callproof.auditlog.layout import FILES, RUN_FILE
from callproof.auditlog.lines import record_from, record_of, value_of
from callproof.trace.records import Kind, Record, Source
from callproof.trace.registry import Registry, registry_of
from callproof.trace.run import Flaw, FlawKind, Run
from callproof.trace.strays import parted
from callproof.values.jsontext import Json, is_cut_off, read_plain_lines
from callproof.values.jsonvalue import is_array, is_object


def read_run(folder: Path, *, name: str | None = None, tools: Iterable[Json] | None = None) -> Run:
    """
    The run that a log folder describes.

    ``name`` is the run's name in reports (default: the folder's name), ``tools`` the descriptors of the
    registry if run.json has none.  Never raises for what is in the folder, but reports it as flaws.
    """
    return run_of(captured_in(folder, name=name), tools)


def run_of(captured: CapturedRun, tools: Iterable[Json] | None = None) -> Run:
    """The run that a text describes; ``tools`` are the descriptors of the registry if its run record has none."""
    run_record, run_flaws = _run_record(captured.record)
    read = {kind: _records(captured.files.get(kind), kind) for kind in FILES}
    told = Run(
        name=captured.name,
        run_record=run_record,
        calls=read[Kind.CALL][0] or (),
        results=read[Kind.RESULT][0] or (),
        events=read[Kind.EVENT][0],
        registry=_registry(run_record, tools),
        flaws=(*run_flaws, *(flaw for _, flaws in read.values() for flaw in flaws)),
    )
    return parted(told)


def _registry(run_record: Record | None, tools: Iterable[Json] | None) -> Registry | None:
    own = run_record.get("tools") if run_record is not None else None
    if is_array(own):
        return registry_of(own)
    return registry_of(tools) if tools is not None else None


def _run_record(file: CapturedFile | None) -> tuple[Record | None, tuple[Flaw, ...]]:
    if file is None:
        return None, (Flaw(FlawKind.MISSING, Source(RUN_FILE, 1), f"there is no {RUN_FILE}", Kind.RUN),)
    if not file.opened:
        return None, file.flaws
    source = Source(file.name, file.numbers[0] if file.numbers else 1)
    value = value_of(file.text, source, Kind.RUN)
    if isinstance(value, Flaw):
        # The writer died, or has only begun (LOG-05).  Among lines that runs share, only the last can be cut off.
        cut = not file.numbers and value.kind in {FlawKind.NOT_JSON, FlawKind.BYTES} and is_cut_off(file.text)
        told = replace(value, kind=FlawKind.TORN, says=f"{file.name} is cut off ({value.says})") if cut else value
        return None, (*file.flaws, told)
    if not is_object(value):
        told = Flaw(FlawKind.NOT_AN_OBJECT, source, f"{file.name} holds no JSON object", Kind.RUN)
        return None, (*file.flaws, told)
    return Record(Kind.RUN, value, source), file.flaws


def _records(file: CapturedFile | None, kind: Kind) -> tuple[tuple[Record, ...] | None, tuple[Flaw, ...]]:
    """The records of a file, None if nothing of it was captured, and the flaws of its other lines."""
    if file is None or not file.opened:
        return None, file.flaws if file is not None else ()
    records: list[Record] = []
    flaws = list(file.flaws)
    last = 0
    for read in _read(file, kind):
        last = read.source.line
        if isinstance(read, Flaw):
            flaws.append(read)
        else:
            records.append(read)
    # Editors often add an empty line after the last record: it is no flaw (B-47).
    told = (flaw for flaw in flaws if not (flaw.kind is FlawKind.BLANK and flaw.source.line == last))
    in_order = tuple(sorted(told, key=lambda flaw: flaw.source.line))
    unread = not records and any(flaw.kind is FlawKind.UNREADABLE for flaw in file.flaws)
    return None if unread else tuple(records), in_order


def _read(file: CapturedFile, kind: Kind) -> Iterator[Record | Flaw]:
    """What each line of a file holds."""
    values = read_plain_lines(file.text)
    if values is not None:
        for number, value in zip(file.numbers or count(1), values):
            yield record_from(value, kind, Source(file.name, number))
    else:
        for number, raw, ended in file.lines():
            yield record_of(raw, kind, Source(file.name, number), ended=ended)

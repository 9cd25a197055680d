"""Baselines as files: read without trust, written so that the same failures always give the same bytes."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from callproof import limits
from callproof.judge.baseline import NOTHING_DRAWN, Baseline, Drawn, Entry, Failure
from callproof.report.stored import NotStored, stored
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.neighbours import is_there

# The members that an entry must have beside the place of the failure, and all that it may have.
_NEEDED = frozenset({"requirement", "class", "reason"})
_MEMBERS = _NEEDED | {"scenario", "runs", "owner", "expires"}
_PLACES = {"runs": '"runs": "*" for any run of these logs', "scenario": 'the scenario, as in "scenario": "SC-07"'}
_ENTRY = re.compile(r"/known/([0-9]+)")
_NOT_ASCII = re.compile(r"[^\x00-\x7e]")


class BadBaseline(ValueError):
    """A file is no usable baseline; the text says which file, where in it, and what to do."""


def read_baseline(path: Path, *, of_logs: bool = False, unfinished: bool = False, day: str | None = None) -> Baseline:
    """
    The baseline in a file, as it stands on a day.

    With ``of_logs`` its entries must name runs, not scenarios; with ``unfinished`` reasons may be empty;
    ``day`` is today in UTC if it is not given.  Raises BadBaseline.
    """
    entries: dict[Failure, Entry] = {}
    document = _document(path, of_logs=of_logs)
    for number, told in enumerate(document["known"], start=1):
        entry = _entry(told, of_logs=of_logs, where=f"{path}: entry {number}")
        named = f"{path}: entry {number}, {entry.failure.requirement} in {entry.failure.place},"
        if entry.failure in entries:
            raise BadBaseline(f"{named} is listed twice; keep one")
        if not entry.reason and not unfinished:
            raise BadBaseline(f"{named} has no reason; write why it is accepted for now, or where it is being fixed")
        entries[entry.failure] = entry
    read = Baseline(tuple(entries.values()), of_logs=of_logs, drawn=_drawn(document.get("generated")))
    return read.on(day or datetime.now(UTC).date().isoformat())


def refuse_unwritable(path: Path) -> None:
    """Raises BadBaseline if a file cannot be written: checked early, since a long run writes it only at its end."""
    folder = path.absolute().parent
    try:
        stands = is_there(path)
    except OSError as error:
        raise BadBaseline(f"{path} cannot be written: {error.strerror}") from None
    if path.is_dir():
        raise BadBaseline(f"{path} is a folder; permitted: a file")
    if not folder.is_dir() or not all(os.access(each, os.W_OK) for each in (folder, *([path] if stands else []))):
        raise BadBaseline(f"{path} cannot be written: it or the folder {folder} is read-only, or does not exist")


def _drawn(told: Mapping[str, int] | None) -> Drawn:
    return NOTHING_DRAWN if told is None else Drawn(int(told["seed"]), int(told["cases"]))


def baseline_text(baseline: Baseline) -> str:
    """A baseline as text for a file, its expired entries among the others."""
    entries = sorted((*baseline.entries, *baseline.expired), key=lambda each: each.failure)
    known = [_told(each, of_logs=baseline.of_logs) for each in entries]
    drawn = {} if baseline.drawn == NOTHING_DRAWN else {"generated": asdict(baseline.drawn)}
    text = json.dumps({"baselineVersion": "1.0", **drawn, "known": known}, indent=2, ensure_ascii=False) + "\n"
    # People read and edit the file, so an unprintable character is written as an escape, where people can see it.
    return _NOT_ASCII.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    return found.group() if found.group().isprintable() else json.dumps(found.group())[1:-1]


def _entry(told: Mapping[str, str], *, of_logs: bool, where: str) -> Entry:
    wanted, other = _wanted(of_logs=of_logs)
    if wanted not in told:
        told_of = f"{where}, {told['requirement']}, names {other}, but here an entry names {wanted}"
        raise BadBaseline(f"{told_of}; write {_PLACES[wanted]}")
    expires = told.get("expires")
    if expires is not None and not _is_day(expires):
        raise BadBaseline(
            f"{where}, {told['requirement']}, expires on {expires!r}, which is not a day; write one as 2027-01-31"
        )
    failure = Failure(told["requirement"], told[wanted], told["class"])
    return Entry(failure, told["reason"].strip(), told.get("owner"), expires)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _told(entry: Entry, *, of_logs: bool) -> dict[str, str]:
    failure = entry.failure
    told = {
        "requirement": failure.requirement,
        "runs" if of_logs else "scenario": failure.place,
        "class": failure.message,
        "reason": entry.reason,
    }
    optional = {"owner": entry.owner, "expires": entry.expires}
    return told | {name: value for name, value in optional.items() if value is not None}


def _document(path: Path, *, of_logs: bool) -> Mapping[str, Any]:
    try:
        return stored(path, "baseline", limits.BASELINE_BYTES)
    except NotStored as error:
        if (place := _place_fault(error, of_logs=of_logs)) is not None:
            raise BadBaseline(f"{path}: {place}") from None
        hint = "; --update-baseline writes one" if error.missing else "; expected what --update-baseline writes"
        raise BadBaseline(f"{error}{hint}") from None


def _place_fault(error: NotStored, *, of_logs: bool) -> str | None:
    """What is wrong with an entry that names no place, or both kinds; None if the fault is another one."""
    at = _ENTRY.fullmatch(error.pointer)
    if at is None or not is_object(error.value) or not is_array(known := error.value.get("known")):
        return None
    number, entry = int(at[1]) + 1, known[int(at[1])]
    if not is_object(entry) or set(entry) - _MEMBERS or not _NEEDED.issubset(entry):
        return None
    wanted, other = _wanted(of_logs=of_logs)
    if other in entry:
        return f"entry {number} has both {wanted} and {other}, but here an entry names {wanted}; drop {other}"
    return f"entry {number} does not say where the failure occurs; write {_PLACES[wanted]}"


def _wanted(*, of_logs: bool) -> tuple[str, str]:
    """The member with which an entry names its place, and the one in a baseline of the other kind."""
    return ("runs", "scenario") if of_logs else ("scenario", "runs")

"""A report as JSON Lines, in the shape ``report-line``: for scripts that read line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from callproof.report.dumping import dumped
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_object

_Report = Mapping[str, Any]
# The lists of a report, and the kind of their lines.
_LISTS = {
    "runs": "run",
    "requirements": "requirement",
    "findings": "finding",
    "testimonies": "testimony",
    "timelines": "timeline",
    "tools": "tool",
    "versions": "version",
    "stale": "stale",
    "errors": "error",
}
# The lists that a report always has, even if they are empty.
_ALWAYS = ("runs", "requirements", "findings", "errors")
_END = ("outcome", "exitCode")
# How the first line begins; no other form of a report begins so.
_BEGINNING = b'{"kind"'
# How many characters of an unknown kind an error shows.
_SHOWN = 40


def json_lines(report: _Report) -> str:
    """The report as lines, each with its LF, with every character outside ASCII escaped."""
    return "".join(dumped({"kind": kind, "record": each}) + "\n" for kind, each in _told(report))


def read_report_text(raw: bytes) -> Json:
    """
    The report in the content of a file of JSON or of JSON Lines; the caller checks its shape.

    Raises NotStrictJson, also if the lines were cut off, or if the value has no ``reportVersion``.
    """
    report = _put_together(raw.splitlines()) if raw.startswith(_BEGINNING) else read_json(raw)
    if is_object(report) and "reportVersion" not in report:
        raise _refused("has no reportVersion")
    return report


def _put_together(lines: Sequence[bytes]) -> dict[str, Json]:
    lists: dict[str, list[Json]] = {name: [] for name in _ALWAYS}
    names = {kind: name for name, kind in _LISTS.items()}
    report: dict[str, Json] = {}
    kind = ""
    for number, line in enumerate(lines, 1):
        kind, record = _line(line, number)
        if kind in names:
            lists.setdefault(names[kind], []).append(record)
        elif kind in {"head", "end"} and is_object(record):
            _refuse_another(kind, number, len(lines))
            report |= record
        else:
            permitted = ", ".join(("head", *names, "end"))
            raise _refused(f"has a line {number} of the kind {dumped(kind[:_SHOWN])}; permitted: {permitted}")
    if kind != "end":
        raise _refused(f"was cut off after line {len(lines)}: the last line of a report has the kind end")
    return {**report, **lists}


def _refuse_another(kind: str, number: int, last: int) -> None:
    """Raises NotStrictJson at a second report: two in one file would be read as one with the findings of both."""
    alone = "; keep each report in a file of its own"
    if kind == "head" and number > 1:
        raise _refused(f"has a line {number} of the kind head, which only the first line has{alone}")
    if kind == "end" and number < last:
        raise _refused(f"goes on after line {number}, which is the end of a report{alone}")


def _line(line: bytes, number: int) -> tuple[str, Json]:
    try:
        told = read_json(line)
    except NotStrictJson as error:
        raise _refused(f"has a line {number} that {error.told}") from None
    kind = told.get("kind") if is_object(told) else None
    if not is_object(told) or not isinstance(kind, str) or "record" not in told:
        raise _refused(f"has a line {number} that is not an object with a kind and a record")
    return kind, told["record"]


def _refused(why: str) -> NotStrictJson:
    return NotStrictJson(why, fault="strict")


def _told(report: _Report) -> Iterator[tuple[str, Any]]:
    yield "head", {name: value for name, value in report.items() if name not in _LISTS and name not in _END}
    for name, kind in _LISTS.items():
        for each in report.get(name, ()):
            yield kind, each
    yield "end", {name: report[name] for name in _END}

"""A report as SARIF 2.1.0: findings with their lines, for systems that show them in the files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from callproof.report.dumping import dumped
from callproof.report.escape import safe
from callproof.report.places import Places
from callproof.report.unlisted import unlisted
from callproof.report.words import NOT_IN_FULL, meaning
from callproof.spec.registry import Specification
from callproof.values.counts import counted

_Report = Mapping[str, Any]
_LEVELS = {"MUST": "error", "SHOULD": "warning", "MAY": "note"}
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# In a SARIF message brackets make links, braces placeholders, and a backslash escapes (3.11.5 and 3.11.6).
_LINKS = re.compile(r"([\\\[\]])")
_BRACES = re.compile(r"([{}])")
_NOTES_SHOWN = 1_000


def sarif(report: _Report, spec: Specification, root: Path) -> str:
    """The report as SARIF text; paths below ``root`` are relative to it.  The same report gives the same bytes."""
    names = dict.fromkeys(each["requirement"] for each in report["findings"])
    rules = {name: place for place, name in enumerate(names)}
    places = Places(report, root)
    suite, _, version = report["suite"].partition(" ")
    driver = {
        "name": safe(suite),
        "version": safe(version),
        "rules": [_rule(name, report, spec) for name in names],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [_invocation(report)],
        "results": [_result(each, rules[each["requirement"]], places) for each in report["findings"]],
        "columnKind": "unicodeCodePoints",
        "properties": {"outcome": report["outcome"], "subject": safe(report["subject"]["name"], most=2_000)},
    }
    return dumped({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(name: str, report: _Report, spec: Specification) -> dict[str, Any]:
    requirement = spec.requirements.get(name)
    if requirement is None:  # a report of another version
        return {"id": name}
    return {
        "id": name,
        "shortDescription": message(requirement.title),
        "fullDescription": message(requirement.sentence),
        "help": message(f"{requirement.place}; callproof explain {name}"),
        "defaultConfiguration": {"level": _LEVELS[requirement.level.value]},
    }


def _result(finding: _Report, rule: int, places: Places) -> dict[str, Any]:
    located = [_location(finding["run"], each, places) for each in finding["witness"]]
    told = {
        "ruleId": finding["requirement"],
        "ruleIndex": rule,
        "level": _LEVELS[finding["level"]],
        "message": message("; ".join((finding["observed"], *finding["because"]))),
        "locations": located[:1] or [{"logicalLocations": [{"fullyQualifiedName": safe(finding["run"])}]}],
        "partialFingerprints": {"callproofFinding/v1": _fingerprint(finding)},
        "properties": {"run": safe(finding["run"]), **_more(finding)},
    }
    if located[1:]:
        told["relatedLocations"] = [{"id": place, **each} for place, each in enumerate(located[1:], start=1)]
    if "known" in finding:
        told["suppressions"] = [{"kind": "external", "justification": safe(finding["known"])}]
    return told


def _more(finding: _Report) -> dict[str, Any]:
    told = {name: safe(finding[name]) for name in ("permitted", "class", "tool", "help") if name in finding}
    if (cause := finding.get("followsFrom")) is not None:
        told["followsFrom"] = safe(f"{cause['requirement']} at {cause['file']}:{cause['line']}")
    return told


def _location(run: str, witness: _Report, places: Places) -> dict[str, Any]:
    """The location of a witness: a record as a place in a file, a message of a live run as a name."""
    uri = places.uri(run, witness["file"])
    said = message(f"{witness['name']}: {witness['says']}")
    if uri is None:
        named = safe(f"{run}, message {witness['line']}")
        return {"logicalLocations": [{"fullyQualifiedName": named}], "message": said}
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": max(1, witness["line"])}}
    return {"physicalLocation": place, "message": said}


def _fingerprint(finding: _Report) -> str:
    """A hash that identifies a finding in the next report: a log only grows, and its lines keep their numbers."""
    first = finding["witness"][0] if finding["witness"] else {"file": "", "line": 0}
    parts = (*(str(finding[name]) for name in ("requirement", "class", "run")), str(first["file"]), str(first["line"]))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _invocation(report: _Report) -> dict[str, Any]:
    told: dict[str, Any] = {
        "executionSuccessful": report["exitCode"] in {0, 1},
        "exitCode": report["exitCode"],
        "exitCodeDescription": meaning(report),
    }
    notes = [*_notifications(report)]
    if notes:
        rest = len(notes) - _NOTES_SHOWN
        more = _notified("note", [f"{counted(rest, 'more note')}, which the JSON report lists"] if rest > 0 else ())
        told["toolExecutionNotifications"] = [*notes[:_NOTES_SHOWN], *more]
    if "stale" in report:
        told["toolConfigurationNotifications"] = _notified(
            "error" if report["exitCode"] else "warning", report["stale"]
        )
    return told


def _notifications(report: _Report) -> Iterator[dict[str, Any]]:
    yield from _notified("error", report["errors"])
    left = unlisted(report).items()
    yield from _notified(
        "note", [f"{counted(n, 'more finding')} of {name}, which the report does not list" for name, n in left]
    )
    for run in report["runs"]:
        level = "warning" if run["outcome"] in NOT_IN_FULL else "note"
        yield from _notified(level, [f"{run['name']}: {note}" for note in run["notes"]])


def _notified(level: str, texts: Sequence[str]) -> list[dict[str, Any]]:
    return [{"level": level, "message": message(each)} for each in texts]


def message(text: str) -> dict[str, str]:
    """Outside text as a SARIF message, escaped so that nothing in it is a link or a placeholder."""
    return {"text": _BRACES.sub(r"\1\1", _LINKS.sub(r"\\\1", safe(text, most=2_000)))}

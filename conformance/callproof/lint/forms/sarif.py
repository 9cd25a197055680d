"""Findings as SARIF 2.1.0, each with its region, for the systems that show them beside the code."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from callproof.lint.forms.report import Report
from callproof.lint.forms.words import sentence_on_the_tool
from callproof.report.escape import safe
from callproof.report.places import reference, seen_from
from callproof.report.sarif import SCHEMA, message

_LEVELS = {"error": "error", "warning": "warning", "note": "note"}
_MEANINGS = {0: "no finding fails the run", 1: "findings", 2: "something could not be checked"}


def rendered(told: Report, root: Path) -> str:
    """The report as SARIF text, with paths below ``root`` relative to it.  The same report gives the same bytes."""
    suite, _, version = told["suite"].partition(" ")
    numbers = {each["id"]: number for number, each in enumerate(told["rules"])}
    results = [_result(each, numbers, root) for each in told["findings"]]
    suppressed = [
        {**_result(each, numbers, root), "suppressions": [{"kind": "external", "justification": safe(each["reason"])}]}
        for each in told["suppressed"]
    ]
    run = {
        "tool": {
            "driver": {"name": safe(suite), "version": safe(version), "rules": [_rule(each) for each in told["rules"]]}
        },
        "invocations": [_invocation(told)],
        "results": [*results, *suppressed],
        "columnKind": "unicodeCodePoints",
        "properties": {"outcome": told["outcome"], "tools": told["tools"], "profiles": told["profiles"]},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=True) + "\n"


def _rule(rule: Report) -> dict[str, Any]:
    return {
        "id": rule["id"],
        "shortDescription": message(rule["title"]),
        "fullDescription": message(rule["says"]),
        "help": message(f"{rule['why']} ({rule['source']}; callproof explain {rule['id']})"),
        "properties": {"level": rule["level"], "certainty": rule["certainty"]},
    }


def _result(finding: Report, numbers: dict[str, int], root: Path) -> dict[str, Any]:
    told: dict[str, Any] = {
        "ruleId": finding["rule"],
        "level": _LEVELS[finding["severity"]],
        "message": message(sentence_on_the_tool(finding)),
        "locations": [_location(finding, root)],
        "partialFingerprints": {"callproofLint/v1": _fingerprint(finding)},
        "properties": {name: safe(finding[name]) for name in ("tool", "pointer", "help", "unknown") if name in finding},
    }
    if finding["rule"] in numbers:
        told["ruleIndex"] = numbers[finding["rule"]]
    return told


def _location(finding: Report, root: Path) -> dict[str, Any]:
    """A file with its region; a finding from a live source only has a name."""
    logical = [{"fullyQualifiedName": safe(f"{finding['tool']}{finding['pointer']}", most=2_000)}]
    if not finding["onDisk"]:
        return {"logicalLocations": logical}
    region = {
        "startLine": finding["line"],
        "startColumn": finding["column"],
        "endLine": finding["endLine"],
        "endColumn": finding["endColumn"],
    }
    uri = reference(seen_from(root, Path(finding["file"])))
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}, "logicalLocations": logical}


def _fingerprint(finding: Report) -> str:
    """What identifies a finding even after lines have moved: its rule, its tool, its file, and its place within."""
    parts = (finding["rule"], finding["tool"], finding["file"], finding["pointer"])
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _invocation(told: Report) -> dict[str, Any]:
    invocation: dict[str, Any] = {
        "executionSuccessful": told["exitCode"] != 2,
        "exitCode": told["exitCode"],
        "exitCodeDescription": _MEANINGS[told["exitCode"]],
    }
    if told["problems"]:
        invocation["toolExecutionNotifications"] = [
            {"level": "error", "message": message(each)} for each in told["problems"]
        ]
    return invocation

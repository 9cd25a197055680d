"""Findings as the Code Quality report that GitLab shows in a merge request."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from callproof.lint.forms.report import Report
from callproof.lint.forms.words import sentence_on_the_tool
from callproof.report.escape import safe
from callproof.report.places import seen_from

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def rendered(told: Report, root: Path) -> str:
    """The findings as a JSON array.  What could not be checked is an issue too, since the format has no other place."""
    issues = [_issue(each, root) for each in told["findings"]]
    issues += [_problem(each) for each in told["problems"]]
    seen: dict[str, int] = {}
    for each in issues:
        # No two issues of a report share a fingerprint.
        number = seen[each["fingerprint"]] = seen.get(each["fingerprint"], 0) + 1
        each["fingerprint"] = _hashed(each["fingerprint"], str(number)) if number > 1 else each["fingerprint"]
    return json.dumps(issues, indent=2, ensure_ascii=True) + "\n"


def _issue(finding: Report, root: Path) -> dict[str, Any]:
    return {
        "description": safe(sentence_on_the_tool(finding), most=2_000),
        "check_name": finding["rule"],
        "fingerprint": _hashed(finding["rule"], finding["tool"], finding["file"], finding["pointer"]),
        "severity": _SEVERITIES[finding["severity"]],
        "location": {
            "path": safe(seen_from(root, Path(finding["file"])), most=4_096),
            "lines": {"begin": finding["line"], "end": finding["endLine"]},
        },
    }


def _problem(says: str) -> dict[str, Any]:
    return {
        "description": safe(says),
        "check_name": "callproof",
        "fingerprint": _hashed("problem", says),
        "severity": "critical",
        "location": {"path": ".", "lines": {"begin": 1, "end": 1}},
    }


def _hashed(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

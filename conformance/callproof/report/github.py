"""A report as annotations in the log of a GitHub workflow: commands on lines of their own.

Text from a log or a system stays inside its command: a line break or a colon in it does not begin another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from callproof.report.alike import Alike, alike
from callproof.report.escape import safe
from callproof.report.places import Places
from callproof.report.unlisted import unlisted
from callproof.report.weight import weight
from callproof.report.words import meaning
from callproof.spec.registry import Specification
from callproof.values.counts import counted

_Report = Mapping[str, Any]
# A workflow shows ten annotations of each kind, and nobody reads the hundredth.
_SHOWN = 50


def workflow_commands(report: _Report, spec: Specification, root: Path) -> str:
    """The commands, a line each: first findings that fail, then advice, then known findings, and the outcome last."""
    return "\n".join(_lines(report, spec, Places(report, root))) + "\n"


def _lines(report: _Report, spec: Specification, places: Places) -> Iterator[str]:
    groups = [each for each in alike(report) if not each.follows]
    groups.sort(key=lambda each: ("error", "warning", "notice").index(_level(each.shown, report)))
    whole = [("error", each) for each in report["errors"]]
    whole += [("error" if report["exitCode"] else "warning", each) for each in report.get("stale", ())]
    for kind, says in whole[:_SHOWN]:
        yield command(kind, {"title": "callproof"}, says)
    for group in groups[:_SHOWN]:
        yield _finding(group, report, spec, places)
    judged = counted(len(report["runs"]), "case" if report["subject"]["kind"] == "system" else "run")
    left_out = _left_out(report, len(groups) - _SHOWN, len(whole) - _SHOWN)
    told = "; ".join((meaning(report), f"{judged} judged", *left_out))
    yield command("error" if report["exitCode"] else "notice", {"title": "callproof"}, told)


def _left_out(report: _Report, kinds: int, others: int) -> Iterator[str]:
    """How many findings and errors have no annotation."""
    if kinds > 0:
        yield f"{counted(kinds, 'more kind')} of findings in the JSON report"
    if left := sum(unlisted(report).values()):
        yield f"{counted(left, 'more finding')} that the report does not list"
    if others > 0:
        yield f"{counted(others, 'more error')} in the JSON report"


def _finding(group: Alike, report: _Report, spec: Specification, places: Places) -> str:
    finding = group.shown
    law = spec.requirements.get(finding["requirement"])
    title = f"{finding['requirement']} {law.title}" if law is not None else finding["requirement"]
    properties = {"title": title}
    if finding["witness"]:
        first = finding["witness"][0]
        path = places.path(finding["run"], first["file"])
        if path is not None:
            properties = {"file": path, "line": str(max(1, first["line"])), **properties}
    others = f" ({len(group.others)} more like this)" if group.others else ""
    told = f"{finding['observed']}; permitted: {finding['permitted']}; in {finding['run']}{others}"
    return command(_level(finding, report), properties, told)


def _level(finding: _Report, report: _Report) -> str:
    return {"known": "notice", "fail": "error", "broken": "warning", "advice": "warning"}[weight(finding, report)]


def command(name: str, properties: Mapping[str, str], says: str) -> str:
    """One command of a workflow on a line of its own: no text in a value can begin another command."""
    told = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {told}::{_data(safe(says, most=2_000))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(safe(text)).replace(":", "%3A").replace(",", "%2C")

"""A judgement as the ``report`` document of the specification: data, byte-stable, without times of a clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from callproof import __version__
from callproof.judge.baseline import class_of
from callproof.judge.capping import Kept
from callproof.judge.judgement import JudgedRun, Judgement
from callproof.judge.judging import Located, Result, Root
from callproof.judge.verdicts import Verdict
from callproof.report.dumping import dumped
from callproof.values.jsontext import Json
from callproof.values.made import Made

REPORT_VERSION = "1.0"


def document(judgement: Judgement, *, in_full: bool = True) -> dict[str, Json]:
    """
    The report on a judgement, in the shape ``report``.

    Without ``in_full`` its runs are made one by one when they are read: there may be millions, and a text for people
    names few of them.
    """
    outcome = judgement.outcome
    told: dict[str, Json] = {
        "reportVersion": REPORT_VERSION,
        "suite": f"callproof {__version__}",
        "subject": _subject(judgement),
        "outcome": outcome.says,
        "exitCode": judgement.exit_code,
        **_chosen(judgement),
        "runs": [_run(run) for run in judgement.runs] if in_full else Made(judgement.runs, _run),
        "requirements": [_requirement(judgement, result) for result in judgement.results.values()],
        "findings": [each for result in judgement.results.values() for each in _findings(judgement, result)],
        "errors": list(judgement.all_errors),
    }
    told.update(_audited(judgement))
    if judgement.testimonies:
        told["testimonies"] = list(judgement.testimonies)
    return {**told, "stale": list(judgement.stale)} if judgement.stale else told


def json_text(report: dict[str, Json]) -> str:
    """A report as text for a file or a pipe: every character outside ASCII escaped, one LF at the end."""
    return dumped(report, indent=2) + "\n"


def finding_document(
    result: Result, located: Located, reason: str | None = None, replay: str | None = None
) -> dict[str, Json]:
    """
    One finding, in the shape ``finding``.

    ``reason`` is why it may stand for now, if a baseline lists it; ``replay`` is the command that plays its case again.
    """
    finding = located.finding
    told: dict[str, Json] = {
        "requirement": result.requirement.id,
        "level": result.requirement.level.value,
        "run": located.run,
        "class": class_of(located),
        "observed": finding.observed,
        "permitted": finding.permitted,
        "witness": [
            {"name": each.name, "says": each.says, "file": each.source.file, "line": each.source.line}
            for each in finding.witness
        ],
        "because": list(finding.because),
    }
    if located.tool is not None:
        told["tool"] = located.tool
    if located.call is not None:
        told["call"] = located.call
    if finding.help is not None:
        told["help"] = finding.help
    if located.root is not None:
        told["followsFrom"] = _root(located.root)
    if replay is not None:
        told["replay"] = replay
    if reason is not None:
        told["known"] = reason or "(no reason is given yet)"
    return told


def _chosen(judgement: Judgement) -> dict[str, Json]:
    """What the user chose: which findings fail, and what was left out."""
    told: dict[str, Json] = {}
    if judgement.lenient or judgement.strict:
        told["failOn"] = "never" if judgement.lenient else "should"
    chosen = judgement.selection
    if chosen.left_out:
        left_out: list[Json] = list(chosen.left_out)
        told["selection"] = {"select": list(chosen.select), "ignore": list(chosen.ignore), "leftOut": left_out}
    return told


def _audited(judgement: Judgement) -> dict[str, Json]:
    """What an audit adds to its verdicts."""
    told: dict[str, Json] = {}
    counts = judgement.counts
    if judgement.timelines:
        told["timelines"] = list(judgement.timelines)
    if counts.tools:
        told["tools"] = [_without_none(asdict(each)) for each in counts.tools]
    if counts.versions:
        told["versions"] = [_without_none(asdict(each)) for each in counts.versions]
    return told


def _without_none(told: dict[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in told.items() if value is not None}


def _run(run: JudgedRun) -> dict[str, Json]:
    told: dict[str, Json] = {"name": run.name, "outcome": run.outcome.value, "notes": list(run.notes)}
    return told if run.folder is None else {**told, "folder": run.folder}


def _root(root: Root) -> dict[str, Json]:
    place: dict[str, Json] = {"requirement": root.requirement, "file": root.source.file, "line": root.source.line}
    return {**place, "because": root.because}


def _subject(judgement: Judgement) -> dict[str, Json]:
    subject = judgement.subject
    told: dict[str, Json] = {"kind": subject.kind, "name": subject.name}
    if subject.implementation is not None:
        told["implementation"] = subject.implementation
    if subject.claims is not None:
        told["claims"] = list(subject.claims)
        told["leftOut"] = _left_out(judgement)
    if subject.notes:
        told["notes"] = list(subject.notes)
    return told


def _left_out(judgement: Judgement) -> list[Json]:
    """The features that are not claimed, and how many requirements are not judged because each is missing."""
    unclaimed: dict[str, int] = {}
    claimed = judgement.subject.claims or ()
    for result in judgement.results.values():
        for feature in result.requirement.features:
            if feature not in claimed:
                unclaimed[feature] = unclaimed.get(feature, 0) + (result.verdict is Verdict.INAPPLICABLE)
    return [{"feature": name, "requirements": number} for name, number in sorted(unclaimed.items())]


def _requirement(judgement: Judgement, result: Result) -> dict[str, Json]:
    return {
        "id": result.requirement.id,
        "level": result.requirement.level.value,
        "verdict": result.verdict.value,
        "exercised": result.exercised,
        "runs": result.runs,
        "findings": len(result.findings) + result.more,
        "required": result.requirement.id in judgement.required,
        "missing": list(result.missing),
    }


def _findings(judgement: Judgement, result: Result) -> Iterator[dict[str, Json]]:
    for located in Kept(result.findings).findings:
        replay = judgement.replays.get((result.requirement.id, located.run))
        yield finding_document(result, located, judgement.reason(result, located), replay)

"""A statement as files by path, made only from the raw records, so that anybody can make it again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import cast

from callproof.judge.baseline import Entry
from callproof.judge.judgement import Judgement, Outcome, RunOutcome
from callproof.replay.codec import to_json
from callproof.report.document import document
from callproof.spec.registry import SPEC_VERSION
from callproof.statement.matter import STATEMENT, SYSTEM, TEXT, Files, Matter, NoStatement, System
from callproof.statement.text import statement_text
from callproof.values.jsontext import Json


def files_of(matter: Matter, system: System, records: Files) -> Files:
    """Every file of a statement; ``records`` holds the files of the records by path.  Raises NoStatement."""
    told = {**records, SYSTEM: _system_text(system)}
    return {**told, **stated(matter, system, told)}


def _system_text(system: System) -> bytes:
    return (json.dumps(to_json(system), indent=2, ensure_ascii=True) + "\n").encode("ascii")


def stated(matter: Matter, system: System, records: Files) -> Files:
    """
    ``statement.json`` and ``statement.md``, made from the records.

    ``records`` holds the files of the records by path, including ``records/system.json``.  Raises NoStatement.
    """
    if records.get(SYSTEM) != _system_text(system):
        raise NoStatement(f"{SYSTEM} is not as the suite writes it")
    if system.lacks not in ((), matter.dispensable):
        raise NoStatement(f"{SYSTEM} lists under lacks what no case needs: {', '.join(system.lacks)}")
    if unreasoned := [each.failure for each in system.known if not each.reason.strip()]:
        unsaid = f"{unreasoned[0].requirement} in {unreasoned[0].place}"
        raise NoStatement(
            f"{unsaid} is a known failure without a reason; write in the baseline why it is accepted for now"
        )
    told = _document(matter, matter.judged(system, records), system, records)
    text = json.dumps(told, indent=2, ensure_ascii=True) + "\n"
    return {STATEMENT: text.encode("ascii"), TEXT: statement_text(told, matter).encode("utf-8")}


def _document(matter: Matter, judgement: Judgement, system: System, records: Files) -> dict[str, Json]:
    report = document(judgement)
    if judgement.outcome in {Outcome.ERROR, Outcome.INTERRUPTED}:
        raise NoStatement("; ".join(judgement.all_errors))
    subject = cast("Mapping[str, Json]", report["subject"])
    return {
        "statementVersion": "1.0",
        "specVersion": SPEC_VERSION,
        "suite": system.suite,
        **({} if system.protocol is None else {"protocol": system.protocol}),
        "system": system.name,
        "claims": subject["claims"],
        "leftOut": subject["leftOut"],
        **({"lacks": list(system.lacks)} if system.lacks else {}),
        "strict": system.strict,
        "outcome": judgement.outcome.says,
        **({} if system.run_outcome is None else {"runOutcome": system.run_outcome}),
        "notProven": [each.requirement.id for each in judgement.unproven],
        "refused": [each.name for each in judgement.runs if each.outcome in {RunOutcome.REFUSED, RunOutcome.UNREAD}],
        "known": [_entry_told(each, matter.place) for each in system.known],
        "requirements": [
            {name: each[name] for name in ("id", "level", "verdict", "runs", "exercised")}
            for each in cast("list[Mapping[str, Json]]", report["requirements"])
        ],
        "files": [
            {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for path, content in sorted(records.items())
        ],
    }


def _entry_told(entry: Entry, place: str) -> dict[str, Json]:
    """One entry of a baseline, as a file holds it."""
    failure = entry.failure
    told = {"requirement": failure.requirement, place: failure.place}
    return {**told, "class": failure.message, "reason": entry.reason}

"""``callproof show``: one run or one call of a captured log, told as a story.

Finds the run or call that is meant; for a name that means nothing, it says the nearest one.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import Any

from callproof import limits
from callproof.auditing.audited import Rules
from callproof.auditing.masking import Masking
from callproof.auditing.one_run import audit_run
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.inputs import FoundRun, inputs_at
from callproof.auditlog.reader import run_of
from callproof.commands.usage import WrongUsage
from callproof.judge.judging import Results
from callproof.report.document import finding_document
from callproof.report.story import Story, call_story, run_story, unbuilt_story
from callproof.trace.run import Run
from callproof.values.counts import counted

_LISTED = 5


@dataclass(frozen=True, slots=True)
class Shown:
    """A story with the findings that are about it, in the shape ``finding``, and the outcome of its run."""

    story: Story
    findings: tuple[dict[str, Any], ...]
    verdict: str


def show(path: Path, run: str | None, call: str | None, rules: Rules) -> Shown:
    """
    The story of a run, or of one call of it.

    Raises NothingToJudge for a path without a log, and WrongUsage for a name or an id that means nothing there, or if
    one of several runs has to be named.
    """
    captured = _captured(_runs(path), path, run, call)
    known = run_of(captured, rules.tools)
    story = run_story(known) if call is None else _of_call(known, call)
    audited = audit_run(captured, replace(rules, fast_path=False))
    findings = tuple(_about(audited.broken, story))
    return Shown(story if rules.show_values else story.retold(Masking(known).text), findings, audited.run.outcome.value)


def _runs(path: Path) -> Iterator[FoundRun]:
    return chain.from_iterable(each.runs() for each in inputs_at((path,)))


def _captured(runs: Iterator[FoundRun], path: Path, name: str | None, call: str | None) -> CapturedRun:
    """The run that is meant: by its name, else the only one, else the one that has the call."""
    if name is not None:
        return _named(runs, path, name)
    first = list(islice(runs, 2))
    if len(first) == 1:
        return first[0].captured()
    if call is not None:
        return _with_call(_namesake_first(chain(first, runs), path), path, call)
    names = [each.name for each in islice(chain(first, runs), _LISTED)]
    raise WrongUsage(
        f"{path} holds more than one run; name one with --run, such as {', '.join(names)}, or a call with --call"
    )


def _named(runs: Iterable[FoundRun], path: Path, name: str) -> CapturedRun:
    above = (path, path.absolute())
    known: list[str] = []
    alike: FoundRun | None = None
    for each in runs:
        if each.name == name:
            return each.captured()
        if alike is None and _is_called(each, above, name):
            alike = each
        if len(known) < limits.NAMES_SOUGHT:
            known.append(each.name)
    if alike is not None:
        return alike.captured()
    raise WrongUsage(f"{path} holds no run {name!r} among {counted(len(known), 'run')}{_nearest(name, known)}")


def _is_called(run: FoundRun, above: Iterable[Path], name: str) -> bool:
    """Whether an audit of these paths, or of folders above them, gives the run this name: the end of its own path."""
    wanted = PurePath(name).parts
    return any((path / run.name).parts[-len(wanted) :] == wanted for path in above)


def _namesake_first(runs: Iterable[FoundRun], path: Path) -> Iterator[FoundRun]:
    """The runs, first the one that has the name of the folder: a report uses one name for both."""
    own = [each for each in _runs(path) if each.name == path.name] if path.is_dir() else []
    yield from own
    yield from (each for each in runs if not own or each.name != path.name)


def _with_call(runs: Iterable[FoundRun], path: Path, call: str) -> CapturedRun:
    sought = call.encode("utf-8", "surrogateescape")
    looked_at = 0
    for each in runs:
        looked_at += 1
        captured = each.captured()
        if any(sought in file.text for file in captured.files.values()) and call in _call_ids(run_of(captured)):
            return captured
    raise WrongUsage(
        f"none of the {counted(looked_at, 'run')} in {path} has a call {call!r}; --run names a run to look in"
    )


def _call_ids(run: Run) -> list[str]:
    return list(dict.fromkeys(each.call_id for each in (*run.calls, *run.results) if each.call_id is not None))


def _of_call(run: Run, call: str) -> Story:
    attempt = run.attempt_by_call_id.get(call)
    if attempt is not None:
        return call_story(run, attempt)
    unbuilt = next((each for each in run.unbuilt if each.call_id == call), None)
    if unbuilt is not None:
        return unbuilt_story(run, unbuilt)
    known = _call_ids(run)
    raise WrongUsage(f"run {run.name} has no call {call!r} among {counted(len(known), 'call')}{_nearest(call, known)}")


def _nearest(wanted: str, known: Iterable[str]) -> str:
    # A name that contains the wanted one is nearer than a similar name.
    names = list(known)
    inside = [each for each in names if wanted and wanted in each]
    nearest = inside[:1] or difflib.get_close_matches(wanted, names, n=1, cutoff=0.3)
    if nearest:
        return f"; the nearest is {nearest[0]}"
    return f"; there {'is' if len(names) == 1 else 'are'} {_some(names)}" if names else ""


def _some(names: list[str]) -> str:
    """The first few of many names."""
    return ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")


def _about(results: Results, story: Story) -> Iterator[dict[str, Any]]:
    """The findings with a record of the story in their witness; first those that follow from no other finding."""
    found = [(result, each) for result in results.values() for each in result.findings]
    for result, located in sorted(found, key=lambda row: row[1].root is not None):
        sources = {each.source for each in located.finding.witness}
        if story.about is None or sources & story.about:
            yield finding_document(result, located)

"""A report for a person at a terminal: the outcome first, then what proves it.

Made from the report document and the specification, so that it says nothing that
the document does not say.  Colour is for terminals only; the words alone say everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from callproof.report.escape import safe
from callproof.report.next_step import case_line, next_step
from callproof.report.roots import Place, Roots, place
from callproof.report.testimony_text import side_by_side, wire_lines
from callproof.report.unlisted import unlisted, where_listed
from callproof.report.weight import weight
from callproof.report.words import NOT_IN_FULL, choices, meaning
from callproof.spec.registry import Specification
from callproof.values.counts import counted

_STYLES = {
    "conforms": "bold green",
    "consistent": "bold green",
    "known failures": "bold yellow",
    "incomplete": "bold yellow",
    "violations": "bold red",
    "stale baseline": "bold red",
    "not proven": "bold red",
    "nothing judged": "bold red",
    "error": "bold magenta",
    "interrupted": "bold magenta",
}
_SHOWN_PER_REQUIREMENT = 3
_UNDECIDED_SHOWN = 12
_FOLLOWING_SHOWN = 6
_NOTES_SHOWN = 20
_FIRST_NOTED = NOT_IN_FULL | {"error"}
# Evidence that no log has.
_LIVE = frozenset({"deeds", "world", "other runs", "audit log"})
_Report = Mapping[str, Any]
_NO_CHOICE: _Report = {}


def write(report: _Report, spec: Specification, console: Console) -> None:
    """Print a report."""
    for line in lines(report, spec):
        # A pipe gets whole lines, so that a search finds them; a terminal gets them folded at its width.
        console.print(line, soft_wrap=not console.is_terminal, highlight=False)


def lines(report: _Report, spec: Specification) -> Iterator[Text]:
    """The lines of a report, styled; all text from outside in them is escaped."""
    yield from _head(report)
    yield from _groups(report)
    yield from _all_findings(report, spec)
    yield from _stale(report)
    yield from _errors(report)
    yield from _unproven(report)
    yield from _undecided(report)
    yield from _foot(report)


def finding_lines(
    finding: _Report, spec: Specification, report: _Report = _NO_CHOICE, *, from_a_file: bool = False
) -> Iterator[Text]:
    """
    The lines of one finding: what was observed, what is permitted, the witness, the law, a next step.

    With ``from_a_file`` the case is already saved, so no line says how to save it.
    """
    requirement = spec.requirements.get(finding["requirement"])
    title = requirement.title if requirement else ""
    verdict = weight(finding, report)
    yield Text.assemble(
        (finding["requirement"], "bold red" if verdict == "fail" else "bold yellow"),
        f"  {verdict}  ",
        (title, "bold"),
        (f"   {safe(finding['run'])}", "dim"),
    )
    yield Text(f"  {safe(finding['observed'])}")
    yield Text.assemble(("  permitted  ", "dim"), safe(finding["permitted"]))
    if "known" in finding:
        yield Text.assemble(("  known      ", "dim"), safe(finding["known"]))
    if finding["witness"]:
        yield Text("  Let:", style="dim")
    width = max((len(safe(each["name"])) for each in finding["witness"]), default=0)
    for each in finding["witness"]:
        place = f"{each['file']}:{each['line']}"
        yield Text.assemble(f"    {safe(each['name']):<{width}} = {safe(each['says'])}   ", (safe(place), "cyan"))
    if finding["because"]:
        yield Text("  Then:", style="dim")
    for reason in finding["because"]:
        yield Text(f"    - {safe(reason)}")
    if requirement is not None:
        yield Text.assemble(("  law   ", "dim"), requirement.sentence)
        yield Text(f"        {requirement.place} · callproof explain {requirement.id}", style="dim")
    if "help" in finding:
        yield Text.assemble(("  help  ", "dim"), safe(finding["help"]))
    if report.get("subject", {}).get("kind") != "log":
        yield from case_line(finding, is_kept=from_a_file or "replay" in finding)
    if "replay" in finding:
        yield Text.assemble(("  replay  ", "dim"), safe(finding["replay"]))


def _head(report: _Report) -> Iterator[Text]:
    subject, runs = report["subject"], report["runs"]
    what = "case" if subject["kind"] == "system" else "run"
    named = safe(subject["name"])
    if "implementation" in subject:
        named = f"{safe(subject['implementation'])} through {named}"
    yield Text.assemble((safe(report["suite"]), "bold"), f"  {named}")
    yield Text.assemble((meaning(report), _STYLES[report["outcome"]]), f"  ({counted(len(runs), what)} judged)")
    yield from _claims(subject)
    for each in choices(report):
        yield Text(f"  {safe(each, most=2_000)}", style="yellow")
    yield Text()
    yield from _noted(runs)


def _noted(runs: Sequence[_Report]) -> Iterator[Text]:
    """The notes on runs, each with the first run that has it; those on runs that were not judged in full come first."""
    noted = [run for run in runs if run["notes"]]  # no list of all runs, of which there may be millions
    first: dict[str, str] = {}
    having = Counter[str]()
    for run in sorted(noted, key=lambda run: run["outcome"] not in _FIRST_NOTED):
        for note in run["notes"]:
            first.setdefault(note, run["name"])
            having[note] += 1
    for note in list(first)[:_NOTES_SHOWN]:
        more = f" and {counted(having[note] - 1, 'more run')}" if having[note] > 1 else ""
        yield Text(f"  note  {safe(first[note])}{more}: {safe(note)}", style="yellow")
    if (rest := len(first) - _NOTES_SHOWN) > 0:
        yield Text(f"  and {counted(rest, 'more note')}, which a report in JSON lists", style="yellow")


def _claims(subject: _Report) -> Iterator[Text]:
    """The gaps in the claim, which cause the verdict inapplicable, and notes on it."""
    if gaps := subject.get("leftOut"):
        told = ", ".join(f"{safe(gap['feature'])} ({counted(gap['requirements'], 'requirement')})" for gap in gaps)
        yield Text(f"  not claimed, and so not judged: {told}", style="yellow")
    for note in subject.get("notes", ()):
        whose = "the system " if subject["kind"] == "system" else ""
        yield Text(f"  note  {whose}{safe(note)}", style="yellow")


def _groups(report: _Report) -> Iterator[Text]:
    groups: dict[str, Counter[str]] = {}
    for each in report["requirements"]:
        groups.setdefault(each["id"].rpartition("-")[0], Counter())[each["verdict"]] += 1
    styles = {"pass": "green", "fail": "red", "inconclusive": "yellow", "inapplicable": "dim", "error": "magenta"}
    for group, verdicts in groups.items():
        told: list[tuple[str, str]] = []
        for verdict, style in styles.items():
            if verdicts[verdict]:
                told.append((f"{verdicts[verdict]} {verdict}", style))
                told.append(("  ", ""))
        yield Text.assemble(f"  {safe(group):<6}", *told)
    yield Text()


def _all_findings(report: _Report, spec: Specification) -> Iterator[Text]:
    roots = Roots(report)
    following = _following(report, roots)
    grouped = _by_requirement(report, roots)
    shown = {name: findings[:_SHOWN_PER_REQUIREMENT] for name, findings in grouped.items()}
    left = _not_shown(report, shown, following)
    nowhere = unlisted(report)
    folders = {each["name"]: each["folder"] for each in report["runs"] if "folder" in each}
    testimonies = {each["run"]: each for each in report.get("testimonies", ())}
    # What has to be fixed comes before advice.
    for name, findings in sorted(shown.items(), key=lambda row: any(each["level"] != "MUST" for each in row[1])):
        for finding in findings:
            yield from finding_lines(finding, spec, report)
            yield from _hence(following.pop(place(finding), []))
            yield from next_step(finding, folders)
            yield Text()
            yield from _testimony(finding, grouped[name], testimonies)
        if left[name] > 0:
            more = f"… and {counted(left[name], 'more finding')} of {name}"
            told = more if findings else f"{counted(left[name], 'finding')} of {name}, not shown here"
            yield Text(f"  {told}; {where_listed(nowhere.get(name, 0))}", style="dim")
            yield Text()


def _by_requirement(report: _Report, roots: Roots) -> dict[str, list[_Report]]:
    """The findings shown by themselves, by requirement; a list is empty if all of its findings follow from others."""
    found: dict[str, list[_Report]] = {each["requirement"]: [] for each in report["findings"]}
    for each in report["findings"]:
        if not roots.has(each):
            found[each["requirement"]].append(each)
    return found


def _not_shown(
    report: _Report, shown: Mapping[str, Sequence[_Report]], following: Mapping[Place, Sequence[_Report]]
) -> Counter[str]:
    """How many findings of each requirement are neither shown nor mentioned as following from one that is."""
    left = Counter({each["id"]: each["findings"] for each in report["requirements"]})
    told = [each for findings in shown.values() for each in findings]
    left.subtract(each["requirement"] for each in told)
    # Several findings may have the same place, and what follows from them is mentioned once.
    for here in {place(each) for each in told}:
        left.subtract(each["requirement"] for each in following.get(here, ()))
    return left


def _following(report: _Report, roots: Roots) -> dict[Place, list[_Report]]:
    """The findings that are mentioned with each finding shown by itself."""
    found: dict[Place, list[_Report]] = {place(each): [] for each in report["findings"] if not roots.has(each)}
    for each in report["findings"]:
        if roots.has(each):
            found[roots.of(each)].append(each)
    return found


def _hence(findings: Sequence[_Report]) -> Iterator[Text]:
    """What follows from a finding, in one line."""
    if findings:
        # One law may be broken in two ways at one place.
        found = Counter(f"{each['requirement']} at {':'.join(place(each)[2:])}" for each in findings)
        named = [f"{place} ({times})" if times > 1 else place for place, times in found.items()]
        rest = sum(list(found.values())[_FOLLOWING_SHOWN:])
        more = f" and {counted(rest, 'more finding')}; the JSON report lists them" if rest > 0 else ""
        yield Text.assemble(("  hence  ", "dim"), safe(", ".join(named[:_FOLLOWING_SHOWN])), more)


def _testimony(finding: _Report, findings: list[_Report], testimonies: dict[str, _Report]) -> Iterator[Text]:
    """The testimony around a finding, only for the first finding of each scenario."""
    if finding["run"] not in testimonies:
        return
    scenario = finding["run"].partition("/")[0]
    marked = [line for each in findings if each["run"] == finding["run"] for line in wire_lines(each)]
    yield from side_by_side(testimonies[finding["run"]], marked)
    yield Text()
    for run in [each for each in testimonies if each.partition("/")[0] == scenario]:
        del testimonies[run]


def _stale(report: _Report) -> Iterator[Text]:
    for entry in report.get("stale", ()):
        yield Text.assemble(("baseline  ", "bold red"), safe(entry, most=2_000))
    if "stale" in report:
        yield Text()


def _errors(report: _Report) -> Iterator[Text]:
    for error in report["errors"]:
        first, *rest = error.split("\n")
        yield Text.assemble(("error ", "bold magenta"), safe(first, most=2_000))
        for line in rest:
            yield Text(f"      {safe(line, most=2_000)}")
    if report["errors"]:
        yield Text()


def _unproven(report: _Report) -> Iterator[Text]:
    if report["outcome"] != "not proven":
        return
    for each in report["requirements"]:
        if each["verdict"] == "inconclusive" and each["required"]:
            lacking = f"  not proven: lacks {safe(', '.join(each['missing']))}"
            yield Text.assemble((safe(each["id"]), "bold yellow"), lacking)
    yield Text()


def _undecided(report: _Report) -> Iterator[Text]:
    """The laws that were not decided; for a log with what was missing in it, for a live run without."""
    of_log = report["subject"]["kind"] == "log"
    lacking: dict[str, list[str]] = {}
    for each in report["requirements"]:
        if each["verdict"] == "inconclusive":
            lacking.setdefault(_lacking(each["missing"]) if of_log else "", []).append(each["id"])
    if not lacking:
        return
    verb = "not decidable from these logs" if of_log else "not exercised in this run"
    yield Text(f"  {verb} ({sum(map(len, lacking.values()))}):", style="dim")
    for missing, ids in lacking.items():
        if missing:
            yield Text(f"    missing: {safe(missing)}", style="dim")
        for line in _wrapped(ids):
            yield Text(f"    {'  ' if missing else ''}{line}", style="dim")
    yield Text()


def _lacking(missing: Iterable[str]) -> str:
    """What a log lacks; if only a live run would help, the words that say so."""
    return ", ".join(sorted(set(missing) - _LIVE)) or "what only a live run shows"


def _wrapped(ids: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(ids), _UNDECIDED_SHOWN):
        yield " ".join(map(safe, ids[start : start + _UNDECIDED_SHOWN]))


def _foot(report: _Report) -> Iterator[Text]:
    verdicts = Counter(each["verdict"] for each in report["requirements"])
    told = ": " + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()) if verdicts else ""
    yield Text.assemble(
        (f"{report['outcome']}", _STYLES[report["outcome"]]),
        f"  {counted(len(report['requirements']), 'requirement')}{told}  ·  exit code {report['exitCode']}",
    )

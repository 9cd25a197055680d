"""Run every example of every protocol: with the line that conforms, and with the line that breaks the law."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from callproof.commands.coverage import everything
from callproof.judge.judging import Results
from callproof.judge.verdicts import Verdict
from callproof.protocols.entries import read_entries
from callproof.protocols.judging import results_of
from callproof.protocols.known import PROTOCOLS, protocol_of
from callproof.spec.blocks import Example
from callproof.spec.registry import protocol_named, protocols, specification
from callproof.spec.yaml_blocks import examples_of
from log_edits import Edit, apply

BASES = Path(__file__).parents[2] / "spec" / "protocols" / "examples"
REQUIREMENTS = [each for spec in protocols().values() for each in spec.requirements.values()]
EXAMPLES = [example for each in REQUIREMENTS if each.excluded is None for example in examples_of(each)]


def judged(log: Path) -> Results:
    """The results of a log, judged by the protocol that it is recognised as."""
    entries = read_entries(log)
    protocol = protocol_of(entries)
    return results_of(protocol, protocol.trace(entries))


def failed(results: Results) -> dict[str, list[str]]:
    """What was found, by requirement; errors of checks are marked as such."""
    return {
        name: [each.finding.observed for each in result.findings] or list(result.errors)
        for name, result in results.items()
        if result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }


def edited(example: Example, folder: Path, becomes: object) -> Path:
    """The log of an example's base, with the example's line changed."""
    shutil.copytree(BASES / example.base, folder, dirs_exist_ok=True)
    if becomes is not None:
        apply(Edit(example.line, becomes), folder)  # type: ignore[arg-type]  JSON, as the chapter has it
    return folder / "log.jsonl"


def test_every_chapter_is_judged() -> None:
    """Every protocol with a chapter has code that reads its logs, and the other way round."""
    assert set(protocols()) == set(PROTOCOLS)


@pytest.mark.parametrize("base", sorted(path.name for path in BASES.iterdir() if path.is_dir()))
def test_a_base_log_is_spotless(base: str) -> None:
    """Every base log conforms to every requirement, including advice."""
    assert failed(judged(BASES / base / "log.jsonl")) == {}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.requirement}-{each.name}")
def test_a_conforming_line_is_spotless(example: Example, tmp_path: Path) -> None:
    """The line that the example calls conforming breaks no law."""
    assert failed(judged(edited(example, tmp_path, example.conforms))) == {}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.requirement}-{each.name}")
def test_a_violating_line_is_found_as_its_requirement_and_as_no_other(example: Example, tmp_path: Path) -> None:
    """One line differs, and only the requirement that it breaks is reported, with those that the example permits."""
    log = edited(example, tmp_path, example.conforms)
    apply(Edit(example.line, example.violates), log.parent)
    found = failed(judged(log))
    assert example.requirement in found, found
    assert set(found) <= {example.requirement, *example.also}, found


def test_every_law_is_decided_and_can_fail() -> None:
    """A requirement has a check and an example that the check catches, or says why nothing decides it."""
    rows = [row for row in everything() if row.requirement in REQUIREMENTS]
    assert len(rows) == len(REQUIREMENTS)
    assert [row.requirement.id for row in rows if row.open] == []
    assert [row.requirement.id for row in rows if row.requirement.excluded is None and not row.miniatures] == []


def test_no_id_and_no_name_is_used_twice() -> None:
    """Ids of requirements and names of examples are unique in the whole specification."""
    ids = [each.id for each in REQUIREMENTS] + list(specification().requirements)
    names = [each.name for each in EXAMPLES]
    assert len(ids) == len(set(ids))
    assert len(names) == len(set(names))


def test_every_check_decides_a_requirement() -> None:
    """No check names a requirement that its chapter does not have."""
    for name, protocol in PROTOCOLS.items():
        assert set(protocol.laws.by_requirement) <= set(protocol_named(name).requirements)

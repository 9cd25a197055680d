"""Every example of the specification, run: once with the line that conforms, once with the line that violates."""

from __future__ import annotations

from pathlib import Path

import pytest
from callproof.auditlog.reader import read_run
from callproof.judge.judging import Results, judge
from callproof.judge.verdicts import Verdict
from callproof.spec.blocks import Example, Level
from callproof.spec.registry import specification
from callproof.spec.yaml_blocks import examples_of
from log_edits import BASES, Edit, apply, copy_of

REQUIREMENTS = specification().requirements
EXAMPLES = [example for each in REQUIREMENTS.values() if each.excluded is None for example in examples_of(each)]


def failed(results: Results) -> dict[str, list[str]]:
    """What was found, by requirement; errors of checks are shown as such."""
    return {
        name: [each.finding.observed for each in result.findings] or list(result.errors)
        for name, result in results.items()
        if result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }


@pytest.mark.parametrize("base", sorted(path.name for path in BASES.iterdir() if path.is_dir()))
def test_a_base_run_is_spotless(base: str) -> None:
    """Every base run conforms to every requirement, advice included."""
    assert failed(judge(read_run(BASES / base))) == {}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.requirement}-{each.name}")
def test_a_conforming_line_is_spotless(example: Example, tmp_path: Path) -> None:
    """The line that the example gives as conforming breaks no law."""
    folder = copy_of(example.base, tmp_path / "log")
    if example.conforms is not None:
        apply(Edit(example.line, example.conforms), folder)
    assert failed(judge(read_run(folder))) == {}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.requirement}-{each.name}")
def test_a_violating_line_is_found_as_its_requirement_and_as_no_other(example: Example, tmp_path: Path) -> None:
    """One line differs, and only the requirement that it breaks is reported, or those that the example also names."""
    folder = copy_of(example.base, tmp_path / "log")
    if example.conforms is not None and not isinstance(example.violates, str):
        apply(Edit(example.line, example.conforms), folder)
    apply(Edit(example.line, example.violates), folder)
    found = failed(judge(read_run(folder)))
    assert example.requirement in found, found
    assert set(found) <= {example.requirement, *example.also}, found


def test_no_two_examples_have_one_name() -> None:
    """An example's name is its identity in the whole specification."""
    names = [example.name for example in EXAMPLES]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("name", [name for name, each in REQUIREMENTS.items() if each.in_a_log])
def test_what_a_log_can_show_has_an_example(name: str) -> None:
    """A requirement that records alone can decide has an example with a line that breaks it."""
    requirement = REQUIREMENTS[name]
    assert examples_of(requirement) or requirement.excluded or requirement.level is Level.MAY

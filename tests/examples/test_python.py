"""The examples in Python, by the commands of their READMEs."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest
from callproof.invocations.case import FEATURES as OF_INVOCATIONS
from callproof.loops.case import FEATURES as OF_LOOPS
from callproof.pipelines.case import FEATURES as OF_PIPELINES
from example_commands import ROOT

EXAMPLES = ROOT / "examples"
SMALL = ["adapter-python", "loop-python", "pipeline-python", "invocation-python"]


def test_the_adapter_in_python_conforms_to_its_modest_claim(judge: Any) -> None:
    """It claims no feature, sends no event, and passes what every executor must do."""
    report = judge("adapter-python")
    assert (report["outcome"], report["findings"], report["errors"]) == ("conforms", [], [])
    assert report["subject"]["claims"] == []
    verdicts = {each["id"]: each["verdict"] for each in report["requirements"]}
    assert (verdicts["VAL-03"], verdicts["POL-04"], verdicts["RES-07"]) == ("pass", "pass", "pass")
    assert verdicts["EVT-01"] == verdicts["RETRY-03"] == "inapplicable"


@pytest.mark.parametrize(
    ("example", "features"),
    [("loop-python", OF_LOOPS), ("pipeline-python", OF_PIPELINES), ("invocation-python", OF_INVOCATIONS)],
)
def test_a_system_of_another_protocol_in_python_conforms_to_its_claim(
    judge: Any, example: str, features: tuple[str, ...]
) -> None:
    """It claims every feature, every requirement of its protocol is kept, and its README names what it claims."""
    report = judge(example)
    assert (report["outcome"], report["findings"], report["errors"]) == ("conforms", [], [])
    assert {each["verdict"] for each in report["requirements"]} == {"pass"}
    assert set(report["subject"]["claims"]) == set(features)
    text = (EXAMPLES / example / "README.md").read_text(encoding="utf-8")
    assert [feature for feature in features if f"`{feature}`" not in text] == []


@pytest.mark.parametrize("shared", ["wire.py", "schema.py"])
def test_what_examples_share_is_the_same_in_each(shared: str) -> None:
    """A user copies one example alone, so each example has its own copy of shared modules."""
    assert len({each.read_bytes() for each in EXAMPLES.glob(f"*-python/{shared}")}) == 1


@pytest.mark.parametrize("example", SMALL)
def test_an_example_in_python_needs_no_package(example: str) -> None:
    """It imports only the standard library and the modules beside it."""
    sources = sorted((EXAMPLES / example).glob("*.py"))
    beside = {each.stem for each in sources}
    assert {name for each in sources for name in _imported(each)} - beside <= sys.stdlib_module_names


def _imported(source: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(source.read_text(encoding="utf-8"))))
    names = {alias.name for each in nodes if isinstance(each, ast.Import) for alias in each.names}
    names |= {each.module or "" for each in nodes if isinstance(each, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names}

"""The examples in JavaScript, by the commands of their READMEs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callproof.invocations.case import FEATURES as OF_INVOCATIONS
from callproof.loops.case import FEATURES as OF_LOOPS
from callproof.pipelines.case import FEATURES as OF_PIPELINES
from example_commands import ROOT, commands, run

CLAIMED = {
    *("references", "foreach", "retry", "timeout", "cancellation", "confirmation", "concurrency", "events", "effects"),
    *("argsHash", "dataHash", "auditLog", "virtualClock", "abortGraceMs"),
}


def test_the_executor_in_javascript_conforms_to_its_claim(judge: Any) -> None:
    """There are no findings, every MUST that applies is proven, and its README names what it claims."""
    report = judge("executor-node")
    assert (report["outcome"], report["findings"], report["errors"]) == ("conforms", [], [])
    assert set(report["subject"]["claims"]) == CLAIMED
    text = (ROOT / "examples" / "executor-node" / "README.md").read_text(encoding="utf-8")
    assert [feature for feature in sorted(CLAIMED) if feature not in text] == []


def test_the_adapter_in_javascript_conforms_to_its_modest_claim(judge: Any) -> None:
    """It claims only events."""
    report = judge("adapter-node")
    assert (report["outcome"], report["findings"], report["errors"]) == ("conforms", [], [])
    assert report["subject"]["claims"] == ["events"]


@pytest.mark.parametrize(
    ("example", "features"),
    [("loop-node", OF_LOOPS), ("pipeline-node", OF_PIPELINES), ("invocation-node", OF_INVOCATIONS)],
)
def test_a_system_of_another_protocol_in_javascript_conforms_to_its_claim(
    judge: Any, example: str, features: tuple[str, ...]
) -> None:
    """It claims every feature, every MUST that applies is proven, and its README names what it claims."""
    report = judge(example)
    assert (report["outcome"], report["findings"], report["errors"]) == ("conforms", [], [])
    assert set(report["subject"]["claims"]) == set(features)
    text = (ROOT / "examples" / example / "README.md").read_text(encoding="utf-8")
    assert [feature for feature in features if f"`{feature}`" not in text] == []


def test_the_executor_in_javascript_agrees_with_the_example_logs() -> None:
    """Its own tests use the specification's logs as test vectors."""
    done = run(commands("executor-node")[1])
    assert done.returncode == 0, done.stdout


def test_the_javascript_is_well_formed_and_needs_no_package() -> None:
    """`node --check` accepts every file, and no manifest has dependencies."""
    sources = sorted((ROOT / "examples").glob("*-node/**/*.*js"))
    done = run("; ".join(f"node --check '{source}'" for source in sources))
    assert done.returncode == 0, done.stderr
    for manifest in sorted({_manifest_of(source) for source in sources}):
        said = json.loads(manifest.read_text(encoding="utf-8"))
        assert (said["type"], said["private"], "dependencies" in said) == ("module", True, False)


def _manifest_of(source: Path) -> Path:
    return next(folder / "package.json" for folder in source.parents if (folder / "package.json").is_file())

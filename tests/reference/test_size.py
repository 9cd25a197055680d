"""The limits on the size of the reference: the code of the executor, and of each system beside it."""

from __future__ import annotations

import ast
from pathlib import Path

import callproof_reference
import pytest

MODULES = sorted(Path(callproof_reference.__file__).parent.rglob("*.py"))
# The systems of other protocols and the code by which they talk, by folder, with the most lines of each.
OTHERS = {"loops": 325, "pipelines": 400, "invocations": 300, "peers": 90}


def lines(path: Path) -> list[str]:
    """Every line of a file, including blank lines and comments."""
    return path.read_text(encoding="utf-8").splitlines()


def test_the_reference_stays_small() -> None:
    """Physical lines, as `wc -l` counts them, blank lines and docstrings too; if they get fewer, lower the bound."""
    assert sum(len(lines(path)) for path in MODULES if path.parent.name not in OTHERS) < 2_000
    for folder, bound in OTHERS.items():
        assert sum(len(lines(path)) for path in MODULES if path.parent.name == folder) < bound


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_each_file_is_one_subject_and_says_which(path: Path) -> None:
    """No file is longer than 300 lines, and each begins with a docstring that says its purpose."""
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert len(lines(path)) <= 300

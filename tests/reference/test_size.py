"""The law of the reference executor's size: what there is to read, tools, comments and blank lines included."""

from __future__ import annotations

import ast
from pathlib import Path

import callproof_reference
import pytest

MODULES = sorted(Path(callproof_reference.__file__).parent.rglob("*.py"))


def lines(path: Path) -> int:
    """Every line of a file, as somebody who reads it meets it."""
    return len(path.read_text(encoding="utf-8").splitlines())


def test_the_reference_grows_no_further() -> None:
    """All of it, with its tools, stays under 2,650 lines of any kind; whoever makes it shorter lowers the bound."""
    assert sum(map(lines, MODULES)) < 2_650


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_each_file_is_one_subject_and_says_which(path: Path) -> None:
    """No file is longer than 300 lines, and each begins by saying what it is for."""
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert lines(path) <= 300

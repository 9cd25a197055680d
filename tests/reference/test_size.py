"""The law of the reference executor's size: it can be read in one sitting, tools included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import callproof_reference
import pytest

MODULES = sorted(Path(callproof_reference.__file__).parent.rglob("*.py"))
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings(tree: ast.Module) -> Iterator[ast.Expr]:
    """The docstrings of a module and of all that it defines."""
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            assert isinstance(node.body[0], ast.Expr)
            yield node.body[0]


def lines_of_code(source: str) -> int:
    """The lines that are neither blank nor a comment nor part of a docstring."""
    told = {n for each in docstrings(ast.parse(source)) for n in range(each.lineno, (each.end_lineno or 0) + 1)}
    lines = enumerate(source.splitlines(), 1)
    return sum(bool(line.strip()) and not line.strip().startswith("#") and n not in told for n, line in lines)


def test_only_lines_of_code_are_counted() -> None:
    """The measure itself, on a module whose lines are counted by hand."""
    assert (
        lines_of_code(
            '"""A room.\n\nIt is small.\n"""\n\n# Why.\nX = 1  # a number\n\n\ndef f():\n    "What."\n    return X\n'
        )
        == 3
    )


def test_the_reference_is_read_in_one_sitting() -> None:
    """All of it, with its tools, is under 2,000 lines of code."""
    assert sum(lines_of_code(path.read_text(encoding="utf-8")) for path in MODULES) < 2_000


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_each_file_is_one_subject_and_says_which(path: Path) -> None:
    """No file is longer than 300 lines, and each begins by saying what it is for."""
    source = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(source))
    assert len(source.splitlines()) <= 300

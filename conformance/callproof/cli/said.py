"""How every command ends: with a report and its exit code, or with what was wrong and what was permitted."""

from __future__ import annotations

import sys
from typing import NoReturn

import click
from rich.console import Console

from callproof.judge.judgement import Judgement
from callproof.report.document import document, json_text
from callproof.report.escape import safe
from callproof.spec.registry import specification

NOTHING_JUDGED = 2
SUITE_FAILED = 3
INTERRUPTED = 130


def print_report(judged: Judgement, shape: str) -> NoReturn:
    report = document(judged)
    if shape == "json":
        click.echo(json_text(report), nl=False)
    else:
        from callproof.report import text  # noqa: PLC0415  JSON reports do without it

        text.write(report, specification(), Console())
    sys.exit(judged.exit_code)


def refuse(problem: str, exit_code: int = NOTHING_JUDGED) -> NoReturn:
    first, *rest = problem.split("\n")
    click.echo("\n".join([f"callproof: {safe(first, most=2_000)}", *(f"  {safe(line)}" for line in rest)]), err=True)
    sys.exit(exit_code)

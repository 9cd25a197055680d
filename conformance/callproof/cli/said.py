"""How every command ends: with a report and its exit code, or with what was wrong and what was permitted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias

import click

from callproof.judge.judgement import Judgement
from callproof.report.console import printed
from callproof.report.document import document
from callproof.report.escape import safe
from callproof.report.targets import Form, Target
from callproof.spec.registry import Specification, whole_specification

_Law: TypeAlias = Callable[[], Specification]
NOTHING_JUDGED = 2
SUITE_FAILED = 3
INTERRUPTED = 130
PRINTED = ("text", "json", "jsonl", "github", "sarif", "junit")


def print_report(
    judged: Judgement, shape: str, targets: Iterable[Target] = (), spec: _Law = whole_specification
) -> NoReturn:
    files = tuple(targets)
    show_report(document(judged, in_full=bool(files) or shape != "text"), shape, files, spec)


def show_report(
    report: Mapping[str, Any], shape: str | None, targets: Iterable[Target] = (), spec: _Law = whole_specification
) -> NoReturn:
    """
    Write a report to its targets, print it unless ``shape`` is None, and end with its exit code.

    ``spec`` gives the specification that it was judged by: reading all of them takes longer than a small log.
    If a target cannot be written, the other targets are written, the report is printed, and the exit code says so.
    """
    from callproof.report import files, text  # noqa: PLC0415  nothing needs them before there is a report

    unwritten: list[str] = []
    for target in targets:
        try:
            files.write_report(report, target)
        except OSError as error:
            unwritten.append(f"--report {target.path} cannot be written: {error.strerror}")
    if shape == "text":
        text.write(report, spec(), printed())
    elif shape is not None:
        click.echo(files.rendered(report, Form(shape)), nl=False)
    for problem in unwritten:
        tell(f"{problem}; so the exit code is {SUITE_FAILED}")
    sys.exit(SUITE_FAILED if unwritten else report["exitCode"])


def refuse(problem: str, exit_code: int = NOTHING_JUDGED) -> NoReturn:
    tell(problem)
    sys.exit(exit_code)


def tell(problem: str) -> None:
    """Print on standard error what is wrong, line by line."""
    first, *rest = problem.split("\n")
    click.echo("\n".join([f"callproof: {safe(first, most=2_000)}", *(f"  {safe(line)}" for line in rest)]), err=True)

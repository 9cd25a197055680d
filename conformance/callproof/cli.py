"""The command line.  Thin: it reads options, calls a command, prints, and exits with the code that the report names."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click
from rich.console import Console

from callproof import __version__
from callproof.auditlog.inputs import NothingToJudge
from callproof.commands.audit import Audit, WrongUsage, audit, read_tools, required_ids
from callproof.judge.judgement import Judgement
from callproof.report.document import document, json_text
from callproof.report.escape import safe
from callproof.spec.registry import UnknownRequirement, specification

NOTHING_JUDGED = 2
SUITE_FAILED = 3
_REPORT = "Write the report: to .json, .html, .md or .svg (a badge), or statement=FOLDER.  Repeatable."
_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=_HELP)
@click.version_option(__version__, prog_name="callproof", message="%(prog)s %(version)s")
def cli() -> None:
    """Prove that an agent's tool calls are what their records say.

    \b
    callproof test "stdio:my-executor serve"   run the conformance suite against your executor
    callproof audit runs/                      judge captured audit logs
    callproof explain RETRY-03                 read one requirement of the specification
    callproof coverage                         list all requirements and how each is decided

    Exit codes: 0 conforms, 1 findings or not proven, 2 nothing could be judged, 3 suite or adapter error.
    """


@cli.command("test")
@click.argument("adapter", required=False)
@click.option("--profile", metavar="NAME", help="The profile to judge by.  [default: envelope]")
@click.option("--level", metavar="LEVEL", help="The least binding level to judge: must, should or may.  [default: may]")
@click.option("--seed", metavar="N", help="Shuffle the cases of each scenario by this seed.")
@click.option("--strict", is_flag=True, default=None, help="Let advice (SHOULD) fail the run.")
@click.option("--timeout", metavar="SECONDS", help="How long an answer may take.  [default: 30]")
@click.option("-k", "keyword", metavar="EXPR", help="Only these, as in 'RETRY-03' or 'SC-07 and not TIME'.")
@click.option("--report", multiple=True, metavar="FILE", help=_REPORT)
@click.option("--baseline", metavar="FILE", help="Let the known failures that this file lists pass.")
@click.option("--update-baseline", is_flag=True, default=None, help="Write the failures of this run to the baseline.")
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Write a JUnit report to this file.")
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", help="Of the report.")
def test_command(
    adapter: str | None,
    keyword: str | None,
    junit: Path | None,
    shape: str,
    **options: str | bool | tuple[str, ...] | None,
) -> None:
    """Run the conformance suite against a system.

    ADAPTER says how to reach it: "stdio:COMMAND ARGS" starts a process that speaks the adapter protocol on its
    standard input and output; "python:package.module:factory" hosts a Python factory. Without ADAPTER the one in
    [tool.callproof] of pyproject.toml is taken, as are settings that no option gives.
    """
    from callproof.adapters.errors import BadAdapterName  # noqa: PLC0415
    from callproof.commands import test  # noqa: PLC0415  pytest and the live room are not needed by the others
    from callproof.settings import WrongSetting, adapter_from, from_options  # noqa: PLC0415

    try:
        chosen = adapter or adapter_from(Path.cwd())
        if chosen is None:
            _refuse('no adapter: give one, as in `callproof test "stdio:my-executor serve"`')
        settings = from_options(chosen, options, Path.cwd())
    except WrongSetting as error:
        _refuse(str(error))
    console = Console(stderr=True)
    try:
        if console.is_terminal:
            with console.status("connecting") as status:
                judged = test.run(settings, test.Selected(keyword, junit), lambda item: status.update(safe(item)))
        else:
            judged = test.run(settings, test.Selected(keyword, junit))
    except (BadAdapterName, test.WrongSelection) as error:
        _refuse(str(error))
    except test.SuiteFailed as error:
        click.echo(f"callproof: {error}", err=True)
        sys.exit(SUITE_FAILED)
    _print(judged, shape)


@cli.command("audit")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--tools", "tools_file", type=click.Path(path_type=Path), help="Descriptors, where run.json has none.")
@click.option("--require", "required", multiple=True, metavar="ID|GROUP", help="Fail unless the log decides it.")
@click.option("--strict", is_flag=True, help="Let advice (SHOULD) fail the audit.")
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", help="Of the report.")
def audit_command(
    paths: tuple[Path, ...], tools_file: Path | None, required: tuple[str, ...], strict: bool, shape: str
) -> None:
    """Judge captured audit logs.

    A PATH is a folder with run.json, calls.jsonl, results.jsonl and (optionally) events.jsonl, or a folder
    of such folders. The log is only read. What a log cannot show is listed, and leaves the exit code alone.
    """
    try:
        tools = None if tools_file is None else read_tools(tools_file)
        judged = _with_progress(Audit(paths, tools, required_ids(required), strict))
    except (NothingToJudge, WrongUsage) as error:
        _refuse(str(error))
    _print(judged, shape)


@cli.command("explain")
@click.argument("requirement")
def explain_command(requirement: str) -> None:
    """Show one requirement as the specification has it: the law, the reason, hard cases, examples."""
    from callproof.report import explain  # noqa: PLC0415  rendering is not needed by the other commands

    try:
        found = specification().requirement(requirement)
    except UnknownRequirement as error:
        _refuse(str(error))
    explain.write(found, Console())


@cli.command("coverage")
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", help="Of the table.")
def coverage_command(shape: str) -> None:
    """List every requirement: its level, its checks, how it is decided, what proves it, or why it is excluded."""
    from callproof.commands import coverage as command  # noqa: PLC0415  needed by this command only
    from callproof.judge.coverage import coverage  # noqa: PLC0415

    covered = coverage(specification())
    if shape == "json":
        click.echo(json_text({"requirements": command.rows(covered)}), nl=False)
    else:
        command.write(covered, Console())


def _with_progress(wanted: Audit) -> Judgement:
    """The audit, with its progress shown on a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        return audit(wanted)
    with console.status("reading") as status:
        return audit(wanted, lambda name, number, all_: status.update(f"run {number} of {all_}: {safe(name, most=60)}"))


def _print(judged: Judgement, shape: str) -> NoReturn:
    report = document(judged)
    if shape == "json":
        click.echo(json_text(report), nl=False)
    else:
        from callproof.report import text  # noqa: PLC0415  JSON reports do without it

        text.write(report, specification(), Console())
    sys.exit(judged.outcome.exit_code)


def _refuse(problem: str) -> NoReturn:
    first, *rest = problem.split("\n")
    click.echo("\n".join([f"callproof: {safe(first, most=2_000)}", *(f"  {safe(line)}" for line in rest)]), err=True)
    sys.exit(NOTHING_JUDGED)


def main() -> None:
    """The entry point ``callproof``."""
    cli()

"""The command line.  Thin: it reads options, calls a command, prints, and exits with the code that the report names."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click
from rich.console import Console

from callproof import __version__
from callproof.auditlog.inputs import NothingToJudge
from callproof.commands.audit import Audit, WrongUsage, audit, read_tools, required_ids
from callproof.judge.judgement import Judgement, Outcome
from callproof.report.document import document, json_text
from callproof.report.escape import safe
from callproof.spec.registry import UnknownRequirement, specification

if TYPE_CHECKING:
    from callproof.settings import Settings

NOTHING_JUDGED = 2
SUITE_FAILED = 3
INTERRUPTED = 130
_UNFINISHED = frozenset({Outcome.ERROR, Outcome.INTERRUPTED, Outcome.NOTHING_JUDGED})
_REPORT = "Write the report: to .json, .html, .md or .svg (a badge), or statement=FOLDER.  Repeatable."
_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=_HELP)
@click.version_option(__version__, prog_name="callproof", message="%(prog)s %(version)s")
def cli() -> None:
    """Prove that an agent's tool calls are what their records say.

    \b
    callproof test "stdio:my-executor serve"   run the conformance suite against your executor
    callproof audit runs/                      judge captured audit logs
    callproof replay FILE ADAPTER              have a case that failed again, with any system
    callproof explain RETRY-03                 read one requirement of the specification
    callproof coverage                         list all requirements and how each is decided

    Exit codes: 0 conforms, 1 findings or not proven, 2 nothing could be judged, 3 suite or adapter error,
    130 interrupted.
    """


@cli.command("test")
@click.argument("adapter", required=False)
@click.option("--profile", metavar="NAME", help="The profile to judge by.  [default: envelope]")
@click.option("--level", metavar="LEVEL", help="The least binding level to judge: must, should or may.  [default: may]")
@click.option("--seed", metavar="N", help="Shuffle the cases of each scenario, and generate cases, by this seed.")
@click.option("--cases", metavar="N", help="Generate so many cases by the seed; 0 for none.  [default: 100]")
@click.option("--strict", is_flag=True, default=None, help="Let advice (SHOULD) fail the run.")
@click.option("--timeout", metavar="SECONDS", help="How long an answer may take.  [default: 30]")
@click.option("-k", "keyword", metavar="EXPR", help="Only these, as in 'RETRY-03' or 'SC-07 and not TIME'.")
@click.option("--report", multiple=True, metavar="FILE", help=_REPORT)
@click.option("--baseline", metavar="FILE", help="Let the known failures that this file lists pass.")
@click.option("--update-baseline", is_flag=True, default=None, help="Write the failures of this run to the baseline.")
@click.option("--save-cases", metavar="FOLDER", help="Keep the smallest case of each failure there, for a replay.")
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
    judged = _tested(adapter, keyword, junit, options)
    _print(judged, shape)


@cli.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("adapter", required=False)
@click.option("--timeout", metavar="SECONDS", help="How long an answer may take.  [default: 30]")
def replay_command(file: Path, adapter: str | None, timeout: str | None) -> None:
    """Have the case in a file again, with any system.

    FILE is what `callproof test --save-cases` wrote. ADAPTER says how to reach the system, as for `callproof test`;
    it never comes from the file. The exit code tells of the requirement that the file names: 0 it holds, 1 it is
    broken or not proven, 2 the file is none or the system does not claim what it needs, 3 the adapter failed.
    """
    from callproof.adapters.errors import AdapterError, BadAdapterName  # noqa: PLC0415
    from callproof.commands import replay as command  # noqa: PLC0415  the live room is not needed by the others
    from callproof.replay.casefile import BadCaseFile, read_case_file  # noqa: PLC0415

    try:
        kept = read_case_file(file)
        settings = _settings(adapter, {"timeout": timeout}, f"callproof replay {file}")
        replayed = command.replay(kept, settings)
    except (BadCaseFile, BadAdapterName, command.CannotBeHad) as error:
        _refuse(str(error))
    except AdapterError as error:
        _refuse(str(error), SUITE_FAILED)
    except KeyboardInterrupt:
        _refuse("interrupted before anything was judged", INTERRUPTED)
    command.write(replayed, Console())
    sys.exit(replayed.exit_code)


@cli.command("report")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write one page, for a browser.")
@click.option("--markdown", type=click.Path(path_type=Path, dir_okay=False), help="Write a summary, for a CI run.")
@click.option("--badge", type=click.Path(path_type=Path, dir_okay=False), help="Write a picture, for a README.")
def report_command(file: Path, **forms: Path | None) -> None:
    """Render a stored report again.

    FILE is what `callproof test --report FILE.json` wrote. Without an option its text is printed. The exit code is the
    report's own.
    """
    from callproof.report import files, targets, text  # noqa: PLC0415  needed by this command only

    try:
        stored = files.read_report(file)
        wanted = [targets.read_target(f"{form}={path}") for form, path in forms.items() if path is not None]
    except (files.BadReport, targets.BadTarget) as error:
        _refuse(str(error))
    for target in wanted:
        files.write_report(stored, target)
    if not wanted:
        text.write(stored, specification(), Console())
    sys.exit(stored["exitCode"])


@cli.command("verify")
@click.argument("statement", type=click.Path(path_type=Path))
def verify_command(statement: Path) -> None:
    """Work a conformance statement out again.

    STATEMENT is the folder or the .zip file that `callproof test --report statement=PATH` wrote. Its records are judged
    again; a byte or a verdict that is not as stated is told, and the exit code is 1.
    """
    from callproof.commands import verify as command  # noqa: PLC0415  the live room is not needed by the others

    try:
        found = command.verified(statement)
    except command.NotVerified as error:
        _refuse(str(error))
    command.write(found, Console())
    sys.exit(1 if found.faults else 0)


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
@click.argument("adapter", required=False)
@click.option("--live", is_flag=True, help="Run the suite against ADAPTER, and count how often each was exercised.")
@click.option("--json", "shape", flag_value="json", help="Print JSON, as --format json does.")
@click.option("--format", "shape", type=click.Choice(["text", "json"]), default="text", help="Of the table.")
def coverage_command(adapter: str | None, live: bool, shape: str) -> None:
    """List every requirement: its level, its checks, how it is decided, what proves it, or why it is excluded."""
    from callproof.commands import coverage as command  # noqa: PLC0415  needed by this command only
    from callproof.judge.coverage import coverage  # noqa: PLC0415

    if live:
        _live_coverage(adapter, shape)
    if adapter is not None:
        _refuse(f"an adapter is of use with --live only: callproof coverage --live {adapter!r}")
    covered = coverage(specification())
    if shape == "json":
        click.echo(json_text({"requirements": command.rows(covered)}), nl=False)
    else:
        command.write(covered, Console())


def _live_coverage(adapter: str | None, shape: str) -> NoReturn:
    """How often a run of the suite exercised each requirement; the exit code tells whether the run came to an end."""
    from callproof.commands import coverage as command  # noqa: PLC0415  needed by this command only

    judged = _tested(adapter, None, None, {})
    live = command.live_rows(document(judged), specification())
    if shape == "json":
        click.echo(json_text({"requirements": live}), nl=False)
    else:
        command.write_live(cast("list[Mapping[str, Any]]", live), Console())
    for error in judged.all_errors:
        click.echo(f"callproof: {safe(error, most=2_000)}", err=True)
    sys.exit(judged.outcome.exit_code if judged.outcome in _UNFINISHED else 0)


def _tested(
    adapter: str | None,
    keyword: str | None,
    junit: Path | None,
    options: Mapping[str, str | bool | tuple[str, ...] | None],
) -> Judgement:
    """The judgement on a live system; ends the program where there is none."""
    from callproof.adapters.errors import BadAdapterName  # noqa: PLC0415
    from callproof.commands import progress, test  # noqa: PLC0415  pytest and the live room, of no use to the others
    from callproof.replay.saving import CannotBeKept, prepare  # noqa: PLC0415
    from callproof.report.baselines import BadBaseline, read_baseline  # noqa: PLC0415

    settings = _settings(adapter, options, "callproof test")
    try:
        if settings.baseline is not None and (settings.baseline.exists() or not settings.update_baseline):
            read_baseline(settings.baseline, unfinished=settings.update_baseline)
        prepare(settings.save_cases)
    except (BadBaseline, CannotBeKept) as error:
        _refuse(str(error))
    try:
        with progress.watching(Console(stderr=True)) as watched:
            return test.run(settings, test.Selected(keyword, junit), watched)
    except (BadAdapterName, test.WrongSelection) as error:
        _refuse(str(error))
    except test.SuiteFailed as error:
        click.echo(f"callproof: {error}", err=True)
        sys.exit(SUITE_FAILED)
    except KeyboardInterrupt:
        _refuse("interrupted before anything was judged", INTERRUPTED)


def _settings(adapter: str | None, options: Mapping[str, Any], command: str) -> Settings:
    """The settings of a command, which ends here where they mean nothing or name no adapter."""
    from callproof.settings import WrongSetting, adapter_from, from_options  # noqa: PLC0415  so are settings

    try:
        chosen = adapter or adapter_from(Path.cwd())
        if chosen is None:
            _refuse(
                f'no adapter: give one, as in `{command} "stdio:my-executor serve"`, or name it in [tool.callproof] of'
                " pyproject.toml"
            )
        return from_options(chosen, options, Path.cwd())
    except WrongSetting as error:
        _refuse(str(error))


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


def _refuse(problem: str, exit_code: int = NOTHING_JUDGED) -> NoReturn:
    first, *rest = problem.split("\n")
    click.echo("\n".join([f"callproof: {safe(first, most=2_000)}", *(f"  {safe(line)}" for line in rest)]), err=True)
    sys.exit(exit_code)


def main() -> None:
    """The entry point ``callproof``."""
    cli()

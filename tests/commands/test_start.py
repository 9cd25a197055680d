"""How the command line starts: the list of commands imports no command, and each command only what it needs."""

from __future__ import annotations

import signal
import subprocess
import sys

import click
import pytest
from callproof.cli import COMMANDS, cli, main
from callproof.interruption import ENDING
from click.testing import CliRunner

# Packages that only some commands need, and that take long to import.
HEAVY = (
    "callproof.spec",
    "callproof.checks",
    "hypothesis",
    "jinja2",
    "jsonschema",
    "pydantic",
    "pytest",
    "rich",
    "yaml",
)
LIVE = ("pytest", "hypothesis", "callproof.live", "callproof.adapters")


def imported_by(code: str, wanted: tuple[str, ...]) -> list[str]:
    """Which of the packages a fresh interpreter has imported when the code has run."""
    told = f"{code}\nimport sys\nprint(*[each for each in {wanted!r} if each in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, timeout=120)
    return ran.stdout.splitlines()[-1].split()


def test_help_imports_no_command() -> None:
    """The list of the commands must appear at once."""
    code = "from callproof.cli import cli\ncli.main(['--help'], standalone_mode=False)"
    assert imported_by(code, HEAVY) == []


@pytest.mark.parametrize("command", ["audit", "coverage", "explain", "report", "test"])
def test_what_reads_no_more_than_options_and_files_needs_nothing_of_a_live_run(command: str) -> None:
    """Neither pytest nor an adapter is imported to read a log, nor for the help of a test."""
    assert imported_by(f"import callproof.cli.{command}", LIVE) == []


def test_the_help_of_lint_imports_no_rule() -> None:
    """The help must appear at once, however many rules there are."""
    code = "from callproof.cli import cli\ncli.main(['lint', '--help'], standalone_mode=False)"
    assert imported_by(code, (*HEAVY, "callproof.lint", "callproof.commands")) == []


def test_a_file_of_json_is_linted_without_what_other_sources_and_forms_need() -> None:
    """Linting it imports neither YAML nor the specification of the envelope, and starts no process."""
    lint = "cli.main(['lint', '-', '--fail-on', 'never'], standalone_mode=False)"
    code = f"""
import io, json, sys
sys.stdin = io.TextIOWrapper(io.BytesIO(json.dumps([{{'name': 'a', 'inputSchema': {{}}}}]).encode()))
from callproof.cli import cli
try:
    {lint}
except SystemExit:
    pass
"""
    assert imported_by(code, (*HEAVY, *LIVE)) == []


def test_no_command_reads_markdown_to_know_the_laws() -> None:
    """The index of the chapters has them; reading the chapters took a quarter of the time of a short command."""
    code = "from callproof.spec.registry import whole_specification\nassert whole_specification().requirements"
    assert imported_by(code, ("callproof.spec.chapters", "markdown_it", "yaml")) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_says_of_a_command_what_its_own_help_says_first(command: str) -> None:
    """The words beside the names are those of the command."""
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    assert (found.help or "").split("\n\n")[0].replace("\n", " ") == COMMANDS[command]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["explian", "RETRY-03"], "did you mean 'explain'"),
        (["adit", "x"], "did you mean 'audit'"),
        (["zzz"], "permitted: init, test, loop, pipeline, invocation, audit"),
        (["audit", "--formt", "json", "x"], "--format"),
        (["--versoin"], "--version"),
    ],
)
def test_a_typo_gets_its_nearest_match(arguments: list[str], says: str) -> None:
    """This holds for commands and for options; the exit code is that of wrong usage."""
    ran = CliRunner().invoke(cli, arguments)
    assert ran.exit_code == 2
    assert says in ran.stderr


def aborted(cause: BaseException) -> click.Abort:
    """The error that click raises at an end of file, and at Ctrl-C."""
    error = click.Abort()
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("thrown", "exit_code", "says"),
    [
        (KeyError("x"), 3, "callproof itself failed, which says nothing about what it judged"),
        (click.Abort(), 130, "interrupted"),
        (aborted(EOFError("marshal data too short")), 3, "EOFError: marshal data too short"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.UsageError("no such thing"), 2, "no such thing"),
        (SystemExit(1), 1, ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_nothing_but_a_finding_looks_like_a_finding(
    thrown: BaseException,
    exit_code: int,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code 1 is only for findings: a failure of callproof has 3, and an interruption anywhere has 130."""

    def throw(**_: object) -> None:
        raise thrown

    monkeypatch.setattr(cli, "main", throw)
    heard = {each: signal.getsignal(each) for each in ENDING}
    try:
        with pytest.raises(SystemExit) as ended:
            main()
    finally:
        for each, meant in heard.items():
            signal.signal(each, meant)  # main ignores them because it ends the program; this test goes on
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    assert ended.value.code == exit_code
    assert says in capsys.readouterr().err

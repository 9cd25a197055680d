"""``callproof lint``: its options.  Everything that costs time to import is imported when there is something to do."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from callproof import limits
from callproof.cli.choosing import OneOf
from callproof.cli.completing import RULES
from callproof.garbage import unsearched
from callproof.report.escape import safe

if TYPE_CHECKING:
    from callproof.commands.lint import Linter
    from callproof.lint.configuring import Configured
    from callproof.lint.fixing.applying import Fixed
    from callproof.lint.running import Linted
    from callproof.lint.sources.files import Gathered

_NOT_CHECKED = 2
_PRINTED = ("text", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")
_FAIL_ON = ("error", "warning", "note", "never")
_REPORT = "Write the report too: to .json, .jsonl, .sarif, .xml (JUnit), .md, or gitlab=FILE.  Repeatable."
_TIMEOUT = "The most time for an answer of --stdio or --url, or for the import of --module."
_CONFIG = "The settings, instead of callproof.toml or pyproject.toml in the working folder."


class _Seconds(click.FloatRange):
    """A time to wait; refuses NaN too, which passes the comparisons of every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number.  Raises BadParameter for one out of range, for NaN, and for a text that is no number."""
        seconds = super().convert(value, param, ctx)
        if seconds != seconds:  # noqa: PLR0124  only NaN differs from itself
            self.fail(f"{value} is not in the range 0<x<={self.max:g}.", param, ctx)
        return seconds


_SECONDS = _Seconds(min=0, max=limits.TIMEOUT_SECONDS, min_open=True)


@click.command("lint")
@click.argument("paths", nargs=-1)
@click.option(
    "--stdio", multiple=True, metavar="COMMAND", help="Check the tools of the MCP server that this command starts."
)
@click.option("--url", multiple=True, metavar="URL", help="Check the tools of the MCP server at this address.")
@click.option("--header", "headers", multiple=True, metavar="NAME:VALUE", help="Send this header to each --url.")
@click.option("--module", multiple=True, metavar="PKG.MOD:NAME", help="Check the tools of this Python object.")
@click.option("--python", metavar="PROGRAM", help="The interpreter that imports --module.")
@click.option("--plan", "plans", multiple=True, metavar="FILE", help="Check this plan against the tools.  Repeatable.")
@click.option("--timeout", type=_SECONDS, metavar="SECONDS", help=_TIMEOUT)
@click.option("--select", multiple=True, type=RULES, help="Check only these rules.")
@click.option("--extend-select", multiple=True, type=RULES, help="Check these rules too.")
@click.option("--ignore", multiple=True, type=RULES, help="Leave these rules out.")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="NAME",
    help="A provider or protocol that the tools are for.  Repeatable.",
)
@click.option("--canon", "canons", multiple=True, metavar="PATH", help="Canonical tools of your own.  Repeatable.")
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help=_CONFIG)
@click.option("--fail-on", type=OneOf(_FAIL_ON), help="The lightest finding that fails.  [default: error]")
@click.option("--fix", "fixing", is_flag=True, help="Apply the safe fixes to the files.")
@click.option("--unsafe-fixes", "unsafe", is_flag=True, help="Apply the unsafe fixes too.")
@click.option("--diff", "differing", is_flag=True, help="Show what the fixes would change, and change nothing.")
@click.option("--format", "shape", type=OneOf(_PRINTED), default="text", help="The form of the printed output.")
@click.option("--report", "reports", multiple=True, metavar="FILE", help=_REPORT)
@click.option("--statistics", is_flag=True, help="Print how often each rule found something, and nothing else.")
def lint_command(paths: tuple[str, ...], **chosen: Any) -> None:
    """Check tool definitions against the conventions.

    A PATH is a JSON or YAML file with definitions, a folder of such files, or - for standard input.

    \b
    callproof lint tools.json                        a file, a folder, or - for standard input
    callproof lint --stdio "npx -y some-server"      an MCP server that a command starts
    callproof lint --url https://host/mcp            an MCP server at an address
    callproof lint --module my_agent.tools:TOOLS     Python objects, imported in a child process
    callproof lint tools.json --plan plan.json       a plan, and the tools that it calls
    callproof lint tools.json --fix                  make the safe fixes in the files

    Exit codes: 0 clean, 1 findings, 2 something could not be checked.
    """
    with unsearched():  # a linter needs what it reads until it ends, and the search takes a fifth of its time
        _lint(paths, chosen)


def _lint(paths: tuple[str, ...], chosen: Mapping[str, Any]) -> NoReturn:
    """Read, make fixes if asked to, judge, and end with the exit code."""
    from datetime import date  # noqa: PLC0415

    from callproof.commands.lint import lint, linter  # noqa: PLC0415
    from callproof.lint.forms.writing import BadTarget, read_targets  # noqa: PLC0415

    _refuse_idle(chosen)
    try:
        targets = read_targets(chosen["reports"])
    except BadTarget as error:
        _refuse(str(error))
    linting = linter(_configured(chosen), date.today())
    gathered = _gathered(paths, chosen)
    _refuse_idle_rules(linting, gathered)
    _refuse_own_input((target.path for target in targets), gathered)
    if chosen["differing"]:
        _show_diff(gathered, linting, unsafe=chosen["unsafe"])
    if chosen["fixing"] or chosen["unsafe"]:
        gathered = _mended(gathered, linting, unsafe=chosen["unsafe"])
    _end(lint(gathered, linting), chosen, targets)


def _refuse_idle(chosen: Mapping[str, Any]) -> None:
    """End the program if an option has no effect beside the others."""
    given = {name for name, value in chosen.items() if value and (name, value) != ("shape", "text")}
    for name, wanted in _NEEDED.items():
        if name in given and not given & {*wanted}:
            _refuse(f"{_option(name)} is for {' or '.join(map(_option, wanted))}, and none is given")
    for name, others in _ALONE.items():
        for other in others if name in given else ():
            if other in given:
                _refuse(f"{_option(name)} prints one thing and nothing else; drop it or {_option(other)}")


def _refuse_idle_rules(linting: Linter, gathered: Gathered) -> None:
    """End the program if no rule that was chosen can find anything."""
    from callproof.lint.configuring import WrongSetting  # noqa: PLC0415
    from callproof.lint.idle import refuse_idle_rules  # noqa: PLC0415

    try:
        refuse_idle_rules(linting.settings, gathered)
    except WrongSetting as error:
        _refuse(str(error))


def _option(name: str) -> str:
    """An option as it is written."""
    return _OPTIONS.get(name, f"--{name}")


def _configured(chosen: Mapping[str, Any]) -> Configured:
    """The settings of a file, over which options win; ends the program if they mean nothing."""
    from dataclasses import replace  # noqa: PLC0415

    from callproof.lint.configuring import WrongSetting, configured, known_rules, refuse_nothing  # noqa: PLC0415
    from callproof.lint.profiles.loading import UnknownProfile, profile  # noqa: PLC0415

    try:
        found = configured(Path.cwd(), chosen["config"])
        rules = {name: known_rules(_words(chosen[name]), f"--{name.replace('_', '-')}") for name in _RULE_OPTIONS}
        settings = replace(
            found.settings,
            select=rules["select"] or found.settings.select,
            extend_select=(*found.settings.extend_select, *rules["extend_select"]),
            ignore=(*found.settings.ignore, *rules["ignore"]),
            profiles=chosen["profiles"] or found.settings.profiles,
            canons=(*found.settings.canons, *chosen["canons"]),
            fail_on=chosen["fail_on"] or found.settings.fail_on,
        )
        refuse_nothing(settings)
    except WrongSetting as error:
        _refuse(str(error))
    try:
        for each in settings.profiles:
            profile(each)
    except UnknownProfile as error:
        where = "" if chosen["profiles"] or found.document is None else f"{found.document.name}: profiles: "
        _refuse(f"{where}{error}")
    return replace(found, settings=settings)


def _words(given: tuple[str, ...]) -> list[str]:
    """What an option names, given several times or with commas."""
    return [word.strip() for each in given for word in each.split(",") if word.strip()]


_COLOURS: Mapping[str, Any] = {
    "place": {"bold": True},
    "spot": {"fg": "cyan"},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "note": {"fg": "blue", "bold": True},
}
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]+")
_OPTIONS = {"headers": "--header", "differing": "--diff", "reports": "--report", "shape": "--format"}
# Options that each need one of some others, and options beside which some others have nothing to print or to write.
_NEEDED = {"headers": ("url",), "python": ("module",), "timeout": ("stdio", "url", "module")}
_ALONE = {"differing": ("reports", "shape", "statistics"), "statistics": ("shape",)}
_RULE_OPTIONS = ("select", "extend_select", "ignore")


def _gathered(paths: tuple[str, ...], chosen: Mapping[str, Any]) -> Gathered:
    """Everything that the sources gave; prints their remarks."""
    from callproof.lint.sources.files import from_files, from_plans, joined  # noqa: PLC0415

    live = [name for name in ("stdio", "url", "module") if chosen[name]]
    if not paths and not live and not chosen["plans"]:
        _refuse("nothing to check; give a file, a folder, - for standard input, --stdio, --url, --module or --plan")
    parts = [from_files(paths), from_plans(chosen["plans"])]
    if live:
        from callproof.lint.sources.live import from_module, from_stdio, from_url  # noqa: PLC0415

        sent = _headers(chosen["headers"])
        seconds = chosen["timeout"]
        parts += [from_stdio(each, seconds) for each in chosen["stdio"]]
        parts += [from_url(each, sent, seconds) for each in chosen["url"]]
        parts += [from_module(each, chosen["python"], seconds) for each in chosen["module"]]
    gathered = joined(parts)
    for remark in gathered.remarks:
        click.echo(f"callproof: {safe(remark)}", err=True)
    return gathered


def _refuse_own_input(targets: Iterable[Path], gathered: Gathered) -> None:
    """End the program if a report would overwrite a file that it is about."""
    judged = {each.document.name for each in (*gathered.found, *gathered.plans) if each.document.on_disk}
    for target in targets:
        if os.path.isfile(target) and any(target.samefile(name) for name in judged):
            _refuse(f"--report {target} is one of the judged files; give it another path")


def _headers(texts: tuple[str, ...]) -> dict[str, str]:
    """The headers of the options, which may be secret; ends the program for a text that is no header."""
    told: dict[str, str] = {}
    for text in texts:
        name, value = (each.strip() for each in text.partition(":")[::2])
        if ":" not in text or not _HEADER_NAME.fullmatch(name):
            _refuse("a --header has no name of letters, digits and dashes before a colon; write it as 'Name: value'")
        if not value or not _HEADER_VALUE.fullmatch(value):
            _refuse(f"--header {name}: its value is empty, or holds a line end or a character that no header can hold")
        told[name] = value
    return told


def _mended(gathered: Gathered, linting: Linter, *, unsafe: bool) -> Gathered:
    """Make the fixes in the files, and say which sources are not edited."""
    from callproof.commands.lint import fix, write  # noqa: PLC0415

    done = fix(gathered, linting, unsafe=unsafe)
    try:
        write(done)
    except OSError as error:
        _refuse(f"{error.filename} cannot be written: {error.strerror}")
    if done.made:
        files = len(done.changed)
        fixes, where = "fix" if done.made == 1 else "fixes", "file" if files == 1 else "files"
        click.echo(f"callproof: {done.made} {fixes} in {files} {where}", err=True)
    _tell_unmade(done)
    return done.gathered


def _tell_unmade(done: Fixed) -> None:
    """Say which fixes the user has to make by hand, and why."""
    numbers = Counter((each.document.name, each.document.dialect) for each in done.unmade)
    for (name, dialect), number in numbers.items():
        why = "YAML is not edited" if dialect == "yaml" else "it is not a file, and is not edited"
        hand = "1 fix is left to make by hand" if number == 1 else f"{number} fixes are left to make by hand"
        where = "see the text after `= fix:` in the findings"
        click.echo(f"callproof: {safe(name)}: {why}; {hand}: {where}", err=True)


def _show_diff(gathered: Gathered, linting: Linter, *, unsafe: bool) -> NoReturn:
    """Print what the fixes would change; exit with 1 if they would change something."""
    from callproof.commands.lint import fix, held_back  # noqa: PLC0415
    from callproof.lint.fixing.differing import diff  # noqa: PLC0415

    done = fix(gathered, linting, unsafe=unsafe)
    for before, after in done.changed:
        click.echo("\n".join(diff(before, after)))
    _tell_unmade(done)
    if not unsafe and (number := held_back(done, linting)):
        fixes = "1 fix is unsafe, and" if number == 1 else f"{number} fixes are unsafe, and"
        click.echo(f"callproof: {fixes} not shown; add --unsafe-fixes to see what would change", err=True)
    _tell_problems(done.gathered.problems)
    sys.exit(_NOT_CHECKED if done.gathered.problems or not gathered.found else int(bool(done.changed)))


def _end(linted: Linted, chosen: Mapping[str, Any], targets: Any) -> NoReturn:
    """Write and print the outcome, and end with its exit code."""
    from callproof.lint.forms.report import report  # noqa: PLC0415
    from callproof.lint.forms.text import alike, finding_lines  # noqa: PLC0415
    from callproof.lint.forms.words import closing, statistics  # noqa: PLC0415
    from callproof.lint.forms.writing import rendered, write  # noqa: PLC0415

    told, unwritten = report(linted), list[str]()
    for target in targets:
        try:
            write(told, target)
        except OSError as error:
            told_of = f"--report {target.path} cannot be written: {error.strerror}"
            unwritten.append(f"{told_of}; so the exit code is {_NOT_CHECKED}")
    _tell_problems((*unwritten, *linted.problems))
    if chosen["statistics"]:
        click.echo(statistics(told), nl=False)
    elif chosen["shape"] == "text":
        for finding, others in alike(linted.outcome.findings):
            click.echo("\n".join([*finding_lines(finding, _painted, others), ""]))
        click.echo(closing(told))
    else:
        click.echo(rendered(told, chosen["shape"]), nl=False)
    sys.exit(_NOT_CHECKED if unwritten else linted.exit_code)


def _painted(text: str, role: str) -> str:
    """A text in the colour of its role; click removes the colour if the output is no terminal."""
    return text if os.environ.get("NO_COLOR") else click.style(text, **_COLOURS[role])


def _tell_problems(problems: tuple[str, ...]) -> None:
    for problem in problems:
        # Escape each line separately, so that what a server wrote to standard error keeps its lines.
        click.echo("\n".join(safe(each, most=2_000) for each in f"callproof: {problem}".splitlines()), err=True)


def _refuse(problem: str) -> NoReturn:
    click.echo(f"callproof: {safe(problem, most=2_000)}", err=True)
    sys.exit(_NOT_CHECKED)

"""``callproof lint``: its options."""

from __future__ import annotations

import sys

import click

from callproof.report.escape import safe


@click.command("lint")
@click.argument("paths", nargs=-1)
@click.option("--stdio", multiple=True, metavar="COMMAND", help="Ask the MCP server that this command starts.")
@click.option("--url", multiple=True, metavar="URL", help="Ask the MCP server at this address.")
@click.option("--header", "headers", multiple=True, metavar="NAME:VALUE", help="Send this to each --url.")
@click.option("--module", multiple=True, metavar="PKG.MOD:NAME", help="Check the tools of this Python object.")
@click.option("--python", metavar="PROGRAM", help="The interpreter that imports --module.")
@click.option("--select", multiple=True, metavar="RULE|GROUP", help="Hold only these rules.")
@click.option("--extend-select", multiple=True, metavar="RULE|GROUP", help="Hold these rules too.")
@click.option("--ignore", multiple=True, metavar="RULE|GROUP", help="Leave these rules out.")
@click.option("--profile", "profiles", multiple=True, metavar="NAME", help="What the tools are for.  Repeatable.")
def lint_command(  # noqa: PLR0913, PLR0917  one for each option
    paths: tuple[str, ...],
    stdio: tuple[str, ...],
    url: tuple[str, ...],
    headers: tuple[str, ...],
    module: tuple[str, ...],
    python: str | None,
    select: tuple[str, ...],
    extend_select: tuple[str, ...],
    ignore: tuple[str, ...],
    profiles: tuple[str, ...],
) -> None:
    """Hold tool definitions against the conventions.

    A PATH is a JSON or YAML file with definitions, a folder of such files, or - for standard input.

    \b
    callproof lint tools.json                        a file, a folder, or - for standard input
    callproof lint --stdio "npx -y some-server"      an MCP server that a command starts
    callproof lint --url https://host/mcp            an MCP server at an address
    callproof lint --module my_agent.tools:TOOLS     Python objects, imported in a child process

    Exit codes: 0 clean, 1 findings, 2 something could not be checked.
    """
    from callproof.commands.lint import lint  # noqa: PLC0415  help needs none of it
    from callproof.lint.forms.text import closing_line, finding_lines  # noqa: PLC0415
    from callproof.lint.profiles.loading import UnknownProfile, profile  # noqa: PLC0415
    from callproof.lint.settings import DEFAULT_PROFILE, Settings  # noqa: PLC0415
    from callproof.lint.sources.files import from_files, joined  # noqa: PLC0415
    from callproof.lint.sources.live import from_module, from_stdio, from_url  # noqa: PLC0415

    for each in profiles:
        try:
            profile(each)
        except UnknownProfile as error:
            raise click.UsageError(str(error)) from None
    settings = Settings(select, extend_select, ignore, profiles or (DEFAULT_PROFILE,))
    sent = _headers(headers)
    gathered = joined(
        [
            from_files(paths),
            *(from_stdio(each) for each in stdio),
            *(from_url(each, sent) for each in url),
            *(from_module(each, python) for each in module),
        ]
    )
    for remark in gathered.remarks:
        click.echo(f"callproof: {safe(remark)}", err=True)
    linted = lint(gathered, settings)
    for finding in linted.outcome.findings:
        click.echo("\n".join([*finding_lines(finding), ""]))
    for problem in linted.problems:
        # Each line by itself: what a server wrote to standard error is shown as it stood there.
        click.echo("\n".join(safe(each, most=2_000) for each in f"callproof: {problem}".splitlines()), err=True)
    click.echo(closing_line(linted.outcome, len(linted.catalogue.definitions)))
    sys.exit(linted.exit_code)


def _headers(texts: tuple[str, ...]) -> dict[str, str]:
    """The headers of the options.  Raises UsageError for a text that is none."""
    told: dict[str, str] = {}
    for text in texts:
        name, colon, value = text.partition(":")
        if not colon or not name.strip():
            raise click.UsageError(f"--header {text.partition('=')[0]!r} is none; write it as 'Name: value'")
        told[name.strip()] = value.strip()
    return told

"""``callproof test``: its options."""

from __future__ import annotations

from pathlib import Path

import click

from callproof.cli.choosing import OneOf
from callproof.cli.completing import KEYWORDS
from callproof.cli.said import PRINTED, print_report
from callproof.spec.registry import specification

_REPORT = "Write the report: to .json, .jsonl, .html, .md, .svg, .sarif or .xml, or statement=FOLDER.  Repeatable."


@click.command("test")
@click.argument("adapter", required=False)
@click.option("--profile", metavar="NAME", help="The profile to judge by.  [default: envelope]")
@click.option("--level", metavar="LEVEL", help="The least binding level to judge: must, should or may.  [default: may]")
@click.option("--seed", metavar="N", help="Shuffle the cases of each scenario, and generate cases, by this seed.")
@click.option("--cases", metavar="N", help="How many cases to generate; 0 for none.  [default: 100]")
@click.option("--strict", is_flag=True, default=None, help="Let advice (SHOULD) fail the run.")
@click.option("--timeout", metavar="SECONDS", help="The most time for an answer, and for a run.  [default: 30]")
@click.option("-k", "keyword", type=KEYWORDS, help="Run only what matches, as in 'RETRY-03' or 'SC-07 and not TIME'.")
@click.option("--report", multiple=True, metavar="FILE", help=_REPORT)
@click.option("--baseline", metavar="FILE", help="Let the known failures that this file lists pass.")
@click.option("--update-baseline", is_flag=True, default=None, help="Write the failures of this run to the baseline.")
@click.option(
    "--save-cases",
    metavar="FOLDER",
    help="Save the smallest case of each failure in this folder, for `callproof replay`.",
)
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Write a JUnit report to this file.")
@click.option("--format", "shape", type=OneOf(PRINTED), default="text", help="The form of the printed output.")
def test_command(
    adapter: str | None,
    keyword: str | None,
    junit: Path | None,
    shape: str,
    **options: str | bool | tuple[str, ...] | None,
) -> None:
    """Run the conformance suite against a system.

    ADAPTER says how to reach it: "stdio:COMMAND ARGS" starts a process that speaks the adapter protocol on its
    standard input and output; "python:package.module:factory" hosts a Python factory;
    "http://HOST/" and "https://HOST/" name a system that is running already. Without ADAPTER the one in
    [tool.callproof] of pyproject.toml is taken, as are settings that no option gives.
    """
    from callproof.cli.judged import tested  # noqa: PLC0415  help needs neither pytest nor live modules

    judged = tested(adapter, keyword, junit, options, "callproof test")
    print_report(judged, shape, spec=specification)

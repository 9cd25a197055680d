"""The pictures in the README, drawn from real runs: ``python docs/pictures.py [--check]``.

Reports hold no clock and no random id, so the same suite draws the same picture,
and ``--check`` tells when a picture no longer shows what the suite says.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from callproof.commands.audit import Audit, audit
from callproof.commands.test import run
from callproof.judge.judgement import Subject
from callproof.judge.judging import Result
from callproof.report.document import document
from callproof.report.text import write
from callproof.settings import Settings
from callproof.spec.registry import specification
from callproof.spec.yaml_blocks import examples_of
from callproof.values.jsontext import read_json, write_json
from callproof.values.jsonvalue import merge_patch
from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).parent
EXAMPLE = "a-third-attempt-of-two"
REFERENCE = "stdio:callproof-reference stdio"
_WIDTH = 112


def report_of_a_live_run() -> str:
    """The main job: the suite against the reference executor."""
    return _drawn(f'callproof test "{REFERENCE}"', document(run(Settings(REFERENCE))))


def finding_in_a_log() -> str:
    """An audit of a conforming log in which the plan was changed afterwards: an example of the specification."""
    (example,) = [each for each in examples_of(specification().requirement("RETRY-03")) if each.name == EXAMPLE]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(DOCS.parent / "spec" / "examples" / example.base, Path(scratch) / "night-run"))
        record = read_json((folder / "run.json").read_bytes())
        (folder / "run.json").write_text(write_json(merge_patch(record, example.violates)), encoding="utf-8")
        judged = audit(Audit((folder,)))
    run = replace(judged.runs[0], name="night-run", folder="night-run")
    named = replace(judged, subject=Subject("log", "night-run"), runs=(run,))
    results = {name: _renamed(result) for name, result in named.results.items()}
    return _drawn("callproof audit night-run", document(replace(named, results=results)))


def _renamed(result: Result) -> Result:
    return replace(result, findings=tuple(replace(each, run="night-run") for each in result.findings))


PICTURES: Mapping[str, Callable[[], str]] = {"live-run.svg": report_of_a_live_run, "finding.svg": finding_in_a_log}


def main(arguments: list[str]) -> int:
    """Draw every picture, or compare it with the one that is there."""
    stale = 0
    for name, draw in PICTURES.items():
        path, drawn = DOCS / name, draw()
        if arguments != ["--check"]:
            path.write_text(drawn, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != drawn:
            sys.stdout.write(f"docs/{name} shows an older report: run `nox -s pictures`\n")
            stale = 1
    return stale


def _drawn(command: str, report: Mapping[str, Any]) -> str:
    console = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.assemble(("$ ", "dim"), (command, "bold")))
    write(report, specification(), console)
    return console.export_svg(title="callproof", unique_id="callproof")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""The pictures in the README, drawn from real runs: ``python docs/pictures.py [--check]``.

Reports hold no clock and no random id, so the same suite draws the same picture,
and ``--check`` tells when a picture no longer shows what the suite says.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from callproof.commands.audit import Audit, audit
from callproof.commands.test import run
from callproof.report.document import document
from callproof.report.text import write
from callproof.settings import Settings
from callproof.spec.registry import specification
from callproof.values.jsonvalue import merge_patch
from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).parent
REFERENCE = "stdio:callproof-reference stdio"
_WIDTH = 112


def report_of_a_live_run() -> str:
    """The main job: the suite against the reference executor."""
    return _drawn(f'callproof test "{REFERENCE}"', document(run(Settings(REFERENCE))))


def finding_in_a_log() -> str:
    """An audit of a log in which one number was changed."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "log"
        folder.mkdir()
        base = DOCS.parent / "spec" / "examples" / "retried"
        for file in base.iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        value = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        clamped = merge_patch(value, {"policy": {"limits": {"maxAttempts": 2}}})
        (folder / "run.json").write_text(json.dumps(clamped), encoding="utf-8")
        report = document(audit(Audit((folder,))))
    kept = [each for each in report["findings"] if each["requirement"] == "RETRY-03"]
    told = {**report, "findings": kept, "subject": {"kind": "log", "name": "night-run"}, "requirements": []}
    return _drawn("callproof audit night-run", told)


PICTURES: Mapping[str, Callable[[], str]] = {"live-run.svg": report_of_a_live_run}


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

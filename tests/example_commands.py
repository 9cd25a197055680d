"""The commands that the READMEs of the examples show, and a shell that runs these and those of other documents."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
HAS_NODE = shutil.which("node") is not None


def run(command: str, where: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a shell command in the root of a checkout, with this Python's commands first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=where,
        env={**environment, "PATH": path},
        capture_output=True,
        text=True,
        timeout=900,
    )


def commands(example: str) -> list[str]:
    """The commands of an example's README."""
    tokens = MarkdownIt("commonmark").parse((ROOT / "examples" / example / "README.md").read_text(encoding="utf-8"))
    return [token.content.strip() for token in tokens if token.type == "fence" and token.info == "sh"]

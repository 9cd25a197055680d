"""Installers for the packages that these tests need; they skip the tests if a package cannot be installed."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from servers_tried import NPM, PYPI


def installed(command: list[str], folder: Path) -> None:
    """Run an installer; if it fails, skip the tests that need it, with its last words."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900)
    except (OSError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"cannot be installed here: {shlex.join(command)}: {error}")
    if done.returncode != 0:
        pytest.skip(f"cannot be installed here: {shlex.join(command)}: {(done.stderr or done.stdout)[-300:]}")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which everything is installed."""
    return tmp_path_factory.mktemp("servers")


@pytest.fixture(scope="session")
def node(folder: Path) -> Path:
    """The folder with the servers for Node."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("cannot be installed here: there is no npm on the PATH")
    (folder / "package.json").write_text("{}", encoding="utf-8")
    packages = [package for package, _, _ in NPM.values()]
    installed([npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", *packages], folder)
    return folder / "node_modules" / ".bin"


@pytest.fixture(scope="session")
def python(folder: Path) -> Callable[..., Path]:
    """A function that installs packages into a new environment and returns the folder with its programs."""

    def environment(name: str, *packages: str) -> Path:
        installed([sys.executable, "-m", "venv", str(folder / name)], folder)
        programs = folder / name / "bin"
        installed([str(programs / "python"), "-m", "pip", "install", "--quiet", *packages], folder)
        return programs

    return environment


@pytest.fixture(scope="session")
def python_servers(python: Callable[..., Path]) -> Path:
    """The folder with the servers for Python."""
    return python("python-servers", *(package for package, _, _ in PYPI.values()))

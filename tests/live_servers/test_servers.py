"""MCP servers and tool frameworks that other people wrote, installed from the package registries and linted.

Slow, and only useful with a network: the nox session ``servers`` runs it.  Tests of packages that cannot be
installed are skipped, and say so.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from servers_tried import NPM, PYPI

FRAMEWORKS = '''
from agents import Agent as OpenAIAgent, function_tool
from langchain_core.tools import tool
from pydantic_ai import Agent, FunctionToolset, Tool


@tool
def langchain(query: str, limit: int = 5) -> str:
    """Search for what a query says."""
    return ""


@function_tool
def openai(city: str, days: int = 1) -> str:
    """Tell the weather of a city."""
    return ""


def ours(city: str) -> str:
    """Tell the weather of a city."""
    return ""


TOOLS = [langchain, openai, Tool(ours, name="pydantic")]
AGENTS = {"openai": OpenAIAgent(name="x", tools=[openai]), "pydantic": Agent("test", tools=[ours])}
TOOLSET = FunctionToolset(tools=[ours])
'''


def linted(*arguments: str, folder: Path) -> tuple[int, str]:
    """The number of tools that the linter found, and its output.  Findings are expected, failures are not."""
    done = subprocess.run(
        [sys.executable, "-c", "from callproof.cli import main; main()", "lint", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode in {0, 1}, done.stderr
    assert "Traceback" not in done.stderr
    closing = done.stdout.strip().splitlines()[-1]
    return int(closing.split()[0]), done.stdout


@pytest.mark.parametrize("name", NPM)
def test_a_server_for_node_is_linted(name: str, node: Path, folder: Path) -> None:
    """All its tools are linted, and the findings have a place."""
    _, program, least = NPM[name]
    tools, printed = linted("--stdio", f"{node}/{program}", folder=folder)
    assert tools >= least
    assert "error TD003" in printed


@pytest.mark.parametrize("name", PYPI)
def test_a_server_for_python_is_linted(name: str, python_servers: Path, folder: Path) -> None:
    """All its tools are linted, and the findings have a place."""
    _, program, least = PYPI[name]
    tools, printed = linted("--stdio", f"{python_servers}/{program}", folder=folder)
    assert tools >= least
    assert "error TD003" in printed


def test_a_server_is_started_as_people_start_it(node: Path, folder: Path) -> None:
    """Users start it by npx, which starts a shell, which starts the server."""
    tools, _ = linted("--stdio", "npx -y @modelcontextprotocol/server-everything", folder=folder)
    assert node.is_dir()
    assert tools >= NPM["everything"][2]


def test_several_servers_are_linted_together(node: Path, python_servers: Path, folder: Path) -> None:
    """They are linted in the way in which an agent is offered them, for every provider at once."""
    asked = [f"{node}/mcp-server-memory", f"{python_servers}/mcp-server-time"]
    tools, printed = linted(*(f"--stdio={each}" for each in asked), "--profile", "all-providers", folder=folder)
    assert tools >= NPM["memory"][2] + PYPI["time"][2]
    assert "PORT009" in printed


def test_tools_of_frameworks_are_linted(python: Callable[..., Path], folder: Path) -> None:
    """LangChain, OpenAI Agents and pydantic-ai are in an environment that has no callproof."""
    programs = python("frameworks", "langchain-core", "openai-agents", "pydantic-ai-slim")
    (folder / "frameworks_used.py").write_text(FRAMEWORKS, encoding="utf-8")
    for target, number in (("TOOLS", 3), ("AGENTS", 2), ("TOOLSET", 1)):
        asked = ("--module", f"frameworks_used:{target}", "--python", str(programs / "python"))
        assert linted(*asked, folder=folder)[0] == number

"""The pytest plugin: ``pytest --callproof "stdio:my-executor serve"``, and ``--callproof-loop`` for an agent loop.

Loaded in every pytest run of everyone who has callproof installed, so it imports
nothing heavy: what a session begins with is in ``callproof.pytest_start``, imported
only when an adapter is given.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

_GROUP = "callproof"
_KEYS = (
    *("profile", "level", "seed", "cases", "strict", "timeout"),
    *("report", "baseline", "update_baseline", "save_cases"),
)
_OF_A_LOOP = ("strict", "timeout", "report")


class Hooks:
    """What other plugins may hear of a conformance session."""

    def pytest_callproof_case(self, case: str) -> None:
        """Called when a case has ended, in the process that ran it."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the hooks."""
    pluginmanager.add_hookspecs(Hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options; each may also stand in ``[tool.callproof]`` of pyproject.toml, without its prefix."""
    group = parser.getgroup(_GROUP, "callproof: conformance of an executor of tool calls")
    group.addoption("--callproof", metavar="ADAPTER", help="run the conformance suite, as in 'stdio:my-executor serve'")
    group.addoption("--callproof-loop", metavar="ADAPTER", help="play the cases of agent loops against this one")
    group.addoption("--callproof-profile", metavar="NAME", help="the profile to judge by (default: envelope)")
    group.addoption("--callproof-level", metavar="LEVEL", help="the least binding level to judge: must, should or may")
    group.addoption("--callproof-seed", metavar="N", help="shuffle the cases of each scenario, and generate, by this")
    group.addoption("--callproof-cases", metavar="N", help="generate so many cases by the seed (default: 100)")
    group.addoption("--callproof-strict", action="store_true", default=None, help="let advice (SHOULD) fail the run")
    group.addoption("--callproof-timeout", metavar="SECONDS", help="how long an answer or a run may take (default: 30)")
    group.addoption(
        "--callproof-report",
        action="append",
        metavar="FILE",
        help="write the report: to .json, .jsonl, .html, .md, .svg, .sarif or .xml, or statement=FOLDER; repeatable",
    )
    group.addoption("--callproof-baseline", metavar="FILE", help="let the known failures that this file lists pass")
    group.addoption("--callproof-save-cases", metavar="FOLDER", help="keep the smallest case of each failure there")
    group.addoption(
        "--callproof-update-baseline",
        action="store_true",
        default=None,
        help="write the failures of this run to the baseline",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Where an adapter is given, read the options and register what collects and reports."""
    options = {key: config.getoption(f"callproof_{key}") for key in _KEYS}
    adapter: str | None = config.getoption("callproof")
    loop: str | None = config.getoption("callproof_loop")
    if loop is not None:
        _refuse_beside_a_loop(adapter, options)
        from callproof.pytest_loops import register as register_loop  # noqa: PLC0415  of no use to anybody else

        register_loop(config, loop, options)
        return
    if adapter is None:
        given = [key for key, value in options.items() if value is not None]
        if given:
            option = given[0].replace("_", "-")
            raise pytest.UsageError(f"--callproof-{option} needs an adapter: --callproof 'stdio:my-executor serve'")
        return
    _refuse_ids(config.args)
    from callproof.pytest_start import register  # noqa: PLC0415  of no use to anybody else

    register(config, adapter, options)


def _refuse_beside_a_loop(adapter: str | None, options: Mapping[str, object]) -> None:
    """Raises pytest.UsageError for what is no option of a loop."""
    if adapter is not None:
        raise pytest.UsageError("callproof: --callproof and --callproof-loop are two sessions; give one of them")
    for key in (each for each in _KEYS if each not in _OF_A_LOOP and options[each] is not None):
        permitted = ", ".join(f"--callproof-{each}" for each in _OF_A_LOOP)
        option = key.replace("_", "-")
        raise pytest.UsageError(f"callproof: --callproof-{option} means nothing for a loop; permitted: {permitted}")


def _refuse_ids(arguments: list[str]) -> None:
    """Raises pytest.UsageError for the id of an item of ours, which stands in no file and is no path."""
    for each in arguments:
        prefix, *names = each.split("::")
        if prefix == _GROUP and names:
            words = " and ".join(reversed(names))
            raise pytest.UsageError(f"callproof: {each} stands in no file; choose it by -k {words!r}")

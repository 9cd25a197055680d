"""The pytest plugin: ``pytest --callproof "stdio:my-executor serve"``, and ``--callproof-loop`` for an agent loop.

Every pytest run loads it if callproof is installed, so it imports nothing heavy.
A session begins in ``callproof.plugin.start``, which is imported only when an
adapter is given.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

_GROUP = "callproof"
_KEYS = (
    *("profile", "level", "seed", "cases", "strict", "timeout"),
    *("report", "baseline", "update_baseline", "save_cases"),
)
# The systems of other protocols, by the word that names their option.
_SYSTEMS = {
    "loop": "agent loops",
    "pipeline": "pipelines of tool calls",
    "invocation": "systems under the invocation contract",
}
_OF_THEIRS = ("cases", "seed", "strict", "timeout", "report", "baseline", "update_baseline", "save_cases")


class Hooks:
    """The hooks by which other plugins hear of a conformance session."""

    def pytest_callproof_case(self, case: str, heard: str) -> None:
        """Called when a case has ended, in the process that ran it; ``heard`` helps if the case came to no end."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the hooks."""
    pluginmanager.add_hookspecs(Hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options; each may also stand in ``[tool.callproof]``, or a table below it, without its prefix."""
    group = parser.getgroup(_GROUP, "callproof: conformance of an executor of tool calls")
    group.addoption("--callproof", metavar="ADAPTER", help="run the conformance suite, as in 'stdio:my-executor serve'")
    for word, kind in _SYSTEMS.items():
        group.addoption(f"--callproof-{word}", metavar="ADAPTER", help=f"play the cases of {kind} with this adapter")
    group.addoption("--callproof-profile", metavar="NAME", help="the profile to judge by (default: envelope)")
    group.addoption("--callproof-level", metavar="LEVEL", help="the least binding level to judge: must, should or may")
    group.addoption(
        "--callproof-seed", metavar="N", help="shuffle the cases of each scenario, and generate cases, by this seed"
    )
    group.addoption("--callproof-cases", metavar="N", help="how many cases to generate (default: 100, or 60)")
    group.addoption("--callproof-strict", action="store_true", default=None, help="let advice (SHOULD) fail the run")
    group.addoption("--callproof-timeout", metavar="SECONDS", help="how long an answer may take (default: 30, or 5)")
    group.addoption(
        "--callproof-report",
        action="append",
        metavar="FILE",
        help="write the report: to .json, .jsonl, .html, .md, .svg, .sarif or .xml, or statement=FOLDER; repeatable",
    )
    group.addoption("--callproof-baseline", metavar="FILE", help="let the known failures that this file lists pass")
    group.addoption(
        "--callproof-save-cases", metavar="FOLDER", help="save the smallest case of each failure in this folder"
    )
    group.addoption(
        "--callproof-update-baseline",
        action="store_true",
        default=None,
        help="write the failures of this run to the baseline",
    )


def pytest_configure(config: pytest.Config) -> None:
    """If an adapter is given, read the options and register the plugins that collect and report."""
    options = {key: config.getoption(f"callproof_{key}") for key in _KEYS}
    adapter: str | None = config.getoption("callproof")
    given_systems = {word: given for word in _SYSTEMS if (given := config.getoption(f"callproof_{word}")) is not None}
    if given_systems:
        word = _only(given_systems, adapter, options)
        _refuse_ids(config.args)
        from callproof.plugin.driven import register as register_system  # noqa: PLC0415  no other run needs it

        register_system(config, word, given_systems[word], options)
        return
    if adapter is None:
        given = [key for key, value in options.items() if value is not None]
        if given:
            option = given[0].replace("_", "-")
            raise pytest.UsageError(f"--callproof-{option} needs an adapter: --callproof 'stdio:my-executor serve'")
        return
    _refuse_ids(config.args)
    from callproof.plugin.start import register  # noqa: PLC0415  no other run needs it

    register(config, adapter, options)


def _only(systems: Mapping[str, str], adapter: str | None, options: Mapping[str, object]) -> str:
    """The word of the one given system.  Raises pytest.UsageError for several, and for an option that is not for it."""
    told = [f"--callproof-{word}" for word in systems]
    if adapter is not None:
        told.insert(0, "--callproof")
    if len(told) > 1:
        raise pytest.UsageError(f"callproof: {' and '.join(told)} need a session each; give one of them")
    for key in (each for each in _KEYS if each not in _OF_THEIRS and options[each] is not None):
        permitted = ", ".join(f"--callproof-{each.replace('_', '-')}" for each in _OF_THEIRS)
        option = key.replace("_", "-")
        raise pytest.UsageError(f"callproof: --callproof-{option} has no effect with {told[0]}; permitted: {permitted}")
    return next(iter(systems))


def _refuse_ids(arguments: list[str]) -> None:
    """Raises pytest.UsageError for the id of an item of ours, which belongs to no file and is no path."""
    for each in arguments:
        prefix, *names = each.split("::")
        if prefix in {_GROUP, *(f"{_GROUP}-{word}" for word in _SYSTEMS)} and names:
            words = " and ".join(reversed(names))
            raise pytest.UsageError(f"callproof: {each} is not in a file; select it with -k {words!r}")

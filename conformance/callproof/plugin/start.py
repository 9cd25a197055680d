"""
The start of a conformance session: it reads the settings at once, and loads the rest when pytest collects.

Does not know what is collected.  Under pytest-xdist the process that distributes the items reads the
specification while its workers start, not before it starts them.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import suppress
from typing import Any

import pytest

from callproof.adapters.address import read_address
from callproof.adapters.errors import AdapterNotFound, BadAdapterName
from callproof.garbage import all_kept
from callproof.settings import Settings, WrongSetting, from_options, in_pytest


def register(config: pytest.Config, adapter: str, options: Mapping[str, Any]) -> None:
    """Read the settings, and register the plugin that begins a session with them.  Raises pytest.UsageError."""
    try:
        settings = from_options(adapter, options, config.rootpath)
        with suppress(AdapterNotFound):  # an error of the adapter, which the report shows
            read_address(adapter)
    except (WrongSetting, BadAdapterName) as error:
        raise pytest.UsageError(f"callproof: {in_pytest(str(error))}") from None
    starting = Starting(config, settings)
    config.pluginmanager.register(starting, "callproof-starting")
    if settings.baseline is not None or settings.save_cases is not None:
        # A problem with a file or a folder is reported before anything starts.
        starting.begin()


class Starting:
    """Registers everything else, once."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._has_begun = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        """Begin at the last moment before pytest collects; the workers of pytest-xdist have been started by then."""
        with all_kept():
            self.begin()
            return (yield)

    def begin(self) -> None:
        """Register the plugins that collect, judge and report.  Raises pytest.UsageError."""
        if self._has_begun:
            return
        self._has_begun = True
        # Heavy: jsonschema, the specification, the checks.
        from callproof.plugin.collecting import register_rest  # noqa: PLC0415

        register_rest(self._config, self._settings)

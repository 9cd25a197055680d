"""One function for each law, one module for each chapter.  Checks are pure: a check never opens a file."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from callproof.checks.check import Check, registered


@cache
def all_checks() -> tuple[Check[Any], ...]:
    """Every check; the first call imports the chapters' modules, in the order of their names."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda each: each.name):
        importlib.import_module(f"{__name__}.{module.name}")
    return registered()

"""A plugin of pytest that leaves the suite two scenarios and no generated case, so that a whole run is short."""

from __future__ import annotations

from callproof import pytest_collecting, settings
from callproof.live.scenarios import SCENARIOS

KEPT = ("SC-18", "SC-19")

pytest_collecting.SCENARIOS = tuple(each for each in SCENARIOS if each.id in KEPT)
settings.CASES = 0

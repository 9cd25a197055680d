"""A pytest plugin that reduces the suite to two scenarios without a generated case, so that a whole run is short."""

from __future__ import annotations

from callproof import settings
from callproof.live.scenarios import SCENARIOS
from callproof.plugin import collecting

KEPT = ("SC-18", "SC-19")

collecting.SCENARIOS = tuple(each for each in SCENARIOS if each.id in KEPT)
settings.CASES = 0

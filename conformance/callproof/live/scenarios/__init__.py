"""Scenarios as data, one module each.  They provoke; they do not judge."""

from __future__ import annotations

from callproof.live.case import Scenario
from callproof.live.scenarios import sc01_chain

SCENARIOS: tuple[Scenario, ...] = (sc01_chain.SCENARIO,)

"""Scenarios as data, one module each.  They provoke; they do not judge."""

from __future__ import annotations

from callproof.live.case import Scenario
from callproof.live.scenarios import (
    sc01_chain,
    sc02_refused,
    sc03_nesting,
    sc05_foreach,
    sc07_retries,
    sc09_timeouts,
    sc10_cancel,
    sc11_confirmation,
)

SCENARIOS: tuple[Scenario, ...] = (
    sc01_chain.SCENARIO,
    sc02_refused.SCENARIO,
    sc03_nesting.SCENARIO,
    sc05_foreach.SCENARIO,
    sc07_retries.SCENARIO,
    sc09_timeouts.SCENARIO,
    sc10_cancel.SCENARIO,
    sc11_confirmation.SCENARIO,
)

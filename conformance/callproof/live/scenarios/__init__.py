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
    sc12_invalid_args,
    sc13_rubbish,
    sc14_sandbox,
    sc15_hooks,
    sc16_collisions,
    sc17_moves,
    sc18_partial,
    sc20_diamond,
    sc22_breaking,
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
    sc12_invalid_args.SCENARIO,
    sc13_rubbish.SCENARIO,
    sc14_sandbox.SCENARIO,
    sc15_hooks.SCENARIO,
    sc16_collisions.SCENARIO,
    sc17_moves.SCENARIO,
    sc18_partial.SCENARIO,
    sc20_diamond.SCENARIO,
    sc22_breaking.SCENARIO,
)

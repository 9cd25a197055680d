"""SC-21: two hundred steps, some flaky and some too slow, one, two and four at a time."""

from __future__ import annotations

from callproof.live.behaviours import echo, fails, script, silent
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import TROUBLE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, step
from callproof.values.jsontext import Json

_STEPS = 200
_RETRY: Json = {"maxAttempts": 2, "backoffMs": 50}


def _step(n: int) -> Object:
    """Every seventh fails once, every fiftieth runs out of time, every fifth reads the one before or waits for it."""
    if n % 50 == 49:
        return step(f"s{n}", "witness.stuck", {"value": n}, onError="skip", timeoutMs=100)
    tool = "witness.flaky" if n % 7 == 3 else "witness.echo"
    before = f"s{n - 1}"
    if n % 10 == 9:
        return step(f"s{n}", tool, {"value": n}, retry=_RETRY, dependsOn=[before])
    return step(f"s{n}", tool, {"value": f"$steps.{before}.value" if n % 5 == 4 else n}, retry=_RETRY)


def _many(at_once: int) -> Case:
    return Case(
        id=f"SC-21/at-once-{at_once}",
        says=f"{_STEPS} steps, {at_once} at a time",
        plan=plan(*(_step(n) for n in range(_STEPS))),
        policy=policy({"maxConcurrency": at_once}),
        tools=(
            hosted("witness.echo", echo()),
            hosted("witness.flaky", script(fails("INTERNAL_ERROR", True), echo(), by_args=True)),
            hosted("witness.stuck", silent(), gives=closed()),
        ),
        requires=("references", "retry", "timeout", "virtualClock", *(("concurrency",) if at_once > 1 else ())),
        provokes=(
            *TROUBLE,
            *("CALL-02", "EVT-21", "RES-23", "DEP-01", "DEP-05", "REF-22", "REF-01", "HASH-03"),
            *("RETRY-01", "RETRY-02", "RETRY-03", "RETRY-08", "RETRY-18", "TIME-01", "TIME-03", "TIME-04", "TIME-11"),
        ),
        horizon_ms=120_000,
    )


SCENARIO = Scenario("SC-21", "Two hundred steps, with retries and timeouts", tuple(_many(n) for n in (1, 2, 4)))

"""Run the whole suite against one system again and again, and compare the verdicts of every round with the first's.

``python tests/stability.py ROUNDS [ABREAST] [ADDRESS]``; the reference executor on real time unless told otherwise.
Most of a round on real time is waiting, so several rounds can run at once, each with its own system.  They slow each
other down, which makes a round harder to pass, never easier.  It is not a pytest test, because it takes minutes:
``nox -s stability`` runs it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from callproof.adapters.deadlines import Deadlines
from callproof.judge.judging import Results, gather
from callproof.judge.verdicts import Verdict
from callproof.live.ran import Runs
from callproof.live.scenarios import SCENARIOS

REAL_TIME = "stdio:callproof-reference stdio --real-time"
USAGE = "usage: python tests/stability.py ROUNDS [ABREAST] [ADDRESS]"

Verdicts = Mapping[str, str]


def main(arguments: Sequence[str]) -> int:
    """The exit code of the command: 1 if a round differs from the first, 2 for wrong arguments."""
    numbers = [int(each) for each in arguments if each.isdecimal()]
    addresses = [each for each in arguments if not each.isdecimal()]
    if not 1 <= len(numbers) <= 2 or len(addresses) > 1 or 0 in numbers:
        print(USAGE, file=sys.stderr)
        return 2
    rounds, abreast = (*numbers, 1)[:2]
    one = partial(_round, address=(*addresses, REAL_TIME)[0])
    unlike = 0
    with ProcessPoolExecutor(abreast, mp_context=get_context("spawn")) as pool:
        verdicts = pool.map(one, range(1, rounds + 1))
        first = next(verdicts)
        for number, each in enumerate(verdicts, 2):
            told = list(_differences(first, each))
            unlike += bool(told)
            print("".join(f"  round {number}: {line}\n" for line in told), end="", flush=True)
    print(f"{rounds} rounds, {unlike} of them unlike the first")
    return 1 if unlike else 0


def _round(number: int, address: str) -> Verdicts:
    """
    The verdict on each requirement, over all and in each scenario that aims at it, and what the adapter got wrong.

    What a scenario exercises without aiming at it may depend on the hour, so it counts only if it fails.
    """
    began = time.monotonic()
    runs = Runs(address, Deadlines())
    judged = {scenario.id: runs.judged(scenario) for scenario in SCENARIOS}
    ended = runs.close()
    verdicts = {
        f"{scenario.id} {name}": result.verdict.value
        for scenario in SCENARIOS
        for name, result in judged[scenario.id].results.items()
        if name in scenario.provokes or result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }
    together = gather(each.results for each in judged.values())
    verdicts |= {name: result.verdict.value for name, result in together.items()}
    errors = {f"{scenario} adapter": "; ".join(each.errors) for scenario, each in judged.items() if each.errors}
    failed = [name for name, each in together.items() if each.findings]
    spent = time.monotonic() - began
    print(f"round {number}: {spent:.1f} s, failed: {', '.join(failed) or 'nothing'}", flush=True)
    for scenario, each in judged.items():
        _tell(scenario, each.results)
    return {**verdicts, **errors, **({"end": str(ended)} if ended else {})}


def _tell(scenario: str, results: Results) -> None:
    """Print what was found against the system."""
    for name, result in results.items():
        for found in result.findings[:1]:
            print(f"  {scenario} {name}: {found.run}: {found.finding.observed}; {found.finding.permitted}", flush=True)


def _differences(one: Verdicts, other: Verdicts) -> Iterator[str]:
    for name in sorted({*one, *other}):
        if one.get(name) != other.get(name):
            yield f"{name} was {one.get(name)} and is {other.get(name)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Time: virtual instants are exact, and what is due happens in order."""

from __future__ import annotations

from time import sleep

from callproof_reference.turns import Clock, Promise, first, rfc3339
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@UNTIMED
@given(st.lists(st.integers(0, 50), max_size=12), st.integers(0, 60))
def test_alarms_ring_at_their_own_instants_and_in_order(delays: list[int], ms: int) -> None:
    """A77: alarms ring in the order of their instants, or of their setting for equal instants; none rings early."""
    time = Clock(virtual=True)
    rung: list[tuple[int, int]] = []
    start = time.now()

    async def sleeper(number: int, delay: int) -> None:
        await time.after(delay)
        rung.append((time.now() - start, number))

    for number, delay in enumerate(delays):
        time.spawn(sleeper(number, delay))
    time.advance(ms)
    assert rung == sorted((delay, number) for number, delay in enumerate(delays) if delay <= ms)
    assert time.now() == start + ms


def test_an_advance_rings_the_alarms_that_it_sets_off() -> None:
    """A77: a chain of waits that fits into the advance has ended when the advance ends."""
    time, seen = Clock(virtual=True), list[str]()

    async def chain() -> None:
        for _ in range(3):
            await time.after(10)
            seen.append(rfc3339(time.now()))

    time.spawn(chain())
    time.advance(29)
    assert seen == ["2026-01-01T00:00:00.010Z", "2026-01-01T00:00:00.020Z"]
    time.advance(1)
    assert seen[2:] == ["2026-01-01T00:00:00.030Z"]


def test_a_promise_is_kept_once() -> None:
    """CANC-08: the first value stays."""
    promise: Promise[int] = Promise()
    promise.keep(1)
    promise.keep(2)
    assert promise.value == 1
    assert first(Promise[int](), promise).kept


def test_real_time_never_goes_back_and_rings_what_is_due() -> None:
    """TIME-08."""
    time = Clock(virtual=False)
    before = time.now()  # asked first, since a millisecond may begin between the two
    alarm = time.after(1)
    while not alarm.kept:
        sleep(time.left(0.01))
        time.advance()
    assert time.now() >= before + 1

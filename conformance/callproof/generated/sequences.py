"""Several runs of one process as one case: one after another, side by side, the same plan again.

A state machine of Hypothesis puts the sequences together; no user of ours ever sees it.  What comes of
it is a case with company, plain data like every other, so that it can be made small and replayed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from hypothesis import HealthCheck, Phase, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from callproof.generated.cases import case_by
from callproof.generated.features import with_features
from callproof.generated.styles import Style, styles_for
from callproof.live.case import Case, Companion, Cue, Move, When
from callproof.trace.witnesses import ActKind

# A sequence is at most so many acts long, and at least two of them start a run.
_ACTS = 5
# Some have one run only, and some are much like others.
_TRIES = 8

_DICE = st.randoms(use_true_random=True)
_WHEN = st.sampled_from((When.BESIDE, When.BEFORE, When.BESIDE))
_MOMENTS_MS = st.sampled_from((0, 50, 100))


def sequences(features: Iterable[str], count: int, seed: int) -> tuple[Case, ...]:
    """So many sequences of runs for a system of these features: the same ones each time."""
    claimed = frozenset(features)
    styles = tuple(_sociable(style, claimed) for style in styles_for(claimed) if not style.spoil)
    kept = _Kept(count)

    class Machine(RuleBasedStateMachine):
        """A process in which runs are started, and cancelled while others go on."""

        def __init__(self) -> None:
            super().__init__()
            self.runs: list[tuple[Case, When]] = []

        @rule(dice=_DICE, when=_WHEN)
        def start(self, dice: Random, when: When) -> None:
            """Another run starts: once the one before is over, or while it goes on."""
            self.runs.append((case_by(dice, styles), _permitted(when, claimed)))

        @precondition(lambda self: bool(self.runs))
        @rule(when=_WHEN)
        def start_again(self, when: When) -> None:
            """The last plan is run once more."""
            self.runs.append((self.runs[-1][0], _permitted(when, claimed)))

        @precondition(lambda self: bool(self.runs) and {"cancellation", "virtualClock"} <= claimed)
        @rule(after_ms=_MOMENTS_MS)
        def cancel(self, after_ms: int) -> None:
            """The last run is cancelled; the others are none the worse for it."""
            case, when = self.runs.pop()
            moves = (*case.timeline, Move(ActKind.CANCEL, Cue.START, after_ms))
            self.runs.append((replace(case, timeline=moves), when))

        def teardown(self) -> None:
            """Keep what has come of it."""
            kept.take(self.runs)

    if count > 0:
        _run(Machine, count, seed)
    return tuple(kept.cases)


class _Kept:
    """Sequences that were kept: so many, and none much like another one, since Hypothesis likes to vary what it has."""

    def __init__(self, count: int) -> None:
        self.cases: list[Case] = []
        self._count = count
        self._seen: set[str] = set()

    def take(self, runs: list[tuple[Case, When]]) -> None:
        plans = frozenset(repr(case.plan) for case, _ in runs)
        if len(runs) > 1 and len(self.cases) < self._count and len(plans - self._seen) > len(plans) // 2:
            self._seen.update(plans)
            self.cases.append(_as_one(runs))


def _permitted(when: When, claimed: frozenset[str]) -> When:
    return when if "concurrency" in claimed else When.BEFORE


def _sociable(style: Style, claimed: frozenset[str]) -> Style:
    """A style with more of what one run could leave to another, and time enough to do so: variables, policies."""
    refers, waits = "references" in claimed, "virtualClock" in claimed
    return replace(
        style,
        least=2,
        most=3,
        deny=30,
        fail=style.fail // 2,
        capture=80 if refers else 0,
        refer=80 if refers else 0,
        slow=60 if waits else 0,
    )


def _run(machine: type[RuleBasedStateMachine], count: int, seed: int) -> None:
    rules = settings(
        max_examples=_TRIES * count,
        stateful_step_count=_ACTS,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much),
    )
    run_state_machine_as_test(seeded(seed)(machine), settings=rules)


def _as_one(runs: list[tuple[Case, When]]) -> Case:
    """The last run with those before it for company."""
    (last, _), others = runs[-1], runs[:-1]
    company = tuple(
        Companion(replace(case, id=f"{case.id}-beside-{place}"), when) for place, (case, when) in enumerate(others, 1)
    )
    return with_features(replace(last, company=company, says=f"{len(runs)} runs in one process"))

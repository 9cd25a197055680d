"""Several runs of one process as one case: one after another, side by side, the same plan again.

A state machine of Hypothesis puts the sequences together; users never see it.  What Hypothesis draws
depends on its version and on the loaded modules, so it draws nothing here: the dice choose the next act,
and only the rule for that act can be taken.  The product is a case with company,
plain data like every other case, so that it can be made small and replayed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum, auto
from random import Random
from typing import TypeAlias, cast

from hypothesis import Phase, Verbosity, settings
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from callproof.generated.cases import case_by
from callproof.generated.chances import between, one_of
from callproof.generated.features import with_features
from callproof.generated.styles import Style, styles_for
from callproof.live.case import Case, Companion, Cue, Move, When
from callproof.trace.witnesses import ActKind

_MOMENTS_MS = (0, 50, 100)
_WHEN = (When.BESIDE, When.BEFORE, When.BESIDE)
_Runs: TypeAlias = list[tuple[Case, When]]


class _Act(Enum):
    START = auto()
    START_AGAIN = auto()
    CANCEL = auto()


class _Machine(RuleBasedStateMachine):
    """A process in which runs are started, and cancelled while others continue."""

    def __init__(self, dice: Random, claimed: frozenset[str], kept: list[_Runs]) -> None:
        super().__init__()
        self._dice = dice
        self._whens = _WHEN if "concurrency" in claimed else (When.BEFORE,)
        self._cancels = {"cancellation", "virtualClock"} <= claimed
        self._styles = tuple(_sociable(style, claimed) for style in styles_for(claimed) if not style.spoil)
        self._kept = kept
        self._runs: _Runs = []
        self.act = _Act.START

    @precondition(lambda self: self.act is _Act.START)
    @rule()
    def start(self) -> None:
        """Another run starts: after the one before has ended, or while it continues."""
        self._add(case_by(self._dice, self._styles))

    @precondition(lambda self: self.act is _Act.START_AGAIN)
    @rule()
    def start_again(self) -> None:
        """The last plan runs once more."""
        self._add(self._runs[-1][0])

    @precondition(lambda self: self.act is _Act.CANCEL)
    @rule()
    def cancel(self) -> None:
        """One of the runs is cancelled; that must not affect the others."""
        place = between(self._dice, 0, len(self._runs) - 1)
        case, when = self._runs[place]
        cancellation = Move(ActKind.CANCEL, Cue.START, one_of(self._dice, _MOMENTS_MS))
        self._runs[place] = replace(case, timeline=(*case.timeline, cancellation)), when
        self._throw()

    def teardown(self) -> None:
        """Keep the runs of the sequence."""
        self._kept.append(self._runs)

    def _add(self, case: Case) -> None:
        self._runs.append((case, one_of(self._dice, self._whens)))
        self._throw()

    def _throw(self) -> None:
        """Let the dice choose the next act; the second act always adds a second run, so that there is a sequence."""
        cancels = self._cancels and len(self._runs) > 1
        self.act = one_of(self._dice, tuple(_Act) if cancels else (_Act.START, _Act.START_AGAIN))


def sequence_by(dice: Random, features: Iterable[str]) -> Case:
    """Two to five runs in one process as one case, for a system with these features."""
    claimed, kept, acts = frozenset(features), list[_Runs](), between(dice, 3, 5)
    rules = settings(
        # A single example: Hypothesis begins with the simplest, which takes as many steps as permitted.
        max_examples=1,
        stateful_step_count=acts,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
    )
    # Hypothesis' documentation permits a function instead of a class, but its types permit only classes.
    machine = cast("type[_Machine]", lambda: _Machine(dice, claimed, kept))
    run_state_machine_as_test(machine, settings=rules)
    return _as_one(kept[0])


def _sociable(style: Style, claimed: frozenset[str]) -> Style:
    """A style with more of what one run could leak into another, such as variables and policies, and time to do so."""
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


def _as_one(runs: _Runs) -> Case:
    """The last run as a case, with the runs before it as company."""
    (last, _), others = runs[-1], runs[:-1]
    company = tuple(
        Companion(replace(case, id=f"{case.id}-beside-{place}"), when) for place, (case, when) in enumerate(others, 1)
    )
    return with_features(replace(last, company=company, says=f"{len(runs)} runs in one process"))

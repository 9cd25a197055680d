"""What the oracle sees of a run: the given case, what the suite did, and what that decides about the whole run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from callproof.checks.dispatching import ran_out_waiting, was_held_back
from callproof.checks.policy_paths import sandbox_of
from callproof.checks.timeouts_deeds import clock_slack_ms
from callproof.live.case import Case, Cue
from callproof.trace.plan import Plan, Policy, Step
from callproof.trace.plangraph import Need, all_needs
from callproof.trace.registry import Registry, Tool, registry_of
from callproof.trace.run import Run
from callproof.trace.witnesses import Act, ActKind
from callproof.values.vaultpaths import Sandbox

_DECISIONS = (ActKind.APPROVE, ActKind.REJECT)


class Leave(Enum):
    """Whether a run was permitted to begin its work, by what the suite did about it."""

    GIVEN = "given"
    REJECTED = "rejected"
    EXPIRED = "expired"
    CANCELLED = "cancelled before anybody approved"
    OPEN = "decided at one and the same instant, or not at all"


@dataclass(frozen=True)
class Sight:
    """A case and its run.  The run was accepted and has its witnesses."""

    case: Case
    run: Run

    @cached_property
    def plan(self) -> Plan:
        """The plan that was given."""
        return Plan(self.case.plan)

    @cached_property
    def policy(self) -> Policy:
        """The policy that was given."""
        return Policy(self.case.policy)

    @cached_property
    def registry(self) -> Registry:
        """The tools that were given."""
        return registry_of(self.case.descriptors)

    @cached_property
    def needs(self) -> Mapping[str, tuple[Need, ...]]:
        """What each step waits for."""
        return all_needs(self.plan)

    @cached_property
    def hosted(self) -> frozenset[str]:
        """The tools that the suite hosts; only for these it is known what reached them."""
        return frozenset(tool.name for tool in self.case.tools)

    @cached_property
    def sandbox(self) -> Sandbox | None:
        """The sandbox of the policy."""
        return sandbox_of(self.policy)

    @cached_property
    def slack_ms(self) -> float:
        """How far the suite's clock may be from the system's; zero if the suite moves the time."""
        exact = self.run.witnessed is not None and self.run.witnessed.virtual_clock
        return 0.0 if exact else clock_slack_ms(self.run)

    @cached_property
    def cancel(self) -> Act | None:
        """The first cancellation that may have come while the run was at work."""
        end = self.run.witnessed.finished_arrival if self.run.witnessed is not None else None
        cancels = (act for act in self.run.acts or () if act.kind is ActKind.CANCEL)
        return next((act for act in cancels if end is None or act.arrival < end), None)

    @cached_property
    def ran_out(self) -> frozenset[tuple[str | None, int | None]]:
        """The logical calls with an attempt that was closed before it began because of its own deadline (TIME-12)."""
        waited = (each for each in self.run.attempts if was_held_back(each) and ran_out_waiting(each))
        return frozenset((each.call.step_id, each.call.iteration_index) for each in waited)

    @cached_property
    def leave(self) -> Leave:
        """Whether the run was permitted to begin."""
        if not self.policy.confirmations_required:
            return Leave.GIVEN
        if self.case.company or any(move.confirmation_id or move.confirmation_of for move in self.case.timeline):
            return Leave.OPEN  # an answer may be meant for the question of another run, and does not count then
        decided = next((act for act in self.run.acts or () if act.kind in _DECISIONS), None)
        if self.cancel is not None and (decided is None or self.cancel.arrival < decided.arrival):
            tied = decided is not None and decided.at_ms - self.cancel.at_ms <= self.slack_ms
            return Leave.OPEN if tied else Leave.CANCELLED
        waited, expiry = self._waited_ms(), self.case.confirmation_timeout_ms
        if expiry is not None and (waited is None or waited > expiry):
            return Leave.EXPIRED
        if decided is None or waited == expiry:
            return Leave.OPEN
        return Leave.GIVEN if decided.kind is ActKind.APPROVE else Leave.REJECTED

    def _waited_ms(self) -> int | None:
        """How long after the question the first decision came."""
        answers = (move for move in self.case.timeline if move.cue is Cue.CONFIRMATION and move.act in _DECISIONS)
        return min((move.after_ms for move in answers), default=None)

    def tool(self, step: Step) -> Tool | None:
        """The tool of a step."""
        return self.registry.resolve(step.tool)

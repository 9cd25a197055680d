"""What the oracle gives: one look at one requirement, good or with a finding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from callproof.checks.check import Finding, Witness, witness
from callproof.trace.plan import Step
from callproof.trace.records import Record, Source
from callproof.trace.witnesses import Act, Deed


@dataclass(frozen=True, slots=True)
class Look:
    """A requirement that the oracle looked at in a run; ``finding`` if it was broken."""

    requirement: str
    finding: Finding | None = None


Looks: TypeAlias = Iterator[Look]


def broken(requirement: str, observed: str, permitted: str, *seen: Witness, why: str = "") -> Look:
    """A look at a requirement that was broken."""
    return Look(requirement, Finding(observed, permitted, seen, (why,) if why else ()))


def of_step(step: Step) -> Witness:
    """A step of the plan as a witness, for when no record shows it."""
    return Witness("S", f"step {step.id} of the plan", Source("wire", 0))


def of_deed(deed: Deed, name: str = "D") -> Witness:
    """An invocation as a witness."""
    return witness(name, deed)


def of_act(act: Act) -> Witness:
    """An act of the suite as a witness."""
    return Witness("A", f"the suite's {act.kind.value}", Source("wire", act.arrival))


def of_record(record: Record | None) -> tuple[Witness, ...]:
    """A result as a witness, if there is one."""
    return () if record is None else (witness("R", record),)

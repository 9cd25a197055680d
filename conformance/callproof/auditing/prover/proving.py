"""Proves a run: reads it, joins its records, and judges it by every law in the form in which it is proved quickly."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import msgspec

from callproof.auditing.census import NOBODY, Census
from callproof.auditing.prover.arguments import prove_arguments
from callproof.auditing.prover.attempts import prove_attempts
from callproof.auditing.prover.case import Case
from callproof.auditing.prover.decisions import plan_hash_of, prove_decisions, prove_frame
from callproof.auditing.prover.effects import prove_effects
from callproof.auditing.prover.endings import ended_early, final_failures, prove_endings
from callproof.auditing.prover.eventless import prove_open_calls
from callproof.auditing.prover.fates import Outputs
from callproof.auditing.prover.history import prove_history
from callproof.auditing.prover.joining import joined
from callproof.auditing.prover.loops import prove_loops
from callproof.auditing.prover.outcome import LawsKept, LawsUndecided
from callproof.auditing.prover.reading import reading_of
from callproof.auditing.prover.wording import prove_previews, prove_texts
from callproof.auditlog.captured import CapturedRun
from callproof.values.jsontext import Json, write_json
from callproof.values.names import as_name

# What decoding raises for text that is not valid here.  The checks read it again and report what is wrong.
UNREADABLE = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)


@dataclass(frozen=True, slots=True)
class Proof:
    """
    What the checks would say about a run in which they find nothing.

    ``kept`` and ``missing`` are those of an ``AuditedRun``, and ``census`` counts the run's calls.
    """

    kept: LawsKept
    missing: LawsUndecided
    census: Census


def prove(
    captured: CapturedRun, tools: tuple[Json, ...] | None = None, left_out: frozenset[str] = frozenset()
) -> Proof | None:
    """
    The proof that the checks would find nothing in a run; None if nothing is proved.

    ``tools`` are the descriptors of the registry if the run record has none, ``left_out`` the ids of requirements
    that are not judged.
    """
    try:
        return _proof(captured, tools, left_out)
    except Exception:  # noqa: BLE001  whatever goes wrong in here proves nothing, and the checks decide
        return None


def _proof(captured: CapturedRun, tools: tuple[Json, ...] | None, left_out: frozenset[str]) -> Proof:
    case = proved_case(captured, tools)
    met = (case.met, left_out)
    return Proof(LawsKept(met), LawsUndecided(met), _census(case))


def proved_case(captured: CapturedRun, tools: tuple[Json, ...] | None = None) -> Case:
    """A run that keeps every law, with the features met in it.  Raises Unproved, and what decoding raises."""
    reading = reading_of(captured, _descriptors.text(tools))
    case = joined(reading)
    if reading.events is not None:
        prove_frame(case, len(reading.events) - 1)
    else:
        prove_open_calls(case)
    outputs = Outputs(case)
    failures = final_failures(case)
    early = ended_early(case, failures)
    prove_arguments(case, outputs)
    prove_attempts(case)
    prove_loops(case, outputs, ended_early=early)
    prove_endings(case, outputs, failures, early=early)
    prove_decisions(case, plan_hash_of(case))
    prove_history(case, prove_effects(case))
    prove_previews(case)
    prove_texts(case.texts)
    return case


def _census(case: Case) -> Census:
    if not case.calls:
        return NOBODY
    first = case.calls[0].call
    tools = Counter([each.tool.counted for each in case.calls])
    return Census(dict(tools), as_name(first.executor_version), as_name(first.tool_registry_version))


class _Descriptors:
    """Descriptors as text, remembered because the same tuple comes with run after run."""

    def __init__(self) -> None:
        self._given: tuple[Json, ...] | None = None
        self._text: bytes | None = None

    def text(self, tools: tuple[Json, ...] | None) -> bytes | None:
        """The JSON array of these descriptors; None if there are none."""
        if tools is not self._given:
            self._given, self._text = tools, None if tools is None else write_json(list(tools)).encode()
        return self._text


_descriptors = _Descriptors()

"""The cases of the suite; each module has one subject or two."""

from __future__ import annotations

from itertools import chain
from typing import Final

from callproof.invocations.case import InvocationCase
from callproof.invocations.cases import absences, answers, failures, needed, requests, uses

CASES: Final[tuple[InvocationCase, ...]] = tuple(
    chain(requests.CASES, uses.CASES, failures.CASES, absences.CASES, needed.CASES, answers.CASES)
)

SUBJECTS: Final = {
    "IV-01": "Requests of the planner",
    "IV-02": "Tools that the runtime uses",
    "IV-03": "Tools that the provider uses",
    "IV-04": "Tools that fail",
    "IV-05": "Tools that are not available",
    "IV-06": "Rerouting to another profile",
    "IV-07": "Tools that the response needs",
    "IV-08": "Several tools",
    "IV-09": "Answers",
    "IV-10": "Reports",
}

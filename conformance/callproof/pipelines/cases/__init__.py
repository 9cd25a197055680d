"""The cases of the suite; each module has one subject or two."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Final

from callproof.pipelines.case import PipelineCase
from callproof.pipelines.cases import aborts, beside, calls, hooks, inputs, outputs, permission, words

# If one call is turned away and another is executed, they share aims; each aim is named only once.
CASES: Final[tuple[PipelineCase, ...]] = tuple(
    replace(case, aims=tuple(dict.fromkeys(case.aims)))
    for case in chain(
        calls.CASES,
        inputs.CASES,
        hooks.CASES,
        permission.CASES,
        outputs.CASES,
        beside.CASES,
        aborts.CASES,
        words.CASES,
    )
)

SUBJECTS: Final = {
    "PL-01": "Calls, and the tools of a surface",
    "PL-02": "Inputs and schemas",
    "PL-03": "Values that a tool validates",
    "PL-04": "Hooks before a call",
    "PL-05": "Permission",
    "PL-06": "Mapping, and hooks after a call",
    "PL-07": "Output that is too large",
    "PL-08": "Calls in parallel, in order and in sequence",
    "PL-09": "Aborts by the user",
    "PL-10": "Progress and context changes",
}

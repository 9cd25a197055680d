"""Records that have not their shape: each breaks the law that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.checks.check import Finding
from callproof.protocols.pipeline.trace import LAWS, Line, Pipeline, listed
from callproof.protocols.shapes import faults_of, told
from callproof.schema.validator import SchemaFault

JUDGED_BY: Final = {
    "invocation": "PIPE-01",
    "phase": "PIPE-02",
    "progress": "PIPE-02",
    "decision": "PIPE-03",
    "mutation": "PIPE-03",
    "hook": "PIPE-04",
    "policy": "PIPE-05",
    "event": "PIPE-06",
    "persistence": "PIPE-07",
    "result": "PIPE-08",
    "surface": "PIPE-09",
}


def _hold_to_its_shape(kind: str, requirement: str) -> None:
    def broken(log: Pipeline) -> Iterator[tuple[Line, tuple[SchemaFault, ...]]]:
        # Only those that are broken are subjects: a record of the right shape decides no law.
        for line in log.of(kind):
            if faults := tuple(faults_of(line.entry, f"pipeline-{kind}")):
                yield line, faults

    @LAWS.check(requirement, each=broken)
    def a_record_has_its_shape(_log: Pipeline, found: tuple[Line, tuple[SchemaFault, ...]]) -> Iterator[Finding]:
        """A record has the shape of its kind."""
        line, faults = found
        yield Finding(
            f"a record of the kind {kind} is of another shape: {listed(map(told, faults))}",
            f"the shape protocols/pipeline-{kind}",
            (line.witness("R"),),
            help=f"schemas/protocols/pipeline-{kind}.json has it",
        )


for _kind, _requirement in JUDGED_BY.items():
    _hold_to_its_shape(_kind, _requirement)

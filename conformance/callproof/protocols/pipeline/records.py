"""Records that do not have their shape: each breaks the law that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.checks.check import Finding
from callproof.protocols.pipeline.trace import LAWS, Line, Pipeline
from callproof.protocols.shapes import FEW, all_told, faults_of
from callproof.schema.validator import SchemaFault

JUDGED_BY: Final = {
    "PIPE-01": ("invocation",),
    "PIPE-02": ("phase", "progress"),
    "PIPE-03": ("decision", "mutation"),
    "PIPE-04": ("hook",),
    "PIPE-05": ("policy",),
    "PIPE-06": ("event",),
    "PIPE-07": ("persistence",),
    "PIPE-08": ("result",),
    "PIPE-09": ("surface",),
}


def _hold_to_their_shapes(requirement: str, kinds: tuple[str, ...]) -> None:
    def broken(log: Pipeline) -> Iterator[tuple[Line, tuple[SchemaFault, ...]]]:
        # Only broken records are subjects: a record of the right shape decides no law.
        for line in log.lines:
            if line.kind in kinds and (faults := faults_of(line.entry.value, f"pipeline-{line.kind}", FEW)):
                yield line, faults

    @LAWS.check(requirement, each=broken)
    def a_record_has_its_shape(_log: Pipeline, found: tuple[Line, tuple[SchemaFault, ...]]) -> Iterator[Finding]:
        """A record has the shape of its kind."""
        line, faults = found
        yield Finding(
            f"a record of the kind {line.kind} has the wrong shape: {all_told(faults)}",
            f"the shape protocols/pipeline-{line.kind}",
            (line.witness("R"),),
            help=f"see schemas/protocols/pipeline-{line.kind}.json",
        )


for _requirement, _kinds in JUDGED_BY.items():
    _hold_to_their_shapes(_requirement, _kinds)

"""What the suite sees a pipeline do, as lines of a log of its protocol."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.driven.log import Log
from callproof.pipelines.case import PipelineCase, Tool
from callproof.protocols.pipeline.probes import CASE, PROBE
from callproof.values.jsontext import Json

SURFACE, POLICY, BATCH = "s-1", "p-1", "b-1"


class PipelineLog(Log):
    """A note of the case, its surface and its policy, records of the pipeline, and probes of the suite."""

    def __init__(self, case: PipelineCase, start: Mapping[str, Json]) -> None:
        super().__init__(case.id, {"record": CASE, "case": case.id, "driven": True, **start})
        states = {"loaded_tools": "visible", "deferred_tools": "deferred", "blocked_tools": "blocked"}
        lists = {name: [tool.id for tool in case.tools if tool.state == state] for name, state in states.items()}
        self.line({"record": "surface", "surface_id": SURFACE, **{name: [*told] for name, told in lists.items()}})
        self.line({"record": "policy", **policy_of(case, start)})

    def probe(self, name: str, members: Mapping[str, Json]) -> None:
        """Write down what the suite saw or did."""
        self.line({"record": PROBE, "probe": name, **members})


def policy_of(case: PipelineCase, start: Mapping[str, Json]) -> Mapping[str, Json]:
    """The policy with which a case begins."""
    found = start["policy"]
    assert isinstance(found, Mapping), case.id  # noqa: S101  the suite wrote it
    return found


def start_of(case: PipelineCase, ordering: str) -> Mapping[str, Json]:
    """The message with which a case begins."""
    limit: Mapping[str, Json] = {} if case.result_bytes is None else {"result_bytes": case.result_bytes}
    return {
        "surface": {"surface_id": SURFACE, "tools": [_told(tool) for tool in case.tools]},
        "policy": {
            "scheduler_policy_id": POLICY,
            "ordering_policy": ordering,
            "sibling_failure_policy": case.siblings,
            "context_modifier_policy": case.context,
        },
        "asks": list(case.asking.phases),
        **limit,
        "batch_id": BATCH,
        "calls": [{"invocation_id": each.id, "name": each.name, "input": each.input} for each in case.calls],
    }


def _told(tool: Tool) -> Mapping[str, Json]:
    names: Mapping[str, Json] = {"names": list(tool.names)} if tool.names else {}
    about: Mapping[str, Json] = {
        "description": f"The tool {tool.id} of a case.",
        "input_schema": tool.schema,
        "state": tool.state,
    }
    return {"tool_id": tool.id, **names, **about}

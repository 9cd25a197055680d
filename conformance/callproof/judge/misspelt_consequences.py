"""What follows from a member with a misspelt name: the rows of the table of consequences on that."""

from __future__ import annotations

from callproof.checks.matters import Matter
from callproof.judge.groups import laws_of
from callproof.judge.sharing import Consequence, Shared

# By member, the laws that a record without it breaks; only their findings about this member follow.
_MISSED: dict[Matter, str] = {
    Matter.CALL_ID: "CALL-01 RES-02 LOG-23 CALL-21",
    Matter.RUN_ID: "CALL-03 EVT-02",
    Matter.STEP_ID: "CALL-05 DEP-14",
    Matter.TOOL: "CALL-06",
    Matter.ATTEMPT: "CALL-08",
    Matter.ITERATION: "LOOP-02",
    Matter.ARGS: "CALL-07",
    Matter.CANCELLABLE: "CALL-09",
    Matter.CREATED_AT: "CALL-10",
    Matter.EXECUTOR_VERSION: "CALL-11",
    Matter.TOOL_REGISTRY_VERSION: "CALL-12",
    Matter.RISK_LEVEL: "CALL-13",
    Matter.POLICY: "CALL-16 CALL-17 LOG-10",
    Matter.CONFIRMATION_ID: "CONF-03",
    Matter.LOOP_ID: "LOOP-05",
    Matter.STATUS: "RES-04",
    Matter.OK: "RES-05",
    Matter.DATA: "RES-06",
    Matter.ERROR: "RES-09 RES-11",
    Matter.STARTED_AT: "RES-17",
    Matter.ENDED_AT: "RES-17",
    Matter.DURATION_MS: "RES-17",
    Matter.EFFECTS: "EFF-20",
    Matter.USER_MESSAGE: "RES-11",
    Matter.TYPE: "EVT-01",
    Matter.TIMESTAMP: "EVT-02",
    Matter.LEVEL: "EVT-02",
    Matter.MESSAGE: "EVT-02 RES-09",
    Matter.PAYLOAD: "EVT-18 CONF-04 CONF-06 CONF-08",
    Matter.INDEX: "LOOP-11",
    Matter.ITEM_NAME: "LOOP-11",
    Matter.ITEM_VALUE: "LOOP-11",
    Matter.CODE: "RES-09",
    Matter.DETAILS: "CANC-09",
}
# The members of its call that a result or an event repeats.
_REPEATED = (Matter.CALL_ID, Matter.RUN_ID, Matter.STEP_ID, Matter.TOOL, Matter.ATTEMPT, Matter.ITERATION)
_BECAUSE = "the member is there under another name"

MISSPELT: tuple[Consequence, ...] = (
    *(
        Consequence(laws_of(laws), ("CALL-22",), Shared.RECORD, _BECAUSE, when=(member,))
        for member, laws in _MISSED.items()
    ),
    *(
        Consequence(("EVT-13", "RES-03"), ("CALL-22",), Shared.RECORD, _BECAUSE, (member,), (member,))
        for member in _REPEATED
    ),
    # Laws on other records, which then miss this one.
    Consequence(
        ("LOG-07", "RES-01", "EVT-14", "EVT-08", "EVT-12"),
        ("CALL-22",),
        Shared.STEP,
        _BECAUSE,
        when=(Matter.CALL_ID, Matter.TYPE),
    ),
    Consequence(("RES-17",), ("CALL-22",), Shared.STEP, _BECAUSE, (Matter.DURATION_MS,), (Matter.CALL_ID, Matter.TYPE)),
)

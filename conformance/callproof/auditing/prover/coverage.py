"""Which laws a proof covers: which features exercise each law, or why no run that can be proved has a subject for it.

``EXERCISED`` gives for each requirement the bits of ``features`` any one of which exercises it.
The prover proves the requirement where it sets the bit.  ``NEVER`` are requirements that have no
subject in a run that is proved here: only a live run has one, or the prover hands over every run
that could have one.  A test compares both with the list of checks, so that no new law is missed.
"""

from __future__ import annotations

from collections.abc import Mapping

from callproof.auditing.prover import features as f

_CALLS = (
    "CALL-01 CALL-02 CALL-05 CALL-06 CALL-07 CALL-08 CALL-09 CALL-10 CALL-11 CALL-12 CALL-13 CALL-16 "
    "POL-12 POL-21 CONF-13 RETRY-01 LOG-07 LOG-10 LOOP-02 DEP-07 VAL-06 REF-27"
)
_RESULTS = "RES-04 RES-05 RES-17 RES-18 RES-25 TIME-06 TIME-07"

_BY_FEATURE: Mapping[int, str] = {
    f.ALWAYS: "LOG-01 LOG-02 LOG-03 LOG-04 LOG-05 LOG-19 LOG-22 CALL-03 CALL-22 EVT-01 EVT-02 EVT-03 EVT-04 EVT-05 "
    "EVT-18 MSG-06 TIME-09 TIME-13 DEP-08 VAL-13",
    f.CALLS: _CALLS,
    f.SEVERAL_CALLS: "CALL-17 LOG-14",
    f.CATEGORY: "CALL-15",
    f.OPTIONAL_TEXT: "CALL-24",
    f.TIME_LIMIT: "CALL-18 TIME-10",
    f.DEADLINE: "CALL-19",
    f.STEP_PREVIEW: "CALL-14",
    f.PREVIEW: "MSG-04",
    f.ITERATION_PREVIEW: "MSG-05",
    f.UNDECLARED_RISK: "POL-19",
    f.DISPATCHED: "RES-01 VAL-01 VAL-03 DEP-03 DEP-14",
    f.DISPATCHED | f.SHOWN_RESULT: "EVT-08",
    f.DISPATCHED_WITH_REFERENCES: "VAL-02",
    f.DISPATCHED_WITH_TIME_LIMIT: "TIME-01",
    f.DISPATCHED_WITH_TIME_LIMIT | f.DISPATCHED_WITH_DEADLINE_ALONE: "TIME-02",
    f.CLOSED_WITH_DEADLINE: "TIME-12",
    f.SHOWN_ENTRY: "CALL-21",
    f.EVIDENTLY_DISPATCHED: "EVT-14",
    f.DRY_RUN: "POL-11 EFF-23",
    f.ARGS_HASH: "HASH-01 HASH-03",
    f.ARGS_HASH | f.DATA_HASH: "HASH-04",
    f.EDGED_ARGS_HASH: "HASH-05",
    f.EQUAL_ARGS: "HASH-02",
    f.RETRIED_ARGS_HASH: "HASH-07",
    f.DATA_HASH: "HASH-06",
    f.LEAF: "LOG-06 LOG-11 LOG-12 VAL-10",
    f.LITERAL_LEAF: "VAL-04",
    f.TEXT_LEAF: "REF-16",
    f.EXPANDABLE_LEAF: "REF-15",
    f.REFERENCE_LEAF: "REF-10 REF-11",
    f.STEPS_LEAF: "REF-01",
    f.VARS_LEAF: "REF-05",
    f.ITEM_LEAF: "REF-07 LOOP-13",
    f.INDEX_LEAF: "REF-08",
    f.LOOP_LEAF: "REF-09",
    f.LOOP_OUTPUT_LEAF: "REF-20",
    f.FALSY_LEAF: "REF-18",
    f.REPEATED_REFERENCE: "REF-12",
    f.REPEATED_ATTEMPT: "REF-14",
    f.STEPS_NEED: "REF-02 REF-22",
    f.VARS_NEED: "REF-06",
    f.DECLARED_NEED: "DEP-01 DEP-02",
    f.OUTPUT_READ: "VAL-07",
    f.ABSENT_FIELD: "REF-04",
    f.NO_CONTAINER: "REF-17",
    f.FAILED_RESOLUTION: "REF-24",
    f.PATHS: "POL-02",
    f.ROOT_LOOKALIKE: "POL-03",
    f.PARENT_PATH: "POL-04",
    f.ABSOLUTE_PATH: "POL-05",
    f.URI_PATH: "POL-06",
    f.PATTERN_PATH: "POL-09",
    f.PATTERN_LOOKALIKE: "POL-10",
    f.DENIED_TOOL: "POL-01",
    f.DENIED_TOOL_FAILED: "ERR-04",
    f.JUDGED_AGAIN: "POL-13",
    f.DENIAL: "POL-14",
    f.CONFIRMED_WRITE: "CONF-01",
    f.CONFIRMED_READ: "CONF-02",
    f.CONFIRMABLE_CALL: "CONF-03",
    f.DECISION_EXPECTED: "CONF-04",
    f.REQUIRED: "CONF-08",
    f.NOT_REQUIRED: "CONF-09",
    f.DECISION: "CONF-10",
    f.CONFIRMED: "CONF-11",
    f.REJECTED: "CONF-06",
    f.CONFIRMED_AND_CANCELLED: "CONF-12",
    f.STAMPED_WRITE: "CONF-14",
    f.RETRIED: "RETRY-02 RETRY-04 RETRY-05 RETRY-06 RETRY-07 RETRY-08 RETRY-09 RETRY-14 EFF-17",
    f.RETRY_PLANNED: "RETRY-03",
    f.NO_RETRY_PLANNED: "RETRY-19",
    f.ENDED_SHORT: "RETRY-11",
    f.ITERATION_ENDED_SHORT: "RETRY-12",
    f.TIMED_OUT_WRITE: "RETRY-15",
    f.LATER_DISPATCH: "RETRY-16",
    f.RECOVERED: "RETRY-10",
    f.CLAMPED: "RETRY-17",
    f.SEVERAL_FAILURES: "ERR-08",
    f.RESULTS: _RESULTS,
    f.RESULTS_BESIDE_CALLS: "RES-02",
    f.RESULTS_WITHOUT_CALLS: "LOG-23",
    f.ANSWERED: "RES-03",
    f.OK: "RES-06 RES-10",
    f.NOT_OK: "RES-08",
    f.FAILED: "RES-09",
    f.OWN_CODE: "RES-12",
    f.STATUS_ERROR: "RES-13",
    f.SKIPPED: "RES-11 RES-19",
    f.ERROR: "RES-14 RES-15 RES-16",
    f.CLOSED_EARLY: "RES-20",
    f.DATA: "RES-07 RES-24",
    f.PRECHECK: "VAL-14",
    f.USER_MESSAGE: "MSG-01",
    f.USER_MESSAGE | f.RETRIED: "MSG-02",
    f.MISSING: "ERR-01",
    f.COLLISION: "ERR-02",
    f.UNPREPARED: "ERR-03",
    f.UNEXPECTED: "ERR-05",
    f.UNSERIALISABLE: "RES-22",
    f.OTHER_LAYER: "ERR-10",
    f.REFUSED_ARGS: "ERR-07",
    f.REFUSED_BY_VALIDATION: "VAL-11",
    f.JOB_WORD: "ERR-11",
    f.SEVERAL_EVENTS: "EVT-15",
    f.STEP_EVENT: "EVT-13",
    f.PAYLOAD: "EVT-17",
    f.FAILED_EVENT: "EVT-16",
    f.STARTED_AND_ANSWERED: "EVT-06",
    f.NEVER_DISPATCHED: "EVT-07",
    f.CLOSED: "EVT-09 EVT-10",
    f.CALL_EVENT: "EVT-11 EVT-12",
    f.SHOWN_RESULT: "EVT-21",
    f.CANCELLED: "CANC-01 CANC-05 CANC-07",
    f.OPEN_AT_CANCELLATION: "CANC-02",
    f.OPEN_AT_CANCELLATION | f.STOPPED_WHILE_OPEN: "CANC-03",
    f.CANCELLED_UNCONFIRMED: "CANC-06",
    f.CANCELLED_RESULT: "CANC-08",
    f.CANCELLED_BY_NOBODY: "CANC-09",
    f.WAITING_AT_CANCELLATION: "CANC-11",
    f.STOPPING_FAILURE: "DEP-04",
    f.PASSED_OVER: "DEP-05",
    f.SKIPPED_FOR: "DEP-06",
    f.WHOLE_LOOP: "LOOP-01 LOOP-10 LOOP-12",
    f.LOOP_RECORD: "LOOP-04 LOOP-11",
    f.PLACED_ITEM: "LOOP-03",
    f.LOOP_ID: "LOOP-05",
    f.EMPTY_LOOP: "LOOP-06",
    f.BESIDE_A_FAILURE: "LOOP-08",
    f.NEIGHBOURS: "LOOP-09",
    f.DISPATCHED_ITERATION: "LOOP-14",
    f.EFFECTS: "EFF-21",
    f.CHANGES: "EFF-12 EFF-13 EFF-25",
    f.TOOL_ANSWER: "EFF-15",
    f.READ: "EFF-09",
    f.HELD_BACK: "EFF-19",
    f.SUCCESSFUL_WRITE: "EFF-20",
    f.MOVE: "EFF-06",
    f.TOLD_TWICE: "EFF-14 EFF-22",
    f.CREATED_KNOWN: "EFF-02",
    f.MODIFIED_KNOWN: "EFF-03",
    f.TOLD_TWICE | f.MODIFIED_KNOWN: "EFF-04",
    f.TOLD_TWICE | f.DELETED_KNOWN: "EFF-05",
    f.CHANGES | f.MODIFIED_KNOWN | f.DELETED_KNOWN: "EFF-11",
    f.RENAMED_ONTO: "EFF-07",
    f.CONCURRENT_CHANGES: "EFF-16",
}

EXERCISED: Mapping[str, int] = {name: mask for mask, names in _BY_FEATURE.items() for name in names.split()}

# Faults of a plan, subjects that exist only if the law was broken, redaction, hooks, runs that broke off.
_HANDED_OVER = (
    "REF-03 REF-21 REF-23 REF-25 REF-26 VAL-05 VAL-08 VAL-09 VAL-15 DEP-09 DEP-10 DEP-13 "
    "LOG-08 LOG-17 LOG-18 RES-21 POL-15 POL-16 POL-17 POL-18 EFF-24"
)
NEVER = frozenset(_HANDED_OVER.split())

# Without events the laws that need them are undecided.  So are these: it is unknown whether the run was cancelled and
# how far its loops should go, and stamps can show that too many calls were open at once, never that few enough were.
_UNKNOWN = "DEP-03 DEP-05 DEP-06 LOOP-01 LOOP-10 LOOP-12 LOOP-14 RETRY-11 RETRY-12"
UNKNOWN_WITHOUT_EVENTS = frozenset(_UNKNOWN.split())
# What only runs without events exercise.
EXERCISED_WITHOUT_EVENTS: Mapping[str, int] = {"LOG-18": f.CONFIRMED_WRITE}

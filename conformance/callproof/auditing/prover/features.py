"""What was met in a run, as bits of one integer.

A run exercises a law if it holds something that the law is about.  ``coverage`` is the only
place that says which of these bits exercise which law.
"""

from __future__ import annotations

from itertools import count

_bits = count()


def _bit() -> int:
    return 1 << next(_bits)


# Every run that can be proved has a run record and came to its end.
ALWAYS = _bit()
WITHOUT_EVENTS = _bit()
DECIDED = _bit()  # an event that shows the decision on the confirmation

# Calls.
CALLS = _bit()
SEVERAL_CALLS = _bit()
CATEGORY = _bit()
OPTIONAL_TEXT = _bit()
TIME_LIMIT = _bit()
DEADLINE = _bit()
PREVIEW = _bit()  # a preview that names what it is about
STEP_PREVIEW = _bit()  # any preview at all
ITERATION_PREVIEW = _bit()
UNDECLARED_RISK = _bit()
DISPATCHED = _bit()
DISPATCHED_WITH_REFERENCES = _bit()
DISPATCHED_WITH_TIME_LIMIT = _bit()
CLOSED_WITH_DEADLINE = _bit()
DISPATCHED_WITH_DEADLINE_ALONE = _bit()
SHOWN_ENTRY = _bit()  # a record that shows that a tool was entered
EVIDENTLY_DISPATCHED = _bit()
DRY_RUN = _bit()

# Hashes.
ARGS_HASH = _bit()
EDGED_ARGS_HASH = _bit()
EQUAL_ARGS = _bit()
RETRIED_ARGS_HASH = _bit()
DATA_HASH = _bit()

# Templates and their resolved values.
LEAF = _bit()
LITERAL_LEAF = _bit()
TEXT_LEAF = _bit()
EXPANDABLE_LEAF = _bit()
REFERENCE_LEAF = _bit()
STEPS_LEAF = _bit()
VARS_LEAF = _bit()
ITEM_LEAF = _bit()
INDEX_LEAF = _bit()
LOOP_LEAF = _bit()
LOOP_OUTPUT_LEAF = _bit()
FALSY_LEAF = _bit()
REPEATED_REFERENCE = _bit()
REPEATED_ATTEMPT = _bit()
STEPS_NEED = _bit()
VARS_NEED = _bit()
DECLARED_NEED = _bit()
OUTPUT_READ = _bit()
ABSENT_FIELD = _bit()
NO_CONTAINER = _bit()
FAILED_RESOLUTION = _bit()

# Paths and policy.
PATHS = _bit()
ROOT_LOOKALIKE = _bit()
PARENT_PATH = _bit()
ABSOLUTE_PATH = _bit()
URI_PATH = _bit()
PATTERN_PATH = _bit()
PATTERN_LOOKALIKE = _bit()
DENIED_TOOL = _bit()
DENIED_TOOL_FAILED = _bit()
JUDGED_AGAIN = _bit()
DENIAL = _bit()

# The confirmation.
CONFIRMED_WRITE = _bit()
CONFIRMED_READ = _bit()
CONFIRMABLE_CALL = _bit()
DECISION_EXPECTED = _bit()
REQUIRED = _bit()
NOT_REQUIRED = _bit()
DECISION = _bit()
CONFIRMED = _bit()
REJECTED = _bit()
CONFIRMED_AND_CANCELLED = _bit()
STAMPED_WRITE = _bit()

# Retries.
RETRIED = _bit()
RETRY_PLANNED = _bit()
NO_RETRY_PLANNED = _bit()
ENDED_SHORT = _bit()
ITERATION_ENDED_SHORT = _bit()
TIMED_OUT_WRITE = _bit()
LATER_DISPATCH = _bit()
RECOVERED = _bit()
CLAMPED = _bit()
SEVERAL_FAILURES = _bit()

# Results.
RESULTS = _bit()
RESULTS_BESIDE_CALLS = _bit()
RESULTS_WITHOUT_CALLS = _bit()
ANSWERED = _bit()
OK = _bit()
NOT_OK = _bit()
FAILED = _bit()
OWN_CODE = _bit()
STATUS_ERROR = _bit()
SKIPPED = _bit()
ERROR = _bit()
CLOSED_EARLY = _bit()
DATA = _bit()
PRECHECK = _bit()
USER_MESSAGE = _bit()
MISSING = _bit()
COLLISION = _bit()
UNPREPARED = _bit()
UNEXPECTED = _bit()
UNSERIALISABLE = _bit()
OTHER_LAYER = _bit()
REFUSED_ARGS = _bit()
REFUSED_BY_VALIDATION = _bit()
JOB_WORD = _bit()

# Events.
SEVERAL_EVENTS = _bit()
STEP_EVENT = _bit()
PAYLOAD = _bit()
FAILED_EVENT = _bit()
STARTED_AND_ANSWERED = _bit()
NEVER_DISPATCHED = _bit()
CLOSED = _bit()
CALL_EVENT = _bit()
SHOWN_RESULT = _bit()

# Order.
CANCELLED = _bit()
OPEN_AT_CANCELLATION = _bit()
CANCELLED_UNCONFIRMED = _bit()
CANCELLED_RESULT = _bit()
CANCELLED_BY_NOBODY = _bit()
WAITING_AT_CANCELLATION = _bit()
STOPPED_WHILE_OPEN = _bit()
STOPPING_FAILURE = _bit()
PASSED_OVER = _bit()
SKIPPED_FOR = _bit()

# Loops.
WHOLE_LOOP = _bit()
LOOP_RECORD = _bit()
PLACED_ITEM = _bit()
LOOP_ID = _bit()
EMPTY_LOOP = _bit()
BESIDE_A_FAILURE = _bit()
NEIGHBOURS = _bit()
DISPATCHED_ITERATION = _bit()

# Effects.
EFFECTS = _bit()
CHANGES = _bit()
TOOL_ANSWER = _bit()
READ = _bit()
HELD_BACK = _bit()
SUCCESSFUL_WRITE = _bit()
MOVE = _bit()
TOLD_TWICE = _bit()
CREATED_KNOWN = _bit()
MODIFIED_KNOWN = _bit()
DELETED_KNOWN = _bit()
RENAMED_ONTO = _bit()
CONCURRENT_CHANGES = _bit()

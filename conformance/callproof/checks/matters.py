"""What a finding is about, where its law has findings about several matters that do not follow from the same things."""

from __future__ import annotations

from enum import Enum


class Matter(Enum):
    """One of several things that one law asks about.  What is called like a member of a record is that member."""

    RUN_ID = "runId"
    STEP_ID = "stepId"
    CALL_ID = "callId"
    TOOL = "tool"
    ATTEMPT = "attempt"
    ITERATION = "iteration"
    NO_CALL = "a result that stands alone and tells of something that took place"
    NO_RESULT = "a call without a result"
    SEVERAL_RESULTS = "a call with several results"
    CONFIRMED_PLAN = "the plan to which a confirmation is bound"
    ANSWER = "which answer the events tell"
    NO_STATUS = "an end without a status"
    UNKNOWN_STATUS = "an end with a status that is none"
    OUTCOME = "an end that says ok or error, and not what the results come to"
    CANCELLATION = "an end that says cancelled"
    NO_COUNT = "an end without a count of results"
    COUNT = "how many results an end counts"

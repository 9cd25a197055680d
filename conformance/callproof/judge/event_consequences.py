"""What follows from faults of events, of decisions, of moments and of counts: rows of the table of consequences."""

from __future__ import annotations

from callproof.checks.matters import Matter
from callproof.judge.groups import ARGUMENTS, COUNTED, HISTORY, ORDER, laws_of
from callproof.judge.sharing import ITSELF, Consequence, Shared

EVENT_ROWS: tuple[Consequence, ...] = (
    # Events of calls.
    Consequence(
        laws_of("EVT-08 EVT-12 EVT-14 EVT-16 EVT-21 CALL-21 CANC-11 EFF-19 LOOP-10 RETRY-17"),
        ("EVT-13",),
        Shared.STEP,
        "the missing event may be the one that names another call",
        when=(Matter.CALL_ID, Matter.STEP_ID),
    ),
    *(
        Consequence(
            ("RES-17",), roots, shared, "the missing start may be the event with the wrong name", (Matter.DURATION_MS,)
        )
        for roots, shared in ((("EVT-01",), Shared.CALL), (("EVT-13",), Shared.STEP))
    ),
    Consequence(("DEP-03", "EFF-19", "EVT-12"), ("EVT-14",), Shared.CALL, "the call did not begin exactly once"),
    Consequence(("EVT-10", "EVT-11"), ("EVT-14",), Shared.RECORD, "only one of the two can be the beginning"),
    Consequence(("EVT-09", "EVT-10", "EVT-11"), ("EVT-08",), Shared.RECORD, "only one of the two can be the end"),
    Consequence(
        laws_of("EVT-08 EVT-12 EVT-14 EVT-21 CANC-11 EFF-19"),
        ("EVT-01",),
        Shared.CALL,
        "an event of an unknown type leaves a known one missing",
    ),
    Consequence(
        laws_of("CANC-05 CANC-06 CONF-01 CONF-02 CONF-06 CONF-08 EVT-03 EVT-04 RETRY-17"),
        ("EVT-01",),
        Shared.NO_CALL,
        "an event of an unknown type leaves a known one missing",
    ),
    Consequence(("RETRY-17",), ("EVT-01",), Shared.STEP, "an event of an unknown type leaves a known one missing"),
    Consequence(("DEP-05",), ("EVT-01",), Shared.RUN, "an event of an unknown type leaves a known one missing"),
    Consequence(
        ("CONF-04",),
        ("EVT-01",),
        Shared.NO_CALL,
        "an event of an unknown type leaves a known one missing",
        (Matter.ANSWER,),
    ),
    Consequence(
        ("CONF-04", "CONF-06", "EVT-18"), ("EVT-17",), Shared.RECORD, "something that is not a payload says nothing"
    ),
    Consequence(("RETRY-17",), ("EVT-17",), Shared.STEP, "something that is not a payload says nothing"),
    Consequence(("RETRY-17",), ("EVT-03",), Shared.RUN, "run.started would have said it"),
    Consequence(("RETRY-17",), ("EVT-17",), Shared.NO_CALL, "something that is not a payload says nothing"),
    # The confirmation.
    Consequence(
        ("CONF-01", "CONF-02", "CONF-06", "DEP-05"),
        ("CONF-08",),
        Shared.RUN,
        "the question or the answer is not on record",
    ),
    Consequence(("CONF-01", "CONF-02"), ("CANC-06", "CONF-06", "CONF-07"), Shared.RECORD, "it was never approved"),
    Consequence(("DEP-12",), ("CONF-07",), Shared.RECORD, "a run does not end while its question is open"),
    Consequence(("CONF-04",), ("CANC-06", "LOG-18"), Shared.RUN, "run.json holds another decision"),
    Consequence(("CANC-06",), ITSELF, Shared.RECORD, "the run has one end, and all of them began after it"),
    Consequence(("CONF-01",), ("LOG-18",), Shared.ON_RECORD, "run.json holds no decision"),
    Consequence(("CONF-06",), ("LOG-18",), Shared.RECORD, "run.json holds another decision"),
    Consequence(("LOG-18",), ITSELF, Shared.RECORD, "one decision fails to prove all of them"),
    Consequence(("CONF-06",), ITSELF, Shared.RECORD, "all of them ignored one rejection"),
    Consequence(("CONF-04",), ("LOG-01",), Shared.RECORD, "run.json holds no decision"),
    Consequence(("CONF-02", "CONF-14"), ("CONF-01",), Shared.RUN, "it is the same approval"),
    Consequence(("CONF-01",), ITSELF, Shared.RECORD, "one approval came too late for all of them"),
    Consequence(("CONF-02",), ITSELF, Shared.RECORD, "one approval came too late for all of them"),
    Consequence(("CONF-14",), ITSELF, Shared.RECORD, "one approval came too late for all of them"),
    Consequence(("CONF-04",), ITSELF, Shared.RECORD, "one confirmation has two names"),
    Consequence(
        ("CONF-03",),
        ITSELF,
        Shared.RUN,
        "one confirmation has two names",
        (Matter.CONFIRMATION_ID,),
        (Matter.CONFIRMATION_ID,),
    ),
    Consequence(
        ("CONF-01", "CONF-02"),
        ("CONF-04",),
        Shared.RUN,
        "the answer is not on record, or another one is",
        when=(Matter.ANSWER,),
    ),
    Consequence(("EVT-21",), ("CONF-12",), Shared.RUN, "a run that was started again has calls without events"),
    # Moments and places.
    Consequence(("TIME-09",), ("CALL-10", "CALL-19", "RES-17"), Shared.RECORD, "it is the same timestamp"),
    Consequence(("TIME-12",), ("CALL-19",), Shared.RECORD, "a call with a deadline in the past ends late"),
    Consequence(
        ORDER, ("TIME-06",), Shared.RECORD, "a timestamp that cannot be true puts its record in the wrong place"
    ),
    Consequence(("TIME-01", "TIME-02", "TIME-12"), ("TIME-07",), Shared.RECORD, "it is the same duration"),
    Consequence(
        (*(law for law in ORDER if law != "TIME-07"), "EVT-06"),
        ("TIME-07",),
        Shared.RECORD,
        "a timestamp that does not fit its duration may put its record in the wrong place",
    ),
    Consequence(("DEP-05",), ("TIME-11",), Shared.RECORD, "a step that a timeout wrongly stopped does not run"),
    Consequence(("EVT-06",), ("TIME-06",), Shared.RECORD, "a timestamp that cannot be true differs from the event's"),
    Consequence(
        laws_of("CANC-01 DEP-01 DEP-03 DEP-04 REF-22"),
        ("EVT-11",),
        Shared.CALL,
        "its start stands in the wrong place",
    ),
    Consequence(("EVT-12",), ("EVT-11",), Shared.CALL, "the events of the call were moved, and its progress was not"),
    Consequence(
        ("EVT-15",), ("CONF-14", "EVT-05", "EVT-11"), Shared.RECORD, "a record in the wrong place keeps its timestamp"
    ),
    Consequence(("EVT-15",), ("EVT-03", "CONF-08"), Shared.RECORD, "an event in the wrong place keeps its timestamp"),
    # If a start has too late a stamp, the event after it is not the one at fault.
    Consequence(
        ("EVT-15",),
        ("EVT-06",),
        Shared.RECORD,
        "after a timestamp that is too late, the next event seems to be too early",
    ),
    Consequence(
        ("EVT-15",), ("CONF-01", "CONF-02"), Shared.RECORD, "an approval in the wrong place keeps its timestamp"
    ),
    Consequence(
        ("EVT-15",),
        ("EVT-04", "EVT-08", "EVT-14", "CANC-05", "CONF-11"),
        Shared.RECORD,
        "an event recorded twice has its timestamp twice",
    ),
    Consequence(("EVT-15",), ITSELF, Shared.RECORD, "one timestamp is later than all of theirs"),
    # Of two events out of order, the later line is the one with too early a stamp; a sequence number is no stamp.
    Consequence(("EVT-10",), ("EVT-15",), Shared.LAST, "it is the same timestamp", when=(Matter.TIMESTAMP,)),
    Consequence(("EVT-06",), ("EVT-11",), Shared.RECORD, "a record in the wrong place keeps its timestamp"),
    Consequence(
        ("EVT-11", "EVT-05"), ("CANC-07",), Shared.RECORD, "what comes after the end of the run comes after everything"
    ),
    Consequence(("EVT-05", "TIME-13"), ("EVT-04",), Shared.RECORD, "only one of the two can be the end"),
    Consequence(("EVT-05",), ITSELF, Shared.RECORD, "all of them come after the same end"),
    Consequence(("EVT-05",), ("CANC-10",), Shared.RECORD, "it comes after the same end"),
    Consequence(("EVT-20",), ("CANC-10",), Shared.RECORD, "what comes after the end of the run is left out"),
    Consequence(("CANC-10",), ITSELF, Shared.RUN, "all of them come after the same end"),
    Consequence(("EVT-20",), ("EVT-05",), Shared.RECORD, "what comes after the end of the run is left out"),
    Consequence(("EVT-11",), ("EVT-05",), Shared.RECORD, "what comes after the end of the run comes after everything"),
    Consequence(
        ("LOOP-09",), ("LOOP-14",), Shared.CALL, "iterations that are open at the same time do not follow each other"
    ),
    Consequence(("LOOP-14",), ITSELF, Shared.STEP, "one loop has too many iterations open, again and again"),
    Consequence(
        ("LOG-14",), ("LOOP-09",), Shared.CALL, "iterations that were made out of order are also recorded out of order"
    ),
    Consequence(("LOG-14",), ITSELF, Shared.RECORD, "one call is recorded too early, before all of them"),
    Consequence(
        ("RETRY-01", "RETRY-05", "RETRY-08"),
        ("LOG-14",),
        Shared.RECORD,
        "attempts are counted in the order in which their calls are recorded",
    ),
    Consequence(("DEP-06",), ("TIME-13",), Shared.SUBJECT, "a timestamp from before the run is also out of order"),
    Consequence(("TIME-13",), ITSELF, Shared.RECORD, "all of them lie outside one beginning or end of the run"),
    Consequence(("TIME-13",), ("LOG-14",), Shared.RECORD, "a timestamp from before the run is also out of order"),
    Consequence(
        ("TIME-13",),
        ("EVT-15",),
        Shared.RECORD,
        "a timestamp from before the run is also out of order",
        when=(Matter.TIMESTAMP,),
    ),
    Consequence(
        ("EVT-10",), ("TIME-13", "RETRY-08", "TIME-06"), Shared.CALL, "a call that ends late ends after its event"
    ),
    Consequence(HISTORY, ("RES-01",), Shared.NO_RESULT, "the missing result may say what happened to the file"),
    Consequence(HISTORY, ("RES-01", "TIME-06"), Shared.PATH, "another record may say what happened to the file"),
    Consequence(
        (*ARGUMENTS, "REF-01", "VAL-04", "REF-16", "LOG-06", "CALL-05", "CALL-06", "DEP-08", "DEP-14"),
        ("CONF-10",),
        Shared.PLAN,
        "the plan was changed after its confirmation, and another one was carried out",
        when=(Matter.CONFIRMED_PLAN,),
    ),
    # What only counts the others.
    Consequence(
        ("EVT-18",),
        ("EVT-01",),
        Shared.NO_CALL,
        "an event of an unknown type leaves a known one missing",
        (Matter.CANCELLATION,),
    ),
    Consequence(
        ("EVT-18",), ("CONF-08",), Shared.RUN, "the question or the answer is not on record", (Matter.CANCELLATION,)
    ),
    Consequence(
        ("EVT-18",),
        ("EVT-04",),
        Shared.RECORD,
        "only one of the two can be the end",
        (Matter.NO_STATUS, Matter.NO_COUNT),
    ),
    Consequence(
        ("EVT-18",),
        ("CANC-07", "RETRY-10"),
        Shared.RECORD,
        "it is the same outcome",
        (Matter.OUTCOME, Matter.CANCELLATION, Matter.UNKNOWN_STATUS),
    ),
    Consequence(
        ("EVT-18",),
        (*COUNTED, "CALL-05", "DEP-14"),
        Shared.OUTCOME,
        "a record with a wrong status changes the outcome",
        (Matter.OUTCOME,),
    ),
    Consequence(
        ("EVT-18",),
        ("CANC-10", "EVT-05"),
        Shared.RUN,
        "what comes after the end of the run is not counted",
        (Matter.COUNT,),
    ),
    # What a log alone lacks, and the wire has.
    Consequence(
        laws_of("EVT-03 EVT-08 EVT-14 EVT-21"), ("EVT-20",), Shared.LOGGED, "the event was shown and is not in the log"
    ),
    Consequence(
        laws_of("DEP-08 LOG-07 RES-01 EVT-18"),
        ("LOG-13",),
        Shared.LOGGED,
        "the record was written and is not in the log",
    ),
    Consequence(("EVT-18",), COUNTED, Shared.RUN, "a record with a wrong status changes the count", (Matter.COUNT,)),
    Consequence(
        ("EVT-18",), ("CANC-01",), Shared.RUN, "a cancellation that was ignored is not the outcome", (Matter.OUTCOME,)
    ),
    Consequence(("EVT-18",), ("RES-04",), Shared.RUN, "the outcome of an invalid status is unknown", (Matter.OUTCOME,)),
    Consequence(("EVT-18",), ("EVT-13",), Shared.NO_RESULT, "a missing result is not counted", (Matter.COUNT,)),
)

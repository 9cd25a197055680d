"""What follows from faults of results, of dispatches and of attempts: rows of the table of consequences."""

from __future__ import annotations

from callproof.checks.matters import Matter
from callproof.judge.groups import (
    PATHS,
    RETRIES,
    laws_of,
)
from callproof.judge.sharing import ITSELF, Consequence, Shared

RESULT_ROWS: tuple[Consequence, ...] = (
    # One result too many, one too few, one that says two things.
    Consequence(("RES-01", "LOG-07", "TIME-01"), ("RES-20",), Shared.CALL, "what came late is a second result"),
    *(
        Consequence(("LOG-07",), ("RES-01",), Shared.RECORD, "it is the same call", (matter,), (matter,))
        for matter in (Matter.NO_RESULT, Matter.SEVERAL_RESULTS)
    ),
    Consequence(
        ("REF-18", "REF-21", "EVT-21"),
        ("LOG-07",),
        Shared.STEP,
        "the answer that is missing may be the one under another name",
    ),
    Consequence(("CALL-21",), ("RES-02",), Shared.RECORD, "the call that the result belongs to is not on record"),
    Consequence(
        ("RES-01", "LOG-07"),
        ("RES-02",),
        Shared.STEP,
        "the answer that is missing may be the one that names no call",
        (Matter.NO_RESULT,),
    ),
    Consequence(
        ("LOG-08", "EVT-21"),
        ("RES-02",),
        Shared.STEP,
        "the answer that is missing may be the one that names no call",
    ),
    Consequence(
        laws_of("RETRY-01 LOOP-01 LOOP-10 LOOP-12 REF-02"),
        ("RES-02",),
        Shared.STEP,
        "the call that is missing is the one that was answered",
    ),
    Consequence(
        ("REF-02",),
        ("RES-01", "RES-02"),
        Shared.SOURCE,
        "what a step came to is not told without its records",
    ),
    Consequence(
        ("RES-02",),
        ("REF-04",),
        Shared.RECORD,
        "a step that failed in another way has another result",
        (Matter.NO_CALL,),
    ),
    Consequence(("RES-08",), ("CANC-08",), Shared.RECORD, "what is cancelled has no data"),
    Consequence(("EFF-19",), ("VAL-14",), Shared.RECORD, "what was refused was never dispatched"),
    Consequence(("CANC-11", "EVT-09", "RES-02", "LOG-23"), ("RES-04", "RES-05"), Shared.CALL, "it is the same status"),
    # If something else shows that a call was dispatched, the call is at fault whatever its result says.
    Consequence(("POL-01", "POL-02", *PATHS), ("RES-04", "RES-05"), Shared.RECORD, "it is the same status"),
    Consequence(
        laws_of("RES-06 RES-08 RES-09 RES-10 RES-19 EVT-07 RETRY-05"),
        ("RES-05",),
        Shared.RECORD,
        "it is the same status",
    ),
    Consequence(
        laws_of("EVT-09 RES-02 LOG-23 LOOP-06"), ("RES-09", "RES-13"), Shared.RECORD, "it is the status of another end"
    ),
    Consequence(
        ("EVT-07", "EVT-14"), ("EVT-09",), Shared.CALL, "a call that ended in another way began in another way"
    ),
    Consequence(
        ("REF-02", "REF-06", "DEP-02"),
        ("RES-04", "RES-05", "EVT-09"),
        Shared.SOURCE,
        "a step with such a status did not end ok",
    ),
    Consequence(("DEP-04", "DEP-05"), ("RES-05", "EVT-09"), Shared.RECORD, "it is the same failure, or none"),
    Consequence(
        ("EVT-12", "EVT-14"), ("CANC-11",), Shared.CALL, "a call that took time was begun, and no event tells of it"
    ),
    Consequence(("EFF-19",), ("CANC-11",), Shared.CALL, "it is the same call that was waiting, or was not"),
    Consequence(("CANC-11",), ITSELF, Shared.RECORD, "it is one call that was waiting, or was not"),
    Consequence(("CALL-09",), ("CANC-02",), Shared.RECORD, "what is not aborted is not cancellable"),
    Consequence(("MSG-04",), ("CALL-14",), Shared.RECORD, "it is the same preview"),
    Consequence(("POL-11",), ("EFF-23",), Shared.RECORD, "a dry run that lists effects says that it had some"),
    Consequence(("LOOP-12",), ("LOOP-01",), Shared.STEP, "it is the same gap"),
    Consequence(
        laws_of("REF-08 LOOP-09 RETRY-01 RETRY-12"),
        ("LOOP-01",),
        Shared.RECORD,
        "the iteration that is missing may be the one under another index",
    ),
    Consequence(
        laws_of("LOOP-03 LOOP-13 REF-07 REF-08"),
        ("LOOP-01",),
        Shared.STEP,
        "the iteration that is missing may be the one under another index",
    ),
    Consequence(("LOOP-01",), ITSELF, Shared.STEP, "the iteration that is missing may be the one under another index"),
    Consequence(("RES-11",), ("RES-18",), Shared.RECORD, "it is the same message"),
    Consequence(("EFF-14", "RETRY-15"), ("EFF-21",), Shared.RECORD, "what is no list of effects tells of none"),
    Consequence(("EFF-14", "EFF-22"), ("EFF-12",), Shared.RECORD, "a path in another spelling is not that of the data"),
    Consequence(
        ("TIME-07",), ("RES-17", "RES-19"), Shared.RECORD, "it is the same duration", when=(Matter.DURATION_MS,)
    ),
    Consequence(("TIME-07",), ("RES-02",), Shared.RECORD, "it took time, and never began", when=(Matter.NO_CALL,)),
    *(
        Consequence(
            ("TIME-12", "TIME-13"), (root,), Shared.SUBJECT, "what took no time ended when it was decided", when=when
        )
        for root, when in (("RES-17", (Matter.DURATION_MS,)), ("CANC-11", ()))
    ),
    Consequence(
        ("RES-17",),
        ("RES-17",),
        Shared.SUBJECT,
        "what failed seems to have ended later than it did",
        (Matter.DECIDED,),
        (Matter.DURATION_MS,),
    ),
    Consequence(
        ("RES-17",),
        ("TIME-06", "TIME-07", "TIME-13"),
        Shared.SUBJECT,
        "what failed seems to have ended later than it did",
        (Matter.DECIDED,),
    ),
    Consequence(
        ("RES-17",),
        ("EVT-15",),
        Shared.RECORD,
        "what was cancelled seems to have been so later than it was",
        (Matter.DECIDED,),
    ),
    Consequence(("EVT-07", "EVT-09"), ("RES-19",), Shared.CALL, "it is the same status"),
    Consequence(("EVT-16",), ("RES-04",), Shared.CALL, "it is the same status"),
    Consequence(
        laws_of("ERR-01 ERR-02 ERR-03 ERR-04 ERR-07 RETRY-04 RETRY-06 RETRY-11 RETRY-12"),
        ("ERR-10",),
        Shared.RECORD,
        "it is the same code",
    ),
    Consequence(("VAL-01", "VAL-02", "VAL-03"), ("ERR-10",), Shared.CALL, "under its code the call was refused"),
    Consequence(("POL-15",), ("POL-02", *PATHS), Shared.CALL, "a path that nobody looked at is flagged by nobody"),
    Consequence(("CONF-03",), ("CALL-13", "POL-19"), Shared.RECORD, "who is taken to read only is not asked about"),
    Consequence(("LOG-01",), ("CONF-12",), Shared.RECORD, "what confirmed nothing need not be on record"),
    Consequence(("LOG-17",), ("CALL-07",), Shared.RECORD, "what are no arguments have no such place"),
    # Attempts.
    Consequence(RETRIES, ("RES-09", "RES-04"), Shared.RECORD, "without its error nobody knows how the attempt failed"),
    Consequence(
        ("RETRY-02",),
        ("LOOP-02", "LOOP-03", "LOOP-04", "LOOP-05", "LOOP-11"),
        Shared.RECORD,
        "it is the same iteration",
    ),
    Consequence(("RETRY-02",), ITSELF, Shared.RECORD, "it differs from the attempt before it and the one after"),
    Consequence(
        ("EVT-09",),
        ("RETRY-05", "RETRY-07", "LOG-23"),
        Shared.CALL,
        "an outcome that is not the last one is told otherwise",
    ),
    Consequence(("RETRY-10",), ITSELF, Shared.RECORD, "it is one outcome that the run told"),
    Consequence(
        laws_of("RETRY-03 RETRY-04 RETRY-05 RETRY-06 RETRY-07 RETRY-08 RETRY-09 RETRY-10 RETRY-19"),
        ("DEP-07",),
        Shared.RECORD,
        "what was called a second time is no attempt after the first",
    ),
    Consequence(("RETRY-04",), ("RETRY-06",), Shared.RECORD, "it is the same failure"),
    Consequence(
        ("RETRY-03", "RETRY-19"),
        ("RETRY-04", "RETRY-05", "RETRY-06", "RETRY-07"),
        Shared.RECORD,
        "an attempt that nothing called for is one too many",
    ),
    Consequence(("CANC-01", "DEP-04"), ("RETRY-07",), Shared.CALL, "it is the same attempt that began too late"),
    Consequence(("CANC-01",), ITSELF, Shared.RECORD, "it is one cancellation after which all of them began"),
    Consequence(("DEP-04",), ITSELF, Shared.RECORD, "it is one failure after which all of them began"),
    Consequence(
        ("RETRY-11", "RETRY-12"), ("RETRY-01",), Shared.CALL, "the attempts that are not on record may be those missed"
    ),
)

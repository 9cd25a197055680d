"""What follows from faults of results, of dispatches and of attempts: rows of the table of consequences."""

from __future__ import annotations

from callproof.checks.matters import Matter
from callproof.judge.groups import (
    DEADLY,
    PATHS,
    RETRIES,
    laws_of,
)
from callproof.judge.sharing import ITSELF, Consequence, Shared

RESULT_ROWS: tuple[Consequence, ...] = (
    # One result too many, one too few, one that says two things.
    Consequence(("RES-01", "LOG-07", "TIME-01"), ("RES-20",), Shared.CALL, "the late result is a second result"),
    *(
        Consequence(("LOG-07",), ("RES-01",), Shared.RECORD, "it is the same call", (matter,), (matter,))
        for matter in (Matter.NO_RESULT, Matter.SEVERAL_RESULTS)
    ),
    Consequence(
        ("REF-18", "REF-21", "EVT-21"),
        ("LOG-07",),
        Shared.STEP,
        "the missing result may be the one with the wrong name",
    ),
    Consequence(("CALL-21",), ("RES-02",), Shared.RECORD, "the call that the result belongs to is not on record"),
    Consequence(
        ("LOG-23",),
        ("CALL-21",),
        Shared.RECORD,
        "its call was made, and only its record is missing",
        (Matter.NO_CALL,),
    ),
    Consequence(
        ("RES-01", "LOG-07"),
        ("RES-02",),
        Shared.STEP,
        "the missing result may be the one that names no call",
        (Matter.NO_RESULT,),
    ),
    Consequence(
        ("LOG-08", "EVT-21"),
        ("RES-02",),
        Shared.STEP,
        "the missing result may be the one that names no call",
    ),
    Consequence(
        laws_of("RETRY-01 LOOP-01 LOOP-10 LOOP-12 REF-02"),
        ("RES-02",),
        Shared.STEP,
        "the missing call is the one that has this result",
    ),
    Consequence(
        ("REF-02",),
        ("RES-01", "RES-02"),
        Shared.SOURCE,
        "without its records it is unknown how a step ended",
    ),
    Consequence(
        ("RES-02",),
        ("REF-04",),
        Shared.RECORD,
        "a step that fails in another way has another result",
        (Matter.NO_CALL,),
    ),
    Consequence(("RES-21",), ("RES-25",), Shared.RECORD, "null is not what the tool returned", when=(Matter.DATA,)),
    Consequence(("RES-08",), ("CANC-08",), Shared.RECORD, "a cancelled call has no data"),
    Consequence(("EFF-19",), ("VAL-14",), Shared.RECORD, "a refused call was never dispatched"),
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
        laws_of("EVT-09 RES-02 LOG-23 LOOP-06"),
        ("RES-09", "RES-13"),
        Shared.RECORD,
        "the status belongs to another kind of end",
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
    Consequence(("DEP-04", "DEP-05"), ("RES-05", "EVT-09"), Shared.RECORD, "whether the step failed decides both"),
    Consequence(
        ("REF-02", "DEP-02"),
        ("LOOP-10",),
        Shared.RECORD,
        "a loop that had items and was skipped as empty did not end ok",
        when=(Matter.AS_EMPTY,),
    ),
    Consequence(("DEP-05",), ("DEP-07",), Shared.RECORD, "the step was called, and one of the two is too many"),
    Consequence(("DEP-05",), ("LOOP-06",), Shared.RECORD, "a loop over nothing completes, and need not run"),
    Consequence(
        ("EVT-12", "EVT-14"), ("CANC-11",), Shared.CALL, "a call that took time had begun, and no event says so"
    ),
    Consequence(("EFF-19",), ("CANC-11",), Shared.CALL, "whether the call was waiting decides both"),
    Consequence(("CANC-11",), ITSELF, Shared.RECORD, "whether one call was waiting decides all of them"),
    Consequence(("CALL-09",), ("CANC-02",), Shared.RECORD, "a call that is not aborted is not cancellable"),
    Consequence(("MSG-04",), ("CALL-14",), Shared.RECORD, "it is the same preview"),
    # If the folder shows that a dry run was none, its effects are the truth, and the deed is the fault.
    Consequence(
        ("EFF-23",),
        ("POL-11",),
        Shared.RUN,
        "the folder shows that the change was made",
        (Matter.FOLDER,),
        (Matter.FOLDER,),
    ),
    Consequence(
        ("POL-11",),
        ("EFF-23",),
        Shared.RECORD,
        "a dry run that lists effects says that it changed something",
        (Matter.EFFECTS,),
    ),
    Consequence(
        ("EFF-25",), ("EFF-04",), Shared.RECORD, "the content changed, and the etag is wrong", (Matter.AFTER_ETAG,)
    ),
    Consequence(
        ("EFF-26",), ("EFF-05",), Shared.RECORD, "it is in the trash, and the effects deny it", (Matter.TRASHED,)
    ),
    Consequence(("LOOP-12",), ("LOOP-01",), Shared.STEP, "it is the same gap"),
    Consequence(
        laws_of("REF-08 LOOP-09 RETRY-01 RETRY-12"),
        ("LOOP-01",),
        Shared.RECORD,
        "the missing iteration may be the one with the wrong index",
    ),
    Consequence(
        laws_of("LOOP-03 LOOP-13 REF-07 REF-08"),
        ("LOOP-01",),
        Shared.STEP,
        "the missing iteration may be the one with the wrong index",
    ),
    Consequence(("LOOP-01",), ITSELF, Shared.STEP, "the missing iteration may be the one with the wrong index"),
    Consequence(("RES-11",), ("RES-18",), Shared.RECORD, "it is the same message"),
    Consequence(
        ("EFF-14", "RETRY-15"), ("EFF-21",), Shared.RECORD, "something that is not a list of effects lists none"
    ),
    Consequence(
        ("EFF-14", "EFF-22"), ("EFF-12",), Shared.RECORD, "a path in another spelling is not the path in the data"
    ),
    Consequence(
        ("TIME-07",), ("RES-17", "RES-19"), Shared.RECORD, "it is the same duration", when=(Matter.DURATION_MS,)
    ),
    Consequence(
        ("TIME-07",),
        ("RES-02",),
        Shared.RECORD,
        "the result has a duration, and the call never began",
        when=(Matter.NO_CALL,),
    ),
    *(
        Consequence(
            ("TIME-12", "TIME-13"),
            (root,),
            Shared.SUBJECT,
            "a call that took no time ended when that was decided",
            when=when,
        )
        for root, when in (("RES-17", (Matter.DURATION_MS,)), ("CANC-11", ()))
    ),
    Consequence(
        ("RES-17",),
        ("RES-17",),
        Shared.SUBJECT,
        "the failure seems to have ended later than it did",
        (Matter.DECIDED,),
        (Matter.DURATION_MS,),
    ),
    Consequence(
        ("RES-17",),
        ("TIME-06", "TIME-07", "TIME-13"),
        Shared.SUBJECT,
        "the failure seems to have ended later than it did",
        (Matter.DECIDED,),
    ),
    Consequence(
        ("RES-17",),
        ("EVT-15",),
        Shared.RECORD,
        "the cancellation seems to be later than it was",
        (Matter.DECIDED,),
    ),
    Consequence(
        ("CANC-09",),
        ("RES-17",),
        Shared.FIRST,
        "what had not ended yet is not the reason",
        (Matter.REASON,),
        (Matter.DECIDED,),
    ),
    Consequence(("CANC-09",), ("DEP-05",), Shared.CALL, "what stopped nothing is not the reason", (Matter.REASON,)),
    Consequence(("EVT-07", "EVT-09"), ("RES-19",), Shared.CALL, "it is the same status"),
    Consequence(("EVT-16",), ("RES-04",), Shared.CALL, "it is the same status"),
    Consequence(
        ("CANC-09", "ERR-10"),
        ("TIME-01",),
        Shared.RECORD,
        "a call that nothing cancelled has neither the status nor the code",
        when=(Matter.STATUS,),
    ),
    Consequence(
        laws_of("ERR-01 ERR-02 ERR-03 ERR-04 ERR-07 RETRY-04 RETRY-06 RETRY-11 RETRY-12"),
        ("ERR-10",),
        Shared.RECORD,
        "it is the same code",
    ),
    Consequence(("VAL-01", "VAL-02", "VAL-03"), ("ERR-10",), Shared.CALL, "its code says that the call was refused"),
    # What proves that a denied call was dispatched is not its result.
    Consequence(("POL-01", "POL-02", *PATHS), ("ERR-10",), Shared.RECORD, "it is the same code"),
    Consequence(("POL-15",), ("POL-02", *PATHS), Shared.CALL, "a path that was not checked was not flagged"),
    Consequence(
        ("CONF-03",), ("CALL-13", "POL-19"), Shared.RECORD, "a tool that is taken as read-only needs no confirmation"
    ),
    Consequence(("LOG-01",), ("CONF-12",), Shared.RECORD, "a confirmation that confirmed nothing need not be recorded"),
    Consequence(("LOG-17",), ("CALL-07",), Shared.RECORD, "args that are not an object have no such place"),
    Consequence(
        ("RETRY-11", "RETRY-12"), ("RES-21",), Shared.RECORD, "an outcome that the tool did not report was not retried"
    ),
    Consequence(("TIME-05", "CANC-04"), ("EFF-10",), Shared.RECORD, "it is the same result"),
    Consequence(
        ("EFF-02", "EFF-03"), ("EFF-12",), Shared.RECORD, "a path in another spelling is not the path in the folder"
    ),
    Consequence(("EFF-08",), ("EFF-12",), Shared.RUN, "the change may be the one whose path has another spelling"),
    Consequence(
        ("ERR-06",), ("ERR-06",), Shared.RUN, "a system that died wrote no result", (Matter.NO_RESULT,), (Matter.DEATH,)
    ),
    Consequence(
        ("DEP-12",), ("ERR-06",), Shared.RUN, "the run waits for the result of the call", when=(Matter.NO_RESULT,)
    ),
    Consequence(
        ("DEP-12",), DEADLY, Shared.RUN, "the conversation ended there, before the run did", when=(Matter.DEATH,)
    ),
    Consequence(
        ("DEP-12",),
        ("TIME-01",),
        Shared.RUN,
        "the run waits for a call that was not ended at its limit",
        (Matter.OPEN,),
        (Matter.LATE,),
    ),
    # Attempts.
    Consequence(RETRIES, ("RES-09", "RES-04"), Shared.RECORD, "without its error it is unknown how the attempt failed"),
    Consequence(
        ("RETRY-02",),
        ("LOOP-02", "LOOP-03", "LOOP-04", "LOOP-05", "LOOP-11"),
        Shared.RECORD,
        "it is the same iteration",
    ),
    Consequence(("RETRY-02",), ITSELF, Shared.RECORD, "it differs from the attempts before and after it"),
    *(
        Consequence(
            ("EVT-09",), roots, Shared.CALL, "an outcome that is not the last one is recorded differently", when=when
        )
        for roots, when in ((("RETRY-05", "LOG-23"), ()), (("RETRY-07",), (Matter.STATUS,)))
    ),
    Consequence(("RETRY-10",), ITSELF, Shared.RECORD, "the run reported one outcome"),
    Consequence(
        laws_of("RETRY-03 RETRY-04 RETRY-05 RETRY-06 RETRY-07 RETRY-08 RETRY-09 RETRY-10 RETRY-19"),
        ("DEP-07",),
        Shared.RECORD,
        "a second first attempt is not a retry",
    ),
    Consequence(("RETRY-04",), ("RETRY-06",), Shared.RECORD, "it is the same failure"),
    *(
        Consequence(
            ("RETRY-03", "RETRY-19"), roots, Shared.RECORD, "an attempt without a reason is one too many", when=when
        )
        for roots, when in ((("RETRY-04", "RETRY-05", "RETRY-06"), ()), (("RETRY-07",), (Matter.STATUS,)))
    ),
    Consequence(("RES-23",), ("RETRY-14",), Shared.RECORD, "the other call is an earlier attempt of the same step"),
    Consequence(
        ("CANC-01", "DEP-04"),
        ("RETRY-07",),
        Shared.CALL,
        "it is the same attempt that began too late",
        when=(Matter.STATUS,),
    ),
    Consequence(
        ("RETRY-07",),
        ("CANC-01", "CANC-11"),
        Shared.CALL,
        "it is the same attempt that was made too late",
        (Matter.CANCELLED_RUN,),
    ),
    Consequence(("CANC-01",), ITSELF, Shared.RECORD, "all of them began after one cancellation"),
    Consequence(("DEP-04",), ITSELF, Shared.RECORD, "all of them began after one failure"),
    Consequence(
        ("RETRY-11", "RETRY-12"),
        ("RETRY-01",),
        Shared.CALL,
        "the attempts that are missing may be the ones that were expected",
    ),
)

"""What follows from what: which broken law takes which others with it, and how one knows that it is the same fault.

Data, and nothing else.  A row says that a finding of one of its ``laws`` is no news where a finding of one of its
``roots`` is known that shares something with it.  The first row that fits decides, so what explains more stands first.
Whoever adds a row keeps the table free of circles, and asks whether a fault of its own can look like what follows.
"""

from __future__ import annotations

from callproof.checks.matters import Matter
from callproof.judge.groups import (
    ARGUMENTS,
    ATTEMPTS,
    CODES,
    COUNTED,
    DEPENDENT,
    HISTORY,
    ORDER,
    PAIRING,
    PATHS,
    PLAN_FAULTS,
    POLICY,
    RETRIES,
    UNREADABLE,
    WITHOUT_CALL,
    WITHOUT_EVENT,
    WITHOUT_RESULT,
    laws_of,
)
from callproof.judge.misspelt_consequences import MISSPELT
from callproof.judge.mixup_consequences import MIXUPS
from callproof.judge.sharing import ITSELF, Consequence, Shared

CONSEQUENCES: tuple[Consequence, ...] = (
    *MISSPELT,
    Consequence(
        (*PAIRING, *DEPENDENT),
        ("CALL-02",),
        Shared.CALL,
        "whose records they are cannot be told where two calls have one name",
    ),
    Consequence(
        DEPENDENT, ("CALL-02",), Shared.SOURCE, "what a call gave to others cannot be told where two have one name"
    ),
    Consequence(("RETRY-03",), ("CALL-02",), Shared.STEP, "a call that is there twice is counted twice"),
    *MIXUPS,
    Consequence(("CALL-06",), ("VAL-06",), Shared.RECORD, "a name in another spelling is not the one of the registry"),
    Consequence(("VAL-05",), ("VAL-06",), Shared.RUN, "a name in another spelling is none of the registry"),
    Consequence(("CALL-05",), ("DEP-14",), Shared.RECORD, "a step that the plan does not have has no place in it"),
    Consequence(ATTEMPTS, ("CALL-05",), Shared.CALL, "attempts of a step that nobody knows cannot be counted"),
    Consequence(
        laws_of("DEP-08 DEP-02 DEP-04 DEP-05 LOOP-01 LOOP-10 LOOP-12 REF-02 RETRY-01 RETRY-11 RETRY-12"),
        ("CALL-05", "DEP-14"),
        Shared.RUN,
        "the record that is missing may be the one of the unknown step",
    ),
    Consequence(("RES-03",), ("CALL-03",), Shared.CALL, "one of the two records is of another run", (Matter.RUN_ID,)),
    Consequence(("CALL-03",), ITSELF, Shared.RECORD, "all of them have another id than their run record"),
    Consequence(("EVT-13",), ("LOG-22",), Shared.RECORD, "a record of another run agrees with no call of this one"),
    Consequence(("RETRY-01",), ("CALL-08",), Shared.RECORD, "what is no number of an attempt cannot be counted"),
    Consequence(
        ("RES-03",), ("RETRY-14",), Shared.RECORD, "the answer to another attempt names that one", (Matter.ATTEMPT,)
    ),
    Consequence(("RETRY-01",), ("DEP-07",), Shared.RECORD, "two first attempts are numbered alike"),
    Consequence(
        laws_of("DEP-07 RETRY-05 RETRY-08 RETRY-19"),
        ("LOOP-01", "LOOP-12"),
        Shared.STEP,
        "the iteration that is missing may be the one under another index",
    ),
    Consequence(
        laws_of("LOOP-03 LOOP-13 REF-07 REF-08 REF-14"),
        ("DEP-07",),
        Shared.RECORD,
        "one of the two calls may be of another iteration",
    ),
    Consequence(
        ("EVT-13", "RES-03"),
        ("CALL-05",),
        Shared.CALL,
        "what agrees with the right call does not here",
        (Matter.STEP_ID,),
    ),
    Consequence(
        ("EVT-13", "RES-03"), ("CALL-06",), Shared.CALL, "what agrees with the right call does not here", (Matter.TOOL,)
    ),
    Consequence(
        ("RES-03",),
        ("CALL-08", "RETRY-01"),
        Shared.CALL,
        "what agrees with the right call does not here",
        (Matter.ATTEMPT,),
    ),
    Consequence(
        laws_of("EVT-06 EVT-07 EVT-11 EVT-14 LOOP-14"), ("EVT-13",), Shared.RECORD, "the event may be of another call"
    ),
    Consequence(
        laws_of("EVT-08 EVT-09 EVT-10 EVT-16 CANC-08 POL-02 POL-04 REF-22"),
        ("EVT-13",),
        Shared.RECORD,
        "the event may be of another call",
        when=(Matter.STEP_ID,),
    ),
    Consequence(
        laws_of("CALL-09 CALL-13 CALL-15 EFF-09 EFF-15 EFF-20 RES-07 VAL-01 VAL-02 VAL-03"),
        ("CALL-06",),
        Shared.CALL,
        "what is asked of the tool that the call names is asked of another one",
    ),
    Consequence(("CALL-11", "CALL-12"), ITSELF, Shared.RECORD, "it is one version against all the others"),
    *(
        Consequence(
            ("EVT-13",), ("RES-02", "LOG-23"), Shared.SUBJECT, "what agrees with the step does not here", each, each
        )
        for each in ((Matter.TOOL,), (Matter.STEP_ID,))
    ),
    Consequence(("RES-02",), ("CALL-02",), Shared.STEP, "the call that is missing may be one of the two"),
    Consequence(("RES-02",), ("CALL-01",), Shared.STEP, "a call without a name has no result that names it"),
    Consequence(("LOG-07",), ("CALL-01",), Shared.RECORD, "a call without a name has no result that names it"),
    Consequence(
        laws_of("LOOP-01 LOOP-09 LOOP-10 LOOP-12 LOOP-13 LOOP-14 RETRY-01 RETRY-11 RETRY-12")
        + laws_of(
            "DEP-07 REF-07 REF-14 RETRY-03 RETRY-04 RETRY-05 RETRY-06 RETRY-07 RETRY-08 RETRY-09 RETRY-10 RETRY-19"
        ),
        ("LOOP-02", "LOOP-11"),
        Shared.STEP,
        "of which iteration it is cannot be told",
    ),
    Consequence(
        ("RES-03",),
        ("LOOP-02", "LOOP-11"),
        Shared.CALL,
        "of which iteration it is cannot be told",
        (Matter.ITERATION,),
    ),
    Consequence(
        ("RES-03",),
        ("LOOP-01", "LOOP-12", "DEP-07"),
        Shared.CALL,
        "the iteration that is missing may be the one under another index",
        (Matter.ITERATION,),
    ),
    Consequence(("RES-03",), ("LOOP-03",), Shared.SUBJECT, "it is the same index", (Matter.ITERATION,)),
    Consequence(("LOOP-02",), ITSELF, Shared.TEMPLATE, "what one iteration of a step lacks, all of them lack alike"),
    Consequence(("REF-08",), ("LOOP-02", "LOOP-11"), Shared.SUBJECT, "of which iteration it is cannot be told"),
    Consequence(("LOOP-05",), ("CALL-24",), Shared.RECORD, "what is no text names no loop"),
    # Arguments.
    Consequence(
        ("RETRY-09", "RETRY-16", "EFF-14"), ("CALL-07",), Shared.CALL, "what are no arguments are not those of others"
    ),
    Consequence(("HASH-07",), ("HASH-04",), Shared.RECORD, "what is no hash agrees with none"),
    Consequence(
        ARGUMENTS, ITSELF, Shared.TEMPLATE, "what a template is made into goes wrong in each call of its step alike"
    ),
    Consequence(("REF-01",), ("REF-12", "REF-14"), Shared.RECORD, "what was read was not what the step gave"),
    Consequence(("REF-01",), ("REF-22", "REF-06"), Shared.SUBJECT, "what was read was not there yet"),
    Consequence(
        ("REF-05", "REF-19", "REF-21"), ("REF-22", "REF-06"), Shared.TEMPLATE, "what was read was not there yet"
    ),
    Consequence(("REF-14",), ("REF-12",), Shared.RECORD, "what was read had been changed"),
    Consequence(("REF-01",), ("HASH-06",), Shared.RECORD, "the result on record is not the one that was hashed"),
    Consequence(
        ("VAL-04", "REF-16", "REF-01"),
        ARGUMENTS,
        Shared.SUBJECT,
        "the value was altered before it was validated",
    ),
    Consequence(
        ("LOG-06",),
        (*ARGUMENTS, "REF-22", "REF-01", "VAL-04", "REF-16", "REF-27"),
        Shared.SUBJECT,
        "what is wrong in the arguments is not what the plan and the results give",
    ),
    Consequence(
        ("LOG-06", "REF-01", "VAL-04", "REF-16", "REF-27"),
        ITSELF,
        Shared.TEMPLATE,
        "what a template is made into goes wrong in each call of its step alike",
    ),
    Consequence(
        ("VAL-02", "VAL-03"), ("REF-10", "REF-11"), Shared.SUBJECT, "a value in another form need not be valid any more"
    ),
    Consequence(
        ("VAL-01",),
        ("VAL-02", "VAL-03", "VAL-10", "REF-27", *ARGUMENTS, "VAL-04", "REF-16", "REF-01", "LOG-06"),
        Shared.SUBJECT,
        "arguments that were changed need not be valid any more",
    ),
    Consequence(
        ("RETRY-09", "RETRY-16", "HASH-01", "HASH-07", "CALL-14", "MSG-04"),
        ("REF-27", *ARGUMENTS, "VAL-04", "REF-16", "REF-01", "LOG-06"),
        Shared.SUBJECT,
        "arguments that were changed in one attempt are not those of the others, nor what was hashed or shown",
    ),
    Consequence(("RETRY-09",), ITSELF, Shared.SUBJECT, "it differs from the attempt before it and the one after"),
    Consequence(("RETRY-16",), ("VAL-01", "CONF-03", "POL-01", "POL-02"), Shared.RECORD, "the gate that let it pass"),
    Consequence(("HASH-02", "HASH-03", "HASH-07"), ("HASH-01",), Shared.RECORD, "one of the two hashes is wrong"),
    Consequence(
        ("VAL-07",), ("RES-06", "RES-07", "RES-25"), Shared.RECORD, "whoever reads output that is invalid reads it"
    ),
    Consequence(("HASH-06",), ("RES-06", "RES-07", "RES-25"), Shared.RECORD, "it is not the data that was hashed"),
    Consequence(
        ("REF-02", "REF-04", "REF-17", "REF-20"),
        ("RES-06", "RES-07", "RES-25"),
        Shared.SOURCE,
        "whoever reads output that is invalid reads it",
    ),
    Consequence(
        ("REF-01", "REF-05", "REF-11"),
        ("RES-06", "RES-07", "RES-25"),
        Shared.RECORD,
        "the output on record is not the one it gave",
    ),
    Consequence(("VAL-07",), ITSELF, Shared.RECORD, "one output was read more than once"),
    Consequence(
        ("RES-07",), ("RES-03",), Shared.RECORD, "it is held against the schema of another tool", when=(Matter.TOOL,)
    ),
    Consequence(
        laws_of("REF-01 REF-04 REF-05 EVT-06 EVT-10 TIME-01 TIME-02 TIME-06 RES-24 VAL-07 EFF-09 EFF-14 EFF-15 EFF-20"),
        ("RES-03",),
        Shared.RECORD,
        "the result may be of another call",
        when=(Matter.STEP_ID,),
    ),
    Consequence(
        laws_of("LOOP-01 LOOP-03 LOOP-10 LOOP-12 REF-01 REF-04 REF-17 REF-20 REF-21"),
        ("RES-03",),
        Shared.SOURCE,
        "what a step gave does not stand in the result of another",
        when=(Matter.STEP_ID,),
    ),
    Consequence(("REF-06",), ("REF-02",), Shared.SUBJECT, "it is the same reference"),
    Consequence(("REF-22",), ITSELF, Shared.SUBJECT, "it is one call that began too early for all of them"),
    Consequence(("DEP-01",), ("REF-22",), Shared.SUBJECT, "what a call reads from it waits for, too"),
    Consequence(("DEP-03",), ("DEP-10",), Shared.RUN, "it is the same limit"),
    Consequence(("REF-04",), ("REF-03", "REF-23"), Shared.RUN, "what no plan may refer to leads to nothing"),
    Consequence(("DEP-03",), ("REF-22", "DEP-01"), Shared.RECORD, "a call that does not wait is open beside the other"),
    Consequence(("RES-07",), ("RES-24",), Shared.RECORD, "a closed schema has no member for it"),
    Consequence(("VAL-15",), PLAN_FAULTS, Shared.RUN, "it is the same plan"),
    # The policy, path by path and call by call.
    Consequence(("CALL-17",), POLICY, Shared.RECORD, "a call with a policy of its own has not the one of the others"),
    Consequence(("LOG-10",), (*POLICY, "CALL-17"), Shared.RECORD, "the policy of the call is not the one of the run"),
    Consequence(("POL-12",), ("CALL-16", "POL-21"), Shared.RECORD, "a limit that is absent limits nothing"),
    Consequence(("LOG-10", "CALL-17", "POL-12"), ITSELF, Shared.RECORD, "it is one policy against all the others"),
    Consequence(("DEP-03", "RETRY-03", "TIME-10"), ("POL-12",), Shared.RECORD, "the call goes by the wider policy"),
    Consequence(("POL-13", "POL-17", "POL-02"), PATHS, Shared.RECORD, "the path is refused for what stands in it"),
    Consequence(("ERR-04", "EVT-07", "POL-14"), ("POL-01", *PATHS), Shared.CALL, "a denial is not told as one"),
    Consequence(("POL-17",), ("POL-02", "CALL-07"), Shared.RECORD, "what is refused is so whoever changed the call"),
    Consequence(("ERR-07",), ("POL-01", "POL-02", *PATHS), Shared.CALL, "one of the two codes would do"),
    Consequence(("EFF-23",), ("POL-14",), Shared.RECORD, "it is the same change"),
    Consequence(("EVT-07",), ("VAL-01", "VAL-02", "VAL-03"), Shared.CALL, "what was let through began"),
    Consequence(("ERR-10",), ("POL-16",), Shared.CALL, "a block has another code"),
    Consequence(("RES-12", "RES-14", "ERR-05"), ("ERR-10", "RES-22"), Shared.RECORD, "it is the same code"),
    Consequence(("CANC-09",), ("RES-12", "RES-15"), Shared.RECORD, "it is the same error"),
    Consequence(
        (*CODES, "RETRY-11", "RETRY-12"),
        ("RES-09", "RES-25"),
        Shared.RECORD,
        "without its error nobody knows how the call failed",
    ),
    Consequence(
        ("VAL-01", "VAL-02", "VAL-03"),
        ("RES-09", "RES-25"),
        Shared.CALL,
        "without its error nobody knows that the call was refused",
    ),
    Consequence(("RES-14",), (*CODES, "RES-12"), Shared.RECORD, "it is the same code"),
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
    # A call whose dispatch something else shows is at fault whatever its result says.
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
    Consequence(("TIME-07",), ("RES-17",), Shared.RECORD, "it is the same duration", when=(Matter.DURATION_MS,)),
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
    # Events of calls.
    Consequence(
        laws_of("EVT-08 EVT-12 EVT-14 EVT-16 EVT-21 CALL-21 CANC-11 EFF-19 LOOP-10 RETRY-17"),
        ("EVT-13",),
        Shared.STEP,
        "the event that is missing may be the one that names another call",
        when=(Matter.CALL_ID, Matter.STEP_ID),
    ),
    *(
        Consequence(("RES-17",), roots, shared, "the start that is missing has another name", (Matter.DURATION_MS,))
        for roots, shared in ((("EVT-01",), Shared.CALL), (("EVT-13",), Shared.STEP))
    ),
    Consequence(("DEP-03", "EFF-19", "EVT-12"), ("EVT-14",), Shared.CALL, "it did not begin once"),
    Consequence(("EVT-10", "EVT-11"), ("EVT-14",), Shared.RECORD, "one of the two is not the beginning"),
    Consequence(("EVT-09", "EVT-10", "EVT-11"), ("EVT-08",), Shared.RECORD, "one of the two is not the end"),
    Consequence(
        laws_of("EVT-08 EVT-12 EVT-14 EVT-21 CANC-11 EFF-19"),
        ("EVT-01",),
        Shared.CALL,
        "an event of no known type is a missing event",
    ),
    Consequence(
        laws_of("CANC-05 CANC-06 CONF-01 CONF-02 CONF-06 CONF-08 EVT-03 EVT-04 RETRY-17"),
        ("EVT-01",),
        Shared.NO_CALL,
        "an event of no known type is a missing event",
    ),
    Consequence(("RETRY-17",), ("EVT-01",), Shared.STEP, "an event of no known type is a missing event"),
    Consequence(("DEP-05",), ("EVT-01",), Shared.RUN, "an event of no known type is a missing event"),
    Consequence(
        ("CONF-04",), ("EVT-01",), Shared.NO_CALL, "an event of no known type is a missing event", (Matter.ANSWER,)
    ),
    Consequence(("CONF-04", "CONF-06", "EVT-18"), ("EVT-17",), Shared.RECORD, "what is no payload tells nothing"),
    Consequence(("RETRY-17",), ("EVT-17",), Shared.STEP, "what is no payload tells nothing"),
    Consequence(("RETRY-17",), ("EVT-03",), Shared.RUN, "run.started is where it would have been told"),
    Consequence(("RETRY-17",), ("EVT-17",), Shared.NO_CALL, "what is no payload tells nothing"),
    # The confirmation.
    Consequence(
        ("CONF-01", "CONF-02", "CONF-06", "DEP-05"),
        ("CONF-08",),
        Shared.RUN,
        "the question or the answer is not on record",
    ),
    Consequence(("CONF-01", "CONF-02"), ("CANC-06", "CONF-06", "CONF-07"), Shared.RECORD, "it was never approved"),
    Consequence(("CONF-04",), ("CANC-06", "LOG-18"), Shared.RUN, "run.json holds another decision"),
    Consequence(("CANC-06",), ITSELF, Shared.RECORD, "it is one end of the run before which all of them began"),
    Consequence(("CONF-01",), ("LOG-18",), Shared.ON_RECORD, "run.json holds no decision"),
    Consequence(("CONF-06",), ("LOG-18",), Shared.RECORD, "run.json holds another decision"),
    Consequence(("LOG-18",), ITSELF, Shared.RECORD, "it is one decision that proves none of them"),
    Consequence(("CONF-06",), ITSELF, Shared.RECORD, "it is one rejection that all of them passed over"),
    Consequence(("CONF-04",), ("LOG-01",), Shared.RECORD, "run.json holds no decision"),
    Consequence(("CONF-02", "CONF-14"), ("CONF-01",), Shared.RUN, "it is the same approval"),
    Consequence(("CONF-01",), ITSELF, Shared.RECORD, "it is one approval that came too late for all of them"),
    Consequence(("CONF-02",), ITSELF, Shared.RECORD, "it is one approval that came too late for all of them"),
    Consequence(("CONF-14",), ITSELF, Shared.RECORD, "it is one approval that came too late for all of them"),
    Consequence(("CONF-04",), ITSELF, Shared.RECORD, "it is one confirmation that has two names"),
    Consequence(
        ("CONF-03",),
        ITSELF,
        Shared.RUN,
        "it is one confirmation that has two names",
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
    Consequence(("EVT-21",), ("CONF-12",), Shared.RUN, "a run that was revived has calls without events"),
    # Moments and places.
    Consequence(("TIME-09",), ("CALL-10", "CALL-19", "RES-17"), Shared.RECORD, "it is the same stamp"),
    Consequence(("TIME-12",), ("CALL-19",), Shared.RECORD, "what ends after a deadline in the past ends late"),
    Consequence(ORDER, ("TIME-06",), Shared.RECORD, "a stamp that cannot be true puts its record in a wrong place"),
    Consequence(("TIME-01", "TIME-02", "TIME-12"), ("TIME-07",), Shared.RECORD, "it is the same duration"),
    Consequence(("DEP-05",), ("TIME-11",), Shared.RECORD, "what is lost to a timeout does not run on"),
    Consequence(("EVT-06",), ("TIME-06",), Shared.RECORD, "a stamp that cannot be true is not that of the event"),
    Consequence(
        laws_of("CANC-01 DEP-01 DEP-03 DEP-04 REF-22"),
        ("EVT-11",),
        Shared.CALL,
        "its start stands in a wrong place",
    ),
    Consequence(("EVT-12",), ("EVT-11",), Shared.CALL, "progress stands where the events of its call were moved"),
    Consequence(("EVT-15",), ("CONF-14", "EVT-05", "EVT-11"), Shared.RECORD, "a record in a wrong place has its stamp"),
    Consequence(("EVT-15",), ("EVT-03", "CONF-08"), Shared.RECORD, "an event in a wrong place has its stamp"),
    # The event after a start that was told late is the innocent one of the two.
    Consequence(("EVT-15",), ("EVT-06",), Shared.RECORD, "whatever follows a stamp from later seems to come before it"),
    Consequence(("EVT-15",), ("CONF-01", "CONF-02"), Shared.RECORD, "an approval in a wrong place has its stamp"),
    Consequence(
        ("EVT-15",),
        ("EVT-04", "EVT-08", "EVT-14", "CANC-05", "CONF-11"),
        Shared.RECORD,
        "what is told twice has its stamp twice",
    ),
    Consequence(("EVT-15",), ITSELF, Shared.RECORD, "it is one stamp before which all of them come"),
    Consequence(("EVT-10",), ("EVT-15",), Shared.RECORD, "it is the same stamp"),
    Consequence(("EVT-06",), ("EVT-11",), Shared.RECORD, "a record in a wrong place has its stamp"),
    Consequence(("EVT-11", "EVT-05"), ("CANC-07",), Shared.RECORD, "what comes after the end comes after all"),
    Consequence(("EVT-05", "TIME-13"), ("EVT-04",), Shared.RECORD, "one of the two is not the end"),
    Consequence(("EVT-05",), ITSELF, Shared.RECORD, "it is one end after which all of them come"),
    Consequence(("EVT-11",), ("EVT-05",), Shared.RECORD, "what comes after the end comes after all"),
    Consequence(("LOOP-09",), ("LOOP-14",), Shared.CALL, "iterations that are open at once are not one after another"),
    Consequence(("LOOP-14",), ITSELF, Shared.STEP, "a loop that is too wide is so from one iteration to the next"),
    Consequence(("LOG-14",), ("LOOP-09",), Shared.CALL, "iterations out of order stand out of order"),
    Consequence(("LOG-14",), ITSELF, Shared.RECORD, "it is one call that stands too early, before all of them"),
    Consequence(
        ("RETRY-01", "RETRY-05", "RETRY-08"), ("LOG-14",), Shared.RECORD, "attempts are counted as their calls stand"
    ),
    Consequence(("TIME-13",), ITSELF, Shared.RECORD, "it is one beginning or end of the run that all of them pass"),
    Consequence(("TIME-13",), ("LOG-14", "EVT-15"), Shared.RECORD, "a stamp from before the run is out of order too"),
    Consequence(("EVT-10",), ("TIME-13", "RETRY-08", "TIME-06"), Shared.CALL, "what ends late ends after its event"),
    Consequence(
        HISTORY, ("RES-01",), Shared.NO_RESULT, "what happened to the file may be in the result that is missing"
    ),
    Consequence(HISTORY, ("RES-01", "TIME-06"), Shared.PATH, "what happened to the file is told in another place"),
    Consequence(
        (*ARGUMENTS, "REF-01", "VAL-04", "REF-16", "LOG-06", "CALL-05", "CALL-06", "DEP-08", "DEP-14"),
        ("CONF-10",),
        Shared.PLAN,
        "a plan that was changed after its confirmation is not the one that was carried out",
        when=(Matter.CONFIRMED_PLAN,),
    ),
    # What only counts the others.
    *(
        Consequence(
            missing,
            UNREADABLE,
            shared,
            "a line that cannot be read is a missing record",
        )
        for missing, shared in (
            (WITHOUT_CALL, Shared.CALLS),
            (WITHOUT_RESULT, Shared.RESULTS),
            (WITHOUT_EVENT, Shared.EVENTS),
        )
    ),
    Consequence(
        ("CONF-04",), UNREADABLE, Shared.EVENTS, "a line that cannot be read is a missing record", (Matter.ANSWER,)
    ),
    Consequence(HISTORY, UNREADABLE, Shared.UNREAD, "what happened to the file may be in the line that is unread"),
    Consequence(
        ("EVT-18",),
        UNREADABLE,
        Shared.EVENTS,
        "a line that cannot be read is a missing record",
        (Matter.CANCELLATION,),
    ),
    Consequence(
        ("EVT-18",), ("EVT-01",), Shared.NO_CALL, "an event of no known type is a missing event", (Matter.CANCELLATION,)
    ),
    Consequence(
        ("EVT-18",), ("CONF-08",), Shared.RUN, "the question or the answer is not on record", (Matter.CANCELLATION,)
    ),
    Consequence(
        ("EVT-18",),
        ("EVT-04",),
        Shared.RECORD,
        "one of the two is not the end",
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
        "what happened otherwise came to something else",
        (Matter.OUTCOME,),
    ),
    Consequence(("EVT-18",), COUNTED, Shared.RUN, "what happened otherwise is counted otherwise", (Matter.COUNT,)),
    Consequence(
        ("EVT-18",), ("CANC-01",), Shared.RUN, "a cancellation that nobody heeded is not the outcome", (Matter.OUTCOME,)
    ),
    Consequence(
        ("EVT-18",), ("RES-04",), Shared.RUN, "what came of a status that is none is not known", (Matter.OUTCOME,)
    ),
    Consequence(("EVT-18",), ("EVT-13",), Shared.NO_RESULT, "a result that is missing is not counted", (Matter.COUNT,)),
)

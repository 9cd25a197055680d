"""What follows from faults of plans, of arguments and of the gates: rows of the table of consequences."""

from __future__ import annotations

from callproof.checks.matters import Matter
from callproof.judge.groups import (
    ARGUMENTS,
    ATTEMPTS,
    CODES,
    DEPENDENT,
    PAIRING,
    PATHS,
    PLAN_FAULTS,
    POLICY,
    laws_of,
)
from callproof.judge.mixup_consequences import MIXUPS
from callproof.judge.sharing import ITSELF, Consequence, Shared

ARGUMENT_ROWS: tuple[Consequence, ...] = (
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
        ("VAL-04", "REF-16", "REF-01", "REF-21"),
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
    Consequence(
        ("HASH-02", "HASH-03", "HASH-07"), ("HASH-01", "HASH-05"), Shared.RECORD, "one of the two hashes is wrong"
    ),
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
    Consequence(("REF-22",), ITSELF, Shared.FIRST, "it is one call that began too early for all of them"),
    Consequence(("DEP-01",), ("REF-22",), Shared.FIRST, "what a call reads from it waits for, too"),
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
)

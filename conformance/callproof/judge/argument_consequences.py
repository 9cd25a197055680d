"""What follows from faults of plans, of arguments and of the gates: rows of the table of consequences."""

from __future__ import annotations

from callproof.checks.matters import Matter
from callproof.judge.groups import (
    ARGUMENTS,
    ATTEMPTS,
    CODES,
    DEPENDENT,
    MIXED_RUNS,
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
        MIXED_RUNS,
        ("CALL-04",),
        Shared.RUN,
        "two runs at once have the same name, so it is unclear which of them a record belongs to",
        when=(Matter.RUN_ID,),
    ),
    Consequence(
        (*PAIRING, *DEPENDENT),
        ("CALL-02",),
        Shared.CALL,
        "two calls have the same name, so it is unclear which of them a record belongs to",
    ),
    Consequence(
        DEPENDENT,
        ("CALL-02",),
        Shared.SOURCE,
        "two calls have the same name, so it is unclear which of them gave the value",
    ),
    Consequence(("RETRY-03",), ("CALL-02",), Shared.STEP, "a call that is recorded twice is counted twice"),
    Consequence(
        laws_of("ERR-01 ERR-02 ERR-03 ERR-06 ERR-09 POL-14 TIME-04"),
        ("CALL-02",),
        Shared.CALL,
        "two calls have the same name, so it is unclear which of them a record belongs to",
    ),
    *MIXUPS,
    Consequence(("CALL-06",), ("VAL-06",), Shared.RECORD, "a name in another spelling is not the name in the registry"),
    Consequence(("VAL-05",), ("VAL-06",), Shared.RUN, "a name in another spelling is not a name in the registry"),
    Consequence(("CALL-05",), ("DEP-14",), Shared.RECORD, "the plan does not have this step"),
    Consequence(ATTEMPTS, ("CALL-05",), Shared.CALL, "the attempts of an unknown step cannot be counted"),
    Consequence(
        laws_of("DEP-08 DEP-02 DEP-04 DEP-05 LOOP-01 LOOP-10 LOOP-12 REF-02 RETRY-01 RETRY-11 RETRY-12"),
        ("CALL-05", "DEP-14"),
        Shared.RUN,
        "the missing record may be the one that names the unknown step",
    ),
    Consequence(
        ("RES-03",), ("CALL-03",), Shared.CALL, "one of the two records belongs to another run", (Matter.RUN_ID,)
    ),
    Consequence(("CALL-03",), ITSELF, Shared.RECORD, "all of them have an id that differs from their run record's"),
    Consequence(("EVT-13",), ("LOG-22",), Shared.RECORD, "a record of another run matches no call of this run"),
    Consequence(
        ("RETRY-01",), ("CALL-08",), Shared.RECORD, "something that is not an attempt number cannot be counted"
    ),
    Consequence(
        ("RES-03",), ("RETRY-14",), Shared.RECORD, "the result of another attempt names that attempt", (Matter.ATTEMPT,)
    ),
    Consequence(("RETRY-01",), ("DEP-07",), Shared.RECORD, "two first attempts have the same number"),
    Consequence(
        laws_of("DEP-07 RETRY-05 RETRY-08 RETRY-19"),
        ("LOOP-01", "LOOP-12"),
        Shared.STEP,
        "the missing iteration may be the one with the wrong index",
    ),
    Consequence(
        laws_of("LOOP-03 LOOP-13 REF-07 REF-08 REF-14"),
        ("DEP-07",),
        Shared.RECORD,
        "one of the two calls may belong to another iteration",
    ),
    Consequence(
        ("EVT-13", "RES-03"),
        ("CALL-05",),
        Shared.CALL,
        "the record agrees with the right call, and not with this one",
        (Matter.STEP_ID,),
    ),
    Consequence(
        ("EVT-13", "RES-03"),
        ("CALL-06",),
        Shared.CALL,
        "the record agrees with the right call, and not with this one",
        (Matter.TOOL,),
    ),
    Consequence(
        ("RES-03",),
        ("CALL-08", "RETRY-01"),
        Shared.CALL,
        "the record agrees with the right call, and not with this one",
        (Matter.ATTEMPT,),
    ),
    Consequence(
        laws_of("EVT-06 EVT-07 EVT-11 EVT-14 LOOP-14"),
        ("EVT-13",),
        Shared.RECORD,
        "the event may belong to another call",
    ),
    Consequence(
        laws_of("EVT-08 EVT-09 EVT-10 EVT-16 CANC-08 POL-02 POL-04 REF-22"),
        ("EVT-13",),
        Shared.RECORD,
        "the event may belong to another call",
        when=(Matter.STEP_ID,),
    ),
    Consequence(
        laws_of("CALL-09 CALL-13 CALL-15 EFF-09 EFF-15 EFF-20 RES-07 VAL-01 VAL-02 VAL-03"),
        ("CALL-06",),
        Shared.CALL,
        "the check looked at the tool that the call names, which is the wrong one",
    ),
    Consequence(("CALL-11", "CALL-12"), ITSELF, Shared.RECORD, "one version differs from all the others"),
    *(
        Consequence(
            ("EVT-13",),
            ("RES-02", "LOG-23"),
            Shared.SUBJECT,
            "the record agrees with the step, and not with this call",
            each,
            each,
        )
        for each in ((Matter.TOOL,), (Matter.STEP_ID,))
    ),
    Consequence(("RES-02",), ("CALL-02",), Shared.STEP, "the missing call may be one of the two"),
    Consequence(("RES-02",), ("CALL-01",), Shared.STEP, "no result can name a call that has no id"),
    Consequence(("LOG-07",), ("CALL-01",), Shared.RECORD, "no result can name a call that has no id"),
    Consequence(
        laws_of("LOOP-01 LOOP-09 LOOP-10 LOOP-12 LOOP-13 LOOP-14 RETRY-01 RETRY-11 RETRY-12")
        + laws_of(
            "DEP-07 REF-07 REF-14 RETRY-03 RETRY-04 RETRY-05 RETRY-06 RETRY-07 RETRY-08 RETRY-09 RETRY-10 RETRY-19"
        ),
        ("LOOP-02", "LOOP-11"),
        Shared.STEP,
        "it is unclear which iteration the record belongs to",
    ),
    Consequence(
        ("RES-03",),
        ("LOOP-02", "LOOP-11"),
        Shared.CALL,
        "it is unclear which iteration the record belongs to",
        (Matter.ITERATION,),
    ),
    Consequence(
        ("RES-03",),
        ("LOOP-01", "LOOP-12", "DEP-07"),
        Shared.CALL,
        "the missing iteration may be the one with the wrong index",
        (Matter.ITERATION,),
    ),
    Consequence(("RES-03",), ("LOOP-03",), Shared.SUBJECT, "it is the same index", (Matter.ITERATION,)),
    Consequence(("LOOP-02",), ITSELF, Shared.TEMPLATE, "all iterations of a step lack the same"),
    Consequence(
        ("REF-08",), ("LOOP-02", "LOOP-11"), Shared.SUBJECT, "it is unclear which iteration the record belongs to"
    ),
    Consequence(("LOOP-05",), ("CALL-24",), Shared.RECORD, "a loopId that is not a string names no loop"),
    # Arguments.
    Consequence(
        ("RETRY-09", "RETRY-16", "EFF-14"), ("CALL-07",), Shared.CALL, "args that are not an object cannot be compared"
    ),
    Consequence(("CALL-20",), ("CALL-07",), Shared.RECORD, "what is not an object is not what the tool received"),
    Consequence(("HASH-07",), ("HASH-04",), Shared.RECORD, "something that is not a hash cannot agree with one"),
    *(
        Consequence(laws, ("LOOP-03",), shared, because, only, (Matter.ANOTHER_ITEM,))
        for laws, shared, because, only in (
            (("LOOP-07",), Shared.RECORD, "the item is that of another index", (Matter.ANOTHER_ITEM,)),
            (
                laws_of("LOOP-13 REF-07 REF-11 REF-21 LOG-06"),
                Shared.CALL,
                "the arguments were made from the item of another index",
                (),
            ),
        )
    ),
    Consequence(
        (*ARGUMENTS, "VAL-04", "REF-16", "REF-01", "REF-21", "REF-27", "LOG-06", "RETRY-09"),
        ("POL-17",),
        Shared.CALL,
        "the hook changed the arguments, and the record does not say so",
        when=(Matter.ARGS_MODIFIED_BY,),
    ),
    Consequence(ARGUMENTS, ITSELF, Shared.TEMPLATE, "one template goes wrong in the same way in each call of its step"),
    Consequence(("REF-01",), ("REF-12", "REF-14"), Shared.RECORD, "the value that was read was not what the step gave"),
    Consequence(("REF-01",), ("REF-22", "REF-06"), Shared.SUBJECT, "the value was read before it existed"),
    Consequence(
        ("REF-05", "REF-19", "REF-21"), ("REF-22", "REF-06"), Shared.TEMPLATE, "the value was read before it existed"
    ),
    Consequence(("REF-14",), ("REF-12",), Shared.RECORD, "the value had been changed before it was read"),
    Consequence(("REF-01",), ("HASH-06",), Shared.RECORD, "the recorded result is not the one that was hashed"),
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
        "wrong arguments differ from what the plan and the results give",
    ),
    Consequence(
        ("LOG-06", "REF-01", "VAL-04", "REF-16", "REF-27"),
        ITSELF,
        Shared.TEMPLATE,
        "one template goes wrong in the same way in each call of its step",
    ),
    Consequence(
        ("VAL-02", "VAL-03"), ("REF-10", "REF-11"), Shared.SUBJECT, "a value in another form may no longer be valid"
    ),
    Consequence(
        ("VAL-01",),
        ("VAL-02", "VAL-03", "VAL-10", "REF-27", *ARGUMENTS, "VAL-04", "REF-16", "REF-01", "LOG-06"),
        Shared.SUBJECT,
        "changed arguments may no longer be valid",
    ),
    Consequence(
        ("RETRY-09", "RETRY-16", "HASH-01", "HASH-07", "CALL-14", "MSG-04"),
        ("REF-27", *ARGUMENTS, "VAL-04", "REF-16", "REF-01", "LOG-06"),
        Shared.SUBJECT,
        "arguments changed in one attempt differ from the other attempts', and from what was hashed or shown",
    ),
    Consequence(("RETRY-09",), ITSELF, Shared.SUBJECT, "it differs from the attempts before and after it"),
    Consequence(
        ("RETRY-16",), ("VAL-01", "CONF-03", "POL-01", "POL-02"), Shared.RECORD, "this gate let the attempt pass"
    ),
    Consequence(
        ("HASH-02", "HASH-03", "HASH-07"), ("HASH-01", "HASH-05"), Shared.RECORD, "one of the two hashes is wrong"
    ),
    Consequence(
        ("VAL-07",),
        ("RES-06", "RES-07", "RES-25"),
        Shared.RECORD,
        "each step that reads the invalid output is affected",
    ),
    Consequence(("HASH-06",), ("RES-06", "RES-07", "RES-25"), Shared.RECORD, "it is not the data that was hashed"),
    Consequence(
        ("REF-02", "REF-04", "REF-17", "REF-20"),
        ("RES-06", "RES-07", "RES-25"),
        Shared.SOURCE,
        "each step that reads the invalid output is affected",
    ),
    Consequence(
        ("REF-01", "REF-05", "REF-11"),
        ("RES-06", "RES-07", "RES-25"),
        Shared.RECORD,
        "the recorded output is not the one that the tool gave",
    ),
    Consequence(("VAL-07",), ITSELF, Shared.RECORD, "one output was read several times"),
    Consequence(
        ("RES-07",),
        ("RES-03",),
        Shared.RECORD,
        "the data was checked against the schema of another tool",
        when=(Matter.TOOL,),
    ),
    Consequence(
        laws_of("REF-01 REF-04 REF-05 EVT-06 EVT-10 TIME-01 TIME-02 TIME-06 RES-24 VAL-07 EFF-09 EFF-14 EFF-15 EFF-20"),
        ("RES-03",),
        Shared.RECORD,
        "the result may belong to another call",
        when=(Matter.STEP_ID,),
    ),
    Consequence(
        laws_of("LOOP-01 LOOP-03 LOOP-10 LOOP-12 REF-01 REF-04 REF-17 REF-20 REF-21"),
        ("RES-03",),
        Shared.SOURCE,
        "the result of another step does not hold what this step gave",
        when=(Matter.STEP_ID,),
    ),
    Consequence(("REF-06",), ("REF-02",), Shared.SUBJECT, "it is the same reference"),
    Consequence(("REF-22",), ITSELF, Shared.FIRST, "one call began too early for all of them"),
    Consequence(("DEP-01",), ("REF-22",), Shared.FIRST, "a call also waits for each step that it reads from"),
    Consequence(("DEP-03",), ("DEP-10",), Shared.RUN, "it is the same limit"),
    Consequence(("REF-04",), ("REF-03", "REF-23"), Shared.RUN, "a reference that no plan may have leads to nothing"),
    Consequence(
        ("DEP-03",),
        ("REF-22", "DEP-01"),
        Shared.RECORD,
        "a call that does not wait is open at the same time as the other",
    ),
    Consequence(("RES-07",), ("RES-24",), Shared.RECORD, "the schema permits no such member"),
    Consequence(
        ("DEP-01", "DEP-02"),
        ("DEP-09",),
        Shared.CIRCLE,
        "in a circle of steps none can wait for all the others",
        when=(Matter.CIRCLE,),
    ),
    Consequence(
        ("DEP-09",), ITSELF, Shared.RECORD, "each step of a circle waits for itself", (Matter.CIRCLE,), (Matter.CIRCLE,)
    ),
    Consequence(("VAL-15",), PLAN_FAULTS, Shared.RUN, "it is the same plan"),
    # The policy, path by path and call by call.
    Consequence(("CALL-17",), POLICY, Shared.RECORD, "the call has a policy that differs from the other calls'"),
    Consequence(("LOG-10",), (*POLICY, "CALL-17"), Shared.RECORD, "the call's policy is not the run's"),
    Consequence(("POL-12",), ("CALL-16", "POL-21"), Shared.RECORD, "a limit that is absent limits nothing"),
    Consequence(("LOG-10", "CALL-17", "POL-12"), ITSELF, Shared.RECORD, "one policy differs from all the others"),
    Consequence(("DEP-03", "RETRY-03", "TIME-10"), ("POL-12",), Shared.RECORD, "the call keeps the wider policy"),
    Consequence(
        ("POL-13", "POL-17", "POL-02"), PATHS, Shared.RECORD, "the path is refused because of what it contains"
    ),
    Consequence(("ERR-04", "EVT-07", "POL-14"), ("POL-01", *PATHS), Shared.CALL, "a denial was not reported as one"),
    Consequence(
        ("DEP-05",),
        ("POL-01", "POL-02", "POL-07", *PATHS),
        Shared.RECORD,
        "the call had to be refused, and it was skipped",
    ),
    Consequence(("POL-17",), ("POL-02", "CALL-07"), Shared.RECORD, "the call is refused, whatever changed it"),
    Consequence(("ERR-07",), ("POL-01", "POL-02", *PATHS), Shared.CALL, "one of the two codes is right"),
    Consequence(("EFF-23",), ("POL-14",), Shared.RECORD, "it is the same change"),
    Consequence(("EVT-07",), ("VAL-01", "VAL-02", "VAL-03"), Shared.CALL, "a call that was not refused began"),
    Consequence(("ERR-10",), ("POL-16",), Shared.CALL, "a call that a hook blocked has another code"),
    Consequence(("RES-12", "RES-14", "ERR-05"), ("ERR-10", "RES-22"), Shared.RECORD, "it is the same code"),
    Consequence(("CANC-09",), ("RES-12", "RES-15"), Shared.RECORD, "it is the same error"),
    Consequence(
        (*CODES, "RETRY-11", "RETRY-12"),
        ("RES-09", "RES-25"),
        Shared.RECORD,
        "without its error it is unknown how the call failed",
    ),
    Consequence(
        ("VAL-01", "VAL-02", "VAL-03"),
        ("RES-09", "RES-25"),
        Shared.CALL,
        "without its error it is unknown that the call was refused",
    ),
    Consequence(("RES-14",), (*CODES, "RES-12"), Shared.RECORD, "it is the same code"),
)

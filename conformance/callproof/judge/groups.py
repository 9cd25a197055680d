"""Named groups of laws that follow from the same roots, or that have the same consequences."""

from __future__ import annotations


def laws_of(names: str) -> tuple[str, ...]:
    """The laws in a text of names separated by blanks."""
    return tuple(names.split())


# Laws on the contents of a call's arguments, each of them narrower than LOG-06.
ARGUMENTS = laws_of(
    "LOG-11 LOG-12 VAL-10 REF-12 REF-14 REF-15 REF-25 REF-09 REF-08 REF-07 REF-05 REF-06 REF-10 REF-11 REF-18 "
    "REF-19 REF-20 LOOP-03 LOOP-13"
)
# Laws that a death may prove broken, which ends the conversation (A78).
DEADLY = ("ERR-06", "RES-22", "VAL-12", "DEP-15")
# Laws on what was done to a file before.
HISTORY = ("EFF-02", "EFF-03", "EFF-04", "EFF-05", "EFF-06", "EFF-07", "EFF-11", "EFF-25")
# Laws that require one moment to be before another.
ORDER = laws_of(
    "EFF-02 EFF-03 EFF-04 EFF-05 EFF-06 EFF-07 EFF-11 EFF-16 EFF-25 DEP-01 DEP-03 DEP-04 REF-02 REF-06 REF-22 "
    "RETRY-08 TIME-01 TIME-02 TIME-07 TIME-12 TIME-13 CANC-01 CANC-03 CANC-11 CONF-01 CONF-02 CONF-14 EVT-10 EVT-15 "
    "LOG-14 LOOP-08 LOOP-09 LOOP-14 CALL-19 DEP-06"
)
# Laws that depend on which records belong to one call, and on which step's attempt the call is.
PAIRING = laws_of(
    "RES-01 RES-03 RES-07 RES-16 RES-19 RES-20 LOG-07 LOG-08 EVT-06 EVT-07 EVT-08 EVT-09 EVT-10 EVT-11 EVT-12 "
    "EVT-13 EVT-14 EVT-16 EVT-21 TIME-01 TIME-02 TIME-06 TIME-13 RETRY-01 RETRY-02 RETRY-03 RETRY-04 RETRY-05 "
    "RETRY-06 RETRY-07 RETRY-08 RETRY-09 RETRY-11 RETRY-14 RETRY-16 RETRY-19 LOOP-09 LOOP-14 DEP-03 DEP-07 EFF-02 "
    "EFF-03 EFF-04 EFF-05 EFF-09 EFF-14 EFF-15 EFF-16 EFF-17 EFF-19 EFF-20 ERR-11 CANC-01 CANC-02 CANC-03 CALL-09"
)
# Laws that compare a call with the attempts before it, or ask whether another attempt follows.
ATTEMPTS = laws_of(
    "RETRY-01 RETRY-02 RETRY-03 RETRY-04 RETRY-05 RETRY-06 RETRY-07 RETRY-08 RETRY-09 RETRY-16 RETRY-19 DEP-07 EFF-17 "
    "EVT-16"
)
# Laws that find the records of another run among those of a run.
MIXED_RUNS = laws_of(
    "CALL-02 CALL-17 CALL-20 RES-01 RES-20 RES-21 EVT-04 EVT-05 EVT-08 EVT-15 EVT-18 EVT-20 REF-14 POL-12 POL-14 "
    "CONF-04 RETRY-10 RETRY-18 CANC-05 CANC-10 LOOP-07 LOG-13"
)
# Laws about a step that depend on the outcome of the steps before it.
DEPENDENT = laws_of(
    "LOG-06 REF-01 REF-02 REF-03 REF-04 REF-05 REF-06 REF-16 REF-22 DEP-01 DEP-02 LOOP-03 LOOP-10 VAL-07"
)

# Laws that ask to which step a call belongs, and laws that ask which result or event belongs to a call.
OF_A_STEP = (
    *(
        law
        for law in dict.fromkeys((*PAIRING, *DEPENDENT, *ARGUMENTS))
        if law not in laws_of("RES-01 RES-03 RES-20 LOG-07 EVT-13")
    ),
    *laws_of("CALL-06 VAL-04 REF-21 REF-27 DEP-04 DEP-05 DEP-06 DEP-08 RETRY-12"),
    *laws_of("LOOP-01 LOOP-02 LOOP-04 LOOP-05 LOOP-06 LOOP-11 LOOP-12"),
)
OF_A_CALL = (
    *(law for law in PAIRING if law not in laws_of("RES-01 RES-20 LOG-07")),
    *laws_of(
        "REF-01 REF-06 REF-22 DEP-01 CANC-08 CANC-11 RETRY-12 RETRY-17 EFF-23 LOOP-10 ERR-04 ERR-07 POL-01 POL-02"
    ),
)
# Laws that are broken by a plan that can never run.
PLAN_FAULTS = laws_of("REF-03 REF-23 REF-26 DEP-09 DEP-10 DEP-13 VAL-05 VAL-08 VAL-09")
RETRIES = ("RETRY-04", "RETRY-06", "RETRY-11", "RETRY-12", "RETRY-15")
POLICY = ("CALL-16", "POL-12", "POL-21", "CONF-13")
PATHS = ("POL-03", "POL-04", "POL-05", "POL-06", "POL-09")
# Laws that require one particular code.
CODES = ("ERR-07", "ERR-08", "REF-04", "CANC-09", "POL-01", "POL-02", *PATHS)
# Laws whose breach changes the number of results, or the outcome of a step.
COUNTED = laws_of(
    "RES-01 RES-02 RES-04 RES-20 LOG-07 LOG-23 DEP-08 LOOP-01 LOOP-06 LOOP-10 LOOP-12 RETRY-05 RETRY-07 CALL-02 "
    "RES-05 EVT-09"
)
